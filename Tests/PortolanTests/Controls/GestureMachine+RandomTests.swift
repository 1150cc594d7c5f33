import Portolan
import TestHelpers
import Testing

@Suite struct GestureMachineRandomTests {
    private static let oddNumbers = [Double.nan, .infinity, -.infinity, 1e308, -1e308, 1e-300, 0, -0.0]

    private static func event(_ random: inout SeededGenerator, at time: Duration) -> InputEvent {
        func number() -> Double {
            Int.random(in: 0..<40, using: &random) == 0
                ? oddNumbers[Int.random(in: 0..<oddNumbers.count, using: &random)]
                : .random(in: -50...500, using: &random)
        }
        let modifiers = InputEvent.Modifiers(rawValue: Int.random(in: 0..<64, using: &random) & 15)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return InputEvent(.focusLost, at: time)
        case 1, 2: return InputEvent(.tick, at: time)
        case 3, 4:
            return InputEvent(.key(InputEvent.Key.allCases.randomElement(using: &random) ?? .n, modifiers), at: time)
        case 5, 6:
            return InputEvent(
                .wheel(
                    InputEvent.Wheel(
                        delta: number() / .random(in: 1...200, using: &random),
                        unit: InputEvent.Wheel.Unit.allCases.randomElement(using: &random) ?? .pixels,
                        place: Point(x: number(), y: number()), modifiers: modifiers)), at: time)
        default:
            let pointer = InputEvent.Pointer(
                id: Int.random(in: 0..<4, using: &random),
                kind: InputEvent.Pointer.Kind.allCases.randomElement(using: &random) ?? .touch,
                place: Point(x: number(), y: number()),
                buttons: InputEvent.Pointer.Buttons(rawValue: Int.random(in: 0..<8, using: &random)),
                modifiers: modifiers)
            let phases: [InputEvent.Phase] = [.down, .down, .move, .move, .move, .move, .up, .up, .cancel]
            return InputEvent(.pointer(phases.randomElement(using: &random) ?? .up, pointer), at: time)
        }
    }

    private static func settings(_ random: inout SeededGenerator) -> GestureMachine.Settings {
        var settings = GestureMachine.Settings()
        settings.enabled = settings.enabled.filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
        settings.isCooperative = Bool.random(using: &random)
        settings.tapsAreExclusive = Bool.random(using: &random)
        if Bool.random(using: &random) { settings.pinch = .stepped(liveScale: .random(in: 0...2, using: &random)) }
        if Int.random(in: 0..<8, using: &random) == 0 {
            settings.wheelDistancePerLevel = 0
            settings.tapDragDistancePerLevel = .nan
            settings.pinchThreshold = .infinity
            settings.keyPanDistance = .nan
            settings.velocityWindow = .zero
        }
        return settings
    }

    private static func isFinite(_ action: GestureMachine.Action) -> Bool {
        func isFinite(_ point: Point?) -> Bool { point.map { $0.x.isFinite && $0.y.isFinite } ?? true }
        switch action {
        case .pan(let x, let y, _): return x.isFinite && y.isFinite
        case .zoom(let levels, let about, _): return levels.isFinite && isFinite(about)
        case .rotate(let degrees, let about, _): return degrees.isFinite && isFinite(about)
        case .end(let velocity): return velocity.map { $0.x.isFinite && $0.y.isFinite } ?? true
        case .tap(let point), .doubleTap(let point), .longPress(let point): return isFinite(point)
        case .box(let one, let other, _): return isFinite(one) && isFinite(other)
        case .begin, .command, .wake: return true
        }
    }

    /// Two hundred hands of five hundred events each: odd numbers, clocks that run backwards, releases that never come.
    @Test(arguments: 0..<8)
    func `random events leave no stuck state and no invalid number`(seed: Int) throws {
        for round in 0..<25 {
            var random = SeededGenerator(seed: UInt64(seed * 1000 + round))
            var machine = GestureMachine(settings: Self.settings(&random))
            var controls = MapControls(try World.view())
            controls.gestures = machine
            var time = Duration.zero, isHeld = false
            for _ in 0..<500 {
                time += .milliseconds(Int.random(in: -20...90, using: &random))
                let event = Self.event(&random, at: time)
                for action in machine.handle(event) {
                    #expect(Self.isFinite(action))
                    if case .begin = action {
                        #expect(!isHeld)
                        isHeld = true
                    } else if case .end = action {
                        #expect(isHeld)
                        isHeld = false
                    }
                }
                _ = controls.handle(event)
                // A viewport with invalid numbers cannot be created; one at an absurd position can.
                #expect(controls.view(at: time).center.isFinite)
            }
            // All pointers up, some time gone: as new.
            for id in 0..<4 { _ = machine.handle(.touch(id, .cancel, 0, 0, 1e6)) }
            _ = machine.handle(.tick(2e6))
            #expect(machine.state == .idle)
            let tap = [InputEvent.touch(7, .down, 5, 5, 3e6), .touch(7, .up, 5, 5, 3e6 + 30), .tick(4e6)].flatMap {
                machine.handle($0)
            }
            #expect(tap.contains(.tap(Point(x: 5, y: 5))) == machine.settings.enabled.contains(.tap))
        }
    }

    @Test func `each gesture can be switched off`() {
        let drag = (1...10).map { InputEvent.touch(1, .move, Double($0) * 12, 0, Double($0) * 10) }
        let fling = [InputEvent.touch(1, .down, 0, 0, 0)] + drag + [.touch(1, .up, 120, 0, 101)]
        let rows: [(GestureMachine.Settings.Gesture, [InputEvent])] = [
            (.pan, fling), (.pinch, Hand.pinch(from: 100, to: 200)), (.tap, Hand.tap(1, 1, 0)),
            (.doubleTap, Hand.tap(1, 1, 0) + Hand.tap(1, 1, 100)), (.wheel, [.wheel(300, 0)]),
            (.keyboard, [.key(.plus)]), (.longPress, [.touch(1, .down, 0, 0, 0), .tick(700)]),
            (.tapDrag, Hand.tap(1, 1, 0) + [.touch(1, .down, 1, 1, 100), .touch(1, .move, 1, 90, 150)]),
            (.boxZoom, [.mouse(.down, 0, 0, 0, .shift), .mouse(.move, 90, 90, 10), .mouse(.up, 90, 90, 900)]),
            (
                .twoFingerTap,
                [
                    .touch(1, .down, 0, 0, 0), .touch(2, .down, 90, 0, 1), .touch(1, .up, 0, 0, 9),
                    .touch(2, .up, 90, 0, 10),
                ]
            ),
        ]
        for (gesture, events) in rows {
            var all = Hand(), without = Hand { $0.enabled.remove(gesture) }
            #expect(all.done(events) != without.done(events), "\(gesture)")
            var none = Hand { $0.enabled = [] }
            #expect(none.done(events).isEmpty, "\(gesture)")
        }
        var without = Hand { $0.enabled.remove(.inertia) }
        #expect(without.all(fling).velocity == nil)
    }
}
