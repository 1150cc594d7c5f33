import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

@Suite struct TileEndpointTests {
    private static let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
    #if Images
    private static let lossless = "webp"
    #else
    private static let lossless = "png"
    #endif

    @Test(arguments: [
        ("/tiles/square/1/0/0.png", 255, 255, 256), ("/tiles/square/1/1/1.png", 0, 0, 256),
        ("/tiles/square/WebMercatorQuad/1/0/0@2x.png", 511, 511, 512), ("/tms/1.0.0/square/1/0/1.png", 255, 255, 256),
        ("/tms/1.0.0/square/1/1/0.png", 0, 0, 256), ("/tiles/square/WorldCRS84Quad/0/0/0.\(lossless)", 255, 128, 256),
    ])
    func `a tile shows its own quarter, with rows from the top and from the bottom`(
        target: String, x: Int, y: Int, side: Int
    ) async throws {
        let pixels = try await SampleServer().pixels(target)
        #expect(pixels.width == side && pixels.height == side)
        #expect(pixels[x, y] == Self.red)
        #expect(pixels[side / 2, 8] == .clear)
    }

    @Test func `a tile has the pixels that the renderer draws for its extent`() async throws {
        let sample = try await SampleServer(), map = try sample.book.map("square")
        let half = 20_037_508.342789244
        let viewport = try Viewport(
            center: Coordinate(x: -half / 8, y: half / 8),
            resolution: try #require(Resolution(unitsPerPixel: half / 4 / 256)),
            size: try #require(ImageSize(width: 256, height: 256)))
        var options = RenderOptions()
        options.background = .clear
        options.attribution = .none
        let drawn = try await map.renderer.render(map.layers, in: viewport, options: options)
        #expect(await sample.get("/tiles/square/3/3/3.png").body == (try PNGEncoder.encode(drawn.image)))
    }

    #if Text
    @Test func `a label across the border of two tiles is drawn whole`() async throws {
        let sample = try await SampleServer(), map = try sample.book.map("named")
        let half = 20_037_508.342789244, span = half / 32
        // Level 6: the columns 31 and 32 meet at the label's place.
        let row = 31
        let viewport = try Viewport(
            center: Coordinate(x: 0, y: half - (Double(row) + 0.5) * span),
            resolution: try #require(Resolution(unitsPerPixel: span / 256)),
            size: try #require(ImageSize(width: 768, height: 512)))
        var options = RenderOptions()
        options.background = .clear
        options.attribution = .none
        let whole = try await map.renderer.render(map.layers, in: viewport, options: options).image
        let left = try await sample.pixels("/tiles/named/6/31/\(row).png")
        let right = try await sample.pixels("/tiles/named/6/32/\(row).png")
        var inked = (left: 0, right: 0), other = 0
        for y in 0..<256 {
            for x in 0..<256 {
                if left[x, y] != .clear { inked.left += 1 }
                if right[x, y] != .clear { inked.right += 1 }
                if left[x, y] != whole[x + 128, y + 128] || right[x, y] != whole[x + 384, y + 128] { other += 1 }
            }
        }
        #expect(other == 0)
        #expect(inked.left > 50 && inked.right > 50)
    }
    #endif

    @Test func `tiles without labels equal parts of the larger picture, without a margin`() async throws {
        let sample = try await SampleServer(), folder = sample.folder
        let features = """
            {"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"stroke": "#0000ff", "stroke-width": 9, "stroke-opacity": 0.5},
             "geometry": {"type": "LineString", "coordinates": [[-9, -3], [-1, 2], [0.2, -4], [2, 5], [9, -1], [0, 0.1]]}},
            {"type": "Feature", "properties": {"fill": "#22aa22", "stroke-width": 3},
             "geometry": {"type": "Polygon", "coordinates": [[[-4, 1], [4, 0.5], [3, 4], [-4, 1]]]}},
            {"type": "Feature", "properties": {"marker-color": "#aa0000", "marker-size": "large"},
             "geometry": {"type": "Point", "coordinates": [0.05, 0.1]}},
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [5.65, -5.6]}}]}
            """
        try folder.write(Array(features.utf8), to: "shapes.geojson")
        let style = """
            {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}}},
             "layers": [
            {"id": "a", "type": "line", "source": "s", "paint": {"line-width": 7, "line-dasharray": [2, 1]}},
            {"id": "b", "type": "circle", "source": "s", "paint": {"circle-radius": 14, "circle-blur": 0.4}}]}
            """
        try folder.write(Array(style.utf8), to: "sheet.json")
        let path = "\(folder.path)/shapes.geojson"
        let book = try await MapBook.open(
            [MapSource(name: "m", layers: [path, "\(path);style=\(folder.path)/sheet.json;name=sheet"])],
            configuration: RendererConfiguration())
        let map = try book.map("m"), server = MapServer(book, settings: sample.server.settings)
        #expect(!map.placesLabels)
        var options = RenderOptions()
        options.background = .clear
        options.attribution = .none
        let half = 20_037_508.342789244, span = half / 16
        let whole = try await map.renderer.render(
            map.layers,
            in: Viewport(
                center: Coordinate(x: 0, y: 0), resolution: try #require(Resolution(unitsPerPixel: span / 256)),
                size: try #require(ImageSize(width: 512, height: 512))), options: options
        ).image
        for (column, row) in [(15, 15), (16, 15), (15, 16), (16, 16)] {
            let response = await server.answer("GET", "/tiles/m/5/\(column)/\(row).png").response
            let tile = try ImageDecoders.standard.decode(response.body)
            var other = 0, inked = 0
            for y in 0..<256 {
                for x in 0..<256 {
                    if tile[x, y] != .clear { inked += 1 }
                    if tile[x, y] != whole[x + 256 * (column - 15), y + 256 * (row - 15)] { other += 1 }
                }
            }
            #expect(other == 0 && inked > 1000, "\(column), \(row): \(other) of \(inked)")
        }
    }

    @Test(arguments: [
        ("/tiles/nomap/0/0/0.png", 404, "map"), ("/tiles/square/19/0/0.png", 404, "z"),
        ("/tiles/square/1/2/0.png", 404, "x, y"), ("/tiles/square/1/0/9223372036854775807.png", 404, "x, y"),
        ("/tms/1.0.0/square/1/0/9223372036854775807.png", 404, "x, y"), ("/tiles/square/Mars/1/0/0.png", 404, "tms"),
        ("/tiles/square/1/0/0.gif", 400, "format"),
    ])
    func `a missing tile gets a problem response`(target: String, status: Int, key: String) async throws {
        let response = await (try SampleServer()).get(target)
        #expect(response.status == status)
        let document = try JSONReader.value(bytes: response.body).objectValue
        #expect(document?["key"]?.stringValue == key)
    }

    @Test func `TileJSON lists the tiles, bounds and levels of a map`() async throws {
        let sample = try await SampleServer()
        let response = await sample.get("/tilejson/square.json", [("Host", "maps.example:81")])
        let document = try #require(try JSONReader.value(bytes: response.body).objectValue)
        #expect(document["tilejson"] == "3.0.0" && document["name"] == "A square")
        #expect(document["tiles"] == ["http://maps.example:81/tiles/square/{z}/{x}/{y}.png"])
        #expect(document["bounds"]?.arrayValue?.compactMap(\.doubleValue) == [-5, -5, 5, 5])
        #expect(document["minzoom"] == 0 && document["maxzoom"] == 18)
        #expect(document["center"]?.arrayValue?.compactMap(\.doubleValue) == [0, 0, 6])
        let hostile = await sample.get("/tilejson/square.json", [("Host", "a\"<script>")])
        #expect(!String(decoding: hostile.body, as: UTF8.self).contains("script"))
    }

    @Test(arguments: [
        ("/tiles/square/2/1/1.png", "GET", 304), ("/tiles/square/2/1/1.png", "HEAD", 304),
        ("/maps/square/static/0,0,3/20x10.png", "GET", 304), ("/maps/square/static/0,0,3/20x10.png", "POST", 200),
        ("/tilejson/square.json", "GET", 304), ("/wmts/1.0.0/WMTSCapabilities.xml", "GET", 304),
        ("/viewer/square", "GET", 304), ("/tiles/none/2/1/1.png", "GET", 404), ("/tiles/square/2/9/1.png", "GET", 404),
    ])
    func `RFC 9110 section 13_1_2: an asterisk in If-None-Match matches whatever exists`(
        target: String, method: String, status: Int
    ) async throws {
        let response = try await SampleServer().answer(method, target, [("If-None-Match", "*")])
        #expect(response.status == status)
        #expect(status != 304 || response.body.isEmpty && response[header: "ETag"] != nil)
    }
}
