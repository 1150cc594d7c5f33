import PortolanFeatures
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

@Suite struct ShapeCutterTests {
    struct Map: Sendable, CustomTestStringConvertible {
        let name: String
        /// The middle and half the side of a square that shows most of what the system shows.
        let x: Double, y: Double, reach: Double
        var testDescription: String { name }
    }

    static let maps = [
        Map(name: "EPSG:3035", x: 4_321_000, y: 3_210_000, reach: 12_300_000),
        Map(name: "EPSG:3995", x: 0, y: 0, reach: 21_000_000), Map(name: "EPSG:3031", x: 0, y: 0, reach: 21_000_000),
        Map(name: "EPSG:5070", x: 0, y: 3_000_000, reach: 15_000_000),
        Map(name: "EPSG:3310", x: 0, y: 3_000_000, reach: 15_000_000),
        Map(name: "EPSG:2154", x: 700_000, y: 4_000_000, reach: 18_000_000),
        Map(name: "EPSG:25832", x: 500_000, y: 0, reach: 14_000_000),
        Map(name: "robinson:lon=150", x: 0, y: 0, reach: 17_100_000),
        Map(name: "mollweide", x: 0, y: 0, reach: 18_100_000),
        Map(name: "winkel-tripel:lon=-90", x: 0, y: 0, reach: 16_500_000),
        Map(name: "ortho:lon=10,lat=45", x: 0, y: 0, reach: 6_400_000),
        Map(name: "ortho", x: 0, y: 0, reach: 6_400_000),
        Map(name: "aeqd:lon=25,lat=60", x: 0, y: 0, reach: 20_000_000),
        Map(name: "laea:lon=10,lat=52", x: 0, y: 0, reach: 12_760_000),
        Map(name: "tpeqd:lon1=-74,lat1=41,lon2=25,lat2=60", x: 0, y: 0, reach: 18_000_000),
    ]

    private static func transform(_ name: String) throws -> CoordinateTransform {
        try CoordinateTransform(from: .crs84, to: CRS(name))
    }

    /// The rings or lines that are left of a shape, in the map's system; each segment straight in longitude and latitude.
    private static func left(
        of geometry: Geometry, _ transform: CoordinateTransform, border: Bool = false
    ) -> [[Coordinate]] {
        var columns = ShapeColumns()
        _ = columns.append(geometry)
        let cut = ProjectedShapes(columns, by: transform).columns
        return cut.shapes.flatMap { shape in
            let rings = Int(shape.firstPart)..<Int(shape.endPart)
            let own = shape.border.map { Int($0.lowerBound)..<Int($0.upperBound) } ?? rings
            return (border ? own : rings).map { cut.range(ofPart: $0).map(cut.coordinate) }
        }
    }

    private static func projected(_ line: [Coordinate], _ transform: CoordinateTransform) -> [Point] {
        var points: [Point] = []
        for (a, b) in zip(line, line.dropFirst()) {
            let count = max(Int((max(abs(a.x - b.x), abs(a.y - b.y)) / 0.25).rounded(.up)), 1)
            for step in 0..<count {
                let share = Double(step) / Double(count)
                let place = transform(Coordinate(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share))
                if let place { points.append(Point(x: place.x, y: place.y)) }
            }
        }
        return points
    }

    /// A star around a point, as wide as half the world or less; parts of it may be on a pole or beyond ±180°.
    private static func star(_ generator: inout SeededGenerator) -> [Coordinate] {
        let longitude = Double.random(in: -180...180, using: &generator)
        let latitude = Double.random(in: -90...90, using: &generator)
        let size = Double.random(in: 5...160, using: &generator), count = Int.random(in: 3...14, using: &generator)
        var ring = (0..<count).map { number -> Coordinate in
            let angle = (Double(number) + 0.1) / Double(count) * 2 * .pi
            let reach = size * .random(in: 0.3...1, using: &generator)
            return Coordinate(
                longitude: longitude + reach * cosine(angle),
                latitude: min(max(latitude + reach * 0.7 * cosine(angle - .pi / 2), -90), 90))
        }
        ring.append(ring[0])
        return ring
    }

    private static func cosine(_ angle: Double) -> Double {
        // Of a direction the test needs no more than a few digits.
        let turn = (angle / (2 * .pi)).truncatingRemainder(dividingBy: 1)
        let x = (abs(turn) < 0.5 ? abs(turn) : 1 - abs(turn)) * 4 - 1
        return -x * (1.5 - 0.5 * x * x)
    }

