import Portolan
import PortolanRaster
import Testing

@Suite struct MapDocumentTests {
    private func document(_ text: String) throws(MapError) -> MapDocument {
        try MapDocument(bytes: Array(text.utf8), path: "/maps/map.json")
    }

    @Test func `the documented example is read`() throws {
        let read = try document(
            """
            {"size":[1024,768],"crs":"EPSG:3857","center":[-0.88,41.65],"zoom":15,
             "layers":[{"wms":"http://a/","layers":"a,b"},{"source":"route.geojson","stroke":"#f00"}]}
            """)
        #expect(read.view.size.map { "\($0)" } == "1024x768")
        #expect(read.view.crs == .webMercator)
        #expect(read.view.center == Coordinate(longitude: -0.88, latitude: 41.65))
        #expect(read.view.zoom == 15)
        #expect(read.layers.map(\.kind) == [.wms, .features])
        #expect(read.layers.map(\.source) == ["http://a/", "/maps/route.geojson"])
        #expect(read.layers[0].list("layers") == ["a", "b"])
        #expect(read.layers[1]["stroke"] == "#f00")
    }

    @Test(arguments: [
        (#"{"title":7}"#, "'title' in 'furniture' must be a text"),
        (#"{"legend":"yes"}"#, "true, false or one of top-left"),
        (#"{"profile":"hike"}"#, "true, false or an object with layer and slopes"),
        (#"{"profile":{"slope":true}}"#, "an object with layer and slopes"),
        (#"{"theme":"blue"}"#, "auto, light or dark"), (#"{"graticule":120}"#, "degrees up to 90"),
        (#"{"legends":true}"#, "unknown key 'legends' in 'furniture'"), ("[]", "'furniture' must be an object"),
    ])
    func `invalid furniture is an error that states the valid values`(furniture: String, words: String) {
        let error = #expect(throws: MapError.self) { try document(#"{"furniture":\#(furniture)}"#) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test func `a map uses the furniture of its document`() async throws {
        let map = try MapFacadeTests.facade(300, 200)
        let read = try document(
            #"""
            {"center":[25,60],"zoom":9,"furniture":{"title":"Trails","theme":"dark","scale-bar":true,"attribution":"none",
             "background":"#102030","sphere":"#cfe3ee","graticule":"auto"}}
            """#)
        _ = try await map.open(read)
        #expect(map.options.title == "Trails" && map.options.theme == .dark && map.options.showsScaleBar)
        #expect(map.options.attribution == RenderOptions.Attribution.none && map.options.graticule == .automatic)
        #expect(map.options.background == MapColor(css: "#102030") && !map.options.showsLegend)
        #expect(map.options.sphere == MapColor(css: "#cfe3ee"))
    }

    @Test(
        arguments: [
            ("../a.geojson", "/a.geojson"), ("/x/a.geojson", "/x/a.geojson"), ("http://h/a", "http://h/a"), ("-", "-"),
            ("data:,{}", "data:,{}"),
        ])
    func `relative paths are resolved against the document`(written: String, source: String) throws {
        let read = try document(#"{"layers":[{"source":"\#(written)"}]}"#)
        #expect(read.layers.map(\.source) == [source])
    }

    @Test func `style paths are relative to the document, but names of built-in styles are not`() throws {
        let read = try document(
            """
            {"layers":[{"style":"portolan-light","sources.openmaptiles":"tiles/a.mbtiles"},
             {"source":"a.geojson","style":"portolan-dark"},{"vector":"b.pmtiles","style":"b.json"},
             {"wms":"http://h/wms","layers":"a","styles":"day"}]}
            """)
        #expect(
            read.layers.map(\.description) == [
                "style:portolan-light;sources.openmaptiles=/maps/tiles/a.mbtiles",
                "/maps/a.geojson;style=portolan-dark", "vector:/maps/b.pmtiles;style=/maps/b.json",
                "wms:http://h/wms;layers=a;styles=day",
            ])
    }

    @Test func `numbers, flags and lists have the values of the command line`() throws {
        let read = try document(
            #"{"layers":[{"wms":"http://a/","layers":["a","b"],"opacity":0.5,"transparent":false}]}"#)
        #expect(read.layers[0]["layers"] == "a,b")
        #expect(try read.layers[0].number("opacity") == 0.5)
        #expect(try read.layers[0].flag("transparent") == false)
    }

    @Test func `a document can contain only a view`() throws {
        let read = try document("\u{FEFF}{\"fit\": true, \"padding\": 5}")
        #expect(read.layers.isEmpty)
        #expect(read.view.isFitting && read.view.padding == 5)
    }

    @Test(
        arguments: [
            ("", "empty"), (" \n", "empty"), ("[]", "not a JSON object"), ("{", "line 1"), ("{\n\"a\":\n?}", "line 3"),
            ("{} x", "line 1"), (#"{},"id":1"#, "after the end"), (#"{"layers":{}}"#, "must be a list"),
            (#"{"layers":[1]}"#, "layer 1 must be an object"), (#"{"layers":[{}]}"#, "layer 1 has no source"),
            (#"{"layers":[{"source":"a","xyz":"b"}]}"#, "more than one source"),
            (#"{"layers":[{"source":""}]}"#, "has no source"), (#"{"layers":[{"source":null}]}"#, "'source'"),
            (#"{"layers":[{"source":"a","strok":"b"}]}"#, "unknown key 'strok'"),
            (#"{"leyers":[]}"#, "unknown key 'leyers'"), (#"{"title":"a"}"#, "write it in 'furniture'"),
            (#"{"zoom":"far"}"#, "'zoom' must be a number"), (#"{"zoom":1e999}"#, "too large"),
            (#"{"crs":{}}"#, "'crs'"), (#"{"crs":"EPSG:1"}"#, "crs: unknown CRS"), (#"{"size":[0,1]}"#, "size 0x1"),
            (#"{"size":12}"#, "size 12"), (#"{"bbox":[1,2,3]}"#, "bbox 1,2,3"),
            (#"{"center":[1,200],"zoom":3}"#, "center 1,200"), (#"{"size":[1,1],"size":[2,2]}"#, "duplicate name"),
        ])
    func `an invalid document is an error with file and cause`(text: String, words: String) {
        do {
            _ = try document(text)
            Issue.record("the document was taken")
        } catch {
            #expect(error.place?.file == "/maps/map.json")
            #expect("\(error)".hasPrefix("/maps/map.json"))
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    @Test func `documents that are too deep or too large are refused`() {
        let deep = #"{"layers":"# + String(repeating: "[", count: 100_000)
        #expect(throws: MapError.self) { try document(deep) }
        let large = [UInt8](repeating: 0x20, count: 20 << 20)
        #expect(throws: MapError.self) { try MapDocument(bytes: large, path: "a.json") }
    }

    @Test func `a tile archive path is resolved against the document`() throws {
        let layer = try #require(document(#"{"layers":[{"mbtiles":"a.mbtiles"}]}"#).layers.first)
        #expect(layer.kind == .mbtiles && layer.source == "/maps/a.mbtiles")
        let other = try #require(document(#"{"layers":[{"gpkg":"t/a.gpkg","layers":"x"}]}"#).layers.first)
        #expect(other.kind == .geoPackage && other.source == "/maps/t/a.gpkg" && other["layers"] == "x")
    }
}
