import Foundation
import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

/// The paths of tileserver-gl.
@Suite struct StylesEndpointTests {
    private static let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
    private static let blue = Pixel(MapColor(red: 0, green: 0, blue: 255))

    /// A server of the map `square`, and of the style `town` whose sources, sprite and glyphs are files.
    private func sample(
        _ sources: String = #""square": {"type": "geojson", "data": "square.geojson"}"#, more: String = ""
    ) async throws -> SampleServer {
        let sample = try await SampleServer(), folder = sample.folder
        let style = """
            {"version": 8, "name": "Town", "metadata": {"a": 1}, "sources": {\(sources)}, \(more) "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
            {"id": "square", "type": "fill", "source": "square", "paint": {"fill-color": "#ff0000"}}]}
            """
        try folder.write(Array(style.utf8), to: "town.json")
        for name in ["city-sprite.json", "city-sprite@2x.png"] {
            try folder.write(try SampleServer.fixtureBytes("helsinki/\(name)"), to: name)
        }
        try folder.write([8, 0], to: "Sans 0-255.pbf")
        let town = MapSource(name: "town", layers: ["style:\(folder.path)/town.json"])
        let square = MapSource(name: "square", layers: ["\(folder.path)/square.geojson"])
        sample.server.replace(try await MapBook.open([town, square], configuration: RendererConfiguration()))
        return sample
    }

    private static func json(_ response: ServerResponse) throws -> PropertyValue {
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try JSONReader.value(bytes: response.body)
    }

    @Test(arguments: [
        ("/styles/square/1/0/0.png", 256, 255), ("/styles/square/256/1/0/0.png", 256, 255),
        ("/styles/square/1/0/0@2x.png", 512, 511), ("/styles/square/512/1/0/0.png", 512, 511),
        ("/styles/square/512/1/0/0@2x.png", 1024, 1023), ("/styles/square/1/0/0@3x.png", 768, 767),
    ])
    func `a tile has the size of its path and of its ratio`(target: String, side: Int, corner: Int) async throws {
        let pixels = try await sample().pixels(target)
        #expect(pixels.width == side)
        #expect(pixels.height == side)
        #expect(pixels[corner, corner] == Self.red)
        #expect(pixels[side / 2, 8] == .clear)
    }

    @Test(arguments: ["jpg", "jpeg", "png"])
    func `a tile has the format of its path`(format: String) async throws {
        let response = try await sample().get("/styles/square/0/0/0.\(format)")
        #expect(response.status == 200)
        #expect(response[header: "Content-Type"] == (format == "png" ? "image/png" : "image/jpeg"))
    }

    @Test(arguments: [
        ("/styles/square.json", "/styles/square/{z}/{x}/{y}.png"),
        ("/styles/256/square.json", "/styles/square/256/{z}/{x}/{y}.png"),
        ("/styles/512/square.json", "/styles/square/512/{z}/{x}/{y}.png"),
    ])
    func `the TileJSON of drawn tiles has the size of its path`(target: String, tiles: String) async throws {
        let document = try Self.json(try await sample().get(target, [("Host", "h")])).objectValue
        #expect(document?["tilejson"] == "3.0.0")
        #expect(document?["tiles"] == [.string("http://h" + tiles)])
    }

    @Test func `the lists name the styles and the tiles`() async throws {
        let sample = try await sample()
        let styles = try Self.json(await sample.get("/styles.json", [("Host", "h")])).arrayValue
        #expect(styles?.compactMap { $0.objectValue?["id"]?.stringValue } == ["town", "square"])
        #expect(styles?.first?.objectValue?["url"] == "http://h/styles/town/style.json")
        for target in ["/index.json", "/rendered.json", "/512/index.json", "/256/rendered.json"] {
            let list = try Self.json(await sample.get(target, [("Host", "h")])).arrayValue
            let size = target.split(separator: "/").first.map { $0.contains(".") ? "" : "/\($0)" } ?? ""
            let tiles: PropertyValue = [.string("http://h/styles/square\(size)/{z}/{x}/{y}.png")]
            #expect(list?.contains { $0.objectValue?["tiles"] == tiles } ?? false, "\(target)")
        }
        let data = try Self.json(await sample.get("/data.json")).arrayValue
        #expect(data?.compactMap { $0.objectValue?["id"]?.stringValue } == ["square"])
    }

