import PortolanGeo
import Testing

@Suite struct CoordinateTransformTests {
    @Test func `the UTM example of IOGP 373-7-2 comes out to the centimetre`() throws {
        // Point scale method 9807, WGS 84 / UTM 30N of the Zaragoza tower; reference from cs2cs 9.1.1 with 3 decimals.
        let transform = try CoordinateTransform(from: .crs84, to: CRS("EPSG:25830"))
        let place = try #require(transform(Coordinate(longitude: -0.87734, latitude: 41.65606)))
        #expect(abs(place.x - 676_741.893) < 0.01)
        #expect(abs(place.y - 4_613_766.671) < 0.01)
    }

    @Test(arguments: [(0.0, 90.0), (0, -90), (0, 91), (.nan, 0), (.infinity, 0)])
    func `a place outside web mercator has no coordinate there`(x: Double, y: Double) throws {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        #expect(transform(Coordinate(x: x, y: y)) == nil)
    }

    @Test func `a place on the far side of the earth has no coordinate in a UTM zone`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: CRS("EPSG:25830"))
        #expect(transform(Coordinate(longitude: 177, latitude: 0)) == nil)
        #expect(transform(Coordinate(longitude: -3, latitude: 90)) != nil)
        #expect(transform.inverse(Coordinate(x: 1e9, y: 1e9)) == nil)
    }

    @Test func `systems of one projection need no maths`() throws {
        #expect(try CoordinateTransform(from: .epsg4326, to: .crs84).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:27200"), to: CRS("EPSG:27200")).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:2154"), to: CRS("EPSG:9793")).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:4269"), to: .crs84).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:4149"), to: CRS("EPSG:4150")).isIdentity)
    }

    @Test func `a system without a projection says so`() throws {
        let grid = try CRS("EPSG:27200")
        #expect(throws: CRSError.noProjection("EPSG:27200")) { try CoordinateTransform(from: .crs84, to: grid) }
    }

    @Test func `an extent's sides may bulge in the target`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: CRS("EPSG:25830"))
        let extent = try #require(Extent(minX: -9, minY: 36, maxX: 3, maxY: 44))
        let moved: Extent = try #require(transform(extent))
        // The north side's northing is smallest on the central meridian and largest at the corners.
        let middle = try #require(transform(Coordinate(longitude: -3, latitude: 36)))
        let corner = try #require(transform(Coordinate(longitude: 3, latitude: 44)))
        #expect(abs(moved.minY - middle.y) < 500)
        #expect(abs(moved.maxY - corner.y) < 1e-6)
    }
}
