import PortolanGeo
public import PortolanPlan

/// The views that a map has rested at, to go back and forward among, and the one that is home.
///
/// A view is kept when it has rested for half a second and differs from the one before: by a tenth of the picture, a quarter
/// of a level or five degrees. A new one takes the place of those that would come forward. A picture that only changes its
/// size, and one that follows a position, adds none.
public struct ViewHistory: Sendable {
    /// The most views that are kept; the oldest go first.
    public static let capacity = 50
    /// How long a view rests before it is kept.
    public static let rest = Duration.milliseconds(500)

    /// The view that is home: the first one that the map was opened with, unless it is set.
    public var home: Viewport
    /// The views, oldest first; never empty.
    public private(set) var views: [Viewport]
    /// The place of the present one.
    public private(set) var position = 0

    /// What is shown, and since when.
    private var candidate: (view: Viewport, since: Duration?)

    /// Makes a history that begins with a view.
    public init(_ view: Viewport) {
        home = view
        views = [view]
        candidate = (view, nil)
    }

    /// Makes a history of views that were kept elsewhere, as in a saved state; those beyond the newest fifty are left out.
    ///
    /// - Parameter position: the place of the present one, clamped.
    /// - Returns: `nil` when there are none.
    public init?(views: [Viewport], position: Int, home: Viewport? = nil) {
        let kept = Array(views.suffix(Self.capacity))
        guard let first = kept.first else { return nil }
        self.views = kept
        self.position = min(max(position - (views.count - kept.count), 0), kept.count - 1)
        self.home = home ?? first
        candidate = (kept[self.position], nil)
    }

    /// Whether there is a view to go back to.
    public var canGoBack: Bool { position > 0 || isNew(candidate.view) }
    /// Whether there is a view to go forward to.
    public var canGoForward: Bool { position < views.count - 1 && !isNew(candidate.view) }

    /// Learns what is shown at a time, and keeps it once it has rested.
    ///
    /// - Returns: when to be told again, or `nil` when there is nothing to wait for.
    @discardableResult
    public mutating func show(_ view: Viewport, at time: Duration) -> Duration? {
        if view != candidate.view || candidate.since == nil { candidate = (view, time) }
        guard isNew(view), let since = candidate.since else { return nil }
        guard time - since >= Self.rest else { return since + Self.rest }
        keep(view)
        return nil
    }

    /// The view before the present one, which becomes the present one; `nil` when there is none.
    public mutating func back() -> Viewport? {
        if isNew(candidate.view) { keep(candidate.view) }
        guard position > 0 else { return nil }
        return go(to: position - 1)
    }

    /// The view after the present one, which becomes the present one; `nil` when there is none.
    public mutating func forward() -> Viewport? {
        guard canGoForward else { return nil }
        return go(to: position + 1)
    }

    private mutating func go(to place: Int) -> Viewport {
        position = place
        candidate = (views[place], nil)
        return views[place]
    }

    private mutating func keep(_ view: Viewport) {
        views.removeLast(views.count - 1 - position)
        views.append(view)
        if views.count > Self.capacity { views.removeFirst() }
        position = views.count - 1
    }

    private func isNew(_ view: Viewport) -> Bool {
        let kept = views[position]
        guard view.crs == kept.crs else { return true }
        let unit = kept.resolution.unitsPerPixel
        let turn = abs(view.rotation - kept.rotation)
        return abs(view.center.x - kept.center.x) >= unit * Double(kept.size.width) / 10
            || abs(view.center.y - kept.center.y) >= unit * Double(kept.size.height) / 10
            || abs(Libm.logarithm2(view.resolution.unitsPerPixel / unit)) >= 0.25 || min(turn, 360 - turn) >= 5
    }
}
