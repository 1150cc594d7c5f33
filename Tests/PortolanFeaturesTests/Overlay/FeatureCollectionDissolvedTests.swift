import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import TestHelpers
import Testing

/// Polygons that are merged by a property.
@Suite struct FeatureCollectionDissolvedTests {
    /// Shapes, and by Shapely (GEOS) the area of their union, the number of polygons and that of holes.
    static let unions: [(name: String, shapes: [String], area: Double, polygons: Int, holes: Int)] = [
        (
            "two squares with a common side", ["POLYGON((0 0,1 0,1 1,0 1,0 0))", "POLYGON((1 0,2 0,2 1,1 1,1 0))"], 2.0,
            1, 0
        ),
        (
            "squares whose sides overlap in part",
            ["POLYGON((0 0,2 0,2 2,0 2,0 0))", "POLYGON((2 1,4 1,4 3,2 3,2 1))"], 8.0, 1, 0
        ),
        (
            "an enclave fills a hole",
            ["POLYGON((0 0,9 0,9 9,0 9,0 0),(3 3,6 3,6 6,3 6,3 3))", "POLYGON((3 3,6 3,6 6,3 6,3 3))"], 81.0, 1, 0
        ),
        (
            "a small enclave leaves a ring",
            ["POLYGON((0 0,9 0,9 9,0 9,0 0),(3 3,6 3,6 6,3 6,3 3))", "POLYGON((4 4,5 4,5 5,4 5,4 4))"], 73.0, 2, 1
        ),
        (
            "overlapping",
            ["POLYGON((0 0,5 0,5 5,0 5,0 0))", "POLYGON((3 3,8 3,8 8,3 8,3 3))", "POLYGON((4 0,6 0,6 9,4 9,4 0))"],
            51.0, 1, 0
        ),
        ("one inside another", ["POLYGON((0 0,9 0,9 9,0 9,0 0))", "POLYGON((1 1,2 1,2 2,1 2,1 1))"], 81.0, 1, 0),
        ("apart", ["POLYGON((0 0,1 0,1 1,0 1,0 0))", "POLYGON((5 5,6 5,6 6,5 6,5 5))"], 2.0, 2, 0),
        ("corners that meet", ["POLYGON((0 0,1 0,1 1,0 1,0 0))", "POLYGON((1 1,2 1,2 2,1 2,1 1))"], 2.0, 2, 0),
        (
            "a ring of four",
            [
                "POLYGON((0 0,3 0,2 1,1 1,0 0))", "POLYGON((3 0,3 3,2 2,2 1,3 0))", "POLYGON((3 3,0 3,1 2,2 2,3 3))",
                "POLYGON((0 3,0 0,1 1,1 2,0 3))",
            ], 8.0, 1, 1
        ),
        ("in different directions", ["POLYGON((0 0,0 1,1 1,1 0,0 0))", "POLYGON((1 0,2 0,2 1,1 1,1 0))"], 2.0, 1, 0),
        (
            "multipolygons",
            ["MULTIPOLYGON(((0 0,1 0,1 1,0 1,0 0)),((4 0,5 0,5 1,4 1,4 0)))", "POLYGON((1 0,4 0,4 1,1 1,1 0))"], 5.0, 1,
            0
        ),
        (
            "thirds of a degree",
            [
                "POLYGON((0.1 0.1,0.3333333333333333 0.1,0.3333333333333333 0.7,0.1 0.7,0.1 0.1))",
                "POLYGON((0.3333333333333333 0.1,0.7777777777777778 0.1,0.7777777777777778 0.7,0.3333333333333333 0.7,0.3333333333333333 0.1))",
            ], 0.4066666666666667, 1, 0
        ),
    ]

    private static func feature(_ shape: String, _ properties: Properties) throws -> Feature {
        Feature(geometry: try WKT.read(shape).geometry, properties: properties)
    }

    @Test(arguments: unions)
    func `unions agree with those of another program`(
        name: String, shapes: [String], area: Double, polygons: Int, holes: Int
    ) throws {
        let collection = FeatureCollection(features: try shapes.map { try Self.feature($0, ["group": "a"]) })
        let features = try collection.dissolved(by: "group").features
        let union = try #require(features.first?.geometry)
        #expect(features.count == 1)
        #expect(abs(Planar.area(union) - area) < area * 1e-9, "\(name)")
        #expect(union.polygons.count == polygons, "\(name)")
        #expect(union.polygons.reduce(0) { $0 + $1.count - 1 } == holes, "\(name)")
        #expect(!Planar.hasCrossings(union), "\(name)")
        let given = Set(collection.features.compactMap(\.geometry).flatMap(\.coordinates))
        #expect(name == "overlapping" || union.coordinates.allSatisfy(given.contains), "\(name)")
    }

    @Test func `features keep their order and the properties that all of a group have`() throws {
        let collection = FeatureCollection(features: [
            try Self.feature("POLYGON((0 0,1 0,1 1,0 1,0 0))", ["land": "x", "name": "a", "year": 2026]),
            try Self.feature("POINT(5 5)", ["land": "x"]),
            try Self.feature("POLYGON((8 8,9 8,9 9,8 8))", ["land": "y", "name": "b"]),
            try Self.feature("POLYGON((1 0,2 0,2 1,1 1,1 0))", ["land": "x", "name": "c", "year": 2026]),
            try Self.feature("POLYGON((3 0,4 0,4 1,3 0))", ["name": "d"]),
            try Self.feature("POLYGON((5 0,6 0,6 1,5 0))", ["land": .null]),
        ])
        let dissolved = try collection.dissolved(by: "land")
        #expect(
            dissolved.features.map(\.properties) == [
                ["land": "x", "year": 2026], ["land": "x"], ["land": "y", "name": "b"], [:],
            ])
        #expect(dissolved.features[0].geometry?.kind == .polygon)
        #expect(dissolved.features[1] == collection.features[1])
        #expect(dissolved.features[2] == collection.features[2])
        #expect(dissolved.features[3].geometry?.polygons.count == 2)
        #expect(dissolved.warnings.map(\.message) == ["1 features are not polygons and are not merged"])
    }

    /// Random overlapping polygons: the area is that by counting points of a fine lattice.
    @Test(arguments: 1...6) func `unions of random triangles have the right area and are valid`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let triangles = (0..<40).map { _ -> [Coordinate] in
            let x = Double.random(in: 0...100, using: &random), y = Double.random(in: 0...100, using: &random)
            return (0..<3).map { _ in
                Coordinate(x: x + .random(in: -15...15, using: &random), y: y + .random(in: -15...15, using: &random))
            }
        }
        let collection = FeatureCollection(
            features: triangles.map { Feature(geometry: .polygon([$0]), properties: ["group": 1]) })
        let union = try #require(try collection.dissolved(by: "group").features.first?.geometry)
        #expect(!Planar.hasCrossings(union))
        var count = 0
        func side(_ a: Coordinate, _ b: Coordinate, _ x: Double, _ y: Double) -> Bool {
            (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0
        }
        for row in -40..<280 {
            let y = Double(row) / 2 + 0.25
            let near = triangles.filter { corners in corners.contains { $0.y < y } && corners.contains { $0.y > y } }
            for column in -40..<280 {
                let x = Double(column) / 2 + 0.25
                let isInside = near.contains { corners in
                    let first = side(corners[0], corners[1], x, y)
                    return first == side(corners[1], corners[2], x, y) && first == side(corners[2], corners[0], x, y)
                }
                if isInside { count += 1 }
            }
        }
        let area = Planar.area(union)
        #expect(abs(area - Double(count) / 4) < area * 0.01)
    }
}
