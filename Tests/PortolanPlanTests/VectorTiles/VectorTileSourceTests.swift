import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanVectorTiles
import PortolanWeb
import TestHelpers
import Testing

@Suite struct VectorTileSourceTests {
    private static func source(
        _ levels: ClosedRange<Int> = 0...14, extent: Extent? = nil
    ) throws -> VectorTileSource {
        VectorTileSource(
            tiles: TileSource(
                grid: try #require(TileGrid.webMercator(levels: levels, tileSize: 512)),
                address: .xyz(try XYZTemplate("https://tiles.example.org/{z}/{x}/{y}.pbf", namedBy: .user)),
                extent: extent))
    }

    /// Plans a view with the tiles that a function gives by level, column and row.
    private static func plan(
        _ source: some LayerSource, _ view: Viewport, _ tile: ([Int]) -> [UInt8]?
    ) throws -> LayerPlan {
        var arrivals = Arrivals(), plan = try source.planned(view)
        for _ in 0..<3 {
            for resource in plan.resources {
                guard case .vectorTile(let reading) = resource.form else { continue }
                let name = resource.name.split(separator: "/").compactMap { Int($0) }
                guard let bytes = tile(name) else {
                    arrivals[resource.id] = .failure(
                        ResourceError(.status, status: 500, place: "", message: "it failed"))
                    continue
                }
                arrivals.note(
                    DecodedVectorTile(
                        try VectorTile(bytes, encoding: reading.encoding, selection: reading.selection), reading),
                    of: resource.id)
            }
            plan = try source.planned(view, given: arrivals)
        }
        return plan
    }

