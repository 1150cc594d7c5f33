import Portolan
import Testing

@Suite struct MapControlsTests {
    private static func view(_ width: Int = 800, _ height: Int = 600) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: 100)),
            size: #require(ImageSize(width: width, height: height)))
    }

    /// How far apart two views show the corners of one picture.
    private static func distance(_ one: Viewport, _ other: Viewport) -> Double {
        let corners = [Point(x: 0, y: 0), Point(x: 800, y: 600)]
        return corners.map { corner in
            let shown = other.pixel(of: one.coordinate(at: corner))
            return max(abs(shown.x - corner.x), abs(shown.y - corner.y))
        }.max() ?? 0
    }

    /// A drag with a fling, a pinch and a wheel, told and shown so often a second.
    private static func end(rate: Double) throws -> Viewport {
        var controls = MapControls(try view())
        var time = 0.0
        func path(_ seconds: Double) -> Point {
            Point(x: 100 + 700 * seconds - 300 * seconds * seconds, y: 500 - 400 * seconds * seconds)
        }
        func pinched(_ seconds: Double) -> (Point, Point) {
            let half = 60 + 120 * seconds, (cosine, sine) = World.axes(degrees: 80 * seconds)
            let x = 300 + 100 * seconds
            return (
                Point(x: x - half * cosine, y: 300 - half * sine), Point(x: x + half * cosine, y: 300 + half * sine)
            )
        }
        func tell(_ id: Int, _ phase: InputEvent.Phase, _ place: Point) {
            _ = controls.handle(.touch(id, phase, place.x, place.y, time))
        }
        func wait(_ milliseconds: Double) {
            let until = time + milliseconds
            while time < until {
                time = min(until, time + 1000 / rate)
                _ = controls.handle(.tick(time))
                _ = controls.view(at: .microseconds(Int(time * 1000)))
            }
        }
        tell(1, .down, path(0))
        for step in 1...Int(0.5 * rate) {
            time = Double(step) * 1000 / rate
            tell(1, .move, path(Double(step) / rate))
        }
        time = 500
        tell(1, .move, path(0.5))
        tell(1, .up, path(0.5))
        wait(1500)
        let start = time
        tell(1, .down, pinched(0).0)
        tell(2, .down, pinched(0).1)
        for step in 1...Int(rate) {
            time = start + Double(step) * 1000 / rate
            tell(1, .move, pinched(Double(step) / rate).0)
            tell(2, .move, pinched(Double(step) / rate).1)
        }
        tell(1, .up, pinched(1).0)
        tell(2, .up, pinched(1).1)
        wait(500)
        for _ in 0..<3 {
            _ = controls.handle(.wheel(-100, time))
            wait(60)
        }
        wait(1000)
        return controls.view(at: .microseconds(Int(time * 1000)))
    }

    @Test func `gestures end at the same view at 30, 60 and 120 hertz`() throws {
        let ends = try [30.0, 60, 120].map { try Self.end(rate: $0) }
        #expect(Self.distance(ends[0], ends[1]) < 1)
        #expect(Self.distance(ends[2], ends[1]) < 1)
        // And it is another than before.
        #expect(try Self.distance(ends[0], Self.view()) > 100)
    }

    @Test func `a map is zoomed in and out and panned`() throws {
        var controls = MapControls(try Self.view())
        let place = controls.view(at: .zero).coordinate(at: Point(x: 200, y: 150))
        for event in Hand.tap(200, 150, 0) + Hand.tap(200, 150, 100) { _ = controls.handle(event) }
        let near = controls.view(at: .seconds(1))
        #expect(near.resolution.unitsPerPixel == 50)
        #expect(abs(near.pixel(of: place).x - 200) < 1e-9 && abs(near.pixel(of: place).y - 150) < 1e-9)
        for key in [InputEvent.Key.minus, .minus] { _ = controls.handle(.key(key, [], 2000)) }
        #expect(abs(controls.view(at: .seconds(3)).resolution.unitsPerPixel - 200) < 1e-9)
        let before = controls.view(at: .seconds(3)).center.x
        _ = controls.handle(.key(.arrowRight, [], 4000))
        _ = controls.handle(.key(.arrowRight, [], 4100))
        #expect(abs(controls.view(at: .seconds(5)).center.x - before - 40_000) < 1e-6)
    }

    @Test func `wheel steps add up and zoom about the pointer`() throws {
        var controls = MapControls(try Self.view())
        let place = controls.view(at: .zero).coordinate(at: Point(x: 40, y: 30))
        for step in 0..<6 {
            _ = controls.handle(.wheel(-100, Double(step) * 30))
            let shown = controls.view(at: .milliseconds(step * 30 + 15)).pixel(of: place)
            #expect(abs(shown.x - 40) < 1e-6 && abs(shown.y - 30) < 1e-6)
        }
        #expect(controls.isMoving(at: .milliseconds(340)))
        #expect(!controls.isMoving(at: .milliseconds(350)))
        #expect(abs(controls.view(at: .seconds(1)).resolution.unitsPerPixel - 25) < 1e-9)
    }

    @Test func `with whole levels a wheel zooms to the next level within the limits`() throws {
        var controls = MapControls(try Self.view())
        controls.limits.snap = .levels
        controls.limits.zoomRange = 3...12
        let first = controls.view(at: .zero).resolution.zoom(in: .webMercator)
        _ = controls.handle(.wheel(-20, 0))
        _ = controls.handle(.wheel(-20, 50))
        #expect(abs(controls.view(at: .seconds(1)).resolution.zoom(in: .webMercator) - first.rounded(.up)) < 1e-9)
        for step in 0..<40 { _ = controls.handle(.wheel(-300, 2000 + Double(step))) }
        #expect(abs(controls.view(at: .seconds(4)).resolution.zoom(in: .webMercator) - 12) < 1e-9)
        // What was too much is not owed.
        _ = controls.handle(.wheel(300, 5000))
        #expect(abs(controls.view(at: .seconds(6)).resolution.zoom(in: .webMercator) - 11) < 1e-9)
    }

    @Test func `a touch stops a running animation at the current view`() throws {
        var controls = MapControls(try Self.view())
        _ = controls.handle(.key(.plus))
        let shown = controls.view(at: .milliseconds(100))
        _ = controls.handle(.touch(1, .down, 5, 5, 100))
        #expect(controls.view(at: .milliseconds(100)) == shown)
        #expect(controls.view(at: .seconds(9)) == shown)
        #expect(!controls.isMoving(at: .milliseconds(100)))
    }

    @Test func `a drawn zoom box becomes the view`() throws {
        var controls = MapControls(try Self.view())
        let one = controls.view(at: .zero).coordinate(at: Point(x: 100, y: 100))
        let other = controls.view(at: .zero).coordinate(at: Point(x: 500, y: 200))
        for event in [
            InputEvent.mouse(.down, 100, 100, 0, .shift), .mouse(.move, 500, 200, 50, .shift),
            .mouse(.up, 500, 200, 90),
        ] {
            _ = controls.handle(event)
        }
        let seen = controls.view(at: .seconds(2))
        #expect(abs(seen.pixel(of: one).x) < 1e-6 && abs(seen.pixel(of: other).x - 800) < 1e-6)
        #expect(abs(seen.center.y - (one.y + other.y) / 2) < 1e-6)
    }

    @Test func `with reduced motion animations are jumps unless essential`() throws {
        var controls = MapControls(try Self.view())
        controls.reducesMotion = true
        _ = controls.handle(.key(.plus))
        #expect(!controls.isMoving(at: .zero) && controls.view(at: .zero).resolution.unitsPerPixel == 50)
        let drag = (1...10).map { InputEvent.touch(1, .move, Double($0) * 12, 0, Double($0) * 10) }
        for event in [.touch(1, .down, 0, 0, 0)] + drag + [.touch(1, .up, 120, 0, 101)] { _ = controls.handle(event) }
        #expect(controls.view(at: .milliseconds(101)).center.x == -6000)
        #expect(!controls.isMoving(at: .milliseconds(101)))
        let target = try Self.view().with(center: Coordinate(x: 50_000, y: 0))
        controls.fly(to: target, at: .seconds(1), isEssential: true)
        #expect(controls.isMoving(at: .milliseconds(1100)))
        controls.fly(to: target, at: .milliseconds(1100))
        #expect(controls.view(at: .milliseconds(1100)) == target)
    }

    @Test func `back, forward and home keep the current map size`() throws {
        var controls = MapControls(try Self.view())
        let home = controls.view(at: .zero)
        _ = controls.handle(.key(.arrowRight, .shift, 0))
        _ = controls.handle(.tick(400))
        #expect(controls.handle(.tick(401)).contains(.wake(at: .milliseconds(900))))
        _ = controls.handle(.tick(900))
        #expect(controls.history.views.count == 2)
        let there = controls.view(at: .seconds(1))
        let wentBack = controls.goBack(at: .seconds(1))
        #expect(wentBack)
        #expect(controls.view(at: .seconds(9)) == home)
        controls.jump(to: try controls.view(at: .seconds(9)).with(size: ImageSize(width: 400, height: 300)))
        _ = controls.handle(.key(.arrowRight, .alternate, 10_000))
        let forward = controls.view(at: .seconds(19))
        #expect(forward.center == there.center && forward.size.width == 400)
        let wentForward = controls.goForward(at: .seconds(20))
        #expect(!wentForward)
        _ = controls.handle(.key(.home, [], 21_000))
        #expect(controls.view(at: .seconds(29)).center == home.center)
        // What only follows something is not gone back to.
        controls.isFollowing = true
        _ = controls.handle(.key(.arrowDown, .shift, 30_000))
        _ = controls.handle(.tick(35_000))
        #expect(controls.history.views.count == 2)
    }

    @Test(
        arguments: [
            (0.0, "000° N"), (359.6, "000° N"), (11.24, "011° N"), (11.26, "011° NNE"), (45, "045° NE"),
            (-90, "270° W"),
            (348.74, "349° NNW"), (360 * 9 + 180, "180° S"),
        ] as [(Double, String)])
    func `a compass states the bearing, and the zero key turns the map north up`(bearing: Double, text: String) throws {
        #expect(Compass(bearing: bearing)?.description == text)
        #expect(Compass(bearing: .nan) == nil)
        var controls = MapControls(try Self.view().with(rotation: bearing))
        _ = controls.handle(.key(.zero))
        #expect(controls.view(at: .seconds(1)).rotation == 0)
    }
}
