import PortolanFeatures
import PortolanGeo
import Testing

@testable import PortolanPlan

/// How far what is drawn reaches in another system.
@Suite struct DrawnEdgesTests {
    private static func box(_ geometry: Geometry, in crs: CRS) throws -> BoundingBox? {
        try FeatureSource(features: [Feature(geometry: geometry)]).boundingBox(in: crs)
    }

    private static func ring(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) -> [Coordinate] {
        [(minX, minY), (maxX, minY), (maxX, maxY), (minX, maxY), (minX, minY)].map { Coordinate(x: $0.0, y: $0.1) }
    }

    @Test func `a polygon of the whole world has the extent of web mercator`() throws {
        let world = try #require(try Self.box(.polygon([Self.ring(-180, -90, 180, 90)]), in: .webMercator))
        let half = 20_037_508.342789244
        #expect(abs(world.minX + half) < 1)
        #expect(abs(world.maxX - half) < 1)
        // All of what the system can show; a fitted view is limited to the square.
        #expect(world.maxY > half * 0.99)
        #expect(world.minY < -half * 0.99)
    }

    @Test func `a hole in the world does not change its bounding box`() throws {
        let rings = [Self.ring(-180, -90, 180, 90), Self.ring(-10, -10, 10, 10)]
        let box = try #require(try Self.box(.polygon(rings), in: .webMercator))
        #expect(box.maxX - box.minX > 40_075_016 * 0.99)
    }

    @Test func `edges are curved in polar CRSs`() throws {
        let polar = try CRS("EPSG:3995")
        let arc = Geometry.lineString([Coordinate(x: -90, y: 70), Coordinate(x: 90, y: 70)])
        let box = try #require(try Self.box(arc, in: polar))
        // Along the parallel by the meridian of Greenwich, which points down.
        #expect(box.minY < -2_000_000)
        #expect(abs(box.maxX + box.minX) < 1)
        let radius = -box.minY
        #expect(abs(box.maxX - radius) < radius * 1e-3)
        let cap = try #require(try Self.box(.polygon([Self.ring(-180, 70, 180, 90)]), in: polar))
        #expect(abs(cap.maxY - radius) < radius * 1e-3)
        #expect(abs(cap.minX + radius) < radius * 1e-3)
    }

    @Test func `geometry outside a CRS has no bounding box, and points have their own`() throws {
        let pole = Geometry.point(Coordinate(x: 0, y: 90))
        #expect(try Self.box(pole, in: .webMercator) == nil)
        let points = Geometry.multiPoint([Coordinate(x: 0, y: 90), Coordinate(x: 0, y: 0)])
        #expect(try Self.box(points, in: .webMercator)?.maxY == 0)
    }
}
