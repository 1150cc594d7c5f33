import Portolan
import TestHelpers
import Testing

@Suite struct GestureMachineTests {
    // MARK: - Drags

    /// At the threshold a drag begins, below it the press is a tap.
    @Test(arguments: [(2.9, false), (3, true), (3.1, true)])
    func `a mouse drag begins after three pixels`(way: Double, isDrag: Bool) {
        var hand = Hand()
        let done = hand.done(.mouse(.down, 0, 9, 0), .mouse(.move, way, 9, 20), .mouse(.up, way, 9, 400))
        #expect(done == (isDrag ? [.pan(x: way, y: 0)] : [.tap(Point(x: way, y: 9))]))
    }

    @Test(arguments: [(7.9, false), (8, true), (8.1, true)])
    func `a finger drag begins after eight pixels`(way: Double, isDrag: Bool) {
        var hand = Hand()
        let done = hand.done(
            .touch(1, .down, 0, 0, 0), .touch(1, .move, 0, way, 20), .touch(1, .up, 0, way, 400))
        #expect(done == (isDrag ? [.pan(x: 0, y: way)] : [.tap(Point(x: 0, y: way))]))
    }

    @Test func `a drag keeps the touched point under the finger`() {
        var hand = Hand()
        let events = (0...40).map { number in
            let step = Double(number)
            return InputEvent.touch(1, number == 0 ? .down : .move, 5 + step * 1.7, 9 - step, step)
        }
        let way = hand.done(events).way
        #expect(abs(way.x - 68) < 1e-9 && abs(way.y + 40) < 1e-9)
    }

    /// Ten samples a hundredth of a second apart, 12 pixels each: 1,200 pixels a second.
    @Test func `a drag that ends in motion is a fling`() throws {
        var hand = Hand()
        var events = [InputEvent.touch(1, .down, 0, 0, 0)]
        events += (1...10).map { InputEvent.touch(1, .move, Double($0) * 12, 0, Double($0) * 10) }
        let velocity = try #require(hand.all(events + [.touch(1, .up, 120, 0, 105)]).velocity)
        #expect(abs(velocity.x - 1200) < 1e-6)
        #expect(velocity.y == 0)
    }

    @Test(arguments: [(200.0, true), (200.001, false), (300, false)])
    func `a pause of a tenth of a second before lifting prevents a fling`(time: Double, isFling: Bool) {
        var hand = Hand()
        let events = [
            InputEvent.touch(1, .down, 0, 0, 0), .touch(1, .move, 50, 0, 50), .touch(1, .move, 100, 0, 100),
            .touch(1, .up, 100, 0, time),
        ]
        #expect((hand.all(events).velocity != nil) == isFling)
    }

    @Test(arguments: [(16.0, false), (1000 / 60 + 0.01, true)])
    func `a drag shorter than a frame gives no fling`(time: Double, isFling: Bool) {
        var hand = Hand()
        let events = [
            InputEvent.touch(1, .down, 0, 0, 0), .touch(1, .move, 20, 0, time), .touch(1, .up, 20, 0, time + 1),
        ]
        #expect((hand.all(events).velocity != nil) == isFling)
    }

    /// Slower than 50 pixels a second is at rest, faster than 3,000 is held to that.
    @Test(arguments: [(49.0, nil), (51, 51), (2999, 2999), (9000, 3000)] as [(Double, Double?)])
    func `a fling has a minimum and a maximum speed`(speed: Double, expected: Double?) {
        var hand = Hand()
        var events = [InputEvent.touch(1, .down, 0, 0, 0)]
        events += (1...50).map { InputEvent.touch(1, .move, 0, speed * Double($0) / 100, Double($0) * 10) }
        let found = hand.all(events + [.touch(1, .up, 0, speed / 2, 500)]).velocity
        #expect(found.map { ($0.y * 1000).rounded() / 1000 } == expected)
    }

