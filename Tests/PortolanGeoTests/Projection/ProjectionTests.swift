import PortolanGeo
import Testing

@Suite struct ProjectionTests {
    private static func degrees(_ degrees: Double, _ minutes: Double, _ seconds: Double = 0) -> Double {
        let size = abs(degrees) + minutes / 60 + seconds / 3600
        return degrees < 0 ? -size : size
    }

    struct Example: CustomTestStringConvertible, Sendable {
        let method: String
        let code: String
        let place: Coordinate
        let projected: Coordinate
        var testDescription: String { method }
    }

    static let examples = [
        Example(
            method: "Transverse Mercator (9807)", code: "EPSG:27700",
            place: Coordinate(longitude: 0.5, latitude: 50.5), projected: Coordinate(x: 577_274.99, y: 69_740.50)),
        Example(
            method: "Oblique stereographic (9809)", code: "EPSG:28992", place: Coordinate(longitude: 6, latitude: 53),
            projected: Coordinate(x: 196_105.283, y: 557_057.739)),
        Example(
            method: "Polar stereographic variant A (9810)", code: "EPSG:5041",
            place: Coordinate(longitude: 44, latitude: 73), projected: Coordinate(x: 3_320_416.75, y: 632_668.43)),
        Example(
            method: "Polar stereographic variant B (9829)", code: "EPSG:3032",
            place: Coordinate(longitude: 120, latitude: -75), projected: Coordinate(x: 7_255_380.79, y: 7_053_389.56)),
        Example(
            method: "Lambert azimuthal equal area (9820)", code: "EPSG:3035",
            place: Coordinate(longitude: 5, latitude: 50), projected: Coordinate(x: 3_962_799.45, y: 2_999_718.85)),
        Example(
            method: "Krovak (9819), with its axes turned (1041)", code: "EPSG:5514",
            place: Coordinate(longitude: degrees(16, 50, 59.179), latitude: degrees(50, 12, 32.442)),
            projected: Coordinate(x: -568_990.997, y: -1_050_538.643)),
    ]

    @Test(arguments: examples) func `the worked examples of IOGP 373-7-2 are met`(example: Example) throws {
        let projection = try #require(try CRS(example.code).projection)
        let there = try #require(projection.project(example.place))
        // The note rounds the numbers on its way, so that its last decimals are not all there.
        #expect(abs(there.x - example.projected.x) < 0.015 && abs(there.y - example.projected.y) < 0.015, "\(there)")
        let back = try #require(projection.unproject(example.projected))
        #expect(abs(back.x - example.place.x) < 3e-7)
        #expect(abs(back.y - example.place.y) < 2e-7)
    }

    @Test func `the examples of IOGP 373-7-2 for Lambert's conic in feet and in Jamaica are met`() throws {
        // NAD27 / Texas South Central, in US survey feet.
        let foot = 1200.0 / 3937
        let texas = LambertConformalConic(
            ellipsoid: Ellipsoid(semiMajorAxis: 6_378_206.4 / foot, semiMinorAxis: 6_356_583.8 / foot),
            origin: Coordinate(longitude: -99, latitude: Self.degrees(27, 50)),
            standardParallels: (Self.degrees(28, 23), Self.degrees(30, 17)),
            falseOrigin: Coordinate(x: 2_000_000, y: 0))
        let there = try #require(texas.project(Coordinate(longitude: -96, latitude: 28.5)))
        #expect(abs(there.x - 2_963_503.91) < 0.01 && abs(there.y - 254_759.80) < 0.01, "\(there)")
        let jamaica = LambertConformalConic(
            ellipsoid: Ellipsoid(semiMajorAxis: 6_378_206.4, semiMinorAxis: 6_356_583.8),
            origin: Coordinate(longitude: -77, latitude: 18), scaleFactor: 1,
            falseOrigin: Coordinate(x: 250_000, y: 150_000))
        let place = Coordinate(
            longitude: -Self.degrees(76, 56, 37.26), latitude: Self.degrees(17, 55, 55.80))
        let east = try #require(jamaica.project(place))
        #expect(abs(east.x - 255_966.58) < 0.01 && abs(east.y - 142_493.51) < 0.01, "\(east)")
    }

    /// One system of each kind, with a place where it is not defined.
    static let kinds: [(String, Coordinate)] = [
        ("EPSG:3395", Coordinate(longitude: 0, latitude: 90)), ("EPSG:27700", Coordinate(longitude: 178, latitude: 0)),
        ("EPSG:2154", Coordinate(longitude: -177, latitude: -46)),
        ("EPSG:2154", Coordinate(longitude: 3, latitude: -90)),
        ("EPSG:3112", Coordinate(longitude: 134, latitude: 90)),
        ("EPSG:3035", Coordinate(longitude: -170, latitude: -52)),
        ("EPSG:3575", Coordinate(longitude: 10, latitude: -90)),
        ("EPSG:6932", Coordinate(longitude: 0, latitude: 90)), ("EPSG:3408", Coordinate(longitude: 0, latitude: -89)),
        ("EPSG:5070", Coordinate(longitude: 84, latitude: 40)), ("EPSG:3031", Coordinate(longitude: 0, latitude: 90)),
        ("EPSG:3413", Coordinate(longitude: 0, latitude: -90)),
        ("EPSG:28992", Coordinate(longitude: -174, latitude: -52)),
        ("EPSG:2056", Coordinate(longitude: 7, latitude: -43)),
        ("EPSG:5514", Coordinate(longitude: -155, latitude: 0)),
    ]

    @Test(arguments: kinds) func `positions are outside, or survive projection and its inverse`(
        name: String, outside: Coordinate
    ) throws {
        let projection = try #require(try CRS(name).projection)
        #expect(projection.project(outside) == nil)
        var count = 0
        for latitude in stride(from: -90.0, through: 90, by: 2.5) {
            for longitude in stride(from: -180.0, through: 180, by: 2.5) {
                let place = Coordinate(longitude: longitude, latitude: latitude)
                guard let there = projection.project(place) else { continue }
                #expect(there.isFinite)
                let back = try #require(projection.unproject(there), "\(place)")
                // A pole has every longitude.
                let dx = abs(back.x - place.x), x = abs(latitude) == 90 ? 0 : min(dx, 360 - dx)
                // Krüger's series converges slowly at the sides of its domain, 75° from the central meridian.
                let tolerance = name == "EPSG:27700" && abs(longitude + 2) > 60 ? 1e-3 : 1e-8
                #expect(x < tolerance && abs(back.y - place.y) < tolerance, "\(place) \(there) \(back)")
                count += 1
            }
        }
        #expect(count > 500)
    }

    @Test(arguments: kinds) func `coordinates outside a projection give no position`(name: String, _: Coordinate) throws
    {
        let projection = try #require(try CRS(name).projection)
        let sizes = [0, 1, 1e6, -1e6, 1e7, -1e7, 4e7, -4e7, 1e9, 1e15, -1e15, 1e100, -1e200, 1e308, -1e308]
        for x in sizes {
            for y in sizes {
                guard let place = projection.unproject(Coordinate(x: x, y: y)) else { continue }
                #expect(place.isFinite && abs(place.y) <= 90, "\(x) \(y) \(place)")
                guard name != "EPSG:3395" else { continue }
                #expect(abs(place.x) <= 180 && max(abs(x), abs(y)) < 1e9, "\(x) \(y) \(place)")
            }
        }
        for strange in [Double.nan, .infinity, -.infinity] {
            #expect(projection.unproject(Coordinate(x: strange, y: 0)) == nil)
            #expect(projection.project(Coordinate(x: 0, y: strange)) == nil)
        }
    }
}
