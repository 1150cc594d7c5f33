#if Storage
import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanServerCore
import PortolanServices
import PortolanZip
import TestHelpers
import Testing

/// Tiles of archives, as they are stored.
@Suite struct DataEndpointTests {
    private static let fixture = "\(SampleServer.fixtures)/vector-tiles/helsinki.mbtiles"
    private static let stored = try? MBTilesFile(path: fixture).tile(level: 8, column: 145, row: 74)

    /// A server of an MBTiles file as `town`, and of two PMTiles archives, packed and not, as `both`.
    private func sample() async throws -> SampleServer {
        let sample = try await SampleServer()
        let packed = try CompressedContent.gzip(Self.plainTile)
        for (name, bytes) in [("packed", packed), ("plain", Self.plainTile)] {
            let writer = try PMTilesWriter(path: "\(sample.folder.path)/\(name).pmtiles", job: "j")
            try writer.write([MBTile(level: 1, column: 0, row: 1, bytes: bytes)])
            try writer.finish(
                MBTilesMetadata(
                    name: "", format: "pbf", bounds: [-10, -20, 10, 20], levels: 1...1, attribution: "© us",
                    vectorLayers: [VectorLayerDescription(id: "roads")]))
        }
        let pixel = try SampleServer.fixtureBytes("geopackage/degrees-coarse.png")
        let images = try MBTilesWriter(path: "\(sample.folder.path)/images.mbtiles", job: "j")
        try images.write([MBTile(level: 0, column: 0, row: 0, bytes: pixel)])
        try images.finish(MBTilesMetadata(name: "Images", format: "png", levels: 0...0))
        let folder = sample.folder.path
        let town = MapSource(name: "town", layers: ["mbtiles:\(Self.fixture)"])
        let both = MapSource(
            name: "both",
            layers: ["pmtiles:\(folder)/packed.pmtiles;name=a b", "pmtiles:\(folder)/plain.pmtiles;name=plain"])
        let pictures = MapSource(name: "pictures", layers: ["mbtiles:\(folder)/images.mbtiles"])
        let none = MapSource(name: "none", layers: ["\(folder)/square.geojson"])
        sample.server.replace(
            try await MapBook.open([town, both, pictures, none], configuration: RendererConfiguration()))
        return sample
    }

    /// A vector tile with an empty layer `a`.
    private static let plainTile: [UInt8] = [0x1A, 8, 0x78, 2, 0x0A, 1, 0x61, 0x28, 0x80, 0x20]

    private static func json(_ response: ServerResponse) throws -> Properties {
        try #require(try JSONReader.value(bytes: response.body).objectValue)
    }

    @Test func `TileJSON 3.0 lists the layers of the tiles, at the address that the client used`() async throws {
        let response = try await sample().get("/data/town.json", [("Host", "maps.example:81")])
        #expect(response.status == 200)
        #expect(response[header: "Content-Type"] == "application/json")
        let document = try Self.json(response)
        #expect(document["tilejson"] == "3.0.0")
        #expect(document["tiles"] == ["http://maps.example:81/data/town/{z}/{x}/{y}.pbf"])
        #expect(document["name"] == "Tilemaker to OpenMapTiles schema")
        #expect(document["attribution"] == "© OpenMapTiles © OpenStreetMap contributors")
        #expect(document["minzoom"] == 0)
        #expect(document["maxzoom"] == 14)
        let layers = try #require(document["vector_layers"]?.arrayValue)
        #expect(layers.first?.objectValue?["id"] == "place")
        #expect(layers.first?.objectValue?["fields"]?.objectValue?["class"] == "String")
    }

