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

    /// Whether it is over.
    package var hasPassed: Bool { remaining <= .zero }

    /// The time that is left; zero when it is over.
    package var remaining: Duration { max(end - clock.now(), .zero) }

    /// Waits until it is over, or the task is cancelled.
    package func wait() async { await clock.sleep(remaining) }
}
