import PortolanGeo
import PortolanPlan
import PortolanRaster
import TestHelpers
import Testing

@Suite struct ViewportMovingTests {
    @Test func `zooming about a pixel keeps its coordinate`() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let view = try View.make(
                x: .random(in: -1e6...1e6, using: &random), y: .random(in: -1e6...1e6, using: &random), resolution: 10,
                width: 400, height: 300, rotation: .random(in: 0..<360, using: &random))
            let pixel = Point(x: .random(in: 0...400, using: &random), y: .random(in: 0...300, using: &random))
            let factor = Double.random(in: 0.1...10, using: &random)
            let zoomed = try view.zoomed(by: factor, about: pixel)
            let before = view.coordinate(at: pixel), after = zoomed.coordinate(at: pixel)
            #expect(abs(before.x - after.x) < 1e-7)
            #expect(abs(before.y - after.y) < 1e-7)
            #expect(abs(zoomed.resolution.unitsPerPixel - 10 / factor) < 1e-12)
            #expect(zoomed.rotation == view.rotation)
            #expect(zoomed.size == view.size)
        }
    }

    @Test func `zooming without a pixel keeps the centre`() throws {
        let view = try View.make(x: 7, y: 9, resolution: 4)
        let zoomed = try view.zoomed(by: 2)
        #expect(zoomed.center == view.center)
        #expect(zoomed.resolution.unitsPerPixel == 2)
    }

    @Test(arguments: [0.0, -1, .nan, .infinity, 1e-305, 1e300])
    func `an invalid zoom factor is rejected`(factor: Double) throws {
        let view = try View.make(x: 1e6, y: 1)
        #expect(throws: Viewport.InvalidError.resolutionOutOfRange) { try view.zoomed(by: factor) }
    }

    @Test func `panning to the right shows what was on the left`() throws {
        let view = try View.make(x: 0, y: 0, resolution: 2)
        #expect(try view.panned(x: 10, y: 0).center == Coordinate(x: -20, y: 0))
        #expect(try view.panned(x: 0, y: 10).center == Coordinate(x: 0, y: 20))
        let turned = try View.make(x: 0, y: 0, resolution: 2, rotation: 90)
        // East is up, so north comes in from the left.
        #expect(try turned.panned(x: 10, y: 0).center == Coordinate(x: 0, y: 20))
    }

    @Test func `panning moves every pixel by the same amount`() throws {
        let view = try View.make(x: 4e5, y: 7e6, resolution: 3, rotation: 17)
        let moved = try view.panned(x: 31, y: -12)
        let place = view.coordinate(at: Point(x: 50, y: 60)), there = moved.pixel(of: place)
        #expect(abs(there.x - 81) < 1e-7)
        #expect(abs(there.y - 48) < 1e-7)
    }

    @Test func `a view inside its limits is unchanged`() throws {
        let view = try View.make(x: 10, y: 10, width: 20, height: 10)
        let limit = try #require(Extent(minX: 0, minY: 5, maxX: 20, maxY: 15))
        #expect(try view.clamped(to: limit) == view)
    }

    @Test func `a view outside its limits is moved into them`() throws {
        let limit = try #require(Extent(minX: 0, minY: 0, maxX: 1000, maxY: 1000))
        let view = try View.make(x: -500, y: 5000, width: 200, height: 100)
        let clamped = try view.clamped(to: limit)
        #expect(clamped.center == Coordinate(x: 100, y: 950))
        #expect(clamped.resolution == view.resolution)
    }

    @Test func `a view larger than its limit is zoomed in`() throws {
        let limit = try #require(Extent(minX: 0, minY: 0, maxX: 100, maxY: 400))
        let clamped = try View.make(x: 900, y: 390, resolution: 2, width: 100, height: 50).clamped(to: limit)
        #expect(clamped.resolution.unitsPerPixel == 1)
        #expect(clamped.extent == Extent(minX: 0, minY: 350, maxX: 100, maxY: 400))
    }

    @Test func `a rotated view shows nothing outside its limits`() throws {
        let limit = try #require(Extent(minX: -100, minY: -50, maxX: 300, maxY: 700))
        for rotation in stride(from: 0.0, to: 360, by: 23) {
            let clamped = try View.make(x: 400, y: -80, resolution: 5, width: 120, height: 90, rotation: rotation)
                .clamped(to: limit)
            for (x, y) in [(0.0, 0.0), (120, 0), (0, 90), (120, 90)] {
                let corner = clamped.coordinate(at: Point(x: x, y: y))
                #expect(limit.grown(by: 1e-9)?.contains(corner) == true)
            }
        }
    }

    @Test(arguments: [(256, 256, 1.0), (257, 101, 1), (300, 200, 2), (99, 77, 2), (200, 100, 1.5)])
    func `a snapped view has the corners of tiles on its pixels`(width: Int, height: Int, ratio: Double) throws {
        let grid = try #require(TileGrid.webMercator())
        var random = SeededGenerator(seed: UInt64(width))
        for _ in 0..<50 {
            let view = try View.slippy(
                .random(in: -170...170, using: &random), .random(in: -80...80, using: &random),
                zoom: .random(in: 1...17, using: &random), width: width, height: height, pixelRatio: ratio)
            let snapped = try view.snapped(to: grid)
            let matrix = try #require(
                grid.matrices.first { abs($0.resolution.unitsPerPixel - snapped.imageResolution) < 1e-9 })
            let corner = snapped.pixel(of: matrix.origin)
            let x = corner.x * ratio, y = corner.y * ratio
            // Rounding of 2e7 / resolution pixels is some 1e-8.
            #expect(abs(x - x.rounded()) < 1e-5)
            #expect(abs(y - y.rounded()) < 1e-5)
            let moved = snapped.pixel(of: view.center)
            #expect(abs(moved.x - Double(width) / 2) * ratio <= 0.5 + 1e-6)
            #expect(abs(moved.y - Double(height) / 2) * ratio <= 0.5 + 1e-6)
        }
    }

    @Test func `snapping chooses the level nearest by ratio`() throws {
        let grid = try #require(TileGrid.webMercator())
        // √2 lies between two levels; a little to either side decides.
        #expect(try View.slippy(0, 0, zoom: 9.49).snapped(to: grid).resolution.zoom(in: .webMercator).rounded() == 9)
        #expect(try View.slippy(0, 0, zoom: 9.51).snapped(to: grid).resolution.zoom(in: .webMercator).rounded() == 10)
        // On a picture twice as dense the level is one finer for the same view.
        let dense = try View.slippy(0, 0, zoom: 9, pixelRatio: 2).snapped(to: grid)
        #expect(abs(dense.imageResolution - 40_075_016.68557849 / 256 / 1024) < 1e-9)
    }

    @Test func `a rotated view or one in another CRS is not snapped`() throws {
        let grid = try #require(TileGrid.webMercator())
        let turned = try View.slippy(1.1, 2.2, zoom: 5.3, rotation: 10)
        #expect(try turned.snapped(to: grid) == turned)
        let other = try View.make(x: 1.23, y: 4.56, resolution: 0.01, crs: .crs84)
        #expect(try other.snapped(to: grid) == other)
    }
}

