import PortolanRaster

/// The handling of released pointers.
extension GestureMachine {
    mutating func lift(_ number: Int, isCancelled: Bool, _ actions: inout [GestureMachine.Action]) {
        let place = contacts[number].place
        contacts.remove(at: number)
        if isCancelled { twoFingerTap = nil }
        if !contacts.isEmpty { return liftFirstOfTwo(isCancelled: isCancelled, &actions) }
        let press = press, tap = twoFingerTap
        var velocity: GestureMachine.Action.Velocity?
        var follow: [GestureMachine.Action] = []
        var second: (time: Duration, place: Point)?
        switch state {
        case .dragging where !isCancelled && !hadTwoPointers && knows(.inertia):
            velocity = trail.velocity(at: now, settings)
        case .boxing:
            guard let press else { break }
            let isBox = !isCancelled && press.place.distance(to: place) >= settings.boxDiagonal
            follow.append(.box(press.place, place, isBox ? .finished : .cancelled))
        case .pressed where !isCancelled && !hadTwoPointers:
            guard let press, press.travel < dragDistance(of: press.kind) else { break }
            if press.isSecondary {
                if knows(.longPress) { follow.append(.longPress(press.place)) }
            } else if press.followsTap, knows(.doubleTap) {
                forgetTap()
                follow.append(.doubleTap(place))
                let levels = settings.doubleTapLevels * (press.modifiers.contains(.shift) ? -1 : 1)
                append(.zoom(levels: levels, about: place, over: settings.duration), to: &follow)
            } else {
                second = (now, place)
                if knows(.tap), !waitsForSecondTap { follow.append(.tap(place)) }
            }
        case .pressed, .dragging, .held:
            guard !isCancelled, let tap, let press, knows(.twoFingerTap), press.travel <= settings.doubleTapDistance,
                now - press.time <= settings.twoFingerTapDuration
            else { break }
            append(.zoom(levels: -settings.twoFingerTapLevels, about: tap, over: settings.duration), to: &follow)
        default: break
        }
        tellTap(&actions)
        endGesture(velocity: velocity, &actions)
        actions += follow
        guard let second, knows(.doubleTap) || knows(.tapDrag) else { return }
        lastTap = second
        state = .waitingForSecondTap
        tapIsPending = knows(.tap) && waitsForSecondTap
        if tapIsPending { actions.append(.wake(at: now + settings.doubleTapInterval)) }
    }

    private var waitsForSecondTap: Bool { settings.tapsAreExclusive && knows(.doubleTap) }

    private mutating func liftFirstOfTwo(isCancelled: Bool, _ actions: inout [GestureMachine.Action]) {
        press = press.map {
            Press(
                place: contacts[0].place, time: $0.time, kind: contacts[0].kind, modifiers: $0.modifiers,
                isSecondary: false, followsTap: false)
        }
        guard state == .pinching else { return }
        defer { pinch = nil }
        trail.restart()
        if case .stepped = settings.pinch {
            unstretch(&actions, settles: !isCancelled)
            state = .held
        } else if !knows(.pan) || (settings.isCooperative && contacts[0].kind == .touch) {
            state = .held
        } else {
            // The other finger continues from its position.
            state = .dragging
            trail.add(contacts[0].place, at: now)
        }
    }

    /// Ends a stepped pinch, with whole levels or at the original scale.
    mutating func unstretch(_ actions: inout [GestureMachine.Action], settles: Bool = false) {
        guard let pinch, case .stepped(let tolerance, let first, let last, _) = settings.pinch else { return }
        self.pinch = nil
        let travel = pinch.travel
        let steps = abs(travel) < tolerance ? 0.0 : abs(travel) <= first ? 1 : abs(travel) <= last ? 2 : 3
        let levels = (settles ? (travel < 0 ? -steps : steps) : 0) - pinch.zoom.done
        endHold(velocity: nil, &actions)
        guard levels != 0 else { return }
        append(.zoom(levels: levels, about: pinch.center, over: settings.duration), to: &actions)
    }

    mutating func endGesture(velocity: GestureMachine.Action.Velocity?, _ actions: inout [GestureMachine.Action]) {
        state = .idle
        press = nil
        pinch = nil
        twoFingerTap = nil
        hadTwoPointers = false
        trail.restart()
        endHold(velocity: velocity, &actions)
    }

    private mutating func endHold(velocity: GestureMachine.Action.Velocity?, _ actions: inout [GestureMachine.Action]) {
        guard isHeld else { return }
        isHeld = false
        actions.append(.end(velocity: velocity))
    }

    /// Ends a trackpad gesture.
    mutating func release(velocity: GestureMachine.Action.Velocity?, _ actions: inout [GestureMachine.Action]) {
        wheel.isInBurst = false
        endHold(velocity: velocity, &actions)
    }

    /// Reports a pending tap that has no second tap.
    mutating func tellTap(_ actions: inout [GestureMachine.Action]) {
        if tapIsPending, let lastTap { actions.append(.tap(lastTap.place)) }
        forgetTap()
    }

    mutating func forgetTap() {
        lastTap = nil
        tapIsPending = false
        if state == .waitingForSecondTap { state = .idle }
    }
}