    @Test func `a map with an archive has the tiles of its feature layers under a name of their own`() async throws {
        let sample = try await sample(), folder = sample.folder.path
        let mixed = MapSource(
            name: "mixed", layers: ["mbtiles:\(Self.fixture)", "\(folder)/square.geojson;name=a square"])
        sample.server.replace(try await MapBook.open([mixed], configuration: RendererConfiguration()))
        #expect(try Self.json(await sample.get("/data/mixed.json"))["name"] == "Tilemaker to OpenMapTiles schema")
        for id in ["mixed:features", "mixed:a%20square"] {
            let document = try Self.json(await sample.get("/data/\(id).json", [("Host", "h")]))
            #expect(document["tiles"] == [.string("http://h/data/\(id)/{z}/{x}/{y}.pbf")])
            #expect(document["vector_layers"]?.arrayValue?.first?.objectValue?["id"] == "a square")
            #expect(await sample.get("/data/\(id)/0/0/0.pbf").status == 200)
        }
        let list = try #require(try JSONReader.value(bytes: await sample.get("/data.json").body).arrayValue)
        #expect(list.compactMap { $0.objectValue?["id"]?.stringValue } == ["mixed", "mixed:features"])
    }

    @Test func `several archives of a map have the names of their layers`() async throws {
        let sample = try await sample()
        let document = try Self.json(await sample.get("/data/both:a%20b.json", [("Host", "h")]))
        #expect(document["tiles"] == ["http://h/data/both:a%20b/{z}/{x}/{y}.pbf"])
        #expect(document["bounds"]?.arrayValue?.compactMap(\.doubleValue) == [-10, -20, 10, 20])
        #expect(await sample.get("/data/both:a%20b/1/0/1.pbf").status == 200)
        #expect(await sample.get("/data/both:plain/1/0/1.mvt").status == 200)
        #expect(await sample.get("/data/both/1/0/1.pbf").status == 200)
    }

    @Test(arguments: [
        ("/data/none:features.json", 404, "id"), ("/data/nomap.json", 404, "id"), ("/data/both:c.json", 404, "id"),
        ("/data/town/15/0/0.pbf", 404, "z"), ("/data/town/1/2/0.pbf", 404, "x, y"),
        ("/data/town/1/0/9223372036854775807.pbf", 404, "x, y"), ("/data/town/1/a/0.pbf", 400, "x"),
        ("/data/town/1/0/0.png", 400, "format"), ("/data/town/1/0/0.mlt", 400, "format"),
        ("/data/pictures/0/0/0.pbf", 400, "format"), ("/data/town/1/0/-1.pbf", 400, "y"),
    ])
    func `a tile that cannot exist is a problem`(target: String, status: Int, key: String) async throws {
        let response = try await sample().get(target)
        #expect(response.status == status)
        #expect(try Self.json(response)["key"]?.stringValue == key)
    }

