/// Whether anybody looks at a viewer, by the requests of its page.
///
/// It has no clock: each call carries its time.
package struct ViewerAttention: Sendable {
    /// How much a viewer is looked at.
    package enum Level: Equatable {
        /// The page asks for pictures.
        case looking
        /// The page is silent: nothing needs to be drawn.
        case away
        /// The page is silent for so long that it will not come back.
        case gone
    }

    private let rest: Duration
    private let patience: Duration
    private var lastHeard: Duration
    /// The number of requests under way.
    private var openCount = 0

    /// Begins when a page opens its viewer.
    package init(rest: Duration, patience: Duration, at time: Duration) {
        self.rest = rest
        self.patience = patience
        lastHeard = time
    }

    /// A request of the page has come.
    package mutating func begin(at time: Duration) {
        openCount += 1
        lastHeard = max(lastHeard, time)
    }

    /// A request of the page was answered, or the page has left it.
    package mutating func end(at time: Duration) {
        openCount -= 1
        lastHeard = max(lastHeard, time)
    }

    /// How long nothing was heard of the page; zero while a request is under way.
    package func silence(at time: Duration) -> Duration { openCount > 0 ? .zero : max(time - lastHeard, .zero) }

    /// How much the viewer is looked at.
    package func level(at time: Duration) -> Level {
        let silence = silence(at: time)
        return silence > max(patience, rest) ? .gone : silence > rest ? .away : .looking
    }
}
