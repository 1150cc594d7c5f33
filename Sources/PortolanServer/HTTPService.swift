#if Server
import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import PortolanServerCore
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
    /// The port of ``host`` at which health and figures are told, or `nil` where they are with the maps; 0 for one that is free.
    package var healthPort: Int?
    /// How long it goes on when it is to end, saying that it is not ready, so that a balancer sends no more.
    package var noticeTime = Duration.zero
    /// How long requests under way may then take to end.
    package var drainTime = Duration.seconds(25)
    /// How long it waits for requests.
    package var patience = Patience()
    /// Where lines go, one for each request.
    package var log: Logger?

    /// How long a server waits for what clients send.
    package struct Patience: Sendable {
        /// From the beginning of a connection to the end of the head of its first request.
        package var head = Duration.seconds(10)
        /// From the head of a request to its end.
        package var body = Duration.seconds(30)
        /// While nothing comes.
        package var idle = Duration.seconds(60)

        /// The usual times.
        package init() {}
    }

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
        signals: [UnixSignal] = [.sigterm, .sigint],
        healthReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
        ready: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws(Failure) {
        var quiet = Logger(label: "portolan-server")
        // What goes wrong with single connections is of no use to anybody.
        quiet.logLevel = .critical
        var doors: [any Service] = []
        if let healthPort { doors.append(door(to: .health, port: healthPort, quiet, ready: healthReady)) }
        doors.append(door(to: healthPort == nil ? .all : .maps, port: port, quiet, ready: ready))
        let open = ServiceGroup(services: doors, logger: quiet)
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: Draining(server: server, open: open, noticeTime: noticeTime))],
            gracefulShutdownSignals: signals, logger: quiet)
        configuration.maximumGracefulShutdownDuration = noticeTime + drainTime
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

    /// A port that leads to a part of the server.
    private func door(
        to part: MapServer.Part, port: Int, _ quiet: Logger, ready: @escaping @Sendable (_ port: Int) async -> Void
    ) -> some Service {
        // A header of more has no meaning here, and a line of more is refused anyway.
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: 64 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 200)
        let departures = Departures(), patience = patience
        return Application(
            responder: HTTPDoor(
                server: server, departures: departures, log: part == .health ? nil : log, part: part),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        PatienceHandler(patience), DepartureHandler(in: departures), ClosingHandler(),
                    ],
                    idleTimeout: TimeAmount(patience.idle), httpDecoderConfiguration: decoder)),
            configuration: .init(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in await ready(channel.localAddress?.port ?? port) }, logger: quiet)
    }

    /// Tells the server that it is to end, so that it says so to those who ask whether it is ready, and closes the doors when
    /// they have had time to hear it.
    private struct Draining: Service {
        let server: MapServer
        let open: ServiceGroup
        let noticeTime: Duration

        func run() async throws {
            // A task of its own, to which the end is told later than to this one.
            let running = Task.detached { [open] in try await open.run() }
            try await withTaskCancellationHandler {
                try await withGracefulShutdownHandler {
                    try await running.value
                } onGracefulShutdown: {
                    server.drain()
                    Task.detached { [open, noticeTime] in
                        try await Task.sleep(for: noticeTime)
                        await open.triggerGracefulShutdown()
                    }
                }
            } onCancel: {
                running.cancel()
            }
        }
    }
}
#endif
