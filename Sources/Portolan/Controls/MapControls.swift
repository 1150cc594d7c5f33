import PortolanGeo
public import PortolanPlan
import PortolanRaster

/// A map's view under gestures: events in, and the view at any time out.
///
/// It joins a ``GestureMachine``, ``ViewLimits``, a ``ViewAnimation`` and a ``ViewHistory``. It is a value and has no clock:
/// each event and each question carries its time. An app gives it events, draws ``MapControls/view(at:)``, and goes on with
/// frames while ``MapControls/isMoving(at:)``. A ``MapFacade`` has one.
public struct MapControls: Sendable {
    /// Finds gestures; its settings say which.
    public var gestures = GestureMachine()
    /// What may be shown.
    public var limits = ViewLimits()
    /// The views that the map has rested at.
    public var history: ViewHistory
    /// Whether motion is unwelcome: moves that are not made by hand are then jumps, unless they are essential.
    public var reducesMotion = false
    /// Whether the view follows something, so that it is not kept in the history.
    public var isFollowing = false

    /// The view while the map is at rest or held; before soft limits.
    private var free: Viewport
    private var animation: ViewAnimation?
    /// Where a motion would lead without limits: what comes next adds to it.
    private var target: Viewport?
    private var motion = ViewLimits.Motion()
    /// Whether a hand holds the map.
    private(set) var isHeld = false
    /// Whether a hand has brought the view to where it is, or is going: half a pixel more or less is nobody's wish.
    private(set) var wasLetGo = false

    /// What the last event did by hand to what is seen.
    private(set) var moves: Moves = []

    /// Moves by hand that end or change how the map follows something.
    struct Moves: OptionSet {
        let rawValue: Int
        /// It shows another place; that fingers which zoom move the picture a little, too, is none.
        static let elsewhere = Moves(rawValue: 1)
        /// It is turned.
        static let turned = Moves(rawValue: 2)
    }

    /// Makes controls of a view.
    public init(_ view: Viewport) {
        free = view
        history = ViewHistory(view)
    }

    /// The view at a time, which is not before that of the last event.
    public func view(at time: Duration) -> Viewport {
        if let animation { return animation.view(at: time) }
        return isHeld ? limits.softened(free) : free
    }

    /// Whether the view will be another one without a further event.
    public func isMoving(at time: Duration) -> Bool { animation.map { time < $0.endTime } ?? false }

    /// Whether there is a motion that has not been moved on to its end.
    var isInMotion: Bool { animation != nil }

    /// The view at which the map will rest if nothing else happens.
    public var destination: Viewport { animation?.end ?? free }

    /// Does what an event asks for.
    ///
    /// - Returns: what is left for the app: taps, long presses, boxes, commands other than those for the view, and times to
    ///   wake at.
    public mutating func handle(_ event: InputEvent) -> [GestureAction] {
        var left: [GestureAction] = []
        moves = []
        for action in gestures.handle(event) {
            note(action)
            if !apply(action, at: event.time) { left.append(action) }
        }
        if let wake = advance(to: event.time) { left.append(.wake(at: wake)) }
        return left
    }

    /// Keeps the view in the history once it has rested, as each event does.
    ///
    /// - Returns: when to do so again, or `nil` when there is nothing to wait for.
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

