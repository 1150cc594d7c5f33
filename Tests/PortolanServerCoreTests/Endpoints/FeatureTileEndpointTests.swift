import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServerCore
import PortolanServices
import PortolanZip
import TestHelpers
import Testing

/// Vector tiles that are made from the feature layers of a map.
@Suite struct FeatureTileEndpointTests {
    private static func json(_ response: ServerResponse) throws -> Properties {
        try #require(try JSONReader.value(bytes: response.body).objectValue)
    }

    @Test func `TileJSON lists the feature layers of a map, with their fields`() async throws {
        let sample = try await SampleServer()
        let document = try Self.json(await sample.get("/data/both.json", [("Host", "h")]))
        #expect(document["tilejson"] == "3.0.0")
        #expect(document["tiles"] == ["http://h/data/both/{z}/{x}/{y}.pbf"])
        #expect(document["id"] == "both")
        #expect(document["format"] == "pbf")
        #expect(document["bounds"]?.arrayValue?.compactMap(\.doubleValue) == [-5, -5, 5, 5])
        let layers = document["vector_layers"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(layers.compactMap { $0["id"]?.stringValue } == ["low", "high"])
        #expect(layers.first?["fields"]?.objectValue?["fill"] == "String")
        #expect(layers.first?["fields"]?.objectValue?["fill-opacity"] == "Number")
        let single = try Self.json(await sample.get("/data/both:high.json", [("Host", "h")]))
        #expect(single["tiles"] == ["http://h/data/both:high/{z}/{x}/{y}.pbf"])
        #expect(single["vector_layers"]?.arrayValue?.count == 1)
    }

    @Test func `the lists of tiles have them`() async throws {
        let sample = try await SampleServer()
        let list = try #require(try JSONReader.value(bytes: await sample.get("/data.json").body).arrayValue)
        #expect(list.compactMap { $0.objectValue?["id"]?.stringValue } == ["square", "named", "both"])
        let index = try #require(try JSONReader.value(bytes: await sample.get("/index.json").body).arrayValue)
        #expect(index.contains { $0.objectValue?["id"] == "named" && $0.objectValue?["vector_layers"] != nil })
    }

    @Test func `a tile has all feature layers, compressed or not as the client accepts`() async throws {
        let sample = try await SampleServer(), target = "/data/both/3/4/3.pbf", gzip = ("Accept-Encoding", "gzip")
        let packed = await sample.get(target, [gzip])
        #expect(packed.status == 200)
        #expect(packed[header: "Content-Type"] == "application/vnd.mapbox-vector-tile")
        #expect(packed[header: "Content-Encoding"] == "gzip")
        #expect(packed[header: "Vary"] == "Accept-Encoding")
        #expect(packed[header: "Cache-Control"] == "public, max-age=3600")
        let plain = await sample.get(target)
        #expect(plain[header: "Content-Encoding"] == nil)
        #expect(try CompressedContent.gzip.unpack(packed.body[...], byteLimit: 1 << 20) == plain.body)
        let tag = try #require(packed[header: "ETag"]), other = try #require(plain[header: "ETag"])
        #expect(tag != other)
        for known in [tag, other] {
            let again = await sample.get(target, [gzip, ("If-None-Match", known)])
            #expect(again.status == 304 && again.body.isEmpty)
        }
        #expect(await sample.get("/data/both/3/4/3.mvt", [gzip]).body == packed.body)
        // Another server of the same files sends the same tile with the same tag.
        let twin = try await SampleServer().get(target, [gzip])
        #expect(twin.body == packed.body)
        #expect(await sample.get("/data/both/3/0/0.pbf").status == 204)
        #expect(await sample.get("/data/both/0/0/0.pbf").status == 200)
    }

    @Test(arguments: [
        ("/data/both:none.json", 404, "id"), ("/data/far.json", 404, "id"), ("/data/both:features.json", 404, "id"),
        ("/data/both/17/0/0.pbf", 404, "z"), ("/data/both/1/2/0.pbf", 404, "x, y"),
        ("/data/both/1/0/9223372036854775807.pbf", 404, "x, y"), ("/data/both/1/0/0.png", 400, "format"),
        ("/data/both/1/0/0.geojson", 400, "format"), ("/data/both/1/a/0.pbf", 400, "x"),
    ])
    func `a tile that cannot exist is a problem`(target: String, status: Int, key: String) async throws {
        let response = try await SampleServer().get(target)
        #expect(response.status == status)
        #expect(try Self.json(response)["key"]?.stringValue == key)
    }

    @Test func `the tiles are drawn like the features that they are made of`() async throws {
        let sample = try await SampleServer()
        let tile = await sample.get("/data/square/0/0/0.pbf", [("Accept-Encoding", "gzip")])
        let path = "\(sample.folder.path)/tiles.pmtiles", archive = try PMTilesOutput(path: path)
        try archive.add(PMTilesTileID(number: 0), tile.body)
        let layers = [VectorLayerDescription(id: "square")]
        try archive.finish(MBTilesMetadata(name: "", format: "pbf", levels: 0...0, vectorLayers: layers))
        let client = ServiceClient(configuration: RendererConfiguration())
        func pixels(_ layer: String) async throws -> PixelBuffer {
            let built = try await LayerBuilder(client: client).build([LayerSpecification(layer)])
            let viewport = try Viewport(
                center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: 40_075_016.68 / 512)),
                size: #require(ImageSize(width: 64, height: 64)))
            return try await MapRenderer().render(built.compactMap(\.layer), in: viewport).image
        }
        let drawn = try await pixels("vector:\(path);fill=#ff0000;fill-opacity=1;stroke-width=0")
        let features = try await pixels("\(sample.folder.path)/square.geojson")
        #expect(drawn.pixels.count { $0 != drawn.pixels[0] } > 100)
        // A unit of the tile is an eighth of a pixel.
        let far = zip(drawn.pixels, features.pixels).count { abs(Int($0 >> 8 & 0xFF) - Int($1 >> 8 & 0xFF)) > 48 }
        #expect(far == 0)
    }
}
