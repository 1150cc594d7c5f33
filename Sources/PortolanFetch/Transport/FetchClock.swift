#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The time and randomness of a fetcher, replaceable in tests.
package struct FetchClock: Sendable {
    /// Returns a monotonic time.
    package var now: @Sendable () -> Duration
    /// Waits for a duration, or until the task is cancelled.
    package var sleep: @Sendable (Duration) async -> Void
    /// Returns the calendar time in seconds since 1970.
    package var calendarSeconds: @Sendable () -> Int64
    /// Returns a random number in 0..<1.
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

    /// The clock of the system.
    package static let system: FetchClock = {
        let beginning = ContinuousClock.now
        return FetchClock(
            now: { beginning.duration(to: .now) },
            sleep: { duration in try? await Task.sleep(for: duration) },
            calendarSeconds: { Int64(Date().timeIntervalSince1970) },
            random: { Double.random(in: 0..<1) })
    }()
}
