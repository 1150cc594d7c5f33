import Portolan
import PortolanGeo
import Testing

@Suite struct ViewAnimationTests {
    private static func view(
        _ x: Double = 0, _ y: Double = 0, unit: Double = 1, rotation: Double = 0, width: Int = 1000, height: Int = 800
    ) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(unitsPerPixel: unit)), rotation: rotation,
            size: #require(ImageSize(width: width, height: height)))
    }

    struct Flight: Sendable {
        var first: Double, last: Double, distance: Double, length: Double
        /// At a quarter, a half and nine tenths of the path: the part of the way, and the width over the first.
        var states: [(way: Double, width: Double)]
    }

    /// Equation 9 of van Wijk and Nuij in 40 digits by mpmath; each length was confirmed there by integrating the metric of
    /// their equation 5 along the path.
    static let flights = [
        Flight(
            first: 1000, last: 1000, distance: 1000, length: 1.2495211161331538,
            states: [
                (0.20660954890142971, 1.290924299610029), (0.5, 1.4200236758589626),
                (0.92994113780230766, 1.1246750088597636),
            ]),
        Flight(
            first: 1000, last: 1000, distance: 5000, length: 3.2682360084899644,
            states: [
                (0.08144344350000681, 2.9332972909432166), (0.5, 5.1392296115273931),
                (0.98544929783851366, 1.5676448143759508),
            ]),
        Flight(
            first: 1024, last: 256, distance: 3000, length: 3.4990541825968899,
            states: [
                (0.23424078681051692, 2.653310939823304), (0.8, 2.4152890745160428),
                (0.9970512794399987, 0.40971253432856042),
            ]),
        Flight(
            first: 800, last: 12800, distance: 400, length: 1.9553287907273976,
            states: [
                (0.011748192151393649, 2.0018966901987965), (0.058823529411764706, 4.0070282009123138),
                (0.57320817388969832, 12.14153011197592),
            ]),
        Flight(
            first: 1000, last: 1000, distance: 20, length: 0.028398075840723558,
            states: [
                (0.24997459348371585, 1.0001524481353015), (0.5, 1.0002032727880868),
                (0.90001951096719578, 1.0000731702713804),
            ]),
    ]

    /// When the smooth clock of a flight shows a part of the path.
    private static func time(of part: Double) -> Double {
        var low = 0.0, high = 1.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if middle * middle * (3 - 2 * middle) < part { low = middle } else { high = middle }
        }
        return low
    }

    @Test(arguments: flights) func `a flight is the optimal path of van Wijk and Nuij`(flight: Flight) throws {
        let start = try Self.view(width: Int(flight.first))
        let end = try Self.view(0, flight.distance, unit: flight.last / flight.first, width: Int(flight.first))
        let fly = ViewAnimation.fly(from: start, to: end, at: .seconds(7))
        #expect(abs((fly.duration / .seconds(1)) - flight.length / 1.2) < 1e-9)
        for (part, state) in zip([0.25, 0.5, 0.9], flight.states) {
            let view = fly.view(at: .seconds(7) + fly.duration * Self.time(of: part))
            #expect(abs(view.center.y / flight.distance - state.way) < 1e-9)
            #expect(abs(view.resolution.unitsPerPixel - state.width) < 1e-9)
        }
        #expect(fly.view(at: .zero) == start)
        #expect(fly.view(at: fly.endTime) == end)
        #expect(fly.view(at: .seconds(99)) == end)
    }

    @Test func `a flight that would take more than three seconds is a jump`() throws {
        let start = try Self.view()
        // A picture 1,000 pixels wide flies 2,000 · sinh(1.8 ρ) / ρ² = 6,351.2 pixels in 3 s.
        #expect(ViewAnimation.fly(from: start, to: try Self.view(6351), at: .zero).duration > .zero)
        #expect(ViewAnimation.fly(from: start, to: try Self.view(6352), at: .zero).duration == .zero)
        #expect(
            ViewAnimation.fly(from: start, to: try Self.view(6352), at: .zero, longest: .seconds(9)).duration
                > .seconds(3))
    }

    @Test func `a flight takes the shorter route across the antimeridian`() throws {
        let start = try Self.view(20_000_000, 0, unit: 4000), end = try Self.view(-20_000_000, 0, unit: 4000)
        let fly = ViewAnimation.fly(from: start, to: end, at: .zero)
        // The world is 40,075 km wide: 75 km are left to go.
        #expect(abs(fly.end.center.x - 20_075_016.68557849) < 1e-6)
        #expect(fly.view(at: fly.duration / 2).center.x > 20_000_000)
    }

    @Test func `an ease zooms evenly about a fixed point`() throws {
        let start = try Self.view(100, 200, unit: 8, rotation: 30), pixel = Point(x: 220, y: 650)
        let end = try start.zoomed(by: 8, about: pixel)
        let ease = ViewAnimation.ease(from: start, to: end, at: .zero, over: .seconds(1))
        let fixed = start.coordinate(at: pixel)
        for step in 0...20 {
            let view = ease.view(at: .milliseconds(step * 50))
            let shown = view.pixel(of: fixed)
            #expect(abs(shown.x - pixel.x) < 1e-6 && abs(shown.y - pixel.y) < 1e-6)
            #expect(view.rotation == 30)
        }
        // Half of the time is half of the levels.
        #expect(abs(ease.view(at: .milliseconds(500)).resolution.unitsPerPixel - 8.0.squareRoot()) < 1e-9)
    }

    @Test(arguments: [(350.0, 20.0), (20, 350), (0, 180), (90, 91)])
    func `a rotation takes the shorter direction about a fixed point`(first: Double, last: Double) throws {
        let start = try Self.view(5, 5, unit: 2, rotation: first), pixel = Point(x: 900, y: 100)
        let fixed = start.coordinate(at: pixel)
        let turned = try start.with(rotation: last)
        let moved = turned.coordinate(at: pixel)
        let end = try turned.with(
            center: Coordinate(x: turned.center.x + fixed.x - moved.x, y: turned.center.y + fixed.y - moved.y))
        let ease = ViewAnimation.ease(from: start, to: end, at: .zero, over: .seconds(1), curve: .easeOut)
        for step in 1..<10 {
            let view = ease.view(at: .milliseconds(step * 100)), shown = view.pixel(of: fixed)
            #expect(abs(shown.x - pixel.x) < 1e-6 && abs(shown.y - pixel.y) < 1e-6)
            let way = abs(view.rotation - first)
            #expect(min(way, 360 - way) <= min(abs(last - first), 360 - abs(last - first)))
        }
    }

    /// 1,000 pixels a second fall to 50 in 599 ms, over 190 pixels: v·τ·(1 − 50/v).
    @Test func `a fling slows down to rest`() throws {
        let start = try Self.view()
        let fling = try #require(
            ViewAnimation.fling(from: start, velocity: GestureMachine.Action.Velocity(x: 600, y: -800), at: .zero))
        #expect(abs((fling.duration / .seconds(1)) - 0.59914645471079817) < 1e-9)
        #expect(abs(fling.end.center.x + 114) < 1e-9 && abs(fling.end.center.y + 152) < 1e-9)
        // After one time constant: 200·(1 − 1/e) pixels.
        let view = fling.view(at: .milliseconds(200))
        #expect(
            abs((view.center.x * view.center.x + view.center.y * view.center.y).squareRoot() - 126.42411176571153)
                < 1e-9)
        #expect(
            ViewAnimation.fling(from: start, velocity: GestureMachine.Action.Velocity(x: 0, y: 50), at: .zero) == nil)
        #expect(
            ViewAnimation.fling(from: start, velocity: GestureMachine.Action.Velocity(x: .nan, y: 50), at: .zero) == nil
        )
        #expect(
            ViewAnimation.fling(from: start, velocity: GestureMachine.Action.Velocity(x: .infinity, y: 0), at: .zero)
                == nil)
    }
}
