/// Tracks whether a viewer is in use, by the requests of its page.
///
/// It has no clock: the caller passes the time.
package struct ViewerAttention: Sendable {
    /// The state of a viewer.
    package enum Level: Equatable {
        /// The page polls for pictures.
        case looking
        /// The page is silent, so nothing needs to be drawn.
        case away
        /// The page has been silent for so long that the viewer can be closed.
        case gone
    }

    private let rest: Duration
    private let patience: Duration
    private var lastHeard: Duration
    /// The number of requests in progress.
    private var openCount = 0

    /// Starts tracking when a page opens its viewer.
    package init(rest: Duration, patience: Duration, at time: Duration) {
        self.rest = rest
        self.patience = patience
        lastHeard = time
    }

    /// Registers the start of a request.
    package mutating func begin(at time: Duration) {
        openCount += 1
        lastHeard = max(lastHeard, time)
    }

    /// Registers the end of a request, answered or cancelled.
    package mutating func end(at time: Duration) {
        openCount -= 1
        lastHeard = max(lastHeard, time)
    }

    /// Returns the time since the last request; zero while a request is in progress.
    package func silence(at time: Duration) -> Duration { openCount > 0 ? .zero : max(time - lastHeard, .zero) }

    /// Returns the state of the viewer.
    package func level(at time: Duration) -> Level {
        let silence = silence(at: time)
        return silence > max(patience, rest) ? .gone : silence > rest ? .away : .looking
    }
}
