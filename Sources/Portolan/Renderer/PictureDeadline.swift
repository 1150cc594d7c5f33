package import PortolanFetch

/// The moment by which all that a picture needs is to have come.
package struct PictureDeadline: Sendable {
    /// How long that was from the beginning.
    package let duration: Duration
    private let end: Duration
    private let clock: FetchClock

    /// Begins to count.
    package init(_ duration: Duration, from clock: FetchClock) {
        self.duration = max(duration, .zero)
        self.clock = clock
        end = clock.now() + self.duration
    }

    private init(_ duration: Duration, end: Duration, clock: FetchClock) {
        (self.duration, self.end, self.clock) = (duration, end, clock)
    }

    /// The same deadline, or one of so long a time from the same beginning, if that is later.
    func noSooner(than time: Duration) -> PictureDeadline {
        PictureDeadline(max(duration, time), end: end + max(time - duration, .zero), clock: clock)
    }

    /// Whether it is over.
    package var hasPassed: Bool { remaining <= .zero }

    /// The time that is left; zero when it is over.
    package var remaining: Duration { max(end - clock.now(), .zero) }

    /// Waits until it is over, or the task is cancelled.
    package func wait() async { await clock.sleep(remaining) }

    /// The result of work, or `nil` if the deadline passes first or the task is cancelled; the work is cancelled then.
    func result<Value: Sendable>(of work: @escaping @Sendable () async -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { await work() }
            group.addTask {
                await wait()
                return nil
            }
            return await group.next() ?? nil
        }
    }
}
