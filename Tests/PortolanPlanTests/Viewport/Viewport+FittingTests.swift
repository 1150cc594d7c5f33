import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct ViewportFittingTests {
    @Test func `the box fills the picture in the narrower direction`() throws {
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
    func `a turned picture holds the box inside its padding, and touches it`(rotation: Double) throws {
        let box = try #require(BoundingBox(minX: -300, minY: 50, maxX: 900, maxY: 450))
        let view = try Viewport.fitting(
            box, padding: 10, rotation: rotation, size: #require(ImageSize(width: 320, height: 240)))
        let corners = [(box.minX, box.minY), (box.maxX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY)]
            .map { view.pixel(of: Coordinate(x: $0, y: $1)) }
        for corner in corners {
            #expect(corner.x > 10 - 1e-6 && corner.x < 310 + 1e-6 && corner.y > 10 - 1e-6 && corner.y < 230 + 1e-6)
        }
        let nearest = corners.map { min($0.x - 10, 310 - $0.x, $0.y - 10, 230 - $0.y) }.min()
        #expect(try abs(#require(nearest)) < 1e-6)
    }

    @Test func `a point needs a finest resolution`() throws {
        let point = try #require(BoundingBox(Coordinate(x: 5, y: 6)))
        let size = try #require(ImageSize(width: 10, height: 10))
        #expect(throws: ViewportError.resolutionOutOfRange) { try Viewport.fitting(point, size: size) }
        let view = try Viewport.fitting(point, finestResolution: Resolution(unitsPerPixel: 3), size: size)
        #expect(view.resolution.unitsPerPixel == 3)
        #expect(view.center == Coordinate(x: 5, y: 6))
    }

    @Test func `a finest resolution does not keep a large box from fitting`() throws {
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 1000, maxY: 1000))
        let view = try Viewport.fitting(
            box, finestResolution: Resolution(unitsPerPixel: 3), size: #require(ImageSize(width: 10, height: 10)))
        #expect(view.resolution.unitsPerPixel == 100)
    }

    @Test func `showing an extent grows it to the picture's aspect`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 100, maxY: 100))
        let view = try Viewport.showing(extent, size: #require(ImageSize(width: 200, height: 100)))
        #expect(view.extent == Extent(minX: -50, minY: 0, maxX: 150, maxY: 100))
        let world = try #require(CRS.webMercator.worldExtent)
        let globe = try Viewport.showing(world, size: #require(ImageSize(width: 256, height: 256)))
        #expect(globe.resolution.zoom(in: .webMercator) == 0)
        #expect(globe.extent == world)
    }
}
