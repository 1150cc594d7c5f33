import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Layers that are whole styles: `style:FILE`.
@Suite struct StyleLayerTests {
    private static let roads = #"""
        {"type": "FeatureCollection", "attribution": "The town", "features": [
         {"type": "Feature", "properties": {"ref": "A", "rank": 1}, "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}},
         {"type": "Feature", "properties": {"ref": "B", "rank": 2}, "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 5]]}}]}
        """#

    private static func style(
        _ sources: String, _ layers: String = #"{"id": "l", "type": "line", "source": "r"}"#
    ) -> String {
        #"{"version": 8, "sources": {\#(sources)}, "layers": [\#(layers)]}"#
    }

    private static func transport() -> StubTransport {
        StubTransport { (request) throws(FetchError) in
            switch request.url {
            case "https://styles.example/city/style.json":
                HTTPResponse(
                    status: 200, body: Array(style(#""r": {"type": "geojson", "data": "data/roads.geojson"}"#).utf8),
                    url: request.url)
            case "https://styles.example/city/data/roads.geojson":
                HTTPResponse(status: 200, body: Array(roads.utf8), url: request.url)
            case "https://tiles.example/tiles.json":
                HTTPResponse(
                    status: 200,
                    body: Array(
                        #"{"tilejson": "3.0.0", "tiles": ["https://tiles.example/{z}/{x}/{y}.png"], "maxzoom": 9, "attribution": "<a href='x'>Tiles</a>"}"#
                            .utf8),
                    url: request.url)
            default: throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
            }
        }
    }

    private static func builder() -> LayerBuilder {
        var configuration = RendererConfiguration()
        configuration.retries = .none
        return LayerBuilder(client: ServiceClient(configuration: configuration, transport: transport()))
    }

    /// The layers of a style in a file, with `roads.geojson` beside it.
    private static func built(
        _ style: String, _ values: [String: String] = [:]
    ) async throws -> LayerBuilder.Built {
        let folder = FileManager.default.temporaryDirectory.appending(path: "style-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(style.utf8).write(to: folder.appending(path: "city.json"))
        try Data(roads.utf8).write(to: folder.appending(path: "roads.geojson"))
        let specification = try LayerSpecification(
            kind: .style, source: folder.appending(path: "city.json").path,
            values: values.mapValues { $0.replacing("FOLDER", with: folder.path) })
        return try #require(try await builder().build([specification]).first)
    }

    private static func ids(_ built: LayerBuilder.Built, _ source: String = "r") -> [String] {
        let features = built.layer?.style?.sources[source] as? FeatureSource
        return (features?.features ?? []).map { $0.id?.description ?? "-" }
    }

    @Test func `a source can be a file next to the style and gives the layer's attribution`() async throws {
        let built = try await Self.built(Self.style(#""r": {"type": "geojson", "data": "roads.geojson"}"#))
        #expect(Self.ids(built).count == 2 && built.warnings.isEmpty)
        #expect(built.name == "city" && built.layer?.attribution == "The town")
    }

    @Test func `a source can be inline data`() async throws {
        let built = try await Self.built(Self.style(#""r": {"type": "geojson", "data": \#(Self.roads)}"#))
        #expect(Self.ids(built).count == 2)
    }

    @Test func `relative sources of a remote style are resolved against its URL`() async throws {
        let built = try await Self.builder().build([
            LayerSpecification(kind: .style, source: "https://styles.example/city/style.json")
        ])
        #expect(Self.ids(try #require(built.first)).count == 2)
    }

    @Test(arguments: [
        (#""promoteId": "ref""#, ["A", "B"]), (#""generateId": true"#, ["0", "1"]),
        (#""promoteId": "ref", "filter": ["==", ["get", "rank"], 2]"#, ["B"]),
        (#""promoteId": "ref", "filter": ["==", "rank", 1]"#, ["A"]),
    ])
    func `a source can filter features and set their identifiers`(
        _ members: String, _ wanted: [String]
    ) async throws {
        let built = try await Self.built(
            Self.style(#""r": {"type": "geojson", "data": "roads.geojson", \#(members)}"#))
        #expect(Self.ids(built) == wanted)
    }

    @Test func `the index of a sprite is cached like its image`() async throws {
        let sheet = try StyleSheet(
            bytes: Array(
                #"""
                {"version": 8, "sprite": "https://maps.example/icons", "sources": {"r": {"type": "geojson"}},
                 "layers": [{"id": "l", "type": "symbol", "source": "r", "layout": {"icon-image": "park"}}]}
                """#.utf8))
        let place = Feature(geometry: .point(Coordinate(longitude: 0, latitude: 0)))
        let layer = MapLayer(
            name: "city", source: StyleSource(sheet, sources: ["r": FeatureSource(features: [place])]))
        let transport = StubTransport(bodies: [
            "https://maps.example/icons.json": Array(#"{"park": {"x": 0, "y": 0, "width": 8, "height": 8}}"#.utf8),
            "https://maps.example/icons.png": try World.png(MapColor(red: 200, green: 0, blue: 0), 8, 8),
        ])
        let renderer = MapRenderer(configuration: World.configuration(), transport: transport)
        var pictures: [PixelBuffer] = []
        for _ in 0..<3 { pictures.append(try await renderer.render([layer], in: World.view()).image) }
        #expect(pictures[0][64, 64] == Pixel(MapColor(red: 200, green: 0, blue: 0)))
        #expect(pictures[1] == pictures[0] && pictures[2] == pictures[0])
        #expect(
            transport.requests.map(\.url).sorted() == [
                "https://maps.example/icons.json", "https://maps.example/icons.png",
            ])
    }

    @Test func `points of a source are clustered by its settings`() async throws {
        let points = (0..<20).map {
            #"{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [\#(Double($0) / 1000), 0]}}"#
        }
        let data = #"{"type": "FeatureCollection", "features": [\#(points.joined(separator: ","))]}"#
        let built = try await Self.built(
            Self.style(
                #""r": {"type": "geojson", "cluster": true, "clusterRadius": 30, "clusterMaxZoom": 4, "clusterMinPoints": 3, "data": \#(data)}"#,
                #"{"id": "l", "type": "circle", "source": "r", "filter": ["has", "point_count"]}"#))
        let source = try #require(built.layer?.style?.sources["r"] as? PointSource)
        #expect(source.look == .clusters(radius: 30, maximumZoom: 4, minimumPointCount: 3))
        let map = try MapFacade(width: 64, height: 64)
        try map.add(try #require(built.layer))
        for (zoom, counts) in [(4.0, [20]), (10.0, [])] {
            try map.center(on: Coordinate(longitude: 0, latitude: 0), zoom: zoom)
            let nodes = MapPlanner(viewport: map.viewport).plan(map.layers).layers.flatMap(\.plan.nodes)
            let found = nodes.flatMap(\.featureSteps).flatMap(\.features)
            #expect(found.compactMap { $0.feature.properties["point_count"]?.integerValue } == counts)
        }
    }

    @Test(arguments: [
        (#""sum": ["+", ["get", "n"]]"#, "sum", PropertyValue.integer(190)),
        (#""most": ["max", ["get", "n"]]"#, "most", .integer(19)),
        (#""some": ["any", [">", ["get", "n"], 18]]"#, "some", .bool(true)),
        (#""odd": ["any", ["==", ["get", "n"], 0.5]]"#, "odd", .bool(false)),
        (
            #""far": [["+", ["accumulated"], ["get", "far"]], ["case", [">=", ["get", "n"], 10], 1, 0]]"#, "far",
            .integer(10)
        ),
    ])
    func `clusters have properties aggregated from their points`(
        _ property: String, _ name: String, _ wanted: PropertyValue
    ) async throws {
        let points = (0..<20).map {
            #"{"type": "Feature", "properties": {"n": \#($0)}, "geometry": {"type": "Point", "coordinates": [\#(Double($0) / 1000), 0]}}"#
        }
        let data = #"{"type": "FeatureCollection", "features": [\#(points.joined(separator: ","))]}"#
        let built = try await Self.built(
            Self.style(
                #""r": {"type": "geojson", "cluster": true, "clusterRadius": 20, "clusterMaxZoom": 14, "clusterProperties": {\#(property)}, "data": \#(data)}"#,
                #"{"id": "l", "type": "circle", "source": "r", "filter": ["has", "point_count"]}"#))
        #expect(built.warnings.isEmpty)
        let map = try MapFacade(width: 512, height: 64)
        try map.add(try #require(built.layer))
        // All in one cluster, gathered from level to level.
        try map.center(on: Coordinate(longitude: 0, latitude: 0), zoom: 4)
        let nodes = MapPlanner(viewport: map.viewport).plan(map.layers).layers.flatMap(\.plan.nodes)
        let found = nodes.flatMap(\.featureSteps).flatMap(\.features)
        #expect(found.map { $0.feature.properties["point_count"] } == [20])
        #expect(found.map { $0.feature.properties[name] } == [wanted])
    }

    @Test func `invalid cluster properties are reported`() async throws {
        let built = try await Self.built(
            Self.style(
                #""r": {"type": "geojson", "cluster": true, "clusterProperties": {"a": 1, "b": ["+", ["got"]], "c": ["+", ["get", "rank"]]}, "data": "roads.geojson"}"#
            ))
        #expect(
            built.warnings.count == 2
                && built.warnings.allSatisfy { $0.description.contains("sources.r.clusterProperties") })
        let source = built.layer?.style?.sources["r"] as? PointSource
        #expect(source?.clusterProperties.map(\.name) == ["c"])
    }

    @Test func `a source of the style can be replaced`() async throws {
        let style = Self.style(#""r": {"type": "video", "urls": ["https://tiles.example/none"]}"#)
        let without = try await Self.built(style)
        #expect(without.layer?.style?.sources.isEmpty == true)
        let plan = MapPlanner(viewport: try World.view()).plan([try #require(without.layer)])
        #expect(plan.warnings.contains { $0.isLoss && $0.message.contains("source 'r': sources of type 'video'") })
        let with = try await Self.built(style, ["sources.r": "FOLDER/roads.geojson"])
        #expect(Self.ids(with).count == 2)
    }

    @Test func `raster tiles come from a template or a TileJSON document`() async throws {
        let layer = #"{"id": "l", "type": "raster", "source": "r"}"#
        let template = try await Self.built(
            Self.style(
                #""r": {"type": "raster", "tiles": ["https://tiles.example/{z}/{x}/{y}.png"], "tileSize": 256}"#, layer)
        )
        let document = try await Self.built(
            Self.style(#""r": {"type": "raster", "url": "https://tiles.example/tiles.json", "minzoom": 2}"#, layer))
        let one = try #require(template.layer?.style?.sources["r"] as? TileSource)
        let other = try #require(document.layer?.style?.sources["r"] as? TileSource)
        #expect(one.grid.matrices.count == 23 && one.grid.matrices.first?.tileWidth == 256)
        #expect(other.grid.matrices.count == 8 && other.grid.matrices.first?.tileWidth == 512)
        #expect(document.layer?.attribution == "Tiles")
    }

    /// Of the four tiles about the origin one is within the bounds; those across the antimeridian bound north and south alone.
    @Test(
        arguments: [
            ("[0, 0, 90, 60]", ["4/8/7"]), ("[170, 0, -170, 60]", ["4/7/7", "4/8/7"]), ("[-180, -85, 180, 85]", nil),
            ("[0, 0]", nil), ("[10, 20, 10, 30]", nil), (#"["a", 0, 90, 60]"#, nil),
        ] as [(String, [String]?)])
    func `tiles outside the bounds of a source are not requested`(bounds: String, tiles: [String]?) async throws {
        let built = try await Self.built(
            Self.style(
                #""r": {"type": "raster", "tiles": ["https://t.example/{z}/{x}/{y}.png"], "tileSize": 256, "bounds": \#(bounds)}"#,
                #"{"id": "l", "type": "raster", "source": "r"}"#))
        let source = try #require(built.layer?.style?.sources["r"] as? TileSource)
        let plan = MapPlanner(viewport: try World.view()).plan([MapLayer(name: "t", source: source)])
        let asked = plan.resources.map(\.location.description).sorted()
        #expect(asked == (tiles ?? ["4/7/7", "4/7/8", "4/8/7", "4/8/8"]).map { "https://t.example/\($0).png" })
        let isOdd = ["[0, 0]", "[10, 20, 10, 30]", #"["a", 0, 90, 60]"#].contains(bounds)
        #expect(built.warnings.contains { $0.code == .oddValue } == isOdd)
    }

    @Test func `the rows of a TMS source are counted from the bottom`() async throws {
        for name in ["{y}", "{TileRow}"] {
            let built = try await Self.built(
                Self.style(
                    #""r": {"type": "raster", "scheme": "tms", "tiles": ["https://t.example/{z}/{x}/\#(name)"], "tileSize": 256}"#,
                    #"{"id": "l", "type": "raster", "source": "r"}"#))
            let source = try #require(built.layer?.style?.sources["r"] as? TileSource)
            let view = try World.view(width: 8, height: 8)
            let plan = MapPlanner(viewport: view).plan([MapLayer(name: "t", source: source)])
            #expect(plan.resources.map(\.location.description).contains("https://t.example/4/7/8"))
        }
    }

    private static func image(_ corners: String) -> String {
        style(
            #""r": {"type": "image", "url": "https://tiles.example/radar.png", "coordinates": \#(corners)}"#,
            #"{"id": "l", "type": "raster", "source": "r"}"#)
    }

    @Test func `an image source is drawn between its corners in each copy of the world`() async throws {
        let built = try await Self.built(Self.image("[[10, 20], [30, 20], [30, -20], [10, -20]]"))
        let source = try #require(built.layer?.style?.sources["r"] as? PictureSource)
        let meters = 20_037_508.342789244 / 180
        #expect(abs(source.extent.minX - 10 * meters) < 1e-3 && abs(source.extent.width - 20 * meters) < 1e-3)
        #expect(abs(source.extent.maxY + source.extent.minY) < 1e-3 && source.crs == .webMercator)
        let red = PixelBuffer(
            size: try #require(ImageSize(width: 4, height: 8)), filledWith: Pixel(.init(red: 255, green: 0, blue: 0)))
        let png = try PNGEncoder.encode(red)
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 200, body: png, url: request.url)
        }
        let map = try MapFacade(width: 768, height: 256, renderer: MapRenderer(transport: transport))
        try map.add(try #require(built.layer))
        try map.center(on: Coordinate(longitude: 0, latitude: 0), zoom: 0)
        let picture = try await map.refresh()
        #expect(picture.report.complete)
        // A world is 256 pixels wide; the picture begins 7 pixels right of its middle and is 14 wide.
        let columns = (0..<768).filter { picture.image[$0, 128].red > 200 && picture.image[$0, 128].green < 60 }
        #expect(columns.count { $0 < 256 } > 11 && columns.count { $0 >= 512 } > 11)
        #expect(columns.filter { (256..<512).contains($0) }.allSatisfy { (391...405).contains($0) })
    }

    @Test(
        arguments: [
            (image("[[10, 20], [30, 20], [30, -20]]"), [:], LayerError.Code.invalid),
            (image("[[10, 20], [30, 20], [30, \"x\"], [10, -20]]"), [:], .invalid),
            (style(#""r": {"type": "image"}"#), [:], .invalid),
            (style(#""r": {"type": "geojson", "data": "no.geojson"}"#), [:], LayerError.Code.missing),
            (style(#""r": {"type": "geojson"}"#), [:], .invalid),
            (style(#""r": {"type": "raster"}"#), [:], .invalid),
            (style(#""r": {"type": "geojson", "data": {"type": "Point"}}"#), [:], .unreadable),
            (#"{"version": 8, "layers": []}"#, [:], .invalid),
            (style(#""r": {"type": "geojson", "data": "roads.geojson"}"#), ["sources.x": "a.geojson"], .invalid),
            (style(#""r": {"type": "geojson", "data": "roads.geojson"}"#), ["style-layers": "none"], .invalid),
            (#"{"version": 7}"#, [:], .unreadable),
        ] as [(String, [String: String], LayerError.Code)])
    func `invalid styles and values are refused`(
        _ style: String, _ values: [String: String], _ code: LayerError.Code
    ) async throws {
        let error = await #expect(throws: MapError.self) { try await Self.built(style, values) }
        #expect(error?.layerError?.code == code)
    }

    @Test func `an unavailable source loses only its layers, and the report lists them`() async throws {
        let built = try await Self.built(
            Self.style(
                #""r": {"type": "geojson", "data": "roads.geojson"}, "x": {"type": "geojson", "data": "no.geojson"}"#,
                #"{"id": "l", "type": "line", "source": "r"}, {"id": "m", "type": "line", "source": "x", "minzoom": 10}"#
            ))
        #expect(Self.ids(built).count == 2 && Self.ids(built, "x").isEmpty)
        let map = try MapFacade(width: 64, height: 64)
        try map.add(try #require(built.layer))
        for (zoom, isComplete) in [(4.0, true), (12.0, false)] {
            try map.center(on: Coordinate(longitude: 2, latitude: 3), zoom: zoom)
            let report = try await map.refresh().report
            #expect(report.complete == isComplete)
            let failures = report.layers.flatMap(\.failed)
            #expect(failures.map(\.code) == (isComplete ? [] : [.notDrawn]))
            #expect(failures.allSatisfy { $0.error.contains("no.geojson") }, "\(failures)")
        }
    }

    @Test func `a remote style may not refer to local files`() async throws {
        let style = Self.style(#""r": {"type": "geojson", "data": "file:///etc/hosts"}"#)
        let transport = StubTransport { (request) throws(FetchError) in
            HTTPResponse(status: 200, body: Array(style.utf8), url: request.url)
        }
        let builder = LayerBuilder(client: ServiceClient(configuration: RendererConfiguration(), transport: transport))
        let words = try LayerSpecification(kind: .style, source: "https://styles.example/style.json")
        let error = await #expect(throws: MapError.self) { try await builder.build([words]) }
        guard case .refused? = error?.layerError?.cause else { throw try #require(error) }
    }

    @Test func `in a map document a style is a layer, or the style of a source`() throws {
        let document = try MapDocument(
            bytes: Array(
                #"{"layers": [{"style": "city.json", "sources.r": "b.geojson"}, {"source": "a.geojson", "style": "look.json"}]}"#
                    .utf8),
            path: "/maps/town.json")
        #expect(document.layers.map(\.kind) == [.style, .features])
        #expect(document.layers[0].source == "/maps/city.json" && document.layers[0]["sources.r"] == "/maps/b.geojson")
        #expect(document.layers[1]["style"] == "/maps/look.json")
    }

    @Test func `a whole style is added to a map at once`() async throws {
        let map = try MapFacade(width: 64, height: 64, renderer: MapRenderer(transport: Self.transport()))
        #expect(try await map.addStyle(from: "https://styles.example/city/style.json", named: "town").warnings.isEmpty)
        try map.fitFeatures()
        #expect(map.layers.map(\.name) == ["town"] && map.feature(id: "A") == nil)
        let picture = try await map.refresh()
        #expect(picture.report.complete && picture.image.pixels.contains { $0 != picture.image.pixels[0] })
    }
}
