import PortolanRaster

/// The recent wheel events, which distinguish a trackpad from a wheel.
struct WheelTracker {
    /// Whether the current burst of events is from a trackpad.
    var isTrackpad = false
    /// The time of the last event.
    var last: Duration?
    /// Whether a trackpad holds the map.
    var isInBurst = false

    /// The pause after which a trackpad releases the map.
    static let rest = Duration.milliseconds(80)

    /// Returns whether a trackpad burst has ended.
    func endsBurst(at now: Duration) -> Bool { isInBurst && last.map { now - $0 >= Self.rest } ?? true }
}

extension GestureMachine {
    mutating func handle(_ wheel: InputEvent.Wheel, _ actions: inout [GestureMachine.Action]) {
        let isPinch = wheel.modifiers.contains(.control)
        guard knows(.wheel), wheel.delta.isFinite, wheel.delta != 0, abs(wheel.place.x) <= 1e6,
            abs(wheel.place.y) <= 1e6, !settings.isCooperative || isPinch || wheel.modifiers.contains(.command)
        else { return }
        let factor =
            switch wheel.unit {
            case .pixels: 1.0
            case .lines: settings.wheelLine
            case .pages: settings.wheelPage
            }
        let pixels = wheel.delta * factor
        if self.wheel.last.map({ now - $0 >= settings.trackpadPause }) ?? true {
            self.wheel.isTrackpad = abs(pixels) < settings.trackpadStep
        }
        self.wheel.last = now
        guard self.wheel.isTrackpad else {
            append(
                .zoom(
                    levels: -pixels / settings.wheelDistancePerLevel, about: wheel.place, over: settings.wheelDuration),
                to: &actions)
            return
        }
        // A finger already holds the map.
        if !isHeld {
            isHeld = true
            self.wheel.isInBurst = true
            actions.append(.begin)
        }
        let levels = -pixels / settings.wheelDistancePerLevel * (isPinch ? settings.trackpadPinchFactor : 1)
        append(.zoom(levels: levels, about: wheel.place), to: &actions)
        if self.wheel.isInBurst { actions.append(.wake(at: now + WheelTracker.rest)) }
    }

    mutating func handle(
        _ key: InputEvent.Key, _ modifiers: InputEvent.Modifiers, _ actions: inout [GestureMachine.Action]
    ) {
        // The escape key cancels a box even if keys are disabled.
        if key == .escape, state == .boxing, let press, let contact = contacts.first {
            actions.append(.box(press.place, contact.place, .cancelled))
            state = .held
            return
        }
        guard knows(.keyboard) else { return }
        let way = settings.keyPanDistance * (modifiers.contains(.shift) ? 3 : 1)
        switch key {
        case .arrowLeft where modifiers.contains(.alternate): actions.append(.command(.back))
        case .arrowRight where modifiers.contains(.alternate): actions.append(.command(.forward))
        case .arrowLeft: pan(x: way, y: 0, &actions)
        case .arrowRight: pan(x: -way, y: 0, &actions)
        case .arrowUp: pan(x: 0, y: way, &actions)
        case .arrowDown: pan(x: 0, y: -way, &actions)
        case .plus: append(.zoom(levels: settings.keyLevels, about: nil, over: settings.duration), to: &actions)
        case .minus: append(.zoom(levels: -settings.keyLevels, about: nil, over: settings.duration), to: &actions)
        case .comma:
            append(.rotate(degrees: -settings.keyDegrees, about: nil, over: settings.duration), to: &actions)
        case .period:
            append(.rotate(degrees: settings.keyDegrees, about: nil, over: settings.duration), to: &actions)
        case .zero: actions.append(.command(.northUp))
        case .home: actions.append(.command(.home))
        case .n: actions.append(.command(.selectNext))
        case .p: actions.append(.command(.selectPrevious))
        case .escape: actions.append(.command(.cancel))
        }
    }

    private func pan(x: Double, y: Double, _ actions: inout [GestureMachine.Action]) {
        guard x.isFinite, y.isFinite else { return }
        actions.append(.pan(x: x, y: y, over: settings.duration))
    }
}