    @Test(arguments: [
        ("gzip", true), ("gzip, deflate, br", true), ("GZIP;q=0.5", true), ("*", true), ("identity, *;q=0.1", true),
        ("", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0, *", false), ("deflate;q=1, gzip ; q=0.0", false),
    ])
    func `a tile is sent as it is stored, or unpacked for a client without gzip`(
        accepted: String, isPacked: Bool
    ) async throws {
        let sample = try await sample(), target = "/data/town/8/145/74.pbf"
        let stored = try #require(Self.stored)
        let response = await sample.get(target, accepted.isEmpty ? [] : [("Accept-Encoding", accepted)])
        #expect(response.status == 200)
        #expect(response[header: "Content-Type"] == "application/vnd.mapbox-vector-tile")
        #expect(response[header: "Content-Encoding"] == (isPacked ? "gzip" : nil))
        #expect(response[header: "Vary"] == "Accept-Encoding")
        #expect(response[header: "Cache-Control"] == "public, max-age=3600")
        let plain = try CompressedContent.gzip.unpack(stored[...], byteLimit: 1 << 20)
        #expect(response.body == (isPacked ? stored : plain))
    }

    @Test(arguments: [("zstd", true), ("gzip, zstd;q=0.5", true), ("gzip", false), ("zstd;q=0", false), ("", false)])
    func `a tile in Zstandard is sent as it is stored, or unpacked`(accepted: String, isPacked: Bool) async throws {
        let sample = try await sample(), path = "\(sample.folder.path)/zstd.mbtiles"
        let stored = ZstandardBytes.stored(Self.plainTile)
        let tiles = try MBTilesWriter(path: path, job: "j")
        try tiles.write([MBTile(level: 0, column: 0, row: 0, bytes: stored)])
        try tiles.finish(
            MBTilesMetadata(
                name: "z", format: "pbf", levels: 0...0, vectorLayers: [VectorLayerDescription(id: "a")]))
        sample.server.replace(
            try await MapBook.open(
                [MapSource(name: "z", layers: ["mbtiles:\(path)"])], configuration: RendererConfiguration()))
        let response = await sample.get("/data/z/0/0/0.pbf", accepted.isEmpty ? [] : [("Accept-Encoding", accepted)])
        #if Images
        #expect(response.status == 200)
        #expect(response[header: "Content-Encoding"] == (isPacked ? "zstd" : nil))
        #expect(response.body == (isPacked ? stored : Self.plainTile))
        #else
        #expect(response.status == (isPacked ? 200 : 406))
        #endif
    }

    @Test func `both representations have tags of their own`() async throws {
        let sample = try await sample(), target = "/data/town/8/145/74.pbf", gzip = ("Accept-Encoding", "gzip")
        let packed = try #require(await sample.get(target, [gzip])[header: "ETag"])
        let plain = try #require(await sample.get(target)[header: "ETag"])
        #expect(packed != plain)
        let again = await sample.get(target, [gzip, ("If-None-Match", packed)])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again[header: "ETag"] == packed)
        #expect(again[header: "Content-Encoding"] == nil)
        #expect(await sample.get(target, [("If-None-Match", plain)]).status == 304)
        #expect(await sample.get(target, [gzip, ("If-None-Match", plain)]).status == 200)
    }

    @Test func `the features of a vector tile can be looked at as GeoJSON`() async throws {
        let sample = try await sample(), target = "/data/town/10/582/296.geojson"
        let response = await sample.get(target)
        #expect(response.status == 200)
        #expect(response[header: "Content-Type"] == "application/geo+json")
        let features = try GeoJSONReader.read(response.body).features
        let boxes = features.compactMap { $0.geometry?.boundingBox }
        let box = try #require(boxes.first)
        // The tile is that of Helsinki.
        #expect((24.5...25.1).contains(box.minX))
        #expect((59.9...60.3).contains(box.minY))
        #expect(features.contains { $0.properties["layer"] == "place" })
        let tag = try #require(response[header: "ETag"])
        #expect(await sample.get(target, [("If-None-Match", tag)]).status == 304)
        #expect(await sample.get("/data/pictures/0/0/0.geojson").status == 400)
    }

    @Test func `a tile that the archive does not have is empty`() async throws {
        let response = try await sample().get("/data/town/8/0/0.pbf")
        #expect(response.status == 204)
        #expect(response.body.isEmpty)
        #expect(response[header: "Cache-Control"] == "public, max-age=3600")
    }

    @Test func `images of an archive are not drawn again`() async throws {
        let sample = try await sample()
        let document = try Self.json(await sample.get("/data/pictures.json", [("Host", "h")]))
        #expect(document["tiles"] == ["http://h/data/pictures/{z}/{x}/{y}.png"])
        #expect(document["vector_layers"] == nil)
        let response = await sample.get("/data/pictures/0/0/0.png", [("Accept-Encoding", "gzip")])
        #expect(response.status == 200)
        #expect(response[header: "Content-Type"] == "image/png")
        #expect(response[header: "Content-Encoding"] == nil)
        #expect(response.body == (try SampleServer.fixtureBytes("geopackage/degrees-coarse.png")))
    }

    @Test func `an archive that is damaged while it is served is a problem without its path`() async throws {
        let sample = try await sample()
        try sample.folder.write([1, 2, 3], to: "plain.pmtiles")
        let response = await sample.get("/data/both:plain/1/0/1.pbf")
        #expect(response.status == 502)
        #expect(!String(decoding: response.body, as: UTF8.self).contains(sample.folder.path))
    }
}
#endif
