import Synchronization

/// Counts what changes of a map, and wakes who waits for it.
final class MapChanges: Sendable {
    private struct State {
        var count = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var listenerCount = 0
    }

    private let state = Mutex(State())

    /// How often something has changed.
    var count: Int { state.withLock(\.count) }

    /// Notes that something has changed.
    func note() {
        let listeners = state.withLock { state in
            state.count += 1
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// What is yielded to when something changes, and what else is to wake who waits; of several wakes one is kept.
    func listen() -> (wakes: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.listenerCount += 1
            state.listeners[state.listenerCount] = continuation
            return state.listenerCount
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return (stream, continuation)
    }

    deinit { for listener in state.withLock(\.listeners).values { listener.finish() } }
}