    @Test func `a style has addresses of this server, and they respond`() async throws {
        let sample = try await sample(more: #""sprite": "city-sprite", "glyphs": "{fontstack} {range}.pbf","#)
        let style = try #require(
            try Self.json(await sample.get("/styles/town/style.json", [("Host", "h")])).objectValue)
        #expect(style["version"] == 8)
        #expect(style["metadata"] == ["a": 1])
        #expect(style["layers"]?.arrayValue?.count == 2)
        #expect(style["sprite"] == "http://h/styles/town/sprite")
        #expect(style["glyphs"] == "http://h/fonts/{fontstack}/{range}.pbf")
        let source = style["sources"]?.objectValue?["square"]?.objectValue
        #expect(source?["data"] == "http://h/styles/town/sources/square.geojson")
        let features = await sample.get("/styles/town/sources/square.geojson")
        #expect(features[header: "Content-Type"] == "application/geo+json")
        #expect(try GeoJSONReader.read(features.body).features.count == 1)
        let tag = try #require(features[header: "ETag"])
        let again = await sample.get("/styles/town/sources/square.geojson", [("If-None-Match", tag)])
        #expect(again.status == 304)
        let index = await sample.get("/styles/town/sprite.json")
        #expect(index.body == (try SampleServer.fixtureBytes("helsinki/city-sprite.json")))
        let image = await sample.get("/styles/town/sprite@2x.png")
        #expect(image[header: "Content-Type"] == "image/png")
        #expect(image.body == (try SampleServer.fixtureBytes("helsinki/city-sprite@2x.png")))
        for stack in ["Sans", "Other,Sans"] {
            let glyphs = await sample.get("/fonts/\(stack)/0-255.pbf")
            #expect(glyphs.status == 200)
            #expect(glyphs.body == [8, 0])
        }
    }

    @Test func `sprites in a list have their names in the path`() async throws {
        let sprites = #""sprite": [{"id": "city", "url": "city-sprite"}, {"id": "far", "url": "https://e.example/s"}],"#
        let sample = try await sample(more: sprites)
        let style = try Self.json(await sample.get("/styles/town/style.json", [("Host", "h")])).objectValue
        let expected: PropertyValue = [
            ["id": "city", "url": "http://h/styles/town/sprite/city"], ["id": "far", "url": "https://e.example/s"],
        ]
        #expect(style?["sprite"] == expected)
        #expect(await sample.get("/styles/town/sprite/city@2x.png").status == 200)
        #expect(await sample.get("/styles/town/sprite/far.json").status == 404)
    }

    @Test func `a map without a style is a style of its tiles`() async throws {
        let style = try Self.json(try await sample().get("/styles/square/style.json", [("Host", "h")])).objectValue
        let source = style?["sources"]?.objectValue?["tiles"]?.objectValue
        #expect(source?["type"] == "raster")
        #expect(source?["url"] == "http://h/styles/square.json")
    }

    @Test(arguments: ["https://t.example/{z}/{x}/{y}.png?key=SECRET", "tiles/{z}/{x}/{y}.png"])
    func `a style with a local address or a key is replaced by one of tiles, with a warning`(tiles: String) async throws
    {
        let sources = """
            "square": {"type": "geojson", "data": "square.geojson"}, "far": {"type": "raster", "tiles": ["\(tiles)"]}
            """
        let response = try await sample(sources).get("/styles/town/style.json", [("Host", "h")])
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(response.status == 200)
        #expect(!text.contains("SECRET"))
        #expect(text.contains("http://h/styles/town.json"))
        #expect(response[header: "Portolan-Warning"]?.contains("source 'far'") == true)
    }

    @Test func `the addresses of other servers stay as they are`() async throws {
        let far = #"{"type":"raster","tiles":["https://t.example/{z}/{x}/{y}.png"]}"#
        let sources = #""square": {"type": "geojson", "data": "square.geojson"}, "far": "# + far
        let style = try Self.json(
            try await sample(sources, more: #""glyphs": "https://g.example/{fontstack}/{range}.pbf","#).get(
                "/styles/town/style.json")
        ).objectValue
        #expect(style?["glyphs"] == "https://g.example/{fontstack}/{range}.pbf")
        #expect(style?["sources"]?.objectValue?["far"] == (try JSONReader.value(bytes: Array(far.utf8))))
    }

