import PortolanGeo
import PortolanRaster

/// Recognizes gestures in input events, without a clock, a view or a UI toolkit.
///
/// Each event returns the resulting actions in order. The same events always return the same actions. Between
/// ``GestureMachine/Action/begin`` and ``GestureMachine/Action/end(velocity:)`` the map is held. Time-dependent gestures, such as a
/// long press, are recognized at the ``InputEvent/Input/tick`` that a ``GestureMachine/Action/wake(at:)`` requests, or at the
/// next event. Invalid input never blocks later gestures: coordinates that are not finite, times that run backwards,
/// unknown pointers, a third finger, missing releases.
///
/// Limits: two pointers at a time; coordinates within a million pixels. Cost: under a microsecond per event.
public struct GestureMachine: Sendable {
    /// The enabled gestures and their thresholds.
    public var settings: GestureMachine.Settings

    /// The state of the active pointers.
    public enum State: Hashable, Sendable {
        /// No pointer is down.
        case idle
        /// No pointer is down, and a second tap may follow.
        case waitingForSecondTap
        /// One pointer is down and has not moved far enough for a drag.
        case pressed
        /// One pointer drags the map.
        case dragging
        /// Two pointers are down.
        case pinching
        /// A pointer zooms after a tap.
        case tapDragging
        /// A pointer draws a box.
        case boxing
        /// The active pointers have no effect until all are released.
        case held
    }

    /// The state of the active pointers.
    public internal(set) var state = State.idle

    /// An active pointer.
    struct Contact {
        let id: Int
        let kind: InputEvent.Pointer.Kind
        var place: Point
    }

    /// The first press of a gesture.
    struct Press {
        let place: Point
        let time: Duration
        let kind: InputEvent.Pointer.Kind
        let modifiers: InputEvent.Modifiers
        /// Whether it is a press of the secondary button.
        let isSecondary: Bool
        /// Whether a tap precedes it.
        let followsTap: Bool
        /// The maximum distance from its start.
        var travel = 0.0

        mutating func reach(_ point: Point) { travel = max(travel, place.distance(to: point)) }
    }

    var contacts: [Contact] = []
    var press: Press?
    var lastTap: (time: Duration, place: Point)?
    /// Whether ``lastTap`` has not yet been reported.
    var tapIsPending = false
    var pinch: PinchTracker?
    /// The midpoint of two fingers while they may still be a tap.
    var twoFingerTap: Point?
    var trail = VelocityTracker()
    /// Whether the gesture had two pointers; it then ends without a fling.
    var hadTwoPointers = false
    /// Whether ``GestureMachine/Action/begin`` was reported without a matching ``GestureMachine/Action/end(velocity:)``.
    var isHeld = false
    var wheel = WheelTracker()
    var now = Duration.zero

    /// Creates a gesture machine.
    public init(settings: GestureMachine.Settings = GestureMachine.Settings()) { self.settings = settings }

    /// Returns the actions that result from an event.
    public mutating func handle(_ event: InputEvent) -> [GestureMachine.Action] {
        var actions: [GestureMachine.Action] = []
        now = max(now, event.time)
        finishWhatIsDue(&actions)
        switch event.input {
        case .pointer(let phase, let pointer): handle(phase, pointer, &actions)
        case .wheel(let wheel): handle(wheel, &actions)
        case .key(let key, let modifiers): handle(key, modifiers, &actions)
        case .tick: break
        case .focusLost: giveUp(&actions)
        }
        return actions
    }

    func knows(_ gesture: GestureMachine.Settings.Gesture) -> Bool { settings.enabled.contains(gesture) }

    // MARK: - Time

    private mutating func finishWhatIsDue(_ actions: inout [GestureMachine.Action]) {
        if let lastTap, now - lastTap.time >= settings.doubleTapInterval, state == .waitingForSecondTap {
            tellTap(&actions)
        }
        if state == .pressed, let press, press.isForLongPress(settings), now - press.time >= settings.longPressDelay {
            actions.append(.longPress(press.place))
            state = .held
        }
        if wheel.endsBurst(at: now) { release(velocity: nil, &actions) }
    }

    private mutating func giveUp(_ actions: inout [GestureMachine.Action]) {
        if state == .boxing, let press, let contact = contacts.first {
            actions.append(.box(press.place, contact.place, .cancelled))
        }
        unstretch(&actions)
        wheel.isInBurst = false
        contacts = []
        tellTap(&actions)
        endGesture(velocity: nil, &actions)
    }

    // MARK: - Pointers

    private mutating func handle(
        _ phase: InputEvent.Phase, _ pointer: InputEvent.Pointer, _ actions: inout [GestureMachine.Action]
    ) {
        let number = contacts.firstIndex { $0.id == pointer.id }
        let isPlaced = abs(pointer.place.x) <= 1e6 && abs(pointer.place.y) <= 1e6
        switch phase {
        case .down:
            // A second press of the same pointer means that its release was missed.
            if let number { lift(number, isCancelled: true, &actions) }
            if isPlaced { putDown(pointer, &actions) }
        case .move:
            guard let number, isPlaced else { return }
            if pointer.kind == .mouse, pointer.buttons.isEmpty {
                lift(number, isCancelled: true, &actions)
            } else {
                move(number, to: pointer.place, &actions)
            }
        case .up:
            guard let number else { return }
            if isPlaced, contacts[number].place != pointer.place { move(number, to: pointer.place, &actions) }
            lift(number, isCancelled: false, &actions)
        case .cancel:
            if let number { lift(number, isCancelled: true, &actions) }
        }
    }

