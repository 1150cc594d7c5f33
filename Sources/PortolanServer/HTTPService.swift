#if Server
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
package import PortolanServerCore
import ServiceLifecycle
package import UnixSignals

/// A map server on a port of this machine.
package struct HTTPService: Sendable {
    /// The handler.
    package let server: MapServer
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port; 0 for any free one.
    package var port = 8080
    /// The port of ``host`` for health checks and metrics, or `nil` to serve them with the maps; 0 for any free one.
    package var healthPort: Int?
    /// The drain time on shutdown: the server reports that it is not ready, so that a load balancer stops sending requests.
    package var noticeTime = Duration.zero
    /// The time limit for requests in progress on shutdown.
    package var drainTime = Duration.seconds(25)
    /// The timeouts for requests.
    package var patience = Patience()
    /// Logs one line per request.
    package var log: AccessLog?

    /// The timeouts for data from clients.
    package struct Patience: Sendable {
        /// From the connection to the end of the head of its first request.
        package var head = Duration.seconds(10)
        /// From the head of a request to its end.
        package var body = Duration.seconds(30)
        /// Between two requests.
        package var idle = Duration.seconds(60)

        /// The default timeouts.
        package init() {}
    }

    /// Makes a service.
    package init(_ server: MapServer) { self.server = server }

    /// A reason why the server cannot start.
    package enum Failure: Error, CustomStringConvertible {
        /// The port is in use.
        case taken(host: String, port: Int)
        /// The port is privileged.
        case notAllowed(host: String, port: Int)
        /// This machine does not have the address.
        case noAddress(host: String)
        /// Another error.
        case other(String)

        package var description: String {
            switch self {
            case .taken(let host, let port):
                "port \(port) of \(host) is in use; choose another with --port, or 0 for any free one"
            case .notAllowed(let host, let port):
                "no permission for port \(port) of \(host); choose one from 1024 with --port"
            case .noAddress(let host): "\(host) is not an address of this machine; choose another with --host"
            case .other(let words): "cannot start the server: \(words)"
            }
        }
    }

    /// Serves until SIGTERM, SIGINT or cancellation of the task.
    ///
    /// New connections are then refused, and requests in progress
    /// are completed.
    ///
    /// - Parameter ready: called with the port when the server accepts requests.
    /// - Throws: ``Failure``.
    package func run(
        signals: [UnixSignal] = [.sigterm, .sigint],
        healthReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
        ready: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws(Failure) {
        // Errors of single connections are not logged.
        let quiet = Logger(label: "portolan-server") { _ in SwiftLogNoOpLogHandler() }
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

    /// A port for a part of the server.
    private func door(
        to part: MapServer.Part, port: Int, _ quiet: Logger, ready: @escaping @Sendable (_ port: Int) async -> Void
    ) -> some Service {
        // More headers have no meaning here, and a longer line is refused anyway.
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

    /// Announces the shutdown to the server, which then reports that it is not ready, and closes the ports after the
    /// drain time.
    private struct Draining: Service {
        let server: MapServer
        let open: ServiceGroup
        let noticeTime: Duration

        func run() async throws {
            // A separate task, which is cancelled later than this one.
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
