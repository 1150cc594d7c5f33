package import PortolanFetch

extension FetchClock {
    /// The time of a test, 1 January 2026 at noon when it begins, and no chance: the shortest waits.
    package static func test(_ clock: TestClock, random: Double = 0) -> FetchClock {
        FetchClock(
            now: { clock.now }, sleep: { await clock.sleep($0) },
            calendarSeconds: { 1_767_268_800 + clock.now.components.seconds }, random: { random })
    }
}
