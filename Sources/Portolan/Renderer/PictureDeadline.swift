package import PortolanFetch

/// The deadline for all resources of a picture.
package struct PictureDeadline: Sendable {
    /// The duration from the start.
    package let duration: Duration
    private let end: Duration
    private let clock: FetchClock

    /// Starts the time limit.
    package init(_ duration: Duration, from clock: FetchClock) {
        self.duration = max(duration, .zero)
        self.clock = clock
        end = clock.now() + self.duration
    }

    private init(_ duration: Duration, end: Duration, clock: FetchClock) {
        (self.duration, self.end, self.clock) = (duration, end, clock)
    }

    /// Returns this deadline, or one after a longer duration from the same start.
    func noSooner(than time: Duration) -> PictureDeadline {
        PictureDeadline(max(duration, time), end: end + max(time - duration, .zero), clock: clock)
    }

    /// Whether the deadline has passed.
    package var hasPassed: Bool { remaining <= .zero }

    /// The remaining time; zero after the deadline.
    package var remaining: Duration { max(end - clock.now(), .zero) }

    /// Waits until the deadline, or until the task is cancelled.
    package func wait() async { await clock.sleep(remaining) }

    /// Returns the result of work, which is cancelled at the deadline, and whether it was.
    ///
    /// Work that needs nothing else completes after the deadline as well.
    func result<Value: Sendable>(
        of work: @escaping @Sendable () async -> Value
    ) async -> (value: Value, wasCancelled: Bool) {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                await wait()
                return nil
            }
            var wasCancelled = false
            for await value in group {
                group.cancelAll()
                if let value { return (value, wasCancelled) }
                wasCancelled = true
            }
            preconditionFailure("the work has ended without a result")
        }
    }
}
