import Portolan
import PortolanFeatures
import PortolanPlan
import PortolanServices
import PortolanTesting
import Testing

@Suite struct ServiceClientTileJSONTests {
    private static let document = """
        {"tilejson": "3.0.0", "name": "Roads", "tiles": ["t/{z}/{x}/{y}.png"], "bounds": [0, 0, 90, 60], "minzoom": 2,
         "maxzoom": 6, "attribution": "<b>us</b>"}
        """

    @Test func `bounds, levels and relative templates are read`() async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client(["/a/tiles.json": Self.document])
        let (layer, warnings) = try await client.tileJSONLayer(named: "t", url: "http://h/a/tiles.json?key=1")
        #expect(warnings == [] && layer.attribution == "us")
        #expect(layer.tiles?.grid.matrices.map(\.id) == ["2", "3", "4", "5", "6"])
        // Of four tiles about the origin one is within the bounds.
        #expect(try ServiceClientOGCTilesTests.urls(layer) == ["http://h/a/t/4/8/7.png?key=1"])
    }

    @Test(arguments: [
        (
            #"{"tilejson": "2.0.0", "tiles": ["http://h/{z}/{x}/{y}"], "scheme": "tms", "minzoom": "0"}"#,
            "http://h/4/8/8"
        ),
        (#"{"tilejson": "1.0.0", "tiles": ["//h/{z}/{x}/{y}"]}"#, "http://h/4/8/7"),
        (#"{"tiles": ["http://h/{quadkey}"], "bounds": [170, -60, -170, 60]}"#, "http://h/1222"),
        (#"{"tilejson": "3.0.0", "tiles": ["http://h/{z}/{x}/{y}"], "bounds": [1], "maxzoom": 99}"#, "http://h/4/8/7"),
    ])
    func `documents with common deviations are read`(document: String, url: String) async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client(["/t.json": document])
        let (layer, _) = try await client.tileJSONLayer(named: "t", url: "http://h/t.json")
        #expect(try ServiceClientOGCTilesTests.urls(layer).contains(url))
    }

    @Test(arguments: [
        (#"{"tilejson": "3.0.0", "tiles": ["t/{z}/{x}/{y}.pbf"], "maxzoom": 14}"#, "http://h/t/3/4/3.pbf"),
        (
            #"{"tilejson": "2.2.0", "tiles": ["http://h/{z}/{x}/{y}"], "scheme": "tms", "minzoom": 1, "maxzoom": 14, "vector_layers": [{"id": "a"}]}"#,
            "http://h/3/4/3"
        ),
    ])
    func `vector tiles have style levels, relative addresses and TMS or XYZ rows`(
        document: String, url: String
    ) async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client(["/t.json": document])
        let layer = try await client.tileJSONLayer(named: "t", url: "http://h/t.json").layer
        let tiles = try #require(layer.vectorTiles?.tiles)
        #expect(tiles.grid.matrices.first?.tileWidth == 512)
        #expect(tiles.grid.matrices.last?.id == "14")
        #expect(tiles.emptyStatuses == [404])
        let urls = try ServiceClientOGCTilesTests.urls(layer)
        #expect(urls.contains(url), "\(urls)")
    }

    @Test func `vector tile layers and attributes are read, and invalid ones are left out`() throws {
        let text = #"""
            {"tilejson": "3.0.0", "tiles": ["http://h/{z}/{x}/{y}"], "encoding": "mlt", "vector_layers": [
              {"id": "roads", "description": "ways", "minzoom": 4, "maxzoom": 14, "fields": {"class": "String", "lanes": "Number"}},
              {"description": "no name"}, 7, {"id": "water", "minzoom": "low", "fields": []}]}
            """#
        let members = try #require(JSONReader.value(bytes: Array(text.utf8)).objectValue)
        let document = try #require(TileJSONDocument(members))
        #expect(document.isVector)
        #expect(document.encoding == "mlt")
        #expect(document.vectorLayers.map(\.id) == ["roads", "water"])
        let roads = try #require(document.vectorLayers.first)
        #expect(roads.fields.map(\.name) == ["class", "lanes"])
        #expect(roads.fields.map(\.type) == ["String", "Number"])
        #expect(roads.minimumLevel == 4)
        #expect(roads.maximumLevel == 14)
        #expect(VectorLayerDescription.read(.array([roads.value])) == [roads])
    }

    @Test(arguments: [
        "http://h/arcgis/rest/services/Base/VectorTileServer",
        "http://h/arcgis/rest/services/Base/VectorTileServer/resources/styles/../../?f=pjson",
    ])
    func `an ArcGIS VectorTileServer has its stated levels`(url: String) async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client([
            "/arcgis/rest/services/Base/VectorTileServer": #"""
            {"currentVersion": 11.1, "name": "Base", "capabilities": "TilesOnly", "type": "indexedVector",
             "tiles": ["tile/{z}/{y}/{x}.pbf"], "minzoom": 0, "maxzoom": 15, "copyrightText": "us"}
            """#
        ])
        for layer in [
            try await client.tileJSONLayer(named: "t", url: url).layer,
            try await client.arcGISLayer(named: "t", url: url).layer,
        ] {
            let tiles = try #require(layer.vectorTiles?.tiles)
            #expect(tiles.grid.matrices.last?.id == "15")
            let urls = try ServiceClientOGCTilesTests.urls(layer)
            #expect(urls.contains("http://h/arcgis/rest/services/Base/VectorTileServer/tile/3/3/4.pbf"), "\(urls)")
        }
    }

    @Test(arguments: [
        #"{"tilejson": "3.0.0", "tiles": []}"#, #"{"tilejson": "3.0.0", "tiles": ["http://h/{z}/{x}/{what}"]}"#, "{}",
    ])
    func `a document without usable tiles is a typed error`(document: String) async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client(["/t.json": document])
        await #expect(throws: MapError.self) { try await client.tileJSONLayer(named: "t", url: "http://h/t.json") }
    }
}
