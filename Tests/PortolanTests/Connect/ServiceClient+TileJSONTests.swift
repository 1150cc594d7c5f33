import Portolan
import PortolanTesting
import Testing

@Suite struct ServiceClientTileJSONTests {
    private static let document = """
        {"tilejson": "3.0.0", "name": "Roads", "tiles": ["t/{z}/{x}/{y}.png"], "bounds": [0, 0, 90, 60], "minzoom": 2,
         "maxzoom": 6, "attribution": "<b>us</b>"}
        """

    @Test func `bounds and levels are kept, and a template may be relative`() async throws {
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
    func `documents as servers write them are read`(document: String, url: String) async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client(["/t.json": document])
        let (layer, _) = try await client.tileJSONLayer(named: "t", url: "http://h/t.json")
        #expect(try ServiceClientOGCTilesTests.urls(layer).contains(url))
    }

    @Test(arguments: [
        #"{"tilejson": "3.0.0", "tiles": ["http://h/{z}/{x}/{y}.pbf"], "vector_layers": []}"#,
        #"{"tilejson": "3.0.0", "tiles": []}"#, #"{"tilejson": "3.0.0", "tiles": ["http://h/{z}/{x}/{what}"]}"#, "{}",
    ])
    func `what cannot be drawn is a typed error`(document: String) async throws {
        let (client, _) = try ServiceClientOGCTilesTests.client(["/t.json": document])
        await #expect(throws: MapError.self) { try await client.tileJSONLayer(named: "t", url: "http://h/t.json") }
    }
}