    private static func style(_ layers: String, _ source: VectorTileSource) throws -> StyleSource {
        StyleSource(
            try StyleSheet(
                bytes: Array(#"{"version": 8, "sources": {"t": {"type": "vector"}}, "layers": [\#(layers)]}"#.utf8)),
            sources: ["t": source])
    }

    /// The features that a plan draws, of each step.
    private static func features(_ plan: LayerPlan) -> [Feature] {
        plan.nodes.flatMap(\.featureSteps).flatMap(\.features).map(\.feature)
    }

    // MARK: - Tiles

    @Test(arguments: [(1.0, 0), (1.9, 0), (2, 1), (15, 14), (15.99, 14), (19, 14)])
    func `the tile level is the zoom of the style, one less than that of slippy maps`(
        _ zoom: Double, _ level: Int
    ) throws {
        let view = try View.slippy(24.94, 60.17, zoom: zoom, width: 100, height: 100)
        let levels = try Self.source().planned(view).resources.map { $0.name.split(separator: "/")[0] }
        #expect(Set(levels) == ["\(level)"])
    }

    @Test func `nothing is drawn before the first level, with a warning`() throws {
        let plan = try Self.source(5...14).planned(View.slippy(24.94, 60.17, zoom: 5.9))
        #expect(plan.resources.isEmpty)
        #expect(plan.warnings.map(\.code) == [.outOfScale])
    }

    @Test func `no tile outside the extent is requested`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 100_000, maxY: 100_000))
        let view = try View.make(x: 1_000_000, y: 0, resolution: 100, width: 100, height: 100)
        let plan = try Self.source(extent: extent).planned(view)
        #expect(plan.resources.isEmpty)
        #expect(plan.warnings.map(\.code) == [.blank])
    }

    @Test func `missing tiles are empty, and failed ones are replaced by coarser tiles`() throws {
        let view = try View.slippy(24.94, 60.17, zoom: 6, width: 100, height: 100)
        let plan = try Self.source().planned(view)
        #expect(plan.resources.allSatisfy { $0.emptyStatuses == [404] })
        let failed = try Self.plan(Self.source(), view) { $0[0] == 5 ? nil : [] }
        #expect(Set(failed.resources.filter { $0.use == .standIn }.map { $0.name.prefix(2) }) == ["4/"])
    }

    @Test func `a view over the antimeridian needs each tile once, for every copy of the world`() throws {
        let view = try View.make(x: 20_037_508.342789244, resolution: 10_000, width: 400, height: 100)
        let point = SampleTiles([("l", [.init(.points, [[(100, 4000)], [(4000, 4000)]])])])
        let layer = #"{"id": "a", "type": "circle", "source": "t", "source-layer": "l"}"#
        let plan = try Self.plan(Self.style(layer, Self.source()), view) { name in
            name[2] == 1 || name[0] == 0 ? point.tile(column: 0, row: 0) : []
        }
        #expect(Set(plan.resources.map(\.id)).count == plan.resources.count)
        let places = Self.features(plan).compactMap(\.geometry).flatMap(\.coordinates).map(\.x)
        #expect(places.contains { $0 > 20_037_508 })
        #expect(places.contains { $0 < 20_037_508 })
        #expect(plan.nodes.flatMap(\.featureSteps).allSatisfy { $0.worldShifts == [0] })
    }

    // MARK: - Decoding

    @Test func `layers and attributes that the style does not use are not decoded`() throws {
        let layers = """
            {"id": "a", "type": "fill", "source": "t", "source-layer": "water", "filter": ["==", "class", "sea"],
             "paint": {"fill-color": ["match", ["get", "kind"], "x", "#f00", "#00f"]}},
            {"id": "b", "type": "symbol", "source": "t", "source-layer": "place", "minzoom": 12,
             "layout": {"text-field": "{name:es}"}},
            {"id": "c", "type": "symbol", "source": "t", "source-layer": "poi", "maxzoom": 5,
             "layout": {"text-field": "{name}"}},
            {"id": "d", "type": "line", "source": "t", "source-layer": "road",
             "paint": {"line-width": ["get", ["get", "key"]]}}
            """
        let plan = try Self.style(layers, Self.source()).planned(View.slippy(24.94, 60.17, zoom: 9))
        let readings = plan.resources.compactMap { resource in
            if case .vectorTile(let reading) = resource.form { reading.selection } else { nil }
        }
        #expect(Set(readings) == [.layers(["water": ["class", "kind", "name"], "road": nil])])
    }

    // MARK: - Features

    private static let view = Result { try View.make(resolution: 30_000, width: 1200, height: 1200) }

    private static func drawn(
        _ type: String, _ tiles: SampleTiles, filter: String = "true", source: VectorTileSource? = nil
    ) throws -> [Feature] {
        let layer = #"{"id": "a", "type": "\#(type)", "source": "t", "source-layer": "l", "filter": \#(filter)}"#
        let source = try source ?? Self.source(1...1)
        return features(try plan(style(layer, source), view.get()) { tiles.tile(column: $0[1], row: $0[2]) })
    }

    @Test func `points in the buffer belong to the neighbouring tile`() throws {
        var tiles = SampleTiles([("l", [.init(id: 1, .points, [[(4095, 10), (4096, 10), (4097, 4096)]])])])
        tiles.buffer = 1000
        let places = try Self.drawn("circle", tiles).compactMap(\.geometry).flatMap(\.coordinates)
        #expect(places.count == 3)
        #expect(Set(places).count == 3)
    }

    @Test func `a feature over several tiles is joined by its identifier or its attributes`() throws {
        let line = SampleTiles.Feature(id: 5, .lines, [[(3000, 3000), (5000, 5000), (6000, 3000)]], [("class", "x")])
        let area = SampleTiles.Feature(
            id: 6, .polygons, [[(3000, 3000), (6000, 3000), (6000, 6000), (3000, 6000)]], [("class", "x")])
        for statesIDs in [true, false] {
            var tiles = SampleTiles([("l", [line, area])], buffer: 128)
            tiles.statesIDs = statesIDs
            let lines = try Self.drawn("line", tiles)
            #expect(lines.map(\.geometry?.kind) == [.multiLineString, .multiPolygon])
            #expect(lines.map(\.id) == (statesIDs ? [5, 6] : [nil, nil]))
            #expect(lines[0].geometry?.parts.count == 1)
            // The corner in the middle of four tiles is not part of the border.
            #expect(lines[1].geometry?.coordinates.count == 9)
        }
    }

    @Test func `features that only meet at a border stay separate`() throws {
        let features = [
            SampleTiles.Feature(.lines, [[(3000, 3000), (4096, 3500)]], [("class", "x")]),
            SampleTiles.Feature(.lines, [[(4096, 3500), (5000, 3000)]], [("class", "y")]),
            SampleTiles.Feature(.lines, [[(4096, 2500), (5000, 2000)]], [("class", "x")]),
        ]
        var tiles = SampleTiles([("l", features)], buffer: 128)
        #expect(try Self.drawn("line", tiles, filter: #"["has", "class"]"#).count == 3)
        // Equal identifiers in one tile tell nothing.
        tiles.layers[0].features = (0..<4).map { number in
            .init(id: 1, .lines, [[(4000 + number * 10, 1000 + number * 300), (4200, 1000 + number * 300)]])
        }
        #expect(try Self.drawn("line", tiles).count == 4)
    }

    @Test func `an attribute may serve as the identifier`() throws {
        let tiles = SampleTiles([("l", [.init(id: 9, .points, [[(5, 5)]], [("code", "FI-1")])])])
        var source = try Self.source(1...1)
        source.promotedIDs = VectorTileSource.PromotedIDs(byLayer: ["l": "code"])
        #expect(try Self.drawn("circle", tiles, source: source).map(\.id) == ["FI-1"])
    }

    @Test func `attributes have their types, and identifiers 64 bits`() throws {
        func value(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
            TileBytes.field(4, TileBytes.varint(number << 3) + bytes)
        }
        let values = [
            value(4, TileBytes.varint(7)), value(6, TileBytes.varint(13)), value(5, TileBytes.varint(1 << 60)),
            TileBytes.field(4, TileBytes.varint(2 << 3 | 5) + [0, 0, 0x20, 0x40]),
            TileBytes.field(4, TileBytes.varint(3 << 3 | 1) + [0, 0, 0, 0, 0, 0, 4, 0x40]),
            value(7, [1]), TileBytes.field(4, TileBytes.field(1, "7")),
        ]
        let keys = ["int", "sint", "uint", "float", "double", "bool", "text"]
        let feature = TileBytes.feature(
            id: 1 << 60, type: 1, tags: keys.indices.flatMap { [$0, $0] }, [9, 200, 200])
        let layer = TileBytes.field(
            3,
            TileBytes.field(15, 2) + TileBytes.field(1, "l") + feature + keys.flatMap { TileBytes.field(3, $0) }
                + values.flatMap { $0 })
        let tests: [(String, Bool)] = [
            (#"["==", "int", 7]"#, true), (#"["==", "sint", -7]"#, true),
            (#"["==", "uint", 1152921504606846976]"#, true),
            (#"["==", "float", 2.5]"#, true), (#"["==", "double", 2.5]"#, true), (#"["==", "bool", true]"#, true),
            (#"["==", "text", 7]"#, false), (#"["in", "text", "7", "8"]"#, true), (#"[">", "text", 1]"#, false),
            (#"["==", ["typeof", ["get", "sint"]], "number"]"#, true), (#"["has", "none"]"#, false),
            (#"["==", "$id", 1152921504606846976]"#, true), (#"["==", ["id"], 1152921504606846976]"#, true),
        ]
        for (filter, passes) in tests {
            let style = """
                {"id": "a", "type": "circle", "source": "t", "source-layer": "l", "filter": \(filter)}
                """
            let plan = try Self.plan(Self.style(style, Self.source(1...1)), Self.view.get()) { name in
                name[1] == 0 && name[2] == 0 ? layer : []
            }
            #expect(Self.features(plan).count == (passes ? 1 : 0), "\(filter)")
        }
    }

    @Test func `sort keys apply across all tiles`() throws {
        let features = (0..<6).map { number in
            SampleTiles.Feature(
                id: number, .points, [[(3000 + number * 400, 5000 - number * 350)]], [("rank", "\(5 - number)")])
        }
        let layer = #"""
            {"id": "a", "type": "circle", "source": "t", "source-layer": "l",
             "layout": {"circle-sort-key": ["to-number", ["get", "rank"]]}}
            """#
        let tiles = SampleTiles([("l", features)])
        let plan = try Self.plan(Self.style(layer, Self.source(1...1)), Self.view.get()) {
            tiles.tile(column: $0[1], row: $0[2])
        }
        #expect(Self.features(plan).map(\.id) == [5, 4, 3, 2, 1, 0])
    }

    @Test func `without a style, all or the named layers are drawn in the style of the map layer`() throws {
        let tiles = SampleTiles([
            ("roads", [.init(.lines, [[(100, 100), (300, 300)]])]), ("places", [.init(.points, [[(5, 5)]])]),
        ])
        var source = try Self.source(1...1)
        source.style.strokeWidth = 3
        var plan = try Self.plan(source, Self.view.get()) { tiles.tile(column: $0[1], row: $0[2]) }
        #expect(Self.features(plan).count == 2)
        source.layers = ["places"]
        plan = try Self.plan(source, Self.view.get()) { tiles.tile(column: $0[1], row: $0[2]) }
        #expect(Self.features(plan).map(\.geometry?.kind) == [.point])
    }

    @Test func `hostile coordinates and false extents are harmless`() throws {
        for extent in [1, 4096, Int(UInt32.max)] {
            let layer = TileBytes.layer(
                "l", extent: extent,
                [
                    TileBytes.feature(
                        type: 3, TileBytes.rings([[(-(1 << 31), -(1 << 31)), ((1 << 31) - 1, 0), (0, (1 << 31) - 1)]])),
                    TileBytes.feature(type: 2, [9, 4_294_967_295, 4_294_967_294, 10, 4_294_967_294, 4_294_967_295]),
                ])
            for type in ["fill", "line", "symbol", "circle"] {
                let style = #"{"id": "a", "type": "\#(type)", "source": "t", "source-layer": "l"}"#
                _ = try Self.plan(Self.style(style, Self.source(1...1)), Self.view.get()) { _ in layer }
            }
        }
    }
}