    /// Does what a gesture asks for and tells whether that is all there is to do.
    private mutating func apply(_ action: GestureAction, at time: Duration) -> Bool {
        switch action {
        case .begin:
            stop(at: time)
            free = limits.unsoftened(free)
            isHeld = true
        case .end(let velocity): letGo(velocity, at: time)
        case .pan(let x, let y, let duration):
            change(at: time, over: duration) { view throws(ViewportError) in try view.panned(x: x, y: y) }
        case .zoom(let levels, let pixel, let duration):
            motion.levels = levels
            motion.about = pixel
            // The place under the pointer is the one that is seen there, however much of the last step is to come.
            let seen = pixel == nil || isHeld ? nil : view(at: time)
            change(at: time, over: duration) { view throws(ViewportError) in
                guard let seen else { return try view.zoomed(by: Libm.power2(levels), about: pixel) }
                let rest = seen.resolution.unitsPerPixel / view.resolution.unitsPerPixel
                return try seen.zoomed(by: rest * Libm.power2(levels), about: pixel)
            }
        case .rotate(let degrees, let pixel, let duration):
            motion.turned = true
            motion.about = pixel
            change(at: time, over: duration) { view throws(ViewportError) in
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

    private mutating func note(_ action: GestureAction) {
        switch action {
        case .pan where gestures.state != .pinching: moves.insert(.elsewhere)
        case .box(_, _, .finished), .command(.home), .command(.back), .command(.forward): moves.insert(.elsewhere)
        case .rotate, .command(.northUp): moves.insert(.turned)
        default: break
        }
    }

    /// Changes the view under the hand, or begins or goes on with a motion; what cannot be shown changes nothing.
    private mutating func change(
        at time: Duration, over duration: Duration, _ change: (Viewport) throws(ViewportError) -> Viewport
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

    private mutating func letGo(_ velocity: GestureAction.Velocity?, at time: Duration) {
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

    /// Stops a motion where it is.
    public mutating func stop(at time: Duration) {
        free = view(at: time)
        animation = nil
        target = nil
        motion = ViewLimits.Motion()
    }

    /// Shows a view at once; a gesture that is under way goes on from there.
    public mutating func jump(to view: Viewport) {
        free = view
        animation = nil
        target = nil
        wasLetGo = false
    }

    /// Moves straight to a view; with a CRS other than the map's it is a jump.
    ///
    /// - Parameter isEssential: whether the motion is what is to be seen, so that it is made even where motion is unwelcome.
    public mutating func ease(
        to view: Viewport, at time: Duration, over duration: Duration? = nil, isEssential: Bool = false
    ) {
        let shown = self.view(at: time)
        begin(
            .ease(from: shown, to: view.nearestCopy(to: shown), at: time, over: duration ?? gestures.settings.duration),
            isEssential: isEssential)
    }

    /// Flies to a view: out, across and in.
    ///
    /// Far away it is a jump; see ``ViewAnimation/fly(from:to:at:longest:)``.
    public mutating func fly(to view: Viewport, at time: Duration, isEssential: Bool = false) {
        begin(.fly(from: self.view(at: time), to: view, at: time), isEssential: isEssential)
    }

    /// Flies to the view that is home.
    public mutating func goHome(at time: Duration) { fly(to: fitted(history.home, at: time), at: time) }

    /// Flies to the view before, and tells whether there is one.
    @discardableResult
    public mutating func goBack(at time: Duration) -> Bool {
        history.show(destination, at: time)
        guard let view = history.back() else { return false }
        fly(to: fitted(view, at: time), at: time)
        return true
    }

    /// Flies to the view that was gone back from, and tells whether there is one.
    @discardableResult
    public mutating func goForward(at time: Duration) -> Bool {
        history.show(destination, at: time)
        guard let view = history.forward() else { return false }
        fly(to: fitted(view, at: time), at: time)
        return true
    }

    /// Turns the map north up, about its middle.
    public mutating func turnNorthUp(at time: Duration) {
        guard let view = try? (target ?? view(at: time)).with(rotation: 0) else { return }
        ease(to: view, at: time)
    }

    /// A view of before in the size of today.
    private func fitted(_ view: Viewport, at time: Duration) -> Viewport {
        let shown = self.view(at: time)
        return (try? view.with(size: shown.size, pixelRatio: shown.pixelRatio)) ?? view
    }

    private mutating func begin(_ animation: ViewAnimation, target: Viewport? = nil, isEssential: Bool = false) {
        // A hand that holds the map decides.
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
