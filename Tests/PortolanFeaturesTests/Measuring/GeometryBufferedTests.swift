import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

/// Shapes that are grown and shrunk by metres on the ground.
@Suite struct GeometryBufferedTests {
    /// Shape, metres, and by Shapely (GEOS) in an azimuthal map about its middle, with 512 places a circle: square metres on the
    /// ground by GeographicLib, how many polygons, and how many holes.
    static let cases: [(name: String, shape: String, meters: Double, area: Double, polygons: Int, holes: Int)] = [
        ("a point", "POINT(24.94 60.17)", 1000, 3141514, 1, 0),
        ("near the North Pole", "POINT(30 89)", 200000, 125650327039, 1, 0),
        ("at the equator", "POINT(-75.5 0)", 50000, 7853744020, 1, 0),
        ("points that overlap", "MULTIPOINT((24.94 60.17),(24.95 60.17),(25.2 60.17))", 500, 2095881, 2, 0),
        ("a line with a sharp bend", "LINESTRING(24.9 60.1,25 60.2,24.92 60.1)", 700, 25528733, 1, 0),
        ("a line that crosses itself", "LINESTRING(24.9 60.1,25 60.2,25 60.1,24.9 60.2)", 600, 40482777, 1, 1),
        (
            "a line of close bends",
            "LINESTRING(24.9 60.104,24.902 60.1,24.904 60.104,24.906 60.1,24.908 60.104,24.91 60.1,24.912 60.104,24.914 60.1,24.916 60.104,24.918 60.1,24.92 60.104,24.922 60.1,24.924 60.104,24.926 60.1,24.928 60.104,24.93 60.1,24.932 60.104,24.934 60.1,24.936 60.104,24.938 60.1,24.94 60.104,24.942 60.1,24.944 60.104,24.946 60.1,24.948 60.104,24.95 60.1,24.952 60.104,24.954 60.1,24.956 60.104,24.958 60.1)",
            300, 3771941, 1, 0
        ),
        ("a closed line", "LINESTRING(24.9 60.1,25 60.1,25 60.2,24.9 60.2,24.9 60.1)", 1500, 98245615, 1, 1),
        ("a line over the antimeridian", "LINESTRING(178 -17,181 -18,183 -16)", 20000, 27002204033, 1, 0),
        ("a long line", "LINESTRING(20 60,24 60,28 61)", 30000, 30999747139, 1, 0),
        (
            "lines", "MULTILINESTRING((24.9 60.1,25 60.1),(24.9 60.11,25 60.11),(24.9 60.2,25 60.2))", 600, 22894646, 2,
            0
        ),
        (
            "an area with a hole",
            "POLYGON((24.9 60.1,25.1 60.1,25.1 60.2,24.9 60.2,24.9 60.1),(24.95 60.12,24.95 60.18,25.05 60.18,25.05 60.12,24.95 60.12))",
            500, 120918855, 1, 1
        ),
        (
            "an area whose hole is gone",
            "POLYGON((24.9 60.1,25.1 60.1,25.1 60.2,24.9 60.2,24.9 60.1),(24.95 60.14,24.95 60.16,25.05 60.16,25.05 60.14,24.95 60.14))",
            1200, 181701627, 1, 0
        ),
        (
            "an area with a hole, shrunk",
            "POLYGON((24.9 60.1,25.1 60.1,25.1 60.2,24.9 60.2,24.9 60.1),(24.95 60.12,24.95 60.18,25.05 60.18,25.05 60.12,24.95 60.12))",
            -400, 59187881, 1, 1
        ),
        (
            "shrunk to four pieces",
            "POLYGON((24.9 60.1,25.1 60.1,25.1 60.2,24.9 60.2,24.9 60.1),(24.92 60.12,24.92 60.18,25.08 60.18,25.08 60.12,24.92 60.12),(24.99 60.185,25.01 60.185,25.01 60.195,24.99 60.195,24.99 60.185))",
            -700, 14075906, 3, 0
        ),
        (
            "two rooms, the door shut",
            "POLYGON((24.9 60.1,25 60.1,25 60.12,25.05 60.12,25.05 60.1,25.15 60.1,25.15 60.16,25.05 60.16,25.05 60.125,25 60.125,25 60.16,24.9 60.16,24.9 60.1))",
            -300, 60396636, 2, 0
        ),
        ("shrunk to nothing", "POLYGON((24.9 60.1,25 60.1,25 60.2,24.9 60.2,24.9 60.1))", -3000, 0, 0, 0),
        (
            "a star",
            "POLYGON((24.93 60.1,24.9901 60.12169,24.9187 60.11173,24.92225 60.14875,24.89332 60.11462,24.83765 60.13909,24.87297 60.10651,24.8 60.1,24.87297 60.09349,24.83765 60.06091,24.89332 60.08538,24.92225 60.05125,24.9187 60.08827,24.9901 60.07831,24.93 60.1))",
            800, 74494017, 1, 0
        ),
        (
            "a star, shrunk",
            "POLYGON((24.93 60.1,24.9901 60.12169,24.9187 60.11173,24.92225 60.14875,24.89332 60.11462,24.83765 60.13909,24.87297 60.10651,24.8 60.1,24.87297 60.09349,24.83765 60.06091,24.89332 60.08538,24.92225 60.05125,24.9187 60.08827,24.9901 60.07831,24.93 60.1))",
            -300, 13841957, 1, 0
        ),
        (
            "areas that meet",
            "MULTIPOLYGON(((24.9 60.1,25 60.1,25 60.2,24.9 60.2,24.9 60.1)),((25.02 60.1,25.1 60.1,25.1 60.2,25.02 60.2,25.02 60.1)))",
            800, 161232139, 1, 0
        ),
        (
            "a collection",
            "GEOMETRYCOLLECTION(POINT(24.9 60.1),LINESTRING(24.9 60.1,25 60.15),POLYGON((25 60.14,25.1 60.14,25.1 60.2,25 60.14)))",
            400, 34175384, 1, 0
        ),
        (
            "a collection, of which areas shrink",
            "GEOMETRYCOLLECTION(POINT(24.9 60.1),LINESTRING(24.9 60.1,25 60.15),POLYGON((25 60.14,25.1 60.14,25.1 60.2,25 60.14)))",
            -400, 11132798, 1, 0
        ),
    ]

