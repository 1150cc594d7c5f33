import PortolanFeatures
import PortolanFormats
import PortolanGeo
import TestHelpers
import Testing

/// Features that are simplified together.
@Suite struct FeatureCollectionSimplifiedTests {
    /// A line, and by Shapely (GEOS) the x of the vertices that remain at a tolerance.
    private static let line: [(Double, Double)] = [
        (0, 0.65), (1, 1.63), (2, 3.92), (3, 3.98), (4, 6.02), (5, 6.65), (6, 6.85), (7, 8.37), (8, 7.85), (9, 8.85),
        (10, 8.1), (11, 7.91), (12, 8.12), (13, 8.27), (14, 6.03), (15, 5.23), (16, 4.91), (17, 4.32), (18, 2.28),
        (19, 0.59), (20, 0.43), (21, -2.71), (22, -2.29), (23, -4.52), (24, -5.77), (25, -6.6), (26, -6.82),
        (27, -6.19), (28, -7.63), (29, -6.78), (30, -6.39), (31, -6.44), (32, -5.41), (33, -5.52), (34, -4.51),
        (35, -3.07), (36, -0.87), (37, -0.07), (38, 1.03), (39, 2.89), (40, 3.9), (41, 4.78), (42, 6.84), (43, 7.58),
        (44, 7.43), (45, 8.65), (46, 8.91), (47, 9.75), (48, 9.37), (49, 8.19), (50, 9.06), (51, 6.62), (52, 6.34),
        (53, 5.97), (54, 3.6), (55, 3.02), (56, 0.81), (57, 0.74), (58, -0.39), (59, -2.03),
    ]
    static let kept: [(tolerance: Double, x: [Double])] = [
        (
            0.5,
            [
                0, 2, 3, 4, 6, 7, 8, 9, 11, 13, 14, 17, 19, 20, 21, 22, 24, 26, 27, 28, 33, 42, 47, 49, 50, 51, 53, 56,
                57, 59,
            ]
        ),
        (1, [0, 7, 13, 20, 21, 28, 33, 42, 47, 49, 50, 59]),
        (2, [0, 7, 13, 28, 47, 59]),
        (5, [0, 13, 28, 47, 59]),
        (20, [0, 59]),
    ]

    private static let meters: CRS = .webMercator

    private static func collection(_ shapes: [Geometry], crs: CRS? = meters) -> FeatureCollection {
        FeatureCollection(features: shapes.map { Feature(geometry: $0, properties: [:]) }, crs: crs)
    }

    @Test(arguments: kept)
    func `vertices of a line are those of another program`(tolerance: Double, x: [Double]) {
        let line = Geometry.lineString(Self.line.map { Coordinate(x: $0.0, y: $0.1) })
        let simple = Self.collection([line]).simplified(.meters(tolerance)).features[0].geometry
        #expect(simple?.coordinates.map(\.x) == x)
    }

    @Test(arguments: [0.1, 0.25, 0.5, 1]) func `a share of the vertices remains`(share: Double) {
        let line = Geometry.lineString(Self.line.map { Coordinate(x: $0.0, y: $0.1) })
        let simple = Self.collection([line]).simplified(.share(share)).features[0].geometry
        // Vertices that depend on each other are removed together.
        let wanted = 2 + Int((58 * share).rounded())
        #expect(simple.map { (wanted - 2...wanted).contains($0.coordinates.count) } == true)
    }

    /// The cells of a grid whose borders are random walks.
    private static func cells(seed: UInt64, side: Int = 6, steps: Int = 24) -> [Geometry] {
        var random = SeededGenerator(seed: seed)
        func walk(_ from: Coordinate, _ to: Coordinate) -> [Coordinate] {
            (0..<steps).map { step in
                let share = Double(step) / Double(steps)
                // Near its ends, a border keeps away from those that meet it there.
                let jitter = min(share, 1 - share, 0.12) * 90
                return Coordinate(
                    x: from.x + (to.x - from.x) * share
                        + (from.x == to.x ? .random(in: -1...1, using: &random) * jitter : 0),
                    y: from.y + (to.y - from.y) * share
                        + (from.y == to.y ? .random(in: -1...1, using: &random) * jitter : 0))
            }
        }
        func corner(_ column: Int, _ row: Int) -> Coordinate {
            Coordinate(x: Double(column) * 100, y: Double(row) * 100)
        }
        var level: [[[Coordinate]]] = [], upright: [[[Coordinate]]] = []
        for row in 0...side {
            level.append((0..<side).map { walk(corner($0, row), corner($0 + 1, row)) })
            if row < side { upright.append((0...side).map { walk(corner($0, row), corner($0, row + 1)) }) }
        }
        var cells: [Geometry] = []
        for row in 0..<side {
            for column in 0..<side {
                let east = upright[row][column + 1], north = level[row + 1][column], west = upright[row][column]
                let northWay = [corner(column + 1, row + 1)] + north.dropFirst().reversed()
                let westWay = [corner(column, row + 1)] + west.dropFirst().reversed()
                cells.append(.polygon([level[row][column] + east + northWay + westWay]))
            }
        }
        return cells
    }

