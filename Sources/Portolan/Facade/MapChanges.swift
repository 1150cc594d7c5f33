import Synchronization

/// Those who listen to something, told in the order in which they came.
final class Listeners<Element: Sendable>: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether nobody listens.
    var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    /// A stream of what is told from now on, and what else may yield to it.
    ///
    /// - Parameter newest: how much is kept for who falls behind.
    func stream(keeping newest: Int) -> (stream: AsyncStream<Element>, continuation: AsyncStream<Element>.Continuation)
    {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(newest))
        let number = state.withLock { state in
            state.count += 1
            state.continuations[state.count] = continuation
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            // The continuation is released outside the lock.
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return (stream, continuation)
    }

    func tell(_ element: Element) {
        let listeners = state.withLock { state in state.continuations.sorted { $0.key < $1.key }.map(\.value) }
        for listener in listeners { listener.yield(element) }
    }

    /// Ends all streams.
    func finish() {
        let listeners = state.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for listener in listeners { listener.finish() }
    }
}

/// Counts what changes of a map, and wakes who waits for it.
final class MapChanges: Sendable {
    private let number = Mutex(0)
    private let wakes = Mutex(0)
    private let listeners = Listeners<Void>()

    /// How often something has changed.
    var count: Int { number.withLock(\.self) }

    /// How often who waits was woken though nothing had changed yet.
    var wakeCount: Int { wakes.withLock(\.self) }

    /// Notes that something has changed.
    func note() {
        number.withLock { $0 += 1 }
        listeners.tell(())
    }

    /// Wakes who waits, though nothing has changed yet: something begins to move.
    func wake() {
        wakes.withLock { $0 += 1 }
        listeners.tell(())
    }

    /// What is yielded to when something changes, and what else is to wake who waits; of several wakes one is kept.
    func listen() -> (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) {
        listeners.stream(keeping: 1)
    }

    deinit { listeners.finish() }
}
