import PortolanGeo
import PortolanServices
import Testing

@Suite struct WarpCostTests {
    private func square(_ x: Double, _ y: Double, _ side: Double) throws -> Extent {
        try #require(Extent(center: Coordinate(x: x, y: y), width: side, height: side))
    }

    /// A degree of longitude is as many times shorter than one of latitude as the cosine of the latitude says.
    @Test(arguments: [(0, 1), (45, 2.0.squareRoot()), (60, 2), (80, 5.758770483143634)] as [(Double, Double)])
    func `degrees on web mercator are stretched by the secant of the latitude`(latitude: Double, cost: Double) throws {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let middle = try #require(transform(Coordinate(x: 10, y: latitude)))
        let found = WarpCost.between(.epsg4326, and: .webMercator, in: try square(middle.x, middle.y, 100))
        #expect(try abs(#require(found) / cost - 1) < 1e-4)
    }

    @Test func `conformal systems stretch nothing at a place, and equal ones nothing at all`() throws {
        let spain = try square(-100_000, 5_000_000, 1000)
        let utm = try #require(WarpCost.between(CRS("EPSG:25830"), and: .webMercator, in: spain))
        #expect(utm >= 1 && utm < 1.01)
        #expect(WarpCost.between(.epsg4326, and: .crs84, in: try square(0, 0, 1)) == 1)
    }

    @Test func `systems that cannot be brought together have no cost`() throws {
        let unknown = try CRS("EPSG:27200")
        #expect(unknown.projection == nil)
        #expect(WarpCost.between(unknown, and: .webMercator, in: try square(0, 0, 1000)) == nil)
        #expect(WarpCost.between(.webMercator, and: .crs84, in: try square(0, 500, 1)) == nil)
    }
}