    @Test(arguments: [1.0, 5, 20, 60, 500], [UInt64(1), 2]) func `neighbours stay neighbours, and rings do not cross`(
        meters: Double, seed: UInt64
    ) {
        let cells = Self.cells(seed: seed)
        #expect(!Planar.hasCrossings(cells), "the borders of the fixture cross")
        let simple = Self.collection(cells).simplified(.meters(meters)).features.compactMap(\.geometry)
        #expect(simple.count == cells.count)
        #expect(!Planar.hasCrossings(simple))
        // Without gaps and overlaps, each inner edge belongs to two cells, in opposite directions.
        var balance: [[Coordinate]: Int] = [:]
        for cell in simple {
            for (one, other) in zip(cell.coordinates, cell.coordinates.dropFirst()) {
                let isForward = (one.x, one.y) < (other.x, other.y)
                balance[isForward ? [one, other] : [other, one], default: 0] += isForward ? 1 : -1
            }
        }
        let outline = Planar.area(
            .polygon([[(0, 0), (600, 0), (600, 600), (0, 600)].map { Coordinate(x: $0.0, y: $0.1) }]))
        let sum = simple.reduce(0) { $0 + Planar.area($1) }
        // The corners of the whole are no nodes, and may be cut off.
        #expect(abs(sum - outline) < outline * 0.06)
        #expect(balance.values.allSatisfy { abs($0) <= 1 })
        let before = cells.reduce(0) { $0 + $1.coordinates.count },
            after = simple.reduce(0) { $0 + $1.coordinates.count }
        #expect(after < before)
        if meters == 500 { #expect(simple.allSatisfy { $0.coordinates.count <= 12 }) }
    }

    @Test func `an island in a bay stays outside the land`() throws {
        let land = try WKT.read("POLYGON((0 0,100 0,100 50,60 50,50 10,40 50,0 50,0 0))").geometry
        let island = try WKT.read("POLYGON((49 40,51 40,51 42,50 43,49 42,49 40))").geometry
        let alone = Self.collection([land]).simplified(.meters(42)).features[0].geometry
        #expect(alone.map { $0.coordinates.contains(Coordinate(x: 50, y: 10)) } == false)
        let simple = Self.collection([land, island]).simplified(.meters(42)).features.compactMap(\.geometry)
        #expect(simple[0].coordinates.contains(Coordinate(x: 50, y: 10)))
        #expect(!Planar.hasCrossings(simple))
    }

    @Test func `small islands and holes remain as triangles`() throws {
        let shape = try WKT.read(
            "MULTIPOLYGON(((0 0,90 0,46 89,45 90,44 89,0 0),(44 40,44 41,45 42,46 41,46 40,44 40)),((200 0,201 0,202 1,201 2,200 2,200 0)))"
        ).geometry
        let simple = Self.collection([shape]).simplified(.meters(1000)).features[0].geometry
        #expect(simple?.parts.map(\.count) == [4, 4, 4])
        #expect(simple?.polygons.map(\.count) == [2, 1])
    }

    @Test func `an enclave and the hole around it are the same ring`() throws {
        let hole = "30 30,32 45,30 60,45 61,60 60,61 45,60 30,45 28,30 30"
        let around = try WKT.read("POLYGON((0 0,90 0,90 90,0 90,0 0),(\(hole)))").geometry
        let back = hole.split(separator: ",").reversed().dropFirst(3).joined(separator: ",")
        let start = hole.split(separator: ",").reversed().prefix(4).dropFirst().joined(separator: ",")
        let enclave = try WKT.read("POLYGON((\(back),\(start),\(back.split(separator: ",")[0])))").geometry
        #expect(Set(enclave.coordinates) == Set(around.polygons[0][1]))
        let simple = Self.collection([around, enclave]).simplified(.meters(5)).features.compactMap(\.geometry)
        #expect(simple[1].coordinates.count < 9)
        #expect(Set(simple[0].polygons[0][1]) == Set(simple[1].coordinates))
    }

    @Test func `degrees are measured on the ground`() throws {
        // At 60 degrees north, 0.001 degrees are 111 m to the north and 56 m to the east.
        let shapes = ["LINESTRING(24 60,24.5 60.001,25 60)", "LINESTRING(24 60,24.001 60.5,24 61)"]
        let collection = Self.collection(try shapes.map { try WKT.read($0).geometry }, crs: nil)
        let counts = { (meters: Double) in
            collection.simplified(.meters(meters)).features.map { $0.geometry?.coordinates.count ?? 0 }
        }
        #expect(counts(50) == [3, 3])
        #expect(counts(60) == [3, 2])
        #expect(counts(115) == [2, 2])
    }

    @Test func `points, empty shapes and degenerate rings are no obstacle`() throws {
        let shapes = [
            "POINT(1 2)", "POLYGON EMPTY", "LINESTRING(0 0,0 0)", "POLYGON((0 0,1 1,0 0))",
            "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,5 1,9 0))",
        ]
        let simple = Self.collection(try shapes.map { try WKT.read($0).geometry }).simplified(.meters(3)).features
        #expect(
            simple.map { $0.geometry.map { WKT.write(EncodedGeometry($0)) } } == [
                "POINT(1 2)", "POLYGON EMPTY", "LINESTRING(0 0,0 0)", "POLYGON EMPTY",
                "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,9 0))",
            ])
    }
}