    /// Circles of 96 edges are 0.07 per cent smaller; edges may deviate by a four-hundredth of the distance.
    private static let tolerance = 0.004

    @Test(arguments: cases)
    func `buffer areas agree with those of another program`(
        name: String, shape: String, meters: Double, area: Double, polygons: Int, holes: Int
    ) throws {
        let grown = try WKT.read(shape).geometry.buffered(meters: meters)
        let measured = try GroundMeasure(grown)
        #expect(abs(measured.area - area) <= area * Self.tolerance, "\(measured.area), not \(area)")
        // One over the antimeridian or around a pole is cut there.
        let isCut = grown.coordinates.contains { abs($0.x) == 180 }
        #expect(grown.polygons.count == polygons || isCut)
        #expect(grown.polygons.reduce(0) { $0 + $1.count - 1 } == holes)
        #expect(grown.coordinates.allSatisfy { abs($0.x) <= 180 && abs($0.y) <= 90 })
    }

    @Test func `the border of a buffer has the requested distance everywhere`() throws {
        let line = try #require(
            GroundLine([(24.9, 60.1), (25.2, 60.3), (25.0, 60.1)].map { Coordinate(x: $0.0, y: $0.1) }))
        let grown = Geometry.lineString(
            [(24.9, 60.1), (25.2, 60.3), (25.0, 60.1)].map { Coordinate(x: $0.0, y: $0.1) }
        )
        .buffered(meters: 900)
        #expect(grown.kind == .polygon)
        #expect(grown.coordinates.count > 100)
        for place in grown.coordinates { #expect(abs(line.nearest(to: place).meters - 900) < 9) }
    }