    private mutating func putDown(_ pointer: InputEvent.Pointer, _ actions: inout [GestureMachine.Action]) {
        guard contacts.count < 2 else { return }
        guard pointer.kind != .mouse || !pointer.buttons.isDisjoint(with: [.primary, .secondary]) else { return }
        contacts.append(Contact(id: pointer.id, kind: pointer.kind, place: pointer.place))
        guard contacts.count == 1 else { return putDownSecond(&actions) }
        if wheel.isInBurst { release(velocity: nil, &actions) }
        isHeld = true
        actions.append(.begin)
        let isSecondary = pointer.kind == .mouse && !pointer.buttons.contains(.primary)
        let followsTap =
            !isSecondary && lastTap.map { $0.place.distance(to: pointer.place) <= settings.doubleTapDistance } ?? false
        if !followsTap { tellTap(&actions) }
        let press = Press(
            place: pointer.place, time: now, kind: pointer.kind, modifiers: pointer.modifiers, isSecondary: isSecondary,
            followsTap: followsTap)
        self.press = press
        state = .pressed
        if press.isForLongPress(settings) { actions.append(.wake(at: now + settings.longPressDelay)) }
    }

    private mutating func putDownSecond(_ actions: inout [GestureMachine.Action]) {
        hadTwoPointers = true
        trail.restart()
        switch state {
        case .held: return
        case .boxing:
            if let press { actions.append(.box(press.place, contacts[0].place, .cancelled)) }
            state = .held
            return
        case .pressed:
            if let press, !press.isSecondary, now - press.time <= settings.twoFingerTapDuration {
                twoFingerTap = contacts[0].place.middle(to: contacts[1].place)
            }
        default: break
        }
        tellTap(&actions)
        pinch = PinchTracker(contacts[0].place, contacts[1].place, hasBegun: state != .pressed)
        state = .pinching
    }

    private mutating func move(_ number: Int, to place: Point, _ actions: inout [GestureMachine.Action]) {
        let last = contacts[number].place
        contacts[number].place = place
        if contacts.count == 1 { press?.reach(place) }
        switch state {
        case .pressed: begin(at: place, &actions)
        case .dragging:
            if place != last { actions.append(.pan(x: place.x - last.x, y: place.y - last.y)) }
            trail.add(place, at: now)
        case .pinching: movePinch(&actions)
        case .tapDragging: zoomByDrag(from: last, to: place, &actions)
        case .boxing:
            if let press { actions.append(.box(press.place, place, .changed)) }
        case .idle, .waitingForSecondTap, .held: break
        }
    }

    /// Starts a drag if a press has moved far enough.
    private mutating func begin(at place: Point, _ actions: inout [GestureMachine.Action]) {
        guard let press, !press.isSecondary, press.travel >= dragDistance(of: press.kind) else { return }
        if press.kind != .mouse, press.followsTap, knows(.tapDrag) {
            forgetTap()
            state = .tapDragging
            zoomByDrag(from: press.place, to: place, &actions)
        } else if press.kind == .mouse, press.modifiers.contains(.shift), knows(.boxZoom) {
            tellTap(&actions)
            state = .boxing
            actions.append(.box(press.place, place, .changed))
        } else if knows(.pan), !(settings.isCooperative && press.kind == .touch) {
            tellTap(&actions)
            state = .dragging
            // The pan includes the movement before the threshold, so that the touched coordinate stays under the
            // finger.
            actions.append(.pan(x: place.x - press.place.x, y: place.y - press.place.y))
            trail.restart()
            trail.add(press.place, at: press.time)
            trail.add(place, at: now)
        }
    }

    private func zoomByDrag(from last: Point, to place: Point, _ actions: inout [GestureMachine.Action]) {
        append(.zoom(levels: (place.y - last.y) / settings.tapDragDistancePerLevel, about: nil), to: &actions)
    }

    func dragDistance(of kind: InputEvent.Pointer.Kind) -> Double {
        kind == .mouse ? settings.mouseDragDistance : settings.touchDragDistance
    }

    /// Appends a finite zoom or rotation; a zoom is limited to eight levels.
    func append(_ action: GestureMachine.Action, to actions: inout [GestureMachine.Action]) {
        switch action {
        case .zoom(let levels, let about, let duration):
            guard levels.isFinite, levels != 0 else { return }
            actions.append(.zoom(levels: min(max(levels, -8), 8), about: about, over: duration))
        case .rotate(let degrees, _, _):
            if degrees.isFinite, degrees != 0 { actions.append(action) }
        default: actions.append(action)
        }
    }
}

extension GestureMachine.Press {
    /// Returns whether a stationary press becomes a long press.
    func isForLongPress(_ settings: GestureMachine.Settings) -> Bool {
        settings.enabled.contains(.longPress) && kind != .mouse && travel <= settings.longPressDistance
            && !(followsTap && settings.enabled.contains(.tapDrag))
    }
}

extension Point {
    func distance(to other: Point) -> Double {
        let x = other.x - x, y = other.y - y
        return (x * x + y * y).squareRoot()
    }

    func middle(to other: Point) -> Point { Point(x: (x + other.x) / 2, y: (y + other.y) / 2) }
}
