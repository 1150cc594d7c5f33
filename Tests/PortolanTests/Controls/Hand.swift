import Foundation
import Portolan
import Testing

/// A hand on a map: events by their milliseconds, and what a machine makes of them.
struct Hand {
    var machine: GestureMachine

    init(_ change: (inout GestureMachine.Settings) -> Void = { _ in }) {
        var settings = GestureMachine.Settings()
        change(&settings)
        machine = GestureMachine(settings: settings)
    }

    /// The actions of some events, but for the holds around them and the times to wake at.
    mutating func done(_ events: InputEvent...) -> [GestureMachine.Action] { done(events) }

    mutating func done(_ events: [InputEvent]) -> [GestureMachine.Action] {
        all(events).filter { action in
            switch action {
            case .begin, .end(nil), .wake: false
            default: true
            }
        }
    }

    mutating func all(_ events: [InputEvent]) -> [GestureMachine.Action] { events.flatMap { machine.handle($0) } }

    /// A tap of a finger.
    static func tap(_ x: Double, _ y: Double, _ time: Double, lasting: Double = 50) -> [InputEvent] {
        [.touch(1, .down, x, y, time), .touch(1, .up, x, y, time + lasting)]
    }

    /// Two fingers on a level line that change their distance from one to another, in steps.
    static func pinch(from first: Double, to last: Double, steps: Int = 8, lifts: Bool = true) -> [InputEvent] {
        var events: [InputEvent] = [
            .touch(1, .down, 200 - first / 2, 100, 0), .touch(2, .down, 200 + first / 2, 100, 0),
        ]
        for step in 1...steps {
            let distance = first + (last - first) * Double(step) / Double(steps), time = Double(step) * 16
            events.append(.touch(1, .move, 200 - distance / 2, 100, time))
            events.append(.touch(2, .move, 200 + distance / 2, 100, time))
        }
        if lifts {
            events.append(.touch(1, .up, 200 - last / 2, 100, 1000))
            events.append(.touch(2, .up, 200 + last / 2, 100, 1010))
        }
        return events
    }
}

extension [GestureMachine.Action] {
    /// The levels of all zooms together.
    var levels: Double {
        reduce(0) { sum, action in if case .zoom(let levels, _, _) = action { sum + levels } else { sum } }
    }

    /// The degrees of all turns together.
    var degrees: Double {
        reduce(0) { sum, action in if case .rotate(let degrees, _, _) = action { sum + degrees } else { sum } }
    }

    /// How far all pans go together.
    var way: Point {
        reduce(Point(x: 0, y: 0)) { sum, action in
            if case .pan(let x, let y, _) = action { Point(x: sum.x + x, y: sum.y + y) } else { sum }
        }
    }

    /// The velocity of the last release.
    var velocity: GestureMachine.Action.Velocity? {
        for action in reversed() { if case .end(let velocity) = action { return velocity } }
        return nil
    }

    /// The taps, presses and their results.
    var told: [GestureMachine.Action] {
        filter { action in
            switch action {
            case .tap, .doubleTap, .longPress, .box, .command: true
            default: false
            }
        }
    }
}

extension InputEvent {
    static func touch(_ id: Int, _ phase: Phase, _ x: Double, _ y: Double, _ time: Double) -> InputEvent {
        InputEvent(
            .pointer(phase, Pointer(id: id, kind: .touch, place: Point(x: x, y: y))),
            at: .microseconds(Int(time * 1000)))
    }

    static func mouse(
        _ phase: Phase, _ x: Double, _ y: Double, _ time: Double, _ modifiers: Modifiers = [],
        buttons: Pointer.Buttons = .primary
    ) -> InputEvent {
        InputEvent(
            .pointer(
                phase,
                Pointer(
                    kind: .mouse, place: Point(x: x, y: y), buttons: phase == .up ? [] : buttons, modifiers: modifiers)),
            at: .microseconds(Int(time * 1000)))
    }

    static func wheel(
        _ delta: Double, _ time: Double, unit: Wheel.Unit = .pixels, _ modifiers: Modifiers = []
    ) -> InputEvent {
        InputEvent(
            .wheel(Wheel(delta: delta, unit: unit, place: Point(x: 40, y: 30), modifiers: modifiers)),
            at: .microseconds(Int(time * 1000)))
    }

    static func key(_ key: Key, _ modifiers: Modifiers = [], _ time: Double = 0) -> InputEvent {
        InputEvent(.key(key, modifiers), at: .microseconds(Int(time * 1000)))
    }

    static func tick(_ time: Double) -> InputEvent { InputEvent(.tick, at: .microseconds(Int(time * 1000))) }
}

extension World {
    /// The cosine and sine of an angle in degrees.
    static func axes(degrees: Double) -> (cosine: Double, sine: Double) {
        (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    }

    static func exponential2(_ x: Double) -> Double { exp2(x) }
}
