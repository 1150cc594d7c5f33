#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Time and chance as a fetcher has them, so that tests can have others.
package struct FetchClock: Sendable {
    /// The time since some moment; it never runs backwards.
    package var now: @Sendable () -> Duration
    /// Waits for so long, or until the task is cancelled.
    package var sleep: @Sendable (Duration) async -> Void
    /// The calendar's time, in seconds since 1970.
    package var calendarSeconds: @Sendable () -> Int64
    /// A number in 0..<1.
    package var random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void,
        calendarSeconds: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.calendarSeconds = calendarSeconds
        self.random = random
    }

    /// The system's.
    package static let system: FetchClock = {
        let beginning = ContinuousClock.now
        return FetchClock(
            now: { beginning.duration(to: .now) },
            sleep: { duration in try? await Task.sleep(for: duration) },
            calendarSeconds: { Int64(Date().timeIntervalSince1970) },
            random: { Double.random(in: 0..<1) })
    }()
}
