import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import Testing

/// Requirements are those of OGC 20-058 (Maps) and OGC 20-057 (Tiles).
@Suite struct OGCAPIEndpointTests {
    private static let red = Pixel(MapColor(red: 255, green: 0, blue: 0))
    private static let blue = Pixel(MapColor(red: 0, green: 0, blue: 255))

    private static func json(_ response: ServerResponse) throws -> Properties {
        try #require(try JSONReader.value(bytes: response.body).objectValue)
    }

    private static func links(_ value: PropertyValue?) -> [Properties] {
        value?.objectValue?["links"]?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    @Test func `each link of the landing page and of the collections resolves`() async throws {
        let sample = try await SampleServer()
        var open = ["/ogc"], seen: Set<String> = []
        while let target = open.popLast() {
            guard seen.insert(target).inserted, !target.hasPrefix("/ogc/collections/far/map?") else { continue }
            let response = await sample.get(target)
            // A map of a server that is away cannot be had.
            #expect(response.status == (target == "/ogc/collections/far/map" ? 502 : 200), "\(target)")
            guard response[header: "Content-Type"] == "application/json" else { continue }
            let value = try JSONReader.value(bytes: response.body)
            var values = [value]
            while let next = values.popLast() {
                values += next.arrayValue ?? []
                guard let members = next.objectValue else { continue }
                values += members.map(\.value)
                guard let address = members["href"]?.stringValue, members["templated"] == nil else { continue }
                open.append(address.replacing("http://localhost", with: ""))
            }
        }
        #expect(seen.count > 40)
    }

    @Test func `documents are JSON or HTML, by the f parameter and by the Accept header`() async throws {
        let sample = try await SampleServer()
        func type(_ target: String, _ accept: String? = nil) async -> String? {
            await sample.get(target, accept.map { [("Accept", $0)] } ?? [])[header: "Content-Type"]
        }
        #expect(await type("/ogc") == "application/json")
        #expect(await type("/ogc?f=html") == "text/html; charset=utf-8")
        #expect(
            await type("/ogc/collections", "text/html,application/xml;q=0.9,*/*;q=0.8") == "text/html; charset=utf-8")
        #expect(await type("/ogc/api") == "application/vnd.oai.openapi+json;version=3.0")
        #expect(await sample.get("/ogc", [("Accept", "image/gif")]).status == 406)
        #expect(await sample.get("/ogc?f=gif").status == 400)
        #expect(await type("/ogc/map?width=4", "image/jpeg") == "image/jpeg")
        #if Images
        #expect(await type("/ogc/map?width=4", "image/webp") == "image/webp")
        #else
        #expect(await sample.get("/ogc/map?width=4", [("Accept", "image/webp")]).status == 406)
        #endif
        #expect(await sample.get("/ogc/map?width=4", [("Accept", "image/gif")]).status == 406)
    }

    @Test func `core map-response: a map states its CRS and its bounding box`() async throws {
        let sample = try await SampleServer()
        let usual = await sample.get(
            "/ogc/collections/square/map?width=20&crs=http://www.opengis.net/def/crs/OGC/1.3/CRS84")
        #expect(usual.status == 200 && usual[header: "Content-Type"] == "image/png")
        #expect(usual[header: "Content-Crs"] == "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>")
        #expect(usual[header: "Content-Bbox"] == "-5,-5,5,5")
        let north = await sample.get("/ogc/map?bbox=0,-10,20,10&width=40&crs=%5BEPSG:4326%5D")
        #expect(north[header: "Content-Crs"] == "<http://www.opengis.net/def/crs/EPSG/0/4326>")
        #expect(north[header: "Content-Bbox"] == "-10,0,10,20")
    }

    @Test func `collection-map desc-links: a collection has a link to its map`() async throws {
        let collections =
            try Self.json(await (try SampleServer()).get("/ogc/collections"))["collections"]?.arrayValue ?? []
        #expect(collections.count == 6)
        for collection in collections {
            let map = Self.links(collection).first { $0["rel"] == "http://www.opengis.net/def/rel/ogc/1.0/map" }
            let id = try #require(collection.objectValue?["id"]?.stringValue)
            #expect(map?["href"] == .string("http://localhost/ogc/collections/\(id)/map"))
        }
    }

    @Test(arguments: [
        ("", "alpha 0"), ("&transparent=false", "white"), ("&bgcolor=0x008040", "green"),
        ("&bgcolor=0x008040&transparent=true", "alpha 0"), ("&f=jpg", "white"),
    ])
    func `background transparent-definition: a colour alone makes the map opaque`(
        query: String, corner: String
    ) async throws {
        let pixels = try await SampleServer().pixels(
            "/ogc/map?bbox=-10,-10,10,10&width=40&height=40&crs=%5BOGC:CRS84%5D\(query)")
        let pixel = pixels[1, 1]
        switch corner {
        case "white": #expect(pixel == Pixel(.white))
        case "green": #expect(pixel == Pixel(MapColor(red: 0, green: 128, blue: 64)))
        default: #expect(pixel == .clear)
        }
    }

