#if os(Linux)
import Glibc
import Synchronization

/// A free port of 127.0.0.1 whose connections are served, each on a separate thread.
package final class LoopbackListener: Sendable {
    private struct State {
        var connectionCount = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let listener: Int32
    /// The port.
    package let port: UInt16

    package init() throws { (listener, port) = try LoopbackSocket.listen() }

    /// The number of connections so far.
    package var connectionCount: Int { state.withLock { $0.connectionCount } }

    package var openConnectionCount: Int { state.withLock { $0.open.count } }

    /// Accepts connections until `stop`.
    ///
    /// A connection ends when `serve` returns.
    package func start(_ serve: @escaping @Sendable (_ descriptor: Int32) -> Void) {
        startThread { self.acceptConnections(serve) }
    }

    /// Ends all connections and threads.
    package func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            _ = shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.open { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func acceptConnections(_ serve: @escaping @Sendable (Int32) -> Void) {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            let isWanted = state.withLock { state in
                state.connectionCount += 1
                if !state.isStopped { state.open.insert(descriptor) }
                return !state.isStopped
            }
            guard isWanted else {
                _ = close(descriptor)
                continue
            }
            startThread {
                serve(descriptor)
                self.state.withLock { state in
                    state.open.remove(descriptor)
                    _ = close(descriptor)
                }
            }
        }
        _ = close(listener)
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a new detached thread.
private func startThread(_ body: @escaping @Sendable () -> Void) {
    let retained = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
        &thread, nil,
        { context in
            if let context = unsafe context {
                unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
            }
            return nil
        }, retained.toOpaque())
    precondition(result == 0, "no thread for the test server")
    pthread_detach(thread)
}
#endif