    /// A finger that slows down as a square, told at rates that do not divide one another.
    @Test(arguments: [30.0, 50, 60, 90, 120, 240])
    func `a fling does not depend on the event rate`(rate: Double) throws {
        var hand = Hand()
        func place(_ seconds: Double) -> Double { 900 * seconds - 500 * seconds * seconds }
        var events = [InputEvent.touch(1, .down, 0, 0, 0)]
        for step in 1...Int(0.4 * rate) {
            events.append(.touch(1, .move, place(Double(step) / rate), 0, Double(step) / rate * 1000))
        }
        events.append(.touch(1, .move, place(0.4), 0, 400))
        let velocity = try #require(hand.all(events + [.touch(1, .up, place(0.4), 0, 400)]).velocity)
        // The mean over the last tenth of a second is 550 pixels a second; the fling goes a fifth of its number in pixels.
        #expect(abs(velocity.x - 550) < 5)
    }

    @Test func `a cancelled or two-finger gesture ends without a fling`() {
        let drag = (1...10).map { InputEvent.touch(1, .move, Double($0) * 12, 0, Double($0) * 10) }
        var hand = Hand()
        #expect(hand.all([.touch(1, .down, 0, 0, 0)] + drag + [.touch(1, .cancel, 120, 0, 101)]).velocity == nil)
        #expect(hand.machine.state == .idle)
        var other = Hand()
        let two = [InputEvent.touch(1, .down, 0, 0, 0), .touch(2, .down, 90, 0, 1), .touch(2, .up, 90, 0, 2)]
        #expect(other.all(two + drag + [.touch(1, .up, 120, 0, 101)]).velocity == nil)
    }

    // MARK: - Taps