    @Test(arguments: [
        ("width=0", "width"), ("width=-5", "width"), ("width=99999", "width, height"), ("height=0", "height"),
        ("bbox=0,0,1,1&width=10&scale-denominator=1000", "scale-denominator"), ("center=0,0&bbox=0,0,1,1", "center"),
        ("mm-per-pixel=0", "mm-per-pixel"), ("mm-per-pixel=-1", "mm-per-pixel"),
        ("scale-denominator=0", "scale-denominator"),
        ("crs=Mars", "crs"), ("bbox=0,0,1", "bbox"), ("bbox=0,5,1,4", "bbox"),
        ("bbox=0,0,1,1&bbox-crs=Mars", "bbox-crs"),
        ("bgcolor=nothing", "bgcolor"), ("transparent=maybe", "transparent"), ("collections=nothing", "collections"),
        ("f=gif", "f"),
    ])
    func `an invalid map request is a problem that names the key`(query: String, key: String) async throws {
        let response = await (try SampleServer()).get("/ogc/map?\(query)")
        #expect(response.status == 400)
        #expect(try Self.json(response)["key"]?.stringValue == key)
    }

    @Test(arguments: [
        ("bbox=-10,-10,10,10", 8, 20), ("bbox=-10,-10,10,10&bbox-crs=%5BEPSG:4326%5D", 8, 20),
        ("center=0,0&scale-denominator=198784760&width=40&height=40", 8, 20),
        ("center=0,0&scale-denominator=99392380&mm-per-pixel=0.56&width=40&height=40", 8, 20),
    ])
    func `the extent of a map follows from a box, or from a centre and a scale`(
        query: String, x: Int, y: Int
    ) async throws {
        let pixels = try await SampleServer().pixels(
            "/ogc/collections/square/map?crs=%5BOGC:CRS84%5D&width=40&height=40&\(query)")
        #expect(pixels.width == 40 && pixels.height == 40)
        #expect(
            pixels[x, y] == .clear && pixels[12, 20] == Self.red && pixels[27, 20] == Self.red
                && pixels[32, 20] == .clear)
    }

    @Test(arguments: [("both:low,both:high", blue), ("both:high,both:low", red)])
    func `collections: the leftmost is drawn at the bottom`(collections: String, middle: Pixel) async throws {
        let pixels = try await SampleServer().pixels("/ogc/map?collections=\(collections)&bbox=-10,-10,10,10&width=40")
        #expect(pixels[20, 20] == middle)
    }

    @Test func `tiles tc-success: a tile has the size of its level and equals the XYZ tile`() async throws {
        let sample = try await SampleServer()
        let tile = try await sample.pixels("/ogc/collections/square/map/tiles/WebMercatorQuad/1/0/1")
        #expect(tile.width == 256 && tile.height == 256)
        #expect(tile == (try await sample.pixels("/tiles/square/1/1/0.png")))
        let jpeg = await sample.get("/ogc/map/tiles/WebMercatorQuad/1/0/1?f=jpg")
        #expect(jpeg[header: "Content-Type"] == "image/jpeg")
    }

    @Test(arguments: [
        ("/ogc/map/tiles/WebMercatorQuad/1/2/0", 404), ("/ogc/map/tiles/WebMercatorQuad/1/0/2", 404),
        ("/ogc/map/tiles/WebMercatorQuad/99/0/0", 404), ("/ogc/map/tiles/Mars/1/0/0", 404),
        ("/ogc/map/tiles/WebMercatorQuad/a/0/0", 400), ("/ogc/map/tiles/WebMercatorQuad/1/0", 404),
        ("/ogc/collections/nothing", 404), ("/ogc/tileMatrixSets/Mars", 404), ("/ogc/nothing", 404),
        ("/ogc/styles/other/map", 404),
    ])
    func `tiles tc-error: a missing tile is not found`(target: String, status: Int) async throws {
        #expect(await (try SampleServer()).get(target).status == status)
    }

    @Test func `tileset description: a set has a template of its tiles and a link to its grid`() async throws {
        let sample = try await SampleServer()
        let set = try Self.json(await sample.get("/ogc/collections/both:low/map/tiles/WorldCRS84Quad"))
        let links = Self.links(.object(set))
        let item = links.first { $0["rel"] == "item" && $0["type"] == "image/png" }
        #expect(item?["templated"] == .bool(true))
        let template = try #require(item?["href"]?.stringValue).replacing("http://localhost", with: "")
        let tile = template.replacing("{tileMatrix}", with: "5").replacing("{tileRow}", with: "16")
            .replacing("{tileCol}", with: "32")
        #expect(try await sample.pixels(tile)[4, 4] == Self.red)
        let scheme = links.first { $0["rel"] == "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme" }
        let grid = try #require(scheme?["href"]?.stringValue).replacing("http://localhost", with: "")
        let levels = try Self.json(await sample.get(grid))["tileMatrices"]?.arrayValue ?? []
        #expect(levels.first?.objectValue?["scaleDenominator"]?.doubleValue.map { abs($0 - 279_541_132) < 1 } == true)
        #expect(set["dataType"] == "map" && set["crs"] == "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
    }
}