@Suite struct ViewportFittingTests {
    @Test func `a fitted box fills the picture in the narrower direction`() throws {
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 1000, maxY: 100))
        let view = try Viewport.fitting(box, size: #require(ImageSize(width: 200, height: 100)))
        #expect(view.resolution.unitsPerPixel == 5)
        #expect(view.center == Coordinate(x: 500, y: 50))
    }

    @Test func `padding stays free on each side`() throws {
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 320))
        let view = try Viewport.fitting(box, padding: 20, size: #require(ImageSize(width: 300, height: 200)))
        #expect(view.resolution.unitsPerPixel == 2)
        #expect(view.pixel(of: Coordinate(x: 0, y: 320)).y == 20)
        #expect(view.pixel(of: Coordinate(x: 0, y: 0)).y == 180)
    }

    @Test(arguments: [0.0, 90, 37, 123, 200, 271, -30, 1e9 + 45, 1e300])
    func `a rotated picture contains the box within its padding, and touches it`(rotation: Double) throws {
        let box = try #require(BoundingBox(minX: -300, minY: 50, maxX: 900, maxY: 450))
        let view = try Viewport.fitting(
            box, padding: 10, rotation: rotation, size: #require(ImageSize(width: 320, height: 240)))
        let corners = [(box.minX, box.minY), (box.maxX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY)]
            .map { view.pixel(of: Coordinate(x: $0, y: $1)) }
        for corner in corners {
            #expect(corner.x > 10 - 1e-6)
            #expect(corner.x < 310 + 1e-6)
            #expect(corner.y > 10 - 1e-6)
            #expect(corner.y < 230 + 1e-6)
        }
        let nearest = corners.map { min($0.x - 10, 310 - $0.x, $0.y - 10, 230 - $0.y) }.min()
        #expect(try abs(#require(nearest)) < 1e-6)
    }

    @Test func `fitting a point requires a finest resolution`() throws {
        let point = try #require(BoundingBox(Coordinate(x: 5, y: 6)))
        let size = try #require(ImageSize(width: 10, height: 10))
        #expect(throws: Viewport.InvalidError.resolutionOutOfRange) { try Viewport.fitting(point, size: size) }
        let view = try Viewport.fitting(point, finestResolution: Resolution(unitsPerPixel: 3), size: size)
        #expect(view.resolution.unitsPerPixel == 3)
        #expect(view.center == Coordinate(x: 5, y: 6))
    }

    @Test func `a finest resolution does not prevent a large box from fitting`() throws {
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 1000, maxY: 1000))
        let view = try Viewport.fitting(
            box, finestResolution: Resolution(unitsPerPixel: 3), size: #require(ImageSize(width: 10, height: 10)))
        #expect(view.resolution.unitsPerPixel == 100)
    }

    @Test func `showing an extent extends it to the aspect ratio of the picture`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 100, maxY: 100))
        let view = try Viewport.showing(extent, size: #require(ImageSize(width: 200, height: 100)))
        #expect(view.extent == Extent(minX: -50, minY: 0, maxX: 150, maxY: 100))
        let world = try #require(CRS.webMercator.worldExtent)
        let globe = try Viewport.showing(world, size: #require(ImageSize(width: 256, height: 256)))
        #expect(globe.resolution.zoom(in: .webMercator) == 0)
        #expect(globe.extent == world)
    }
}
