package import PortolanFetch

extension FetchClock {
    /// A test clock that begins on 1 January 2026 at noon, without randomness: all waits are the shortest possible.
    package static func test(_ clock: TestClock, random: Double = 0) -> FetchClock {
        FetchClock(
            now: { clock.now }, sleep: { await clock.sleep($0) },
            calendarSeconds: { 1_767_268_800 + clock.now.components.seconds }, random: { random })
    }
}