    @Test(arguments: [
        ("POINT(1 2)", -5.0), ("LINESTRING(1 2,3 4)", -5), ("POLYGON((0 0,1 0,1 1,0 0))", -1e9), ("POINT EMPTY", 5),
        ("MULTIPOLYGON EMPTY", 5), ("GEOMETRYCOLLECTION EMPTY", 5), ("POINT(1 2)", .nan), ("POINT(1 2)", .infinity),
        ("LINESTRING(0 95,1 95)", 5), ("POINT(1 2)", 0),
    ])
    func `a buffer with nothing left is empty`(shape: String, meters: Double) throws {
        #expect(try WKT.read(shape).geometry.buffered(meters: meters) == .empty(.polygon))
    }

    @Test func `a buffer may contain a pole or the far side of the globe`() throws {
        let cap = Geometry.point(Coordinate(x: 10, y: -90)).buffered(meters: 1_000_000)
        #expect(cap.boundingBox?.minY == -90)
        #expect(cap.boundingBox?.minX == -180)
        #expect(cap.boundingBox?.maxX == 180)
        #expect(try abs(GroundMeasure(cap).area / 3.135e12 - 1) < 0.01)
        // The seams of a map are not borders.
        let given = try WKT.read("POLYGON((-180 80,0 80,180 80,180 90,-180 90,-180 80))").geometry
        let area = try GroundMeasure(given.buffered(meters: -100_000)).area
        #expect(abs(area / 3.241e12 - 1) < 0.01, "\(area)")
        let both = Geometry.multiPoint([Coordinate(x: 0, y: 0), Coordinate(x: 180, y: 0)]).buffered(meters: 1000)
        #expect(both.polygons.count == 3)
        #expect(try abs(GroundMeasure(both).area / (2 * .pi * 1e6) - 1) < 0.004)
    }

    /// Hundreds of circles over one another would cross a million times.
    @Test(arguments: [150_000.0, -150_000])
    func `areas from pole to pole grow and shrink within the world`(meters: Double) {
        // Each width has a separate grid, on which a pole is rounded differently.
        for step in 0..<8 {
            let east = 100 + Double(step) * 9.7
            let area = Geometry.polygon([
                [
                    Coordinate(x: -east, y: -90), Coordinate(x: east, y: -90), Coordinate(x: -east, y: 90),
                    Coordinate(x: -east, y: -90),
                ]
            ])
            let grown = area.buffered(meters: meters)
            #expect(!grown.isEmpty, "\(east)")
            #expect(grown.coordinates.allSatisfy { abs($0.x) <= 180 && abs($0.y) <= 90 }, "\(east)")
        }
    }

    /// Each ring leads several times round the world or lies beyond it, and is cut to the world before it grows.
    @Test(arguments: [
        ("POLYGON((-1000 -1,175 80,-1000 -1))", "POINT(-40 65.2)"),
        ("POLYGON((1000 1,-1000 2,500 1,1000 1))", "POINT(0 1.5)"),
        ("LINESTRING(-1260 79,1260 79)", "POINT(12 79)"),
        ("LINESTRING(1250 10,1259 10,1259 12)", "POINT(179 11)"),
        ("MULTIPOINT((1259 79),(-1259 79))", "POINT(179 79)"),
    ])
    func `shapes around the world several times grow within the world`(shape: String, within: String) throws {
        let grown = try WKT.read(shape).geometry.buffered(meters: 150_000)
        #expect(grown.coordinates.allSatisfy { abs($0.x) <= 180 && abs($0.y) <= 90 })
        let place = try WKT.read(within).geometry.coordinates[0]
        #expect(grown.polygons.contains { PolygonTest.contains(place, $0) })
        #expect(grown.cutAtAntimeridian(.straight) == grown)
    }

    @Test(arguments: [1000.0, -1000]) func `an area several turns away has the same buffer as its copy in the world`(
        meters: Double
    ) throws {
        let area = try WKT.read("POLYGON((178 -17,182 -17,182 -16,178 -16,178 -17))").geometry
        let here = try GroundMeasure(area.buffered(meters: meters)).area
        for turns in [-3.0, -2, 2] {
            let far = area.mapCoordinates { Coordinate(x: $0.x + turns * 360, y: $0.y) }.buffered(meters: meters)
            #expect(try abs(GroundMeasure(far).area - here) <= here * 1e-3)
        }
    }

