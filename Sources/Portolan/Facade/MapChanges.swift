import Synchronization

/// The listeners of a stream, notified in the order of their registration.
final class Listeners<Element: Sendable>: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether there are no listeners.
    var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    /// Returns a stream of future elements, and a continuation for additional elements.
    ///
    /// - Parameter newest: the buffer size of a slow listener.
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
            // The continuation is released outside the lock to avoid a deadlock.
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return (stream, continuation)
    }

    func tell(_ element: Element) {
        let listeners = state.withLock { state in state.continuations.sorted { $0.key < $1.key }.map(\.value) }
        for listener in listeners { listener.yield(element) }
    }

    /// Finishes all streams.
    func finish() {
        let listeners = state.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for listener in listeners { listener.finish() }
    }
}

/// Counts the changes of a map and wakes tasks that wait for one.
final class MapChanges: Sendable {
    private let number = Mutex(0)
    private let wakes = Mutex(0)
    private let listeners = Listeners<Void>()

    /// The number of changes.
    var count: Int { number.withLock(\.self) }

    /// The number of wake-ups without a change.
    var wakeCount: Int { wakes.withLock(\.self) }

    /// Records a change.
    func note() {
        number.withLock { $0 += 1 }
        listeners.tell(())
    }

    /// Wakes waiting tasks without a change, because an animation begins.
    func wake() {
        wakes.withLock { $0 += 1 }
        listeners.tell(())
    }

    /// Returns a stream that yields at each change, and a continuation for other wake-ups.
    ///
    /// Only one pending element is buffered.
    func listen() -> (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) {
        listeners.stream(keeping: 1)
    }

    deinit { listeners.finish() }
}
