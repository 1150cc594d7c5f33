import Portolan
import Testing

@Suite struct GestureMachinePinchTests {
    /// The last is between two fingers that were not brought apart or together enough.
    @Test(arguments: [(100.0, 200.0, 0.9), (200, 100, -0.9), (100, 107, 0), (100, 400, 1.9)])
    func `a pinch zooms by the finger distance less a threshold of a tenth of a level`(
        first: Double, last: Double, levels: Double
    ) {
        var hand = Hand()
        let done = hand.done(Hand.pinch(from: first, to: last))
        #expect(abs(done.levels - levels) < 1e-9)
        #expect(abs(done.way.x) < 1e-9 && done.way.y == 0)
    }

    /// Browsers and toolkits report fingers that moved simultaneously one after the other.
    @Test(arguments: [12.0, -12, 40])
    func `fingers moving in parallel neither zoom nor rotate at any step size`(
        step: Double
    ) {
        for way in [Point(x: step, y: 0), Point(x: 0, y: step)] {
            var hand = Hand()
            var events = [InputEvent.touch(1, .down, 150, 200, 0), .touch(2, .down, 250, 200, 0)]
            for moment in 1...10 {
                let x = way.x * Double(moment), y = way.y * Double(moment), time = Double(moment) * 16
                events += [.touch(2, .move, 250 + x, 200 + y, time), .touch(1, .move, 150 + x, 200 + y, time)]
            }
            let done = hand.done(events)
            #expect(abs(done.levels) < 1e-9 && abs(done.degrees) < 1e-9)
            #expect(abs(done.way.x - 10 * way.x) < 1e-9 && abs(done.way.y - 10 * way.y) < 1e-9)
        }
    }

    @Test func `a pinch does not depend on the event rate`() {
        let levels = [1, 3, 10, 100].map { steps in
            var hand = Hand()
            return hand.done(Hand.pinch(from: 90, to: 250, steps: steps)).levels
        }
        #expect(levels.allSatisfy { abs($0 - levels[0]) < 1e-9 })
    }

    /// The travel and the levels of the old framework: below the tolerance none, then one, two, three.
    @Test(arguments: [
        (19.9, 0.0), (20, 1), (21, 1), (79, 1), (80, 1), (81, 2), (160, 2), (161, 3), (260, 3), (-19, 0), (-20, -1),
        (-80, -1), (-81, -2), (-160, -2), (-161, -3),
    ])
    func `a stepped pinch zooms by whole levels`(
        travel: Double, levels: Double
    ) {
        var hand = Hand { $0.pinch = .stepped() }
        let done = hand.done(Hand.pinch(from: 300, to: 300 + travel))
        #expect(abs(done.levels - levels) < 1e-9)
        #expect(hand.machine.state == .idle)
    }

    @Test(arguments: [(1.0, 1.0), (0.5, 0.5), (2, 2), (0, 0)])
    func `a stepped pinch scales the picture while the fingers move`(factor: Double, live: Double) {
        var hand = Hand { $0.pinch = .stepped(tolerance: 10, first: 20, last: 30, liveScale: factor) }
        #expect(abs(hand.done(Hand.pinch(from: 100, to: 200, lifts: false)).levels - live) < 1e-9)
        // Taken over by the system it is what it was.
        #expect(abs(hand.done(.touch(2, .cancel, 0, 0, 500)).levels + live) < 1e-9)
        #expect(hand.done(.touch(1, .move, 400, 400, 600), .touch(1, .up, 400, 400, 700)).isEmpty)
    }

    /// Two fingers 100 pixels apart: 25 pixels on their circle of 314 are 28.65 degrees.
    ///
    /// Between the moves of the one and of the other
    /// they are a hair nearer.
    @Test(arguments: [(28.0, 0.0), (29, 0.352), (-29, -0.352), (90, 61.352), (270, 241.352)])
    func `two fingers rotate the map after 25 pixels along their circle`(angle: Double, turned: Double) {
        var hand = Hand()
        #expect(abs(hand.done(Self.turn(by: angle)).degrees - turned) < 0.1)
    }

    private static func turn(by angle: Double, steps: Int = 30) -> [InputEvent] {
        var events = [InputEvent.touch(1, .down, 150, 200, 0), .touch(2, .down, 250, 200, 0)]
        for step in 1...steps {
            let (cosine, sine) = World.axes(degrees: angle * Double(step) / Double(steps)), time = Double(step) * 10
            events.append(.touch(1, .move, 200 - 50 * cosine, 200 - 50 * sine, time))
            events.append(.touch(2, .move, 200 + 50 * cosine, 200 + 50 * sine, time))
        }
        return events
    }

    @Test func `adding or lifting a finger does not make the map jump`() {
        var hand = Hand()
        let done = hand.done(
            .touch(1, .down, 100, 100, 0), .touch(1, .move, 130, 100, 10), .touch(2, .down, 300, 300, 20),
            .touch(1, .up, 130, 100, 30), .touch(2, .move, 310, 300, 40), .touch(1, .down, 0, 0, 50),
            .touch(2, .up, 310, 300, 60), .touch(1, .move, 5, 0, 70), .touch(1, .up, 5, 0, 80))
        #expect(done == [.pan(x: 30, y: 0), .pan(x: 10, y: 0), .pan(x: 5, y: 0)])
    }

    @Test func `a third finger does nothing`() {
        var hand = Hand()
        _ = hand.done(Hand.pinch(from: 100, to: 200, lifts: false))
        let third = [
            InputEvent.touch(3, .down, 0, 0, 400), .touch(3, .move, 300, 300, 410), .touch(3, .up, 300, 300, 420),
        ]
        #expect(hand.done(third).isEmpty)
        #expect(hand.machine.state == .pinching)
    }

    @Test func `a pinch that starts at distance zero gives finite levels`() {
        var hand = Hand()
        let done = hand.done(Hand.pinch(from: 0, to: 0) + Hand.pinch(from: 0, to: 200))
        #expect(abs(done.levels - 4.2219280948873624) < 1e-9)
    }
}
