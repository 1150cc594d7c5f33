import PortolanFeatures
import PortolanGeo
import PortolanVectorTiles
import TestHelpers
import Testing

@testable import PortolanPlan

@Suite struct FeatureTileTests {
    private typealias Made = FeatureTilesOfFeatures

    private static func point(_ x: Double, _ y: Double, level: Int) -> Geometry {
        .point(Made.place(x, y, level: level))
    }

    @Test func `a tile of points keeps their order, positions, identifiers and attributes`() throws {
        let layer = try Made.layer((0..<20).map { Self.point(Double(4096 + 100 * $0), 8192 - Double($0), level: 2) })
        let tile = try #require(try Made.tile([layer], 2, 1, 1).tile)
        let found = try #require(tile["layer"])
        #expect(found.featureCount == 20)
        for number in 0..<20 {
            #expect(found.geometry.vertex(number) == (Int32(100 * number), Int32(4096 - number)))
            #expect(found.ids[number] == UInt64(number))
            #expect(found["n"]?[number] == .uint(UInt64(number)))
        }
    }

    @Test(arguments: [(63.0, 2), (64, 2), (66, 1)])
    func `points within the buffer are in both tiles`(distance: Double, count: Int) throws {
        let layer = try Made.layer([Self.point(4096 + distance, 100, level: 1)])
        let tiles = try (0..<2).compactMap { try Made.tile([layer], 1, $0, 0).tile }
        #expect(tiles.count == count)
    }

    @Test func `a line is cut at the buffer, and has the same vertices on both sides of a border`() throws {
        let line = Geometry.lineString([
            Made.place(1000, 500, level: 3), Made.place(4090, 900, level: 3), Made.place(4100, 700, level: 3),
            Made.place(9000, 2000, level: 3),
        ])
        let layer = try Made.layer([line])
        let tiles = try (0..<3).map { Made.parts(try Made.tile([layer], 3, $0, 0).tile?["layer"]).first ?? [] }
        #expect(tiles.map(\.count) == [4, 4, 2])
        #expect(Array(tiles[0].prefix(3)) == [[1000, 500], [4090, 900], [4100, 700]])
        #expect(Array(tiles[1][1...2]) == [[-6, 900], [4, 700]])
        // The cuts are on the straight lines, to the unit.
        #expect(tiles[0].last == [4160, 716])
        #expect(tiles[1].first == [-64, 892])
        #expect(tiles[1].last == [4160, 1803])
        #expect(tiles[2] == [[-64, 1769], [808, 2000]])
    }

    /// A star with long and short arms, and a hole.
    private static func star(level: Int) -> Geometry {
        func ring(_ radius: Double, _ steps: Int) -> [Coordinate] {
            var turn = (x: radius, y: 0.0)
            let cosine = 0.955_336_489_125_606, sine = 0.295_520_206_661_339_6
            return (0..<steps).map { step in
                let length = step.isMultiple(of: 2) ? 1 : 0.4
                defer { turn = (turn.x * cosine - turn.y * sine, turn.x * sine + turn.y * cosine) }
                return Made.place(8192 + turn.x * length, 8192 + turn.y * length, level: level)
            }
        }
        return .polygon([ring(7000, 21), ring(1000, 21).reversed()])
    }

    @Test func `the tiles of a polygon cover its area, with outer rings clockwise and holes not`() throws {
        var settings = FeatureTileSettings()
        settings.buffer = 0
        settings.simplification = 0
        let layer = try Made.layer([Self.star(level: 2)], settings)
        let whole = Made.parts(try Made.tile([layer], 0, 0, 0, settings).tile?["layer"])
        #expect(whole.count == 2)
        var area = 0.0
        for column in 0..<4 {
            for row in 0..<4 {
                guard let found = try Made.tile([layer], 2, column, row, settings).tile?["layer"] else { continue }
                for ring in found.geometry.parts(of: 0) { area += found.geometry.doubleArea(of: ring) / 2 }
                let first = found.geometry.doubleArea(of: found.geometry.parts(of: 0).lowerBound)
                #expect(first > 0)
                for vertex in Made.parts(found).flatMap({ $0 }) {
                    #expect(vertex.allSatisfy { (0...4096).contains($0) })
                }
            }
        }
        let box = layer.blocks[0].groups[0]
        let expected = box.area * Double(4096 << 2) * Double(4096 << 2)
        #expect(abs(area - expected) < expected * 1e-3)
    }