    #if Storage
    @Test func `an archive that a style draws is at the address of its tiles`() async throws {
        let sources = """
            "square": {"type": "geojson", "data": "square.geojson"},
            "city": {"type": "vector", "url": "mbtiles://\(SampleServer.fixtures)/vector-tiles/helsinki.mbtiles"}
            """
        let sample = try await sample(sources)
        let layer = #""layers": [{"id": "water", "type": "fill", "source": "city", "source-layer": "water"},"#
        let path = sample.folder.path + "/town.json"
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing(#""layers": ["#, with: layer)
        try sample.folder.write(Array(text.utf8), to: "town.json")
        let source = MapSource(name: "town", layers: ["style:\(path)"])
        sample.server.replace(try await MapBook.open([source], configuration: RendererConfiguration()))
        let style = try Self.json(await sample.get("/styles/town/style.json", [("Host", "h")])).objectValue
        let expected: PropertyValue = ["type": "vector", "url": "http://h/data/town.json"]
        #expect(style?["sources"]?.objectValue?["city"] == expected)
        #expect(await sample.get("/data/town:city/8/145/74.pbf").status == 200)
        let list = try Self.json(await sample.get("/index.json", [("Host", "h")])).arrayValue
        #expect(list?.last?.objectValue?["tiles"] == ["http://h/data/town/{z}/{x}/{y}.pbf"])
    }
    #endif

    @Test func `the capabilities of a map name it alone`() async throws {
        let response = try await sample().get("/styles/town/wmts.xml")
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(response[header: "Content-Type"] == "application/xml")
        #expect(text.contains("<ows:Identifier>town</ows:Identifier>"))
        #expect(!text.contains("<ows:Identifier>square</ows:Identifier>"))
    }

    // MARK: - Static maps

    @Test(arguments: [
        "0,0,3/200x100.png", "0,0,3@0/200x100.png", "0,0,3@0,0/200x100.png", "raw/0,0,3/200x100.png",
    ])
    func `a centre, also in web mercator`(path: String) async throws {
        let pixels = try await sample().pixels("/styles/square/static/\(path)")
        #expect(pixels.width == 200)
        #expect(pixels[100, 50] == Self.red)
        #expect(pixels[73, 50] == Self.red)
        #expect(pixels[70, 50] == Pixel(.white))
    }

    @Test(arguments: [
        "-20,-10,20,10/200x100@2x.png?padding=0",
        "raw/-2226389.8,-1113194.9,2226389.8,1113194.9/200x100@2x.png?padding=0",
        "auto/200x100@2x.png?padding=0&path=stroke:none%7Cfill:none%7C-20,0%7C20,0",
        "raw/auto/200x100@2x.png?padding=0&path=stroke:none%7C-2226389.8,0%7C2226389.8,0",
    ])
    func `a box and a path are fitted, also in web mercator`(path: String) async throws {
        let pixels = try await sample().pixels("/styles/square/static/\(path)")
        #expect(pixels.width == 400)
        #expect(pixels[200, 100] == Self.red)
        // Five of twenty degrees.
        #expect(pixels[246, 100] == Self.red)
        #expect(pixels[254, 100] == Pixel(.white))
    }

    @Test func `a box over the antimeridian is the part between its west and its east`() async throws {
        let sample = try await sample()
        let one = try await sample.pixels("/styles/square/static/170,-10,-170,10/60x60.png")
        let other = try await sample.pixels("/styles/square/static/170,-10,190,10/60x60.png")
        #expect(one == other)
        #expect(await sample.get("/styles/square/static/10,-10,-20,10/60x60.png").status == 200)
    }

    @Test func `an offset moves a marker on the screen, right and down, however the map is turned`() async throws {
        let sample = try await sample(), start = "/styles/square/static/30,0,3"
        let blue = "marker=30,0%7Csquare-00f%7Cscale:2"
        for turned in ["", "@90"] {
            let plain = try await sample.pixels("\(start)\(turned)/200x100.png?\(blue)")
            let moved = try await sample.pixels("\(start)\(turned)/200x100.png?\(blue)%7Coffset:20,-10")
            #expect(plain[100, 50] == Self.blue)
            // The offset is scaled as well.
            #expect(moved[140, 30] == Self.blue)
            #expect(moved[100, 50] == Pixel(.white))
        }
    }

    @Test(arguments: [
        ("0,0,3@0,45/20x10.png", 400, "place"), ("0,0,3/20x10.tif", 400, "format"), ("0,0,3/20.png", 400, "size"),
        ("raw/1e9,0,3/20x10.png", 400, "place"), ("raw/auto/20x10.png?path=1e9,1%7C2,2", 400, "path"),
        ("0,0,3/20x10.png?marker=0,0%7Cmarker-icon.png", 400, "marker"),
        ("0,0,3/20x10.png?marker=0,0%7Cpin%7Coffset:1e9,0", 400, "marker"),
    ])
    func `an invalid static map is refused with its key`(path: String, status: Int, key: String) async throws {
        let response = try await sample().get("/styles/square/static/\(path)")
        #expect(response.status == status)
        #expect(try JSONReader.value(bytes: response.body).objectValue?["key"]?.stringValue == key)
    }

    @Test(arguments: [
        ("/styles/square/static/0,0,3/20x10.png?padding=0.1&width=3&foo=1", "no effect: padding, width, foo"),
        ("/styles/square/static/auto/20x10.png?path=1,2%7C3,4&width=3&padding=0.1&maxzoom=4", nil),
        (
            "/styles/v1/me/square/static/0,0,2/20x10?attribution=false&logo=false&access_token=t&padding=3",
            "no effect: attribution, padding"
        ),
        ("/staticmap?map=square&center=0,0&zoom=3&size=20x10&language=fi&maptype=roadmap", "no effect: language"),
        ("/staticmap?map=square&size=20x10&markers=anchor:top%7C0,0", "no effect: anchor of markers without an icon"),
        (
            "/styles/v1/me/square/static/0,0,2/20x10?before_layer=square&logo=true", "no effect: logo, before_layer"
        ),
        ("/styles/v1/me/square/tiles/256/0/0/0?access_token=t&foo=1", "no effect: foo"),
        ("/staticmap?map=square&maptype=town&center=0,0&zoom=3&size=20x10", "no effect: maptype"),
    ])
    func `a parameter without an effect is named in a header`(target: String, warning: String?) async throws {
        let response = try await sample().get(target)
        #expect(response.status == 200)
        #expect(response[header: "Portolan-Warning"] == warning)
    }

    @Test(arguments: [
        ("/staticmap?map=square&center=0,0&zoom=3&size=20x10&style=feature:road", "style"),
        ("/staticmap?map=square&center=0,0&zoom=3&size=20x10&maptype=satellite", "maptype"),
        ("/styles/v1/me/square/static/0,0,2/20x10?setfilter=%5B%5D&layer_id=a", "layer_id"),
        ("/styles/v1/me/square/static/0,0,2/20x10?addlayer=%7B%22id%22:%22a%22%7D", "addlayer"),
        ("/styles/v1/me/square/static/pin-s(0,0)/0,0,2/20x10?before_layer=roads", "before_layer"),
    ])
    func `a parameter that would change the style is refused`(target: String, key: String) async throws {
        let response = try await sample().get(target)
        #expect(response.status == 400)
        #expect(try JSONReader.value(bytes: response.body).objectValue?["key"]?.stringValue == key)
    }

    @Test func `parameters come by POST as well, for static maps alone`() async throws {
        let sample = try await sample(), body = ##"{"path":["stroke:#0000ff|width:4|-20,0|20,0"]}"##
        let type = [("Content-Type", "application/json")]
        let response = await sample.answer(
            "POST", "/styles/square/static/auto/200x100.png?padding=0", type, body: body)
        #expect(response.status == 200)
        #expect(try ImageReading.pixels(response.body)[100, 50] == Self.blue)
        #expect(await sample.answer("POST", "/styles/square/0/0/0.png", type, body: body).status == 405)
    }

    @Test func `with keys static maps need a signature, and tiles and styles do not`() async throws {
        let signature = try #require(URLSignature(keys: [[UInt8](repeating: 1, count: 16)]))
        let sample = try await SampleServer { $0.signature = signature }
        let target = "/styles/square/static/0,0,3/20x10.png"
        #expect(await sample.get(target).status == 401)
        #expect(await sample.get(signature.signing(target, expiry: 4_000_000_000)).status == 200)
        #expect(await sample.get("/styles/square/0/0/0.png").status == 200)
        #expect(await sample.get("/styles/square/style.json").status == 200)
        #expect(await sample.get("/styles/v1/me/square/static/0,0,2/20x10").status == 401)
    }

    @Test(arguments: [
        "/styles", "/styles/nomap.json", "/styles/nomap/style.json", "/styles/square/other", "/styles/square.xml",
        "/styles/square/1024/0/0/0.png", "/styles/square/sprite.json", "/styles/town/sprite.json",
        "/styles/town/sprite.svg", "/styles/town/sprite@9x.png", "/styles/town/sources/none.geojson",
        "/styles/square/0/1/0.png", "/fonts/Sans/0-255.pbf", "/fonts/..%2Fsquare/0-255.pbf", "/fonts/Sans", "/512",
        "/256/data.json", "/index.json/a", "/fonts/Sans%00/0-255.pbf",
    ])
    func `an unknown path is not found`(target: String) async throws {
        #expect(await (try sample()).get(target).status == 404)
    }

    @Test(arguments: ["0-254", "1-256", "a-b", "-256--1", "0-255-511", "99999999744-99999999999"])
    func `a range of glyphs has 256 characters`(range: String) async throws {
        #expect(await (try sample()).get("/fonts/Sans/\(range).pbf").status == 400)
    }
}
