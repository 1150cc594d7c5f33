import PortolanFeatures
import PortolanGeo
import Testing

@Suite struct GroundLineTests {
    /// Metres east and north of a place on the equator, as degrees.
    private static func place(_ x: Double, _ y: Double) -> Coordinate {
        Coordinate(longitude: x / 111_319.49, latitude: y / 110_574.27)
    }

    /// East for 200 m, then north for 200 m.
    private static let corner = [place(0, 0), place(200, 0), place(200, 200)]

    @Test(arguments: [(-5.0, 0.0, 0.0), (0, 0, 0), (150, 150, 0), (250, 200, 50), (400, 200, 200), (1000, 200, 200)])
    func `a position along the line is found, and clamped to its ends`(measure: Double, x: Double, y: Double) throws {
        let line = try #require(GroundLine(Self.corner)), place = line.place(at: measure)
        #expect(abs(place.x * 111_319.49 - x) < 0.01)
        #expect(abs(place.y * 110_574.27 - y) < 0.01)
        #expect(abs(line.length - 400) < 0.01)
    }

    @Test(arguments: [
        (50.0, 20.0, 50.0, 20.0), (-30, 40, 0, 50), (230, 100, 300, 30), (200, 240, 400, 40), (260, -80, 200, 100),
    ])
    func `the nearest position on the line and its distance are found`(
        x: Double, y: Double, measure: Double, meters: Double
    ) throws {
        let near = try #require(GroundLine(Self.corner)).nearest(to: Self.place(x, y))
        #expect(abs(near.measure - measure) < 0.1)
        #expect(abs(near.meters - meters) < 1)
    }

    @Test(arguments: [(50.0, 90.0, 270.0), (300, 0, 180)])
    func `the bearing follows the direction of travel`(measure: Double, ahead: Double, back: Double) throws {
        let shape = try #require(GroundLine(Self.corner))
        #expect(abs(shape.bearing(at: measure, isBackward: false) - ahead) < 1e-6)
        #expect(abs(shape.bearing(at: measure, isBackward: true) - back) < 1e-6)
    }

    @Test func `a line over the antimeridian is continuous`() throws {
        let shape = try #require(
            GroundLine([Coordinate(longitude: 179.99, latitude: 0), Coordinate(longitude: -179.99, latitude: 0)]))
        let measure = try #require(
            shape.measure(nearestTo: Coordinate(longitude: -179.995, latitude: 0), tolerance: 10))
        #expect(abs(measure - 0.015 * 111_319.49) < 1)
        #expect(abs(shape.place(at: measure).x - 180.005) < 1e-6)
    }

    @Test func `the nearest position is searched only within the window`() throws {
        // 1,113 m along the equator; the point is beside its middle.
        let line = try #require(GroundLine([Coordinate(x: 0, y: 0), Coordinate(x: 0.01, y: 0)]))
        let near = line.nearest(to: Coordinate(x: 0.005, y: 0.0001), within: 0...100)
        #expect(abs(near.measure - 100) < 0.01)
        #expect(abs(near.meters - (456.6 * 456.6 + 11.1 * 11.1).squareRoot()) < 1)
        #expect(line.nearest(to: Coordinate(x: 0.005, y: 0.0001), within: 500...700).meters < 11.2)
    }
}