    /// Places of a map in its system and in degrees.
    private static func places(of map: Map, steps: Int) throws -> [(place: Coordinate, earth: Coordinate)] {
        let transform = try transform(map.name), back = transform.inverse
        var places: [(place: Coordinate, earth: Coordinate)] = []
        for row in 0..<steps {
            for column in 0..<steps {
                let place = Coordinate(
                    x: map.x + ((Double(column) + 0.513) / Double(steps) * 2 - 1) * map.reach,
                    y: map.y + ((Double(row) + 0.487) / Double(steps) * 2 - 1) * map.reach)
                // The last tenth of a degree before the edge may be left out.
                let farther = Coordinate(x: map.x + (place.x - map.x) * 1.005, y: map.y + (place.y - map.y) * 1.005)
                guard let earth = back(place), back(farther) != nil, let again = transform(earth),
                    abs(again.x - place.x) < 1, abs(again.y - place.y) < 1
                else { continue }
                places.append((place, earth))
            }
        }
        #expect(places.count > steps * steps / 3)
        return places
    }

    /// The share of places of a map that are inside what is left of rings although they are outside the rings, or the other
    /// way round.
    private static func wrongShare(
        _ rings: [[Coordinate]], on map: Map, _ places: [(place: Coordinate, earth: Coordinate)]
    ) throws -> Double {
        let transform = try transform(map.name)
        let given = rings.map { $0.map { Point(x: $0.x, y: $0.y) } }
        let painted = left(of: .polygon(rings), transform).map { projected($0, transform) }
        let wrong = places.count { place, earth in
            let isInside = (-2...2).contains {
                PolygonTest.contains(Point(x: earth.x + Double($0) * 360, y: earth.y), rings: given)
            }
            return isInside != PolygonTest.contains(Point(x: place.x, y: place.y), rings: painted)
        }
        return Double(wrong) / Double(places.count)
    }

    @Test(arguments: maps) func `points inside on the globe are inside on the map`(map: Map) throws {
        var generator = SeededGenerator(seed: 4711)
        let places = try Self.places(of: map, steps: 20)
        var sum = 0.0
        for _ in 0..<50 { sum += try Self.wrongShare([Self.star(&generator)], on: map, places) }
        #expect(sum / 50 < 0.0005)
    }

    static let wholeEarth = [
        Coordinate(x: -180, y: -90), Coordinate(x: 180, y: -90), Coordinate(x: 180, y: 90), Coordinate(x: -180, y: 90),
        Coordinate(x: -180, y: -90),
    ]
    static let island = [
        Coordinate(x: -10, y: 40), Coordinate(x: 20, y: 40), Coordinate(x: 20, y: 60), Coordinate(x: -10, y: 60),
        Coordinate(x: -10, y: 40),
    ]
    /// A continent around the south pole, as files have it: cut at ±180° and along the pole.
    static let continent = [
        Coordinate(x: -180, y: -90), Coordinate(x: 180, y: -90), Coordinate(x: 180, y: -70), Coordinate(x: 90, y: -65),
        Coordinate(x: 0, y: -72), Coordinate(x: -90, y: -68), Coordinate(x: -180, y: -70), Coordinate(x: -180, y: -90),
    ]

    @Test(arguments: maps) func `oceans and continents around a pole are not turned inside out`(map: Map) throws {
        let places = try Self.places(of: map, steps: 40)
        for rings in [[Self.wholeEarth], [Self.wholeEarth, Self.island], [Self.continent]] {
            #expect(try Self.wrongShare(rings, on: map, places) < 0.001)
        }
    }

    @Test(arguments: ["EPSG:3857", "EPSG:3395"])
    func `on a repeating map only the poles and the antimeridian are cut off`(
        name: String
    ) throws {
        let transform = try Self.transform(name)
        let rings = Self.left(of: .polygon([Self.continent]), transform)
        #expect(rings.count == 1 && rings[0].allSatisfy { transform($0) != nil && abs($0.x) <= 180 })
        let border = Self.left(of: .polygon([Self.continent]), transform, border: true)
        #expect(border.map { [$0[0].x, $0[$0.count - 1].x] } == [[180, -180]])
    }

