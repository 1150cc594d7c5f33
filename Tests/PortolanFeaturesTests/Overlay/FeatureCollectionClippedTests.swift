import PortolanFeatures
import PortolanFormats
import PortolanGeo
import TestHelpers
import Testing

/// Features that are clipped to boxes and areas.
@Suite struct FeatureCollectionClippedTests {
    /// A shape, an area, and by Shapely (GEOS) the area of their intersection, the number of polygons and that of holes.
    static let areas: [(name: String, shape: String, clip: String, area: Double, polygons: Int, holes: Int)] = [
        (
            "a square and a square", "POLYGON((0 0,10 0,10 10,0 10,0 0))", "POLYGON((5 5,15 5,15 15,5 15,5 5))", 25.0,
            1, 0
        ),
        (
            "a hole in the clip", "POLYGON((0 0,10 0,10 10,0 10,0 0))",
            "POLYGON((-1 -1,11 -1,11 11,-1 11,-1 -1),(4 4,6 4,6 6,4 6,4 4))", 96.0, 1, 1
        ),
        (
            "a hole on the side", "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))",
            "POLYGON((5 -1,11 -1,11 11,5 11,5 -1))", 48.0, 1, 0
        ),
        (
            "a comb becomes pieces", "POLYGON((0 0,10 0,10 8,8 8,8 2,6 2,6 8,4 8,4 2,2 2,2 8,0 8,0 0))",
            "POLYGON((-1 5,11 5,11 9,-1 9,-1 5))", 18.0, 3, 0
        ),
        ("areas side by side", "POLYGON((0 0,10 0,10 10,0 10,0 0))", "POLYGON((10 0,20 0,20 10,10 10,10 0))", 0, 0, 0),
        (
            "areas that meet at a corner", "POLYGON((0 0,10 0,10 10,0 10,0 0))",
            "POLYGON((10 10,20 10,20 20,10 20,10 10))", 0, 0, 0
        ),
        (
            "the same area, the other way round", "POLYGON((0 0,0 10,10 10,10 0,0 0))",
            "POLYGON((0 0,10 0,10 10,0 10,0 0))", 100.0, 1, 0
        ),
        ("inside", "POLYGON((1 1,2 1,2 2,1 2,1 1))", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 1.0, 1, 0),
        ("around", "POLYGON((0 0,10 0,10 10,0 10,0 0))", "POLYGON((1 1,2 1,2 2,1 2,1 1))", 1.0, 1, 0),
        ("a common side in part", "POLYGON((0 0,10 0,10 10,0 10,0 0))", "POLYGON((0 2,5 2,5 12,0 12,0 2))", 40.0, 1, 0),
        (
            "a hole that touches the border", "POLYGON((0 0,10 0,10 10,0 10,0 0),(0 5,3 3,3 7,0 5))",
            "POLYGON((-1 2,9 2,9 8,-1 8,-1 2))", 48.0, 1, 1
        ),
        (
            "a hole that meets the clip at two corners", "POLYGON((0 0,10 0,10 10,0 10,0 0),(5 2,8 5,5 8,2 5,5 2))",
            "POLYGON((2 -1,8 -1,8 11,2 11,2 -1))", 42.0, 2, 0
        ),
        (
            "multipolygons", "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((6 0,10 0,10 4,6 4,6 0)))",
            "MULTIPOLYGON(((3 1,7 1,7 3,3 3,3 1)),((-1 2,1 2,1 5,-1 5,-1 2)))", 6.0, 3, 0
        ),
        (
            "a clip around it on three sides", "POLYGON((4 4,6 4,6 6,4 6,4 4))",
            "POLYGON((0 0,10 0,10 10,0 10,0 8,8 8,8 2,0 2,0 0))", 0, 0, 0
        ),
        (
            "a spiral around it", "POLYGON((4 4,6 4,6 6,4 6,4 4))",
            "POLYGON((0 0,12 0,12 12,0 12,0 3,9 3,9 9,3 9,3 3.5,2 3.5,2 10,10 10,10 2,0 2,0 0))", 4.0, 1, 0
        ),
        (
            "degrees with long digits",
            "POLYGON((24.912345678 60.1234567891,25.1234567 60.134567891,25.0123456 60.2345678,24.912345678 60.1234567891))",
            "POLYGON((24.95 60.0,25.0333333333 60.05,25.05 60.3,24.9444444 60.25,24.95 60.0))", 0.007325389737264061, 1,
            0
        ),
    ]

