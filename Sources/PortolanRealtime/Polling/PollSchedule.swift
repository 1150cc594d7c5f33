import PortolanFetch

/// The polling times of several URLs: a fixed interval on success, increasing delays on failure.
struct PollSchedule: Hashable, Sendable {
    private struct Turn: Hashable, Sendable {
        var due = Duration.zero
        var failureCount = 0
    }

    /// The time between two requests of a URL.
    let pace: Duration
    /// The maximum time between two requests of a failing URL.
    let longest: Duration
    private var turns: [Turn]

    /// Creates a schedule with all URLs due.
    init(count: Int, pace: Duration, longest: Duration = .seconds(600)) {
        self.pace = max(pace, .seconds(1))
        self.longest = max(longest, self.pace)
        turns = Array(repeating: Turn(), count: count)
    }

    /// Returns the indices of the URLs that are due.
    func due(at now: Duration) -> [Int] { turns.indices.filter { turns[$0].due <= now } }

    /// Returns the time until the next URL is due.
    func wait(at now: Duration) -> Duration { max((turns.map(\.due).min() ?? now + pace) - now, .zero) }

    /// Records a success.
    mutating func succeeded(_ index: Int, at now: Duration) { turns[index] = Turn(due: now + pace) }

    /// Records a failure, and returns the delay until the next request.
    ///
    /// - Parameter random: a number in 0..<1 that spreads the requests of many clients.
    mutating func failed(_ index: Int, at now: Duration, random: Double) -> Duration {
        let count = min(turns[index].failureCount, 10)
        let doubled = min(pace * (1 << count), longest)
        let wait = doubled * (1 + min(max(random, 0), 1) / 4)
        turns[index] = Turn(due: now + wait, failureCount: count + 1)
        return wait
    }
}
