import PortolanFetch

/// When each of some addresses is asked again: at a pace while it answers, ever later while it fails.
struct PollSchedule: Hashable, Sendable {
    private struct Turn: Hashable, Sendable {
        var due = Duration.zero
        var failureCount = 0
    }

    /// The time between two requests of an address.
    let pace: Duration
    /// The longest time between two requests of an address that fails.
    let longest: Duration
    private var turns: [Turn]

    /// Makes a schedule by which all are due.
    init(count: Int, pace: Duration, longest: Duration = .seconds(600)) {
        self.pace = max(pace, .seconds(1))
        self.longest = max(longest, self.pace)
        turns = Array(repeating: Turn(), count: count)
    }

    /// The indices of what is due.
    func due(at now: Duration) -> [Int] { turns.indices.filter { turns[$0].due <= now } }

    /// How long nothing is due.
    func wait(at now: Duration) -> Duration { max((turns.map(\.due).min() ?? now + pace) - now, .zero) }

    /// An address has answered.
    mutating func succeeded(_ index: Int, at now: Duration) { turns[index] = Turn(due: now + pace) }

    /// An address has failed; returns when it is asked again.
    ///
    /// - Parameter random: a number in 0..<1, so that many clients do not come back at the same moment.
    mutating func failed(_ index: Int, at now: Duration, random: Double) -> Duration {
        let count = min(turns[index].failureCount, 10)
        let doubled = min(pace * (1 << count), longest)
        let wait = doubled * (1 + min(max(random, 0), 1) / 4)
        turns[index] = Turn(due: now + wait, failureCount: count + 1)
        return wait
    }
}
