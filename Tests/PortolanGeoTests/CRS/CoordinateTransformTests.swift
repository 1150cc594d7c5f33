import PortolanGeo
import Testing

@Suite struct CoordinateTransformTests {
    @Test func `the UTM example of IOGP 373-7-2 is met to the centimetre`() throws {
        // Point scale method 9807, WGS 84 / UTM 30N of the Zaragoza tower; reference from cs2cs 9.1.1 with 3 decimals.
        let transform = try CoordinateTransform(from: .crs84, to: CRS("EPSG:25830"))
        let place = try #require(transform(Coordinate(longitude: -0.87734, latitude: 41.65606)))
        #expect(abs(place.x - 676_741.893) < 0.01)
        #expect(abs(place.y - 4_613_766.671) < 0.01)
    }

    @Test(arguments: [(0.0, 90.0), (0, -90), (0, 91), (.nan, 0), (.infinity, 0)])
    func `a position outside web mercator has no coordinate there`(x: Double, y: Double) throws {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        #expect(transform(Coordinate(x: x, y: y)) == nil)
    }

    @Test func `a position on the far side of the globe has no coordinate in a UTM zone`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: CRS("EPSG:25830"))
        #expect(transform(Coordinate(longitude: 177, latitude: 0)) == nil)
        #expect(transform(Coordinate(longitude: -3, latitude: 90)) != nil)
        #expect(transform.inverse(Coordinate(x: 1e9, y: 1e9)) == nil)
    }

    @Test func `CRSs with the same projection have an identity transform`() throws {
        #expect(try CoordinateTransform(from: .epsg4326, to: .crs84).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:27200"), to: CRS("EPSG:27200")).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:2154"), to: CRS("EPSG:9793")).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:4269"), to: .crs84).isIdentity)
        #expect(try CoordinateTransform(from: CRS("EPSG:4149"), to: CRS("EPSG:4150")).isIdentity)
    }

    @Test func `a CRS without a projection is an error`() throws {
        let grid = try CRS("EPSG:27200")
        #expect(throws: CRSError.noProjection("EPSG:27200")) { try CoordinateTransform(from: .crs84, to: grid) }
    }

    @Test func `the curved sides of an extent are included in the target`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: CRS("EPSG:25830"))
        let extent = try #require(Extent(minX: -9, minY: 36, maxX: 3, maxY: 44))
        let moved: Extent = try #require(transform(extent))
        // The north side's northing is smallest on the central meridian and largest at the corners.
        let middle = try #require(transform(Coordinate(longitude: -3, latitude: 36)))
        let corner = try #require(transform(Coordinate(longitude: 3, latitude: 44)))
        #expect(abs(moved.minY - middle.y) < 500)
        #expect(abs(moved.maxY - corner.y) < 1e-6)
    }

    static let pairs = [
        ("CRS:84", "EPSG:4326"), ("CRS:84", "EPSG:3857"), ("EPSG:3857", "CRS:84"), ("EPSG:3395", "EPSG:3857"),
        ("CRS:84", "EPSG:25830"), ("EPSG:25830", "EPSG:3857"), ("EPSG:2154", "EPSG:3035"), ("EPSG:3857", "EPSG:27700"),
        ("EPSG:28992", "EPSG:2056"), ("EPSG:5514", "EPSG:31467"), ("EPSG:5070", "EPSG:3031"), ("EPSG:4314", "CRS:84"),
    ]

    @Test(arguments: pairs) func `columns are transformed like single positions, and NaN if there is no image`(
        from: String, to: String
    ) throws {
        let transform = try CoordinateTransform(from: CRS(from), to: CRS(to))
        let numbers = [0.0, -0.0, 90, -90, 91, 180, 540, 4e5, -4e5, 5e6, -2e7, 1e15, -1e308, .infinity, .nan]
        var places = numbers.flatMap { x in numbers.map { Coordinate(x: x, y: $0) } }
        places += PROJ.places(2000, -180...180, -90...90)
        places += PROJ.places(2000, -180...180, -90...90).map { Coordinate(x: $0.x * 1e5, y: $0.y * 1e5) }
        var x = places.map(\.x), y = places.map(\.y)
        var eastings = x.mutableSpan, northings = y.mutableSpan
        transform(x: &eastings, y: &northings)
        var count = 0
        for (index, place) in places.enumerated() {
            guard let image = transform(place) else {
                #expect(x[index].isNaN && y[index].isNaN, "\(place)")
                continue
            }
            #expect(x[index].bitPattern == image.x.bitPattern && y[index].bitPattern == image.y.bitPattern, "\(place)")
            count += 1
        }
        #expect(count > 500)
        #expect(count < places.count)
    }

    @Test(arguments: [("CRS:84", "EPSG:3857"), ("EPSG:3857", "CRS:84"), ("EPSG:3395", "EPSG:3857")])
    func `if axes are kept, an extent is transformed to the bounds of its lattice`(from: String, to: String) throws {
        let source = try CRS(from), transform = try CoordinateTransform(from: source, to: CRS(to))
        #expect(transform.keepsAxes)
        #expect(transform.inverse.keepsAxes)
        let size = try #require(source.worldWidth)
        for (x, y, width) in [
            (-0.5, -0.25, 1.0), (0.1, 0.12, 1e-5), (-0.6, -0.6, 1.3), (0.3, 0.25, 0.1), (0, -0.4, 0.2),
        ] {
            let extent = try #require(
                Extent(minX: x * size, minY: y * size, maxX: (x + width) * size, maxY: (y + width / 2) * size))
            let places = (0...32).flatMap { row in
                (0...32).compactMap { column in
                    transform(
                        Coordinate(
                            x: extent.minX + extent.width * Double(column) / 32,
                            y: extent.minY + extent.height * Double(row) / 32))
                }
            }
            #expect(transform(extent) as Extent? == BoundingBox(places)?.extent)
        }
    }

    @Test(arguments: [("CRS:84", "EPSG:25830"), ("EPSG:4314", "CRS:84"), ("EPSG:4314", "EPSG:3857")])
    func `axes are not kept if a datum changes or meridians converge`(from: String, to: String) throws {
        #expect(try !CoordinateTransform(from: CRS(from), to: CRS(to)).keepsAxes)
    }

    @Test func `transforms between the same CRSs are equal, as is a double inverse`() throws {
        let one = try CoordinateTransform(from: CRS("EPSG:31467"), to: CRS("EPSG:25832"))
        let other = try CoordinateTransform(from: CRS("EPSG:31467"), to: CRS("EPSG:25832"))
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one.inverse != one)
        #expect(one.inverse.inverse == one)
    }
}