    @Test(arguments: [(299.0, true), (299.999, true), (300, false), (301, false)])
    func `two taps within 300 ms zoom in by the configured levels`(
        pause: Double, isDouble: Bool
    ) {
        var hand = Hand { $0.doubleTapLevels = 1.5 }
        let place = Point(x: 50, y: 60)
        let done = hand.done(Hand.tap(50, 60, 0) + Hand.tap(50, 60, 50 + pause))
        #expect(
            done
                == (isDouble
                    ? [
                        .tap(place), .doubleTap(place),
                        .zoom(levels: 1.5, about: place, over: .milliseconds(250)),
                    ] : [.tap(place), .tap(place)]))
    }

    @Test(arguments: [(30.0, true), (30.1, false)])
    func `the second tap can be up to thirty pixels away`(way: Double, isDouble: Bool) {
        var hand = Hand()
        let done = hand.done(Hand.tap(50, 60, 0) + Hand.tap(50 + way, 60, 100))
        #expect((done.levels == 1) == isDouble)
    }

    @Test func `a double click with Shift zooms out, and a third tap starts a new sequence`() {
        var hand = Hand()
        let clicks = [0.0, 100].flatMap {
            [InputEvent.mouse(.down, 5, 5, $0, .shift), InputEvent.mouse(.up, 5, 5, $0 + 20)]
        }
        #expect(hand.done(clicks).levels == -1)
        var other = Hand()
        #expect(other.done(Hand.tap(5, 5, 0) + Hand.tap(5, 5, 100) + Hand.tap(5, 5, 200)).levels == 1)
    }

    @Test func `an exclusive tap waits for a possible second tap`() {
        var hand = Hand { $0.tapsAreExclusive = true }
        let place = Point(x: 5, y: 5)
        #expect(hand.all(Hand.tap(5, 5, 0)).contains(.wake(at: .milliseconds(350))))
        #expect(hand.done(.tick(349.9)).isEmpty)
        #expect(hand.done(.tick(350)) == [.tap(place)])
        #expect(hand.done(.tick(1000)).isEmpty)
        // A second one elsewhere tells the first; a double tap tells none.
        #expect(hand.done(Hand.tap(5, 5, 2000) + Hand.tap(90, 5, 2100)) == [.tap(place)])
        #expect(hand.done(.tick(3000)) == [.tap(Point(x: 90, y: 5))])
        #expect(hand.done(Hand.tap(5, 5, 4000) + Hand.tap(5, 5, 4100)).told == [.doubleTap(place)])
        // A drag after it does not swallow it.
        let drag = [InputEvent.mouse(.down, 5, 5, 5100), .mouse(.move, 50, 5, 5150), .mouse(.up, 50, 5, 5900)]
        #expect(hand.done(Hand.tap(5, 5, 5000) + drag) == [.tap(place), .pan(x: 45, y: 0)])
    }

    @Test(arguments: [(599.9, false), (600, true), (700, true)])
    func `a finger held for 600 ms is a long press`(time: Double, isLong: Bool) {
        var hand = Hand()
        let place = Point(x: 5, y: 5)
        let done = hand.done(.touch(1, .down, 5, 5, 0), .tick(time), .touch(1, .up, 5, 5, time))
        #expect(done == (isLong ? [.longPress(place)] : [.tap(place)]))
        // Without a tick the next event tells.
        #expect(
            hand.done(.touch(1, .down, 5, 5, 9000), .touch(1, .move, 90, 5, 9000 + time)).told
                == (isLong ? [.longPress(place)] : []))
    }

    @Test(arguments: [(15.0, true), (15.1, false)])
    func `a long press tolerates fifteen pixels of movement if panning is off`(way: Double, isLong: Bool) {
        var hand = Hand { $0.enabled.remove(.pan) }
        let done = hand.done(.touch(1, .down, 5, 5, 0), .touch(1, .move, 5, 5 + way, 100), .tick(600))
        #expect(done.isEmpty != isLong)
        var panning = Hand()
        #expect(panning.done(.touch(1, .down, 5, 5, 0), .touch(1, .move, 5, 13, 100), .tick(600)) == [.pan(x: 0, y: 8)])
    }

    @Test func `a secondary click is a long press and does not drag`() {
        var hand = Hand()
        let down = InputEvent.mouse(.down, 5, 5, 0, buttons: .secondary)
        #expect(hand.done(down, .mouse(.up, 5, 5, 20)) == [.longPress(Point(x: 5, y: 5))])
        let move = InputEvent.mouse(.move, 50, 5, 120, buttons: .secondary)
        #expect(hand.done(.mouse(.down, 5, 5, 100, buttons: .secondary), move, .mouse(.up, 50, 5, 130)).isEmpty)
    }

    @Test(arguments: [(7.9, 0), (8, 0.0625), (128, 1), (-64, -0.5)])
    func `dragging after a tap zooms one level per 128 pixels`(way: Double, levels: Double) {
        var hand = Hand()
        let drag = [InputEvent.touch(1, .down, 50, 300, 150), .touch(1, .move, 50, 300 + way, 250)]
        let done = hand.done(Hand.tap(50, 300, 0) + drag)
        #expect(abs(done.levels - levels) < 1e-12)
        #expect(done.way == Point(x: 0, y: 0))
        // Held still, it is not a long press: a drag may follow.
        var still = Hand()
        let held = [InputEvent.touch(1, .down, 50, 300, 150), .tick(900), .touch(1, .move, 50, 428, 950)]
        #expect(still.done(Hand.tap(50, 300, 0) + held).levels == 1)
    }

    @Test(arguments: [(500.0, true), (500.1, false)])
    func `a two-finger tap zooms out about the middle of the fingers`(time: Double, isTap: Bool) {
        var hand = Hand()
        let done = hand.done(
            .touch(1, .down, 100, 100, 0), .touch(2, .down, 200, 100, 40), .touch(2, .up, 200, 100, time - 20),
            .touch(1, .up, 100, 100, time))
        let zoom = GestureMachine.Action.zoom(levels: -1, about: Point(x: 150, y: 100), over: .milliseconds(250))
        #expect(done == (isTap ? [zoom] : []))
    }
}
