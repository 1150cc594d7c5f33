import PortolanGeo
public import PortolanPlan
import PortolanRaster

/// The interactive view of a map: it takes input events and returns the view at any time.
///
/// It combines a ``GestureMachine``, ``ViewLimits``, a ``ViewAnimation`` and a ``ViewHistory``. It is a value without a
/// clock: each call passes the time. An app passes events, draws ``MapControls/view(at:)``, and requests frames while
/// ``MapControls/isMoving(at:)``. A ``MapFacade`` contains one.
public struct MapControls: Sendable {
    /// The gesture recognizer and its settings.
    public var gestures = GestureMachine()
    /// The limits of the view.
    public var limits = ViewLimits()
    /// The views at which the map has rested.
    public var history: ViewHistory
    /// Whether the user prefers reduced motion.
    ///
    /// Programmatic moves are then jumps, unless they are essential.
    public var reducesMotion = false
    /// Whether the view follows a position; it is then not added to the history.
    public var isFollowing = false

    /// The view at rest or while held, before soft limits.
    private var free: Viewport
    private var animation: ViewAnimation?
    /// The end of a motion without limits, to which the next gesture adds.
    private var target: Viewport?
    private var motion = ViewLimits.Motion()
    /// Whether the user holds the map.
    package private(set) var isHeld = false
    /// Whether the current view is the result of a gesture, which need not be exact to half a pixel.
    private(set) var wasLetGo = false

    /// The user's changes to the view in the last event.
    private(set) var moves: Moves = []

    /// Changes by the user that end or modify following.
    struct Moves: OptionSet {
        let rawValue: Int
        /// The centre changed, beyond the small movement of a pinch.
        static let elsewhere = Moves(rawValue: 1)
        /// The rotation changed.
        static let turned = Moves(rawValue: 2)
    }

    /// Creates controls for a view.
    public init(_ view: Viewport) {
        free = view
        history = ViewHistory(view)
    }

    /// Returns the view at a time, which is not before that of the last event.
    public func view(at time: Duration) -> Viewport {
        if let animation { return animation.view(at: time) }
        return isHeld ? limits.softened(free) : free
    }

    /// Returns whether the view changes without a further event.
    public func isMoving(at time: Duration) -> Bool { animation.map { time < $0.endTime } ?? false }

    /// Whether an animation has not yet been completed.
    var isInMotion: Bool { animation != nil }

    /// The view at which the map will rest if no event follows.
    public var destination: Viewport { animation?.end ?? free }

    /// Handles an event.
    ///
    /// - Returns: actions for the app: taps, long presses, boxes, commands that do not concern the view, and wake
    ///   times.
    public mutating func handle(_ event: InputEvent) -> [GestureMachine.Action] {
        var left: [GestureMachine.Action] = []
        moves = []
        for action in gestures.handle(event) {
            note(action)
            if !apply(action, at: event.time) { left.append(action) }
        }
        if let wake = advance(to: event.time) { left.append(.wake(at: wake)) }
        return left
    }

    /// Adds the view to the history once it has rested.
    ///
    /// ``handle(_:)`` does the same.
    ///
    /// - Returns: when to call again, or `nil` if nothing is pending.
    @discardableResult
    public mutating func advance(to time: Duration) -> Duration? {
        if let animation, time >= animation.endTime {
            free = animation.end
            self.animation = nil
            target = nil
        }
        guard !isHeld, !isFollowing else { return nil }
        return animation.map(\.endTime) ?? history.show(free, at: time)
    }

    // MARK: - Gestures

    /// Applies a gesture action and returns whether it is complete.
    private mutating func apply(_ action: GestureMachine.Action, at time: Duration) -> Bool {
        switch action {
        case .begin:
            stop(at: time)
            free = limits.unsoftened(free)
            isHeld = true
        case .end(let velocity): letGo(velocity, at: time)
        case .pan(let x, let y, let duration):
            change(at: time, over: duration) { view throws(Viewport.InvalidError) in try view.panned(x: x, y: y) }
        case .zoom(let levels, let pixel, let duration):
            motion.levels = levels
            motion.about = pixel
            // The position under the pointer refers to the visible view, even during an animation.
            let seen = pixel == nil || isHeld ? nil : view(at: time)
            change(at: time, over: duration) { view throws(Viewport.InvalidError) in
                guard let seen else { return try view.zoomed(by: Libm.power2(levels), about: pixel) }
                let rest = seen.resolution.unitsPerPixel / view.resolution.unitsPerPixel
                return try seen.zoomed(by: rest * Libm.power2(levels), about: pixel)
            }
        case .rotate(let degrees, let pixel, let duration):
            motion.turned = true
            motion.about = pixel
            change(at: time, over: duration) { view throws(Viewport.InvalidError) in
                try view.turned(by: degrees, about: pixel)
            }
        case .box(let one, let other, .finished): show(from: one, to: other, at: time); return false
        case .command(.home): goHome(at: time)
        case .command(.back): goBack(at: time)
        case .command(.forward): goForward(at: time)
        case .command(.northUp): turnNorthUp(at: time)
        case .box, .command, .tap, .doubleTap, .longPress, .wake: return false
        }
        return true
    }