    @Test(arguments: maps) func `the border has no lines along a cut, a pole or the antimeridian of the file`(
        map: Map
    ) throws {
        let transform = try Self.transform(map.name)
        for line in Self.left(of: .polygon([Self.continent]), transform, border: true) {
            for (a, b) in zip(line, line.dropFirst()) {
                // The coast goes on with each step, and never straight south.
                #expect(a.x != b.x)
                #expect(max(a.y, b.y) < -64)
                #expect(min(a.y, b.y) > -72.001)
            }
        }
        #expect(Self.left(of: .polygon([Self.wholeEarth]), transform, border: true).isEmpty)
    }

    @Test func `a line is cut where the map ends, and continues where it begins again`() throws {
        let equator = Geometry.lineString((-18...18).map { Coordinate(x: Double($0) * 10, y: 0) })
        func ends(_ name: String) throws -> [[Double]] {
            Self.left(of: equator, try Self.transform(name)).map { [$0[0].x, $0[$0.count - 1].x] }
        }
        // 80° on both sides of 9° E; 150° on both sides of 96° W, which is over the antimeridian.
        #expect(try ends("EPSG:25832") == [[-71, 89]])
        #expect(try ends("EPSG:5070").map { $0.map { $0.rounded() } } == [[-246, -180], [-180, 54]])
        let europe = try ends("EPSG:3035").map { $0.map { $0.rounded() } }
        #expect(europe == [[-155, 175]] || europe.count == 1)
    }

    @Test func `shapes well inside the map are unchanged`() throws {
        let town = Geometry.polygon([Self.island])
        for map in Self.maps where map.name.hasPrefix("EPSG:") && !["EPSG:25832", "EPSG:3031"].contains(map.name) {
            #expect(Self.left(of: town, try Self.transform(map.name)) == [Self.island], "\(map.name)")
        }
    }

    @Test func `shapes of tiles in Mercator are cut at the antimeridian of the map`() throws {
        let tiles = try CoordinateTransform(from: .webMercator, to: CRS("robinson"))
        let mercator = try CoordinateTransform(from: .crs84, to: .webMercator)
        let square = [(175.0, 0.0), (185, 0), (185, 10), (175, 10), (175, 0)].compactMap {
            mercator(Coordinate(x: $0.0, y: $0.1))
        }
        let degrees = Self.left(of: .polygon([square]), tiles).map { $0.compactMap { mercator.inverse($0)?.x } }
        let spans = degrees.compactMap { ring in
            ring.min().flatMap { west in ring.max().map { [west.rounded(), $0.rounded()] } }
        }
        #expect(spans.sorted { $0[0] < $1[0] } == [[-180, -175], [175, 180]])
        let inside = square.map { Coordinate(x: $0.x / 4, y: $0.y) }
        #expect(Self.left(of: .polygon([inside]), tiles) == [inside])
    }

    @Test func `non-finite coordinates and huge segments are harmless`() throws {
        let odd = [
            Coordinate(x: .nan, y: 3), Coordinate(x: 1e300, y: -1e300), Coordinate(x: -1e9, y: 95),
            Coordinate(x: .infinity, y: 0), Coordinate(x: 179, y: -60), Coordinate(x: 1e300, y: 2),
        ]
        for map in Self.maps {
            let transform = try Self.transform(map.name)
            for geometry in [Geometry.polygon([odd]), .lineString(odd), .polygon([[]]), .polygon([[odd[4]]])] {
                let count = Self.left(of: geometry, transform).reduce(0) { $0 + $1.count }
                #expect(count < 50_000)
            }
            // All of it at one end of what a number can be.
            for far in [1e300, -1e300] {
                let line = [0.0, 1, 2].map { Coordinate(x: far, y: $0) }
                #expect(Self.left(of: .polygon([line]), transform).count < 10)
            }
        }
    }

    @Test func `shapes around the world take bounded memory`() throws {
        var columns = ShapeColumns()
        for _ in 0..<4000 { _ = columns.append(.polygon([Self.wholeEarth, Self.island])) }
        for name in ["EPSG:3035", "EPSG:5070"] {
            let cut = ProjectedShapes(columns, by: try Self.transform(name)).columns
            #expect(cut.shapes.count == 4000)
            #expect(cut.x.count < 900_000)
        }
    }
}
