import Portolan
import Testing

@Suite struct GestureMachineWheelTests {
    @Test(arguments: [
        (300.0, InputEvent.Wheel.Unit.pixels, -1.0), (-300, .pixels, 1), (3, .lines, -0.4), (-1, .pages, 1),
        (4, .pixels, -4.0 / 300), (1e300, .pixels, -8),
    ])
    func `a wheel zooms by a level every 300 pixels`(delta: Double, unit: InputEvent.Wheel.Unit, levels: Double) {
        var hand = Hand()
        let zoom = GestureMachine.Action.zoom(levels: levels, about: Point(x: 40, y: 30), over: .milliseconds(200))
        #expect(hand.done(.wheel(delta, 0, unit: unit)) == [zoom])
    }

    /// A trackpad's steps are fine; what follows within four tenths of a second is its own, however long.
    @Test(arguments: [(3.9, 400.0, true), (4, 0, false), (3.9, 399.9, false), (3.9, 500, true)])
    func `a trackpad is distinguished from a wheel by its first step and pauses`(
        first: Double, pause: Double, isWheel: Bool
    ) {
        var hand = Hand()
        _ = hand.done(.wheel(first, 0))
        guard case .zoom(_, _, let duration) = hand.done(.wheel(120, pause)).first else {
            Issue.record("no zoom")
            return
        }
        #expect((duration == .milliseconds(200)) == (isWheel || first >= 4))
    }

    @Test func `a trackpad gesture lasts until its events pause`() {
        var hand = Hand()
        let cursor = Point(x: 40, y: 30), first = -2.0 / 300, second = -3.0 / 300
        #expect(
            hand.all([.wheel(2, 0), .wheel(3, 10)]) == [
                .begin, .zoom(levels: first, about: cursor), .wake(at: .milliseconds(80)),
                .zoom(levels: second, about: cursor), .wake(at: .milliseconds(90)),
            ])
        #expect(hand.all([.tick(89)]).isEmpty)
        #expect(hand.all([.tick(90)]) == [.end(velocity: nil)])
        // A pinch on it is Control with the wheel.
        #expect(abs(hand.done(.wheel(-1, 5000, .control)).levels - 0.01) < 1e-12)
        // A finger that comes down takes over.
        #expect(hand.all([.touch(1, .down, 0, 0, 5010)]).prefix(2) == [.end(velocity: nil), .begin])
    }

    @Test func `a cooperative map leaves the plain wheel and one-finger drags to the page`() {
        var hand = Hand { $0.isCooperative = true }
        #expect(hand.done(.wheel(300, 0)).isEmpty)
        #expect(hand.done(.wheel(300, 500, .control)).levels == -1)
        #expect(
            hand.done(.touch(1, .down, 0, 0, 1000), .touch(1, .move, 0, 99, 1050), .touch(1, .up, 0, 99, 1100)).isEmpty)
        #expect(hand.done(Hand.tap(5, 5, 2000)) == [.tap(Point(x: 5, y: 5))])
        #expect(hand.done(.mouse(.down, 0, 0, 3000), .mouse(.move, 50, 0, 3010), .mouse(.up, 50, 0, 3500)).way.x == 50)
        var two = Hand { $0.isCooperative = true }
        #expect(two.done(Hand.pinch(from: 100, to: 200)).levels > 0.8)
    }

    @Test(
        arguments: [
            (
                InputEvent.Key.arrowLeft, InputEvent.Modifiers(),
                GestureMachine.Action.pan(x: 100, y: 0, over: .milliseconds(250))
            ),
            (.arrowRight, .shift, .pan(x: -300, y: 0, over: .milliseconds(250))),
            (.arrowUp, [], .pan(x: 0, y: 100, over: .milliseconds(250))),
            (.arrowDown, [], .pan(x: 0, y: -100, over: .milliseconds(250))),
            (.arrowLeft, .alternate, .command(.back)), (.arrowRight, .alternate, .command(.forward)),
            (.plus, .shift, .zoom(levels: 1, about: nil, over: .milliseconds(250))),
            (.minus, [], .zoom(levels: -1, about: nil, over: .milliseconds(250))),
            (.comma, [], .rotate(degrees: -15, about: nil, over: .milliseconds(250))),
            (.period, [], .rotate(degrees: 15, about: nil, over: .milliseconds(250))),
            (.zero, [], .command(.northUp)), (.home, [], .command(.home)), (.n, [], .command(.selectNext)),
            (.p, [], .command(.selectPrevious)), (.escape, [], .command(.cancel)),
        ] as [(InputEvent.Key, InputEvent.Modifiers, GestureMachine.Action)])
    func `keys trigger map actions unless the keyboard is off`(
        key: InputEvent.Key, modifiers: InputEvent.Modifiers, action: GestureMachine.Action
    ) {
        var hand = Hand()
        #expect(hand.all([.key(key, modifiers)]) == [action])
        var off = Hand { $0.enabled.remove(.keyboard) }
        #expect(off.all([.key(key, modifiers)]).isEmpty)
    }

    /// The diagonal of a box of 3 by 7.4 is 7.98 pixels, of 3 by 7.5 8.08.
    @Test(arguments: [(7.4, false), (7.5, true), (100, true)])
    func `a drag with Shift draws a box of at least eight pixels`(height: Double, isBox: Bool) {
        var hand = Hand()
        let one = Point(x: 10, y: 10), other = Point(x: 13, y: 10 + height)
        let done = hand.done(
            .mouse(.down, 10, 10, 0, .shift), .mouse(.move, 13, 10 + height, 20, .shift),
            .mouse(.up, 13, 10 + height, 40))
        #expect(done == [.box(one, other, .changed), .box(one, other, isBox ? .finished : .cancelled)])
    }

    @Test func `Escape or a lost focus cancels a zoom box`() {
        var hand = Hand()
        let box = [InputEvent.mouse(.down, 10, 10, 0, .shift), .mouse(.move, 90, 90, 20, .shift)]
        let one = Point(x: 10, y: 10), other = Point(x: 90, y: 90)
        #expect(hand.done(box + [.key(.escape, [], 30)]).last == .box(one, other, .cancelled))
        #expect(hand.done(.mouse(.move, 50, 50, 40, .shift), .mouse(.up, 50, 50, 60)).isEmpty)
        #expect(hand.machine.state == .idle)
        #expect(
            hand.done(box.map { InputEvent($0.input, at: .seconds(1)) } + [InputEvent(.focusLost, at: .seconds(2))])
                .last == .box(one, other, .cancelled))
    }
}
