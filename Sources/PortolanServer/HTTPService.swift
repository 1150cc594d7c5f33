#if Server
import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import PortolanServing
import ServiceLifecycle
package import UnixSignals

/// A map server on a port of this machine.
package struct HTTPService: Sendable {
    /// What answers.
    package let server: MapServer
    /// The address that it listens at.
    package var host = "127.0.0.1"
    /// The port; 0 for one that is free.
    package var port = 8080
    /// How long requests under way may take to end when the server is to.
    package var drainTime = Duration.seconds(25)
    /// Where lines go, one for each request.
    package var log: Logger?

    /// Makes a service.
    package init(_ server: MapServer) { self.server = server }

    /// Why a server cannot begin.
    package enum Failure: Error, CustomStringConvertible {
        /// Another program listens there.
        case taken(host: String, port: Int)
        /// The port is for the administrator of the machine alone.
        case notAllowed(host: String, port: Int)
        /// There is no such address on this machine.
        case noAddress(host: String)
        /// Something else.
        case other(String)

        package var description: String {
            switch self {
            case .taken(let host, let port):
                "port \(port) of \(host) is taken by another program; name another with --port, or 0 for any that is free"
            case .notAllowed(let host, let port):
                "port \(port) of \(host) may not be used by this user; name one from 1024 on with --port"
            case .noAddress(let host): "\(host) is no address of this machine; name another with --host"
            case .other(let words): "the server cannot begin: \(words)"
            }
        }
    }

    /// Serves until the process is told to end (SIGTERM, SIGINT) or the task is cancelled: no more connections are then
    /// taken, and requests under way are answered.
    ///
    /// - Parameter ready: called with the port when requests can come.
    /// - Throws: ``Failure``.
    package func run(
        signals: [UnixSignal] = [.sigterm, .sigint], ready: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws(Failure) {
        let port = port
        var quiet = Logger(label: "portolan-server")
        // What goes wrong with single connections is of no use to anybody.
        quiet.logLevel = .critical
        // A header of more has no meaning here, and a line of more is refused anyway.
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: 64 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 200)
        let departures = Departures()
        let application = Application(
            responder: HTTPDoor(server: server, departures: departures, log: log),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [DepartureHandler(in: departures)], idleTimeout: .seconds(60),
                    httpDecoderConfiguration: decoder)),
            configuration: .init(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in await ready(channel.localAddress?.port ?? port) }, logger: quiet)
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: Draining(server: server, application: application))],
            gracefulShutdownSignals: signals, logger: quiet)
        configuration.maximumGracefulShutdownDuration = drainTime
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            switch error.errnoCode {
            case EADDRINUSE: throw .taken(host: host, port: port)
            case EACCES: throw .notAllowed(host: host, port: port)
            case EADDRNOTAVAIL: throw .noAddress(host: host)
            default: throw .other("\(error)")
            }
        } catch is CancellationError {
            return
        } catch is SocketAddressError {
            throw .noAddress(host: host)
        } catch { throw .other("\(error)") }
    }

    /// Tells the server that it is to end, so that it says so to those who ask whether it is ready.
    private struct Draining<Main: Service>: Service {
        let server: MapServer
        let application: Main

        func run() async throws {
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: {
                server.drain()
            }
        }
    }
}
#endif
