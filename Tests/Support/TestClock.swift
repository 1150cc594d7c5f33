import Synchronization

/// A clock that only a test advances.
package final class TestClock: Sendable {
    private struct Sleeper {
        let end: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var lastID = 0
        var asked: [Duration] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The time since the beginning.
    package var now: Duration { state.withLock { $0.now } }

    /// The number of waiting tasks.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// The requested waiting times, in order.
    package var asked: [Duration] { state.withLock { $0.asked } }

    /// Waits until the clock has been advanced by `duration`, or the task is cancelled.
    package func sleep(_ duration: Duration) async {
        let id = state.withLock { state in
            state.lastID += 1
            state.asked.append(duration)
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if duration <= .zero || state.cancelled.contains(id) { return true }
                    state.sleepers[id] = Sleeper(end: state.now + duration, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume()
        }
    }

    /// Advances the clock and resumes the tasks whose wait is over.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.end <= state.now }.keys.sorted()
            return due.compactMap { state.sleepers.removeValue(forKey: $0) }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
