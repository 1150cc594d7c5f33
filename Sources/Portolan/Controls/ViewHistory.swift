import PortolanGeo
public import PortolanPlan

/// The views at which a map has rested, with back and forward navigation, and the home view.
///
/// A view is added when it has rested for half a second and differs from the previous one: by a tenth of the picture, a
/// quarter of a level or five degrees. A new view replaces the views that follow. A view that only changes its size,
/// and a view that follows a position, is not added.
public struct ViewHistory: Sendable {
    /// The maximum number of views; the oldest are removed first.
    public static let capacity = 50
    /// The time a view must rest to be added.
    public static let rest = Duration.milliseconds(500)

    /// The home view: the first view of the map, unless it is set.
    public var home: Viewport
    /// The views, the oldest first; never empty.
    public private(set) var views: [Viewport]
    /// The index of the current view.
    public private(set) var position = 0

    /// The view shown, and since when.
    private var candidate: (view: Viewport, since: Duration?)

    /// Creates a history that starts with a view.
    public init(_ view: Viewport) {
        home = view
        views = [view]
        candidate = (view, nil)
    }

    /// Creates a history from saved views, such as those of a saved state.
    ///
    /// Only the newest fifty are used.
    ///
    /// - Parameter position: the index of the current view, clamped.
    /// - Returns: `nil` if `views` is empty.
    public init?(views: [Viewport], position: Int, home: Viewport? = nil) {
        let kept = Array(views.suffix(Self.capacity))
        guard let first = kept.first else { return nil }
        self.views = kept
        self.position = min(max(position - (views.count - kept.count), 0), kept.count - 1)
        self.home = home ?? first
        candidate = (kept[self.position], nil)
    }

    /// Whether there is a previous view.
    public var canGoBack: Bool { position > 0 || isNew(candidate.view) }
    /// Whether there is a next view.
    public var canGoForward: Bool { position < views.count - 1 && !isNew(candidate.view) }

    /// Records the view shown at a time, and adds it once it has rested.
    ///
    /// - Returns: when to call again, or `nil` if nothing is pending.
    @discardableResult
    public mutating func show(_ view: Viewport, at time: Duration) -> Duration? {
        if view != candidate.view || candidate.since == nil { candidate = (view, time) }
        guard isNew(view), let since = candidate.since else { return nil }
        guard time - since >= Self.rest else { return since + Self.rest }
        keep(view)
        return nil
    }

    /// Makes the previous view current and returns it, or `nil` if none exists.
    public mutating func back() -> Viewport? {
        if isNew(candidate.view) { keep(candidate.view) }
        guard position > 0 else { return nil }
        return go(to: position - 1)
    }

    /// Makes the next view current and returns it, or `nil` if none exists.
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
