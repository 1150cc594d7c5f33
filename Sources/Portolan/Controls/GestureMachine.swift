import PortolanGeo
import PortolanRaster

/// Finds gestures in events: a value, without a clock, a view or a toolkit.
///
/// Each event gives the actions that follow from it, in order; the same events always give the same. Between a
/// ``GestureAction/begin`` and its ``GestureAction/end(velocity:)`` the map is held. What depends on time alone, such as a
/// long press, comes with the ``InputEvent/Input/tick`` that a ``GestureAction/wake(at:)`` asks for, or else with the next
/// event. Places that are no numbers, times that run backwards, pointers that were never down, third fingers and
/// releases that were missed are all input, and leave nothing stuck.
///
/// Limits: two pointers at a time; places within a million pixels. Cost: under a microsecond an event.
public struct GestureMachine: Sendable {
    /// Which gestures are known, and from where on.
    public var settings: GestureSettings

    /// What the pointers that are down are doing.
    public enum State: Hashable, Sendable {
        /// No pointer is down.
        case idle
        /// No pointer is down, and a second tap may follow.
        case waitingForSecondTap
        /// One pointer is down and has not moved enough for a drag.
        case pressed
        /// One pointer drags the map.
        case dragging
        /// Two pointers are down.
        case pinching
        /// A pointer zooms after a tap.
        case tapDragging
        /// A pointer draws a box.
        case boxing
        /// What is down does nothing until all of it is up.
        case held
    }

    /// What the pointers are doing.
    public internal(set) var state = State.idle

    /// A pointer that is down.
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
        /// Whether it is one of the secondary button.
        let isSecondary: Bool
        /// Whether a tap came before it.
        let followsTap: Bool
        /// How far it has been from where it began.
        var travel = 0.0

        mutating func reach(_ point: Point) { travel = max(travel, place.distance(to: point)) }
    }

    var contacts: [Contact] = []
    var press: Press?
    var lastTap: (time: Duration, place: Point)?
    /// Whether ``lastTap`` is yet to be told.
    var tapIsPending = false
    var pinch: PinchTracker?
    /// Where two fingers were put down, as long as that may be a tap.
    var twoFingerTap: Point?
    var trail = VelocityTracker()
    /// Whether a gesture had two pointers, so that it ends without a fling.
    var hadTwoPointers = false
    /// Whether ``GestureAction/begin`` was told, and not yet ``GestureAction/end(velocity:)``.
    var isHeld = false
    var wheel = WheelTracker()
    var now = Duration.zero

    /// Makes a machine.
    public init(settings: GestureSettings = GestureSettings()) { self.settings = settings }

    /// The actions that follow from an event.
    public mutating func handle(_ event: InputEvent) -> [GestureAction] {
        var actions: [GestureAction] = []
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

    func knows(_ gesture: GestureSettings.Gesture) -> Bool { settings.enabled.contains(gesture) }

    // MARK: - Time

    private mutating func finishWhatIsDue(_ actions: inout [GestureAction]) {
        if let lastTap, now - lastTap.time >= settings.doubleTapInterval, state == .waitingForSecondTap {
            tellTap(&actions)
        }
        if state == .pressed, let press, press.isForLongPress(settings), now - press.time >= settings.longPressDelay {
            actions.append(.longPress(press.place))
            state = .held
        }
        if wheel.endsBurst(at: now) { release(velocity: nil, &actions) }
    }

    private mutating func giveUp(_ actions: inout [GestureAction]) {
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
        _ phase: InputEvent.Phase, _ pointer: InputEvent.Pointer, _ actions: inout [GestureAction]
    ) {
        let number = contacts.firstIndex { $0.id == pointer.id }
        let isPlaced = abs(pointer.place.x) <= 1e6 && abs(pointer.place.y) <= 1e6
        switch phase {
        case .down:
            // Two presses of one pointer: its release was missed.
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

    private mutating func putDown(_ pointer: InputEvent.Pointer, _ actions: inout [GestureAction]) {
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

    private mutating func putDownSecond(_ actions: inout [GestureAction]) {
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

    private mutating func move(_ number: Int, to place: Point, _ actions: inout [GestureAction]) {
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

    /// Finds out whether a press has become a drag, and of what.
    private mutating func begin(at place: Point, _ actions: inout [GestureAction]) {
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
            // All of the way, so that the place under the finger is the one that was touched.
            actions.append(.pan(x: place.x - press.place.x, y: place.y - press.place.y))
            trail.restart()
            trail.add(press.place, at: press.time)
            trail.add(place, at: now)
        }
    }

    private func zoomByDrag(from last: Point, to place: Point, _ actions: inout [GestureAction]) {
        append(.zoom(levels: (place.y - last.y) / settings.tapDragDistancePerLevel, about: nil), to: &actions)
    }

    func dragDistance(of kind: InputEvent.Pointer.Kind) -> Double {
        kind == .mouse ? settings.mouseDragDistance : settings.touchDragDistance
    }

    /// Adds a zoom or a turn that is a number; a step beyond eight levels is one of eight.
    func append(_ action: GestureAction, to actions: inout [GestureAction]) {
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
    /// Whether it becomes a long press when it stays.
    func isForLongPress(_ settings: GestureSettings) -> Bool {
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
