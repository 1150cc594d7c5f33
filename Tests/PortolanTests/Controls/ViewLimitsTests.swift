import Portolan
import Testing

@Suite struct ViewLimitsTests {
    private static func view(
        zoom: Double = 4, x: Double = 0, y: Double = 0, rotation: Double = 0, side: Int = 256
    ) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(zoom: zoom, in: .webMercator)),
            rotation: rotation, size: #require(ImageSize(width: side, height: side)))
    }

    private static func limits(_ change: (inout ViewLimits) -> Void) -> ViewLimits {
        var limits = ViewLimits()
        change(&limits)
        return limits
    }

    /// The zoom let go at, the way it was zoomed, and the level at which it rests.
    @Test(arguments: [
        (4.3, 0.0, 4.0), (4.6, 0, 5), (4.3, 0.1, 5), (4.9, -0.1, 4), (4.0, 0.1, 4), (5.0005, 1, 5), (4.9995, -1, 5),
        (9.9, 1, 8), (1.2, -1, 2),
    ])
    func `a view snaps to whole levels in the direction of the gesture`(zoom: Double, way: Double, level: Double) throws
    {
        let limits = Self.limits {
            $0.snap = .levels
            $0.zoomRange = 2...8
        }
        let pixel = Point(x: 30, y: 200), view = try Self.view(zoom: zoom)
        let rest = limits.rest(of: view, zoomedBy: way, about: pixel)
        #expect(abs(rest.resolution.zoom(in: .webMercator) - level) < 1e-9)
        // The place that was zoomed at stays.
        let shown = rest.pixel(of: view.coordinate(at: pixel))
        #expect(abs(shown.x - 30) < 1e-6 && abs(shown.y - 200) < 1e-6)
    }

    @Test func `a view snaps to the levels and pixels of a tile grid`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 100_000, maxY: 100_000))
        let grid = try #require(
            TileGrid(
                crs: .webMercator, extent: extent,
                resolutions: [500, 200, 70].compactMap { Resolution(unitsPerPixel: $0) }, originCorner: .bottomLeft))
        let limits = Self.limits { $0.snap = .grid(grid) }
        let view = try Self.view(x: 50_033, y: 41_111).with(resolution: Resolution(unitsPerPixel: 150))
        #expect(limits.rest(of: view).resolution.unitsPerPixel == 200)
        #expect(limits.rest(of: view, zoomedBy: 0.2).resolution.unitsPerPixel == 70)
        #expect(limits.rest(of: view, zoomedBy: -0.2).resolution.unitsPerPixel == 200)
        let rest = limits.rest(of: view)
        #expect(rest.center == Coordinate(x: 50_000, y: 41_200))
        // Turned, there are no pixels to rest on, but the levels stay.
        #expect(limits.rest(of: try view.with(rotation: 20)).resolution.unitsPerPixel == 200)
    }

    @Test(arguments: [(6.9, 0.0), (7, 0), (7.1, 7.1), (353.5, 0), (352.9, 352.9)])
    func `a map rotated to nearly north snaps to north up`(bearing: Double, rest: Double) throws {
        let view = try Self.view(rotation: bearing)
        #expect(abs(ViewLimits().rest(of: view, wasTurned: true).rotation - rest) < 1e-9)
        #expect(ViewLimits().rest(of: view).rotation == view.rotation)
    }

    @Test(arguments: [
        (ViewLimits.Rotation.north, 50.0, 0.0), (.steps(4), 50, 90), (.steps(4), 44, 0), (.steps(16), 350, 0),
        (.steps(0), 50, 50), (.free, 50, 50),
    ])
    func `the rotation snaps to the allowed values`(
        rotation: ViewLimits.Rotation, bearing: Double, rest: Double
    ) throws {
        let limits = Self.limits { $0.rotation = rotation }
        let view = try Self.view(rotation: bearing)
        #expect(abs(limits.rest(of: view).rotation - rest) < 1e-9)
        #expect(try abs(limits.clamped(view).rotation - rest) < 1e-9)
    }

    @Test func `a view at rest stays within the limiting extent and levels`() throws {
        let limits = Self.limits {
            $0.extent = Extent(minX: 0, minY: 0, maxX: 1_000_000, maxY: 1_000_000)
            $0.zoomRange = 0...8
        }
        for view in [
            try Self.view(zoom: 9, x: -5000), try Self.view(zoom: 1), try Self.view(zoom: 6, x: 3e6, y: -3e6),
            try Self.view(zoom: 6, x: 1e6, y: 1e6, rotation: 33),
        ] {
            for rest in [try limits.clamped(view), limits.rest(of: view)] {
                let seen = rest.extent
                #expect(
                    seen.minX > -1e-3 && seen.minY > -1e-3 && seen.maxX < 1_000_000.001 && seen.maxY < 1_000_000.001)
                #expect(rest.resolution.zoom(in: .webMercator) < 8.0001)
            }
        }
    }

    /// Past an extent 30 · ln(1 + pixels / 30) pixels; past a scale a fiftieth of ln(1 + 50 · excess).
    @Test(arguments: [(30.0, 20.794415416798357), (300, 71.936855814), (0, 0)])
    func `a drag beyond the limits meets growing resistance and returns`(past: Double, shown: Double) throws {
        let limits = Self.limits { $0.extent = Extent(minX: -1e6, minY: -1e6, maxX: 1e6, maxY: 1e6) }
        let unit = try Self.view(zoom: 8).resolution.unitsPerPixel
        let edge = 1e6 - 128 * unit
        var controls = MapControls(try Self.view(zoom: 8, x: edge))
        controls.limits = limits
        controls.gestures.settings.mouseDragDistance = 0
        _ = controls.handle(.mouse(.down, 128, 128, 0))
        _ = controls.handle(.mouse(.move, 128 - past, 128, 500))
        #expect(abs((controls.view(at: .seconds(1)).center.x - edge) / unit - shown) < 1e-5)
        _ = controls.handle(.mouse(.up, 128 - past, 128, 2000))
        #expect(abs(controls.view(at: .seconds(9)).center.x - edge) < 1e-6)
        // Held again on its way back it does not jump.
        let before = controls.view(at: .milliseconds(2050))
        _ = controls.handle(.mouse(.down, 50, 50, 2050))
        #expect(abs(controls.view(at: .milliseconds(2050)).center.x - before.center.x) < 1e-6)
    }

    @Test func `a pinch beyond the levels meets resistance and returns`() throws {
        var controls = MapControls(try Self.view(zoom: 8, side: 512))
        controls.limits.zoomRange = 2...8
        for event in Hand.pinch(from: 100, to: 400, lifts: false) { _ = controls.handle(event) }
        let held = controls.view(at: .milliseconds(500)).resolution.zoom(in: .webMercator)
        // 1.9 levels too many are an excess of 2.73: ln(1 + 136.6) / 50 of the scale.
        #expect(abs(held - 8.1357) < 1e-3)
        _ = controls.handle(.touch(1, .up, 0, 100, 900))
        _ = controls.handle(.touch(2, .up, 400, 100, 910))
        #expect(abs(controls.view(at: .seconds(3)).resolution.zoom(in: .webMercator) - 8) < 1e-9)
    }

    /// Two fingers that go 60 pixels past an edge, zooming ever so little on the way: 30 · ln 3 pixels are shown of them.
    @Test func `a pinch past an edge meets the same resistance as a one-finger drag`() throws {
        var controls = MapControls(try Self.view(zoom: 8))
        let unit = try Self.view(zoom: 8).resolution.unitsPerPixel
        controls.limits.extent = Extent(minX: -128 * unit, minY: -1e6, maxX: 1e6, maxY: 1e6)
        controls.gestures.settings.pinchThreshold = 0
        _ = controls.handle(.touch(1, .down, 28, 100, 0))
        _ = controls.handle(.touch(2, .down, 128, 100, 0))
        for step in 1...60 {
            _ = controls.handle(.touch(1, .move, 28 + Double(step), 100, Double(step) * 10))
            _ = controls.handle(.touch(2, .move, 128 + Double(step), 100, Double(step) * 10))
        }
        let shown = controls.view(at: .seconds(1))
        #expect(abs(shown.center.x / unit + 32.9584) < 1e-3)
    }
}
