import Synchronization

/// Time that stands still until a test moves it.
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

    /// How many tasks wait.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// How long tasks wanted to wait, in the order in which they began.
    package var asked: [Duration] { state.withLock { $0.asked } }

    /// Waits until the time has been moved so far, or the task is cancelled.
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

    /// Moves the time and wakes those whose wait is over.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.end <= state.now }.keys.sorted()
            return due.compactMap { state.sleepers.removeValue(forKey: $0) }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