    /// A line, an area, and by Shapely the length of their intersection.
    static let lines: [(name: String, line: String, clip: String, length: Double)] = [
        ("a line through a box", "LINESTRING(-5 5,15 5)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 10.0),
        ("a line in and out", "LINESTRING(-1 1,11 1,11 3,-1 3,-1 6,5 6)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 25.0),
        ("a line over a hole", "LINESTRING(1 5,9 5)", "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))", 6.0),
        ("along a side", "LINESTRING(2 0,8 0)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 6.0),
        ("along a side and away", "LINESTRING(-2 0,8 0,8 -3)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 8.0),
        ("through a corner", "LINESTRING(-1 1,1 -1)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 0),
        ("through two corners", "LINESTRING(-2 -2,12 12)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 14.142135623730951),
        ("with vertices on the border", "LINESTRING(0 5,10 5,15 5)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 10.0),
        (
            "several lines", "MULTILINESTRING((-1 1,3 1),(5 5,6 6),(20 20,30 30))",
            "POLYGON((0 0,10 0,10 10,0 10,0 0))", 4.414213562373095
        ),
        ("a closed line", "LINESTRING(5 5,15 5,15 15,5 15,5 5)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 10.0),
        ("outside", "LINESTRING(20 20,30 30)", "POLYGON((0 0,10 0,10 10,0 10,0 0))", 0),
        ("a slanting clip", "LINESTRING(0 0,10 0,10 10)", "POLYGON((5 -5,15 5,5 15,-5 5,5 -5))", 20.0),
    ]

    private static func collection(_ shapes: [String]) throws -> FeatureCollection {
        FeatureCollection(features: try shapes.map { Feature(geometry: try WKT.read($0).geometry, properties: [:]) })
    }

    private static func clipped(_ shape: String, _ clip: String) throws -> Geometry? {
        let area = try ClipArea([WKT.read(clip).geometry])
        return try collection([shape]).clipped(to: area).features.first?.geometry
    }

    @Test(arguments: areas)
    func `clipped areas agree with those of another program`(
        name: String, shape: String, clip: String, area: Double, polygons: Int, holes: Int
    ) throws {
        let part = try Self.clipped(shape, clip)
        #expect(abs((part.map(Planar.area) ?? 0) - area) <= area * 1e-7, "\(name)")
        #expect(part?.polygons.count ?? 0 == polygons, "\(name)")
        #expect((part?.polygons.reduce(0) { $0 + $1.count - 1 } ?? 0) == holes, "\(name)")
        #expect(part.map(Planar.hasCrossings) != true, "\(name)")
        // The intersection is the same the other way round.
        let other = try Self.clipped(clip, shape)
        #expect(abs((other.map(Planar.area) ?? 0) - area) <= area * 1e-7, "\(name)")
    }

    @Test(arguments: lines)
    func `clipped lines agree with those of another program`(
        name: String, line: String, clip: String, length: Double
    ) throws {
        let part = try Self.clipped(line, clip)
        let lengths = part.map { part in
            part.parts.map { zip($0, $0.dropFirst()).reduce(0) { $0 + hypot($1.1, $1.0) } }
        }
        #expect(abs((lengths?.reduce(0, +) ?? 0) - length) < 1e-9, "\(name)")
        #expect(part?.parts.allSatisfy { $0.count > 1 } != false)
    }

    private func hypot(_ one: Coordinate, _ other: Coordinate) -> Double {
        ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot()
    }

    @Test func `sides of a box are exact, and vertices inside keep their coordinates`() throws {
        let box = try #require(BoundingBox(minX: 24.1, minY: 60.1, maxX: 24.7, maxY: 60.3))
        let shapes = ["POLYGON((24.0123 60.0456,25.1 60.2345678901,24.3333333333 60.2777777777,24.0123 60.0456))"]
        let part = try #require(
            try Self.collection(shapes).clipped(to: ClipArea(box)).features.first?.geometry)
        let given = Coordinate(x: 24.3333333333, y: 60.2777777777)
        #expect(part.coordinates.contains(given))
        let others = part.coordinates.filter { $0 != given }
        #expect(!others.isEmpty)
        #expect(others.allSatisfy { [24.1, 24.7].contains($0.x) || [60.1, 60.3].contains($0.y) })
    }

    @Test func `points on the border are inside, and others are left out`() throws {
        let area = try ClipArea([WKT.read("POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 2,1 1))").geometry])
        let points = ["POINT(0 0)", "POINT(4 2)", "POINT(3 3)", "POINT(1.5 1.5)", "POINT(1 1.5)", "POINT(5 5)"]
        let kept = try Self.collection(points + ["MULTIPOINT((3 1),(9 9))", "POINT EMPTY"]).clipped(to: area).features
        #expect(
            kept.map { $0.geometry.map { WKT.write(EncodedGeometry($0)) } } == [
                "POINT(0 0)", "POINT(4 2)", "POINT(3 3)", "POINT(1 1.5)", "MULTIPOINT((3 1))",
            ])
    }

    @Test func `a geometry inside keeps its altitudes, and a collection its parts`() throws {
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 10, maxY: 10))
        let shapes = ["LINESTRING Z(1 1 5,2 2 6)", "GEOMETRYCOLLECTION(POINT(1 1),POINT(20 20),LINESTRING(5 5,15 5))"]
        let kept = try Self.collection(shapes).clipped(to: ClipArea(box)).features
        #expect(kept[0].geometry?.altitudes == [5, 6])
        #expect(
            kept[1].geometry.map { WKT.write(EncodedGeometry($0)) }
                == "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(5 5,10 5))")
    }

    /// Cells of a grid with bent borders, clipped to a star: no gap, no overlap.
    @Test func `parts of neighbours cover the parts of their union`() throws {
        var random = SeededGenerator(seed: 5)
        let side = 24
        var corner: [[Coordinate]] = []
        for row in 0...side {
            corner.append(
                (0...side).map { column in
                    Coordinate(
                        x: Double(column) + .random(in: -0.3...0.3, using: &random),
                        y: Double(row) + .random(in: -0.3...0.3, using: &random))
                })
        }
        var cells: [Geometry] = []
        for row in 0..<side {
            for column in 0..<side {
                cells.append(
                    .polygon([
                        [
                            corner[row][column], corner[row][column + 1], corner[row + 1][column + 1],
                            corner[row + 1][column],
                        ]
                    ]))
            }
        }
        let star = (0..<400).map { step -> Coordinate in
            let reach = step.isMultiple(of: 2) ? 11.0 : .random(in: 4...10, using: &random)
            let angle = Double(step) / 400 * 2 * .pi
            return Coordinate(x: 12 + reach * cosine(angle), y: 12 + reach * sine(angle))
        }
        let area = try ClipArea([.polygon([star])])
        let collection = FeatureCollection(features: cells.map { Feature(geometry: $0, properties: [:]) })
        let parts = try collection.clipped(to: area).features.compactMap(\.geometry)
        #expect(parts.allSatisfy { !Planar.hasCrossings($0) && ($0.kind == .polygon || $0.kind == .multiPolygon) })
        let sum = parts.reduce(0) { $0 + Planar.area($1) }, whole = Planar.area(.polygon([star + [star[0]]]))
        #expect(abs(sum - whole) < whole * 1e-8)
        let joined = try FeatureCollection(features: parts.map { Feature(geometry: $0, properties: [:]) })
            .dissolved(by: "none").features
        #expect(joined.count == 1)
        #expect(joined[0].geometry.map { abs(Planar.area($0) - whole) < whole * 1e-8 } == true)
    }

    /// Rings that cross themselves everywhere, and numbers at the ends of their range.
    @Test(
        arguments: [
            [-1e308, 1e308, Double.leastNonzeroMagnitude, 0.0, 1.0], [-180.0, 180, 179.999999999, -90, 90],
            [0.0, 1, 2, 3], [1e15, 1e15 + 1],
        ] as [[Double]])
    func `invalid areas and huge numbers end in a result or an error`(numbers: [Double]) throws {
        var random = SeededGenerator(seed: 9)
        func place() -> Coordinate {
            let x = numbers.randomElement(using: &random) ?? 0, y = numbers.randomElement(using: &random) ?? 0
            return Coordinate(x: x, y: y)
        }
        var shapes: [Geometry] = []
        for count in [3, 4, 5, 12, 200] {
            let ring = (0..<count).map { _ in place() }
            shapes += [.polygon([ring]), .lineString(ring), .polygon([ring, ring.reversed()])]
        }
        let collection = FeatureCollection(features: shapes.map { Feature(geometry: $0, properties: [:]) })
        #expect(collection.simplified(.meters(1)).features.count == shapes.count)
        #expect(collection.simplified(.share(0.1)).features.count == shapes.count)
        #expect(collection.centroids().features.count == shapes.count)
        let merged = (try? collection.dissolved(by: "none"))?.features
        #expect(merged?.isEmpty != true)
        if let area = try? ClipArea(shapes) {
            let clipped = (try? collection.clipped(to: area))?.features
            #expect(clipped.map { $0.count <= shapes.count } != false)
        }
    }

    private func cosine(_ angle: Double) -> Double { Libm.cosine(angle) }
    private func sine(_ angle: Double) -> Double { Libm.sine(angle) }
}