    @Test func `tiles inside of a large polygon are the square of their buffer`() throws {
        let corners = [(100.0, 100.0), (60000, 100), (60000, 60000), (100, 60000)]
        let layer = try Made.layer([.polygon([corners.map { Made.place($0.0, $0.1, level: 4) }])])
        let parts = Made.parts(try Made.tile([layer], 4, 7, 9).tile?["layer"])
        #expect(parts.count == 1)
        #expect(Set(parts.first ?? []) == [[-64, -64], [4160, -64], [4160, 4160], [-64, 4160]])
    }

    @Test func `coarse levels have fewer vertices, within the tolerance`() throws {
        let wave = (0..<2000).map { Made.place(Double($0) * 2, $0.isMultiple(of: 2) ? 500 : 500.8, level: 0) }
        let layer = try Made.layer([.lineString(wave)])
        let coarse = Made.parts(try Made.tile([layer], 0, 0, 0).tile?["layer"]).flatMap { $0 }
        #expect(coarse.count < 20)
        for vertex in coarse { #expect((499...502).contains(vertex[1])) }
        var settings = FeatureTileSettings()
        settings.simplification = 0
        let all = Made.parts(try Made.tile([layer], 0, 0, 0, settings).tile?["layer"]).flatMap { $0 }
        #expect(all.count > 1900)
    }

    @Test func `small polygons are joined to few that have their area, except at the finest level`() throws {
        let squares = (0..<400).map { number -> Geometry in
            let x = Double(number % 20) * 100 + 50, y = Double(number / 20) * 100 + 50
            return .polygon([
                [(0.0, 0.0), (0.5, 0), (0.5, 0.5), (0, 0.5)].map { Made.place(x + $0.0, y + $0.1, level: 3) }
            ])
        }
        let layer = try Made.layer(squares)
        let (tile, counts) = try Made.tile([layer], 3, 0, 0)
        let found = try #require(tile?["layer"])
        #expect(counts.specks == 400)
        #expect(found.featureCount == 25)
        let area = (0..<found.featureCount).reduce(0.0) {
            $0 + found.geometry.doubleArea(of: found.geometry.parts(of: $1).lowerBound) / 2
        }
        #expect(area == 100)
        #expect(try Made.tile([layer], 6, 0, 0, isFinest: true).counts.specks == 0)
    }

    @Test(arguments: [FeatureTileSettings.Drop.densest, .fraction])
    func `a tile stays below its limits, and states what it leaves out`(drop: FeatureTileSettings.Drop) throws {
        var settings = FeatureTileSettings()
        settings.drop = drop
        settings.byteLimit = 2000
        settings.featureLimit = 300
        let points = (0..<5000).map { number -> Geometry in
            // Half of them in a corner.
            let side = number.isMultiple(of: 2) ? 40.0 : 4000.0
            return Self.point(
                Double(number &* 7919 % 4001) / 4001 * side, Double(number &* 104_729 % 3989) / 3989 * side, level: 0)
        }
        let layer = try Made.layer(points, settings)
        let (tile, counts) = try Made.tile([layer], 0, 0, 0, settings)
        let found = try #require(tile?["layer"])
        #expect(counts.bytes <= 2000)
        #expect(counts.bytes > 1000)
        #expect(found.featureCount <= 300)
        #expect(counts.dropped == 5000 - found.featureCount)
        #expect(counts.reduced == 1)
        let inCorner = (0..<found.featureCount).count {
            let vertex = found.geometry.vertex($0)
            return vertex.x < 41 && vertex.y < 41
        }
        if drop == .densest { #expect(inCorner < found.featureCount / 4) }
        if drop == .fraction { #expect(inCorner > found.featureCount / 3) }
        // Kept features are in their order.
        let ids = (0..<found.featureCount).compactMap { found.ids[$0] }
        #expect(ids == ids.sorted())
        #expect(try Made.tile([layer], 0, 0, 0, settings).counts == counts)
    }

    @Test func `without dropping, a tile that exceeds a limit is an error that names it`() throws {
        var settings = FeatureTileSettings()
        settings.drop = .none
        settings.featureLimit = 2
        let layer = try Made.layer((0..<3).map { Self.point(Double(5000 + $0), 9, level: 1) }, settings)
        #expect(throws: FeatureTileError.tooLarge(level: 1, column: 1, row: 0, features: 3, bytes: nil)) {
            try Made.tile([layer], 1, 1, 0, settings)
        }
    }

    @Test func `points are thinned by a rate, and finer levels have all points of coarser ones`() throws {
        var settings = FeatureTileSettings()
        settings.dropRate = 2
        let points = (0..<4096).map { Self.point(Double($0 % 64) * 64 + 1, Double($0 / 64) * 64 + 1, level: 0) }
        let layer = try Made.layer(points, levels: 0...4, settings)
        var before: Set<UInt64> = []
        for level in 0...4 {
            var found: Set<UInt64> = []
            for tile in 0..<(1 << (2 * level)) {
                let made = try Made.tile([layer], level, tile % (1 << level), tile / (1 << level), settings)
                if let layer = made.tile?["layer"] {
                    found.formUnion((0..<layer.featureCount).compactMap { layer.ids[$0] })
                }
            }
            #expect(found.isSuperset(of: before))
            #expect(abs(found.count - 4096 >> (4 - level)) <= 2)
            before = found
        }
    }

    @Test func `several layers and kinds of geometry are in one tile`() throws {
        let mixed = Geometry.collection([
            Self.point(10, 10, level: 0), .lineString([Made.place(0, 0, level: 0), Made.place(50, 50, level: 0)]),
        ])
        let tile = try Made.tile(
            [
                try Made.layer([mixed], name: "a"), try Made.layer([Geometry](), name: "none"),
                try Made.layer([Self.point(9, 9, level: 0)], name: "b"),
            ], 0, 0, 0
        ).tile
        #expect(tile?.layers.map(\.name) == ["a", "b"])
        #expect(tile?["a"]?.geometry.types == [.points, .lines])
        #expect(tile?["a"]?["n"]?[1] == .uint(0))
    }

    @Test func `attributes are chosen, typed, and lists become JSON`() throws {
        var settings = FeatureTileSettings()
        settings.attributes = .except(["secret"])
        let properties: Properties = [
            "a": 1, "b": -2, "c": 0.5, "d": 0.1, "e": "x", "f": true, "g": nil, "h": [1, "two"], "secret": 7,
        ]
        let features = [
            Feature(id: "text", geometry: Self.point(1, 1, level: 0), properties: properties),
            Feature(geometry: Self.point(2, 2, level: 0), properties: ["a": "mixed"]),
        ]
        let layer = try Made.layer(features, settings)
        let found = try #require(try Made.tile([layer], 0, 0, 0, settings).tile?["layer"])
        let expected: [(String, VectorTileValue)] = [
            ("a", .uint(1)), ("b", .int(-2)), ("c", .float(0.5)), ("d", .double(0.1)), ("e", .string("x")),
            ("f", .bool(true)), ("h", .string(#"[1,"two"]"#)),
        ]
        #expect(found.columns.map(\.key) == expected.map(\.0))
        for (key, value) in expected { #expect(found[key]?[0] == value) }
        #expect(
            layer.attributes.fields.map(\.type) == [
                "Mixed", "Number", "Number", "Number", "String", "Boolean", "String",
            ])
        #expect(layer.attributes.lostIdentifierCount == 1)
        #expect(found.ids.isEmpty)
        settings.attributes = .only(["e"])
        #expect(FeatureTileAttributes(features, settings.attributes).fields.map(\.name) == ["e"])
        #expect(
            FeatureTileAttributes.fields(of: features).map { "\($0.name) \($0.type)" }
                == [
                    "a Mixed", "b Number", "c Number", "d Number", "e String", "f Boolean", "h String", "secret Number",
                ])
    }

    @Test func `impossible coordinates and features beyond the world are left out`() throws {
        let far = Coordinate(x: 1e300, y: -1e300)
        let shapes: [Geometry] = [
            .point(Coordinate(x: .nan, y: 0)), .point(far), .lineString([far, Coordinate(x: 0, y: .infinity)]),
            .polygon([[far, Coordinate(x: 0, y: 0), Coordinate(x: -1e300, y: 5), far]]), .empty(.polygon),
            .point(Made.place(-200, 5000, level: 0)),
        ]
        let layer = try Made.layer(shapes)
        for level in [0, 14] { #expect(try Made.tile([layer], level, 0, 0).counts.features == 0) }
    }
}