    private mutating func note(_ action: GestureMachine.Action) {
        switch action {
        case .pan where gestures.state != .pinching: moves.insert(.elsewhere)
        case .box(_, _, .finished), .command(.home), .command(.back), .command(.forward): moves.insert(.elsewhere)
        case .rotate, .command(.northUp): moves.insert(.turned)
        default: break
        }
    }

    /// Changes the held view, or starts or continues an animation.
    ///
    /// Invalid views change nothing.
    private mutating func change(
        at time: Duration, over duration: Duration, _ change: (Viewport) throws(Viewport.InvalidError) -> Viewport
    ) {
        if isHeld {
            if let changed = try? change(free) { free = changed }
            return
        }
        let shown = view(at: time)
        guard let changed = try? change(target ?? shown), let wanted = try? limits.clamped(changed) else { return }
        let end = limits.rest(of: changed, after: motion)
        begin(.ease(from: shown, to: end, at: time, over: duration, curve: .easeOut), target: wanted)
        motion = ViewLimits.Motion()
    }

    private mutating func letGo(_ velocity: GestureMachine.Action.Velocity?, at time: Duration) {
        let shown = view(at: time)
        isHeld = false
        defer {
            motion = ViewLimits.Motion()
            wasLetGo = true
        }
        if let velocity, !reducesMotion,
            let fling = ViewAnimation.fling(
                from: shown, velocity: velocity, at: time, settings: gestures.settings.fling,
                landing: { [limits, motion] in limits.rest(of: $0, after: motion) })
        {
            begin(fling)
            return
        }
        let end = limits.rest(of: free, after: motion)
        free = shown
        guard end != shown else { return }
        begin(.ease(from: shown, to: end, at: time, over: gestures.settings.duration, curve: .easeOut))
    }

    private mutating func show(from one: Point, to other: Point, at time: Duration) {
        let shown = view(at: time)
        let width = abs(other.x - one.x) / Double(shown.size.width)
        let height = abs(other.y - one.y) / Double(shown.size.height)
        let share = max(width, height, 1e-3)
        guard share.isFinite,
            let moved = try? shown.with(center: shown.coordinate(at: one.middle(to: other))),
            let end = try? moved.zoomed(by: 1 / share)
        else { return }
        ease(to: limits.rest(of: end, zoomedBy: 1), at: time)
    }

    // MARK: - Moves

    /// Stops an animation at the current view.
    public mutating func stop(at time: Duration) {
        free = view(at: time)
        animation = nil
        target = nil
        motion = ViewLimits.Motion()
    }

    /// Shows a view immediately.
    ///
    /// An active gesture continues from it.
    public mutating func jump(to view: Viewport) {
        free = view
        animation = nil
        target = nil
        wasLetGo = false
    }

    /// Animates directly to a view; a view in another CRS is shown immediately.
    ///
    /// - Parameter isEssential: whether the animation runs even with reduced motion.
    public mutating func ease(
        to view: Viewport, at time: Duration, over duration: Duration? = nil, isEssential: Bool = false
    ) {
        let shown = self.view(at: time)
        begin(
            .ease(from: shown, to: view.nearestCopy(to: shown), at: time, over: duration ?? gestures.settings.duration),
            isEssential: isEssential)
    }

    /// Flies to a view: zooms out, moves and zooms in.
    ///
    /// For a distant view it is a jump; see ``ViewAnimation/fly(from:to:at:longest:)``.
    public mutating func fly(to view: Viewport, at time: Duration, isEssential: Bool = false) {
        begin(.fly(from: self.view(at: time), to: view, at: time), isEssential: isEssential)
    }

    /// Flies to the home view.
    public mutating func goHome(at time: Duration) { fly(to: fitted(history.home, at: time), at: time) }

    /// Flies to the previous view and returns whether there is one.
    @discardableResult
    public mutating func goBack(at time: Duration) -> Bool {
        history.show(destination, at: time)
        guard let view = history.back() else { return false }
        fly(to: fitted(view, at: time), at: time)
        return true
    }

    /// Flies to the next view and returns whether there is one.
    @discardableResult
    public mutating func goForward(at time: Duration) -> Bool {
        history.show(destination, at: time)
        guard let view = history.forward() else { return false }
        fly(to: fitted(view, at: time), at: time)
        return true
    }

    /// Turns the map north up about its centre.
    public mutating func turnNorthUp(at time: Duration) {
        guard let view = try? (target ?? view(at: time)).with(rotation: 0) else { return }
        ease(to: view, at: time)
    }

    /// Returns an earlier view in the current size.
    private func fitted(_ view: Viewport, at time: Duration) -> Viewport {
        let shown = self.view(at: time)
        return (try? view.with(size: shown.size, pixelRatio: shown.pixelRatio)) ?? view
    }

    private mutating func begin(_ animation: ViewAnimation, target: Viewport? = nil, isEssential: Bool = false) {
        // A hand that holds the map has priority.
        isHeld = false
        wasLetGo = false
        let stays = reducesMotion && !isEssential || animation.start.crs != animation.end.crs
        if stays || animation.duration <= .zero || animation.start == animation.end {
            free = animation.end
            self.animation = nil
            self.target = nil
        } else {
            self.animation = animation
            self.target = target
        }
    }
}