    /// Edges past the poles would cross one another a million times.
    @Test func `a buffer of few points is small, however often their edges cross`() throws {
        let shape = try WKT.read(
            "GEOMETRYCOLLECTION(POLYGON((-180 -90,180 -90,180 90,-180 -16,-180 -90)),POLYGON((-180 -60,-90 -65,0 -70,90 -62,180 -60,180 -90,-180 -90,-180 -60)),POLYGON((177 -18,185 -18,185 90,177 -16,177 -18)),MULTILINESTRING((-540 10,540 -10),(0 0,180 0),(179.99 89.9,-0.01 89.9)))"
        ).geometry
        let grown = shape.buffered(meters: 150_000)
        #expect(!grown.isEmpty)
        #expect(grown.coordinateCount < 40_000)
        #expect(grown.coordinates.allSatisfy { abs($0.x) <= 180 && abs($0.y) <= 90 })
    }

    @Test func `a large buffer of many close points contains them`() throws {
        var random = SeededGenerator(seed: 5)
        let places = (0..<600).map { _ in
            Coordinate(x: .random(in: 170...180, using: &random), y: .random(in: 0...10, using: &random))
        }
        let area = Geometry.multiPoint(places).buffered(meters: 2_000_000)
        let areInside = places.prefix(50).allSatisfy { place in
            area.polygons.contains { PolygonTest.contains(place, $0) }
        }
        #expect(!area.isEmpty)
        #expect(areInside)
    }

    /// Each over some hundreds of others.
    @Test func `the buffer of many points has the requested distance`() throws {
        var random = SeededGenerator(seed: 7)
        let places = (0..<1500).map { _ in
            Coordinate(x: .random(in: 24.9...25, using: &random), y: .random(in: 60.1...60.15, using: &random))
        }
        let area = Geometry.multiPoint(places).buffered(meters: 1000)
        for _ in 0..<2000 {
            let place = Coordinate(
                x: .random(in: 24.87...25.03, using: &random), y: .random(in: 60.085...60.165, using: &random))
            let nearest = places.map { Geodesic.line(from: place, to: $0).meters }.min() ?? .infinity
            guard abs(nearest - 1000) > 10 else { continue }
            let isInside = area.polygons.contains { PolygonTest.contains(place, $0) }
            #expect(isInside == (nearest < 1000), "\(place) is \(nearest) m away")
        }
    }

    @Test func `a grown random shape contains its vertices, and a shrunk one is not larger`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<15 {
            let ring = (0..<Int.random(in: 3...30, using: &random)).map { _ in
                Coordinate(x: .random(in: 24...25, using: &random), y: .random(in: 60...60.5, using: &random))
            }
            let shape = Geometry.polygon([ring]), distance = Double.random(in: 10...5000, using: &random)
            let grown = shape.buffered(meters: distance), line = Geometry.lineString(ring).buffered(meters: distance)
            let area = try GroundMeasure(grown).area, ofLine = try GroundMeasure(line).area
            #expect(area >= ofLine * 0.99)
            let areas = try grown.polygons.map { try GroundMeasure(.polygon($0.map(Array.init))).area }
            #expect(areas.count == 1, "\(distance) \(areas) \(WKT.write(EncodedGeometry(shape)))")
            for place in ring {
                #expect(grown.polygons.contains { PolygonTest.contains(place, $0) }, "\(place) lies outside")
            }
            #expect(try GroundMeasure(shape.buffered(meters: -distance)).area <= area)
        }
    }
}

extension PolygonTest {
    fileprivate static func contains(_ place: Coordinate, _ rings: Geometry.Parts) -> Bool {
        contains(Point(x: place.x, y: place.y), rings: rings.map { $0.map { Point(x: $0.x, y: $0.y) } })
    }
}
