#if Storage
import Foundation
import Portolan
import PortolanArchives
import PortolanServices
import TestHelpers
import Testing

/// Archives and services of vector tiles, and regions of them.
@Suite(.timeLimit(.minutes(5))) struct VectorTileTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private static let layers = [VectorLayerDescription(id: "water")]

    /// A tile of level 1 whose water is the square from a sixteenth to its right and lower border, or from its borders on; the four
    /// of the level make one square.
    private static func tile(_ column: Int, _ row: Int) -> [UInt8] {
        let x = column == 0 ? (256, 4160) : (-64, 3840), y = row == 0 ? (256, 4160) : (-64, 3840)
        let ring = [(x.0, y.0), (x.1, y.0), (x.1, y.1), (x.0, y.1)]
        return TileBytes.layer(
            "water", keys: ["class"], values: ["lake"],
            [TileBytes.feature(id: 7, type: 3, tags: [0, 0], TileBytes.rings([ring]))])
            + TileBytes.layer("place", [TileBytes.feature([9, 2 * (100 + 1000 * column), 2 * 100])])
    }

    private static func write(
        _ writer: any TileFileWriter, described: Bool = true, packed: ([UInt8]) throws -> [UInt8] = { $0 }
    ) throws {
        var tiles: [MBTile] = []
        for row in 0...1 {
            for column in 0...1 {
                tiles.append(MBTile(level: 1, column: column, row: row, bytes: try packed(tile(column, row))))
            }
        }
        try writer.write(tiles)
        try writer.finish(
            MBTilesMetadata(
                name: "Own", format: "pbf", bounds: [-180, -85, 180, 85], levels: 1...1,
                vectorLayers: described ? layers : []))
    }

    @Test(arguments: ["style:portolan-light;sources.openmaptiles=ARCHIVE", "vector:ARCHIVE"])
    func `without a view an archive is fitted, even if it states no bounds`(layer: String) async throws {
        let archive = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/vector-tiles/helsinki.mbtiles")
        let ended = try await portolan.run([
            "render", "-l", layer.replacing("ARCHIVE", with: archive.path), "--crs", "EPSG:4326", "-o", "a.png",
            "--report", "a.json",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let report = try JSONDecoder().decode(RenderReport.self, from: Data(#require(portolan.file("a.json"))))
        #expect(report.view.extent[0] > 24 && report.view.extent[2] < 26, "\(report.view.extent)")
    }

    private func mbtiles(described: Bool = true) throws {
        try Self.write(MBTilesWriter(path: portolan.folder.path + "/a.mbtiles", job: "x"), described: described) {
            GzipBytes.stored($0)
        }
    }

    private func pmtiles() throws {
        try Self.write(PMTilesWriter(path: portolan.folder.path + "/a.pmtiles", job: "x")) { GzipBytes.stored($0) }
    }

    /// A server of one file by ranges.
    private static func ranges(_ file: [UInt8]) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard let line = request.headers.first(where: { $0.lowercased().hasPrefix("range: bytes=") }) else {
                return .init(body: file)
            }
            let ends = line.dropFirst(13).split(separator: "-").compactMap { Int($0) }
            guard ends.count == 2, ends[0] < file.count else { return .init(status: 416) }
            let last = min(ends[1], file.count - 1)
            return .init(
                status: 206, body: Array(file[ends[0]...last]),
                headers: [
                    "Content-Range: bytes \(ends[0])-\(last)/\(file.count)", "ETag: \"1\"", "Cache-Control: max-age=60",
                ])
        }
    }

    private func output(_ arguments: [String], status: Int = 0) async throws -> String {
        let ended = try await portolan.run(arguments)
        #expect(ended.status == status, "\(ended.testDescription)")
        return String(decoding: ended.output, as: UTF8.self)
    }

    @Test func `info lists layers, attributes and zooms, with and without metadata`() async throws {
        try mbtiles(described: false)
        try pmtiles()
        let derived = try await output(["info", "a.mbtiles"])
        #expect(derived.contains("water         1-1    class"), "\(derived)")
        #expect(derived.contains("Tiles     4, application/vnd.mapbox-vector-tile"))
        let stated = try await output(["info", "pmtiles:a.pmtiles"])
        #expect(stated.hasPrefix("PMTiles, "))
        #expect(stated.contains("water"))
        #expect(stated.contains("place") == false)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(try await output(["info", "a.pmtiles", "--json"]).utf8))
                as? [String: Any])
        let layer = try #require((json["layers"] as? [[String: Any]])?.first)
        #expect((layer["vectorLayers"] as? [[String: Any]])?.first?["name"] as? String == "water")
        #expect(layer["tiles"] as? Int == 4)
    }

    @Test func `a feature cut by several tiles is written once`() async throws {
        try mbtiles()
        _ = try await output(["convert", "a.mbtiles", "all.geojson"])
        let text = String(decoding: try #require(portolan.file("all.geojson")), as: UTF8.self)
        let root = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let features = try #require(root["features"] as? [[String: Any]])
        func named(_ name: String) -> [[String: Any]] {
            features.filter { ($0["properties"] as? [String: Any])?["source-layer"] as? String == name }
        }
        #expect(named("water").count == 1)
        #expect(named("place").count == 4)
        let water = try #require(named("water").first)
        #expect(water["id"] as? Int == 7)
        #expect((water["properties"] as? [String: Any])?["class"] as? String == "lake")
        // A box with one of the places.
        _ = try await output([
            "convert", "a.mbtiles", "one.geojson", "--layer", "place", "--bbox", "-180,60,-100,85", "--bbox-crs",
            "EPSG:4326",
            "--zoom", "1",
        ])
        let one = String(decoding: try #require(portolan.file("one.geojson")), as: UTF8.self)
        #expect(one.components(separatedBy: "\"Point\"").count == 2, "\(one)")
        #expect(one.contains("source-layer") == false)
        let other = try await portolan.run(["convert", "a.mbtiles", "b.geojson", "--layer", "roads"])
        #expect(other.status == 64, "\(other.testDescription)")
        #expect(other.error.contains("there are: water"))
        let level = try await portolan.run(["convert", "a.mbtiles", "b.geojson", "--zoom", "9"])
        #expect(level.error.contains("the zooms are 1 to 1"), "\(level.testDescription)")
    }

    @Test func `tile options are rejected for other features`() async throws {
        try portolan.write(#"{"type":"FeatureCollection","features":[]}"#, to: "a.geojson")
        let ended = try await portolan.run(["convert", "a.geojson", "b.kml", "--zoom", "3"])
        #expect(ended.status == 64, "\(ended.testDescription)")
        #expect(ended.error.contains("--zoom is for vector tiles"))
    }

    @Test(arguments: ["b.pmtiles", "b.mbtiles"]) func `a region of a remote archive is seeded`(
        out: String
    ) async throws {
        try pmtiles()
        let server = try Self.ranges(try #require(portolan.file("a.pmtiles")))
        defer { server.stop() }
        let seed = [
            "seed", "-l", "vector:\(server.url)/a.pmtiles", "--zooms", "1", "--bbox", "1,-80,179,80", "--bbox-crs",
            "EPSG:4326",
            "-o", out,
        ]
        let estimate = try await portolan.run(seed + ["--estimate"])
        #expect(estimate.status == 0, "\(estimate.testDescription)")
        #expect(estimate.errors.contains("2 tiles"), "\(estimate.testDescription)")
        let ended = try await portolan.run(seed)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(portolan.files == ["a.pmtiles", out])
        let again = try await portolan.run(seed)
        #expect(again.errors.contains("nothing to fetch"), "\(again.testDescription)")
        let info = try await output(["info", out])
        #expect(info.contains("water"), "\(info)")
        _ = try await output(["convert", out, "b.geojson", "--layer", "place"])
        let text = String(decoding: try #require(portolan.file("b.geojson")), as: UTF8.self)
        #expect(text.components(separatedBy: "\"Point\"").count == 3, "\(text)")
    }

    @Test func `a remote archive is shown and drawn, and drawn again offline`() async throws {
        try pmtiles()
        let server = try Self.ranges(try #require(portolan.file("a.pmtiles")))
        let info = try await output(["info", "\(server.url)/a.pmtiles"])
        #expect(info.contains("water"), "\(info)")
        let render = [
            "render", "-l", "pmtiles:\(server.url)/a.pmtiles", "--center", "0,0", "--zoom", "2", "--size", "256x256",
            "--cache",
            "kept",
        ]
        _ = try await output(render + ["-o", "a.png"])
        server.stop()
        _ = try await output(render + ["--offline", "-o", "b.png"])
        #expect(portolan.file("a.png") == portolan.file("b.png"))
    }

    @Test func `the doctor examines archives`() async throws {
        try mbtiles(described: false)
        let described = try await output(["doctor", "a.mbtiles"], status: 3)
        #expect(described.contains("[layers-undescribed]"), "\(described)")
        #expect(described.contains("4 of 4 sampled tiles can be decoded"))
        try pmtiles()
        let good = try await output(["doctor", "pmtiles:a.pmtiles"], status: 3)
        // vector_layers lacks the layer 'place'.
        #expect(good.contains("place: tiles have this layer"), "\(good)")
        var bytes = try #require(portolan.file("a.pmtiles"))
        // The tiles begin at 16 KiB.
        for index in 16_394..<16_500 { bytes[index] ^= 0x55 }
        try Data(bytes).write(to: URL(filePath: portolan.folder.path + "/broken.pmtiles"))
        let broken = try await output(["doctor", "broken.pmtiles"], status: 3)
        #expect(broken.contains("[tile-unreadable]"), "\(broken)")
    }

    @Test func `the doctor examines TileJSON`() async throws {
        let document = """
            {"tilejson": "3.0.0", "tiles": ["t/{z}/{x}/{y}.pbf"], "minzoom": 1, "maxzoom": 1,
             "vector_layers": [{"id": "water", "fields": {}}, {"id": "place", "fields": {}}],
             "bounds": [-170, -80, 170, 80], "attribution": "us"}
            """
        let server = try LoopbackServer { request in
            if request.target == "/tiles.json" { return .init(type: "application/json", body: Array(document.utf8)) }
            if request.target == "/bad.json" {
                return .init(
                    type: "application/json", body: Array(#"{"tiles": ["none/{z}/{x}/{y}.pbf"], "maxzoom": 2}"#.utf8))
            }
            return request.target.hasPrefix("/t/") ? .init(body: Self.tile(1, 1)) : .init(status: 500)
        }
        defer { server.stop() }
        let good = try await output(["doctor", "\(server.url)/tiles.json"])
        #expect(good.contains("no findings"), "\(good)")
        let bad = try await output(["doctor", "tilejson:\(server.url)/bad.json"], status: 3)
        for code in ["version-unreadable", "layers-undescribed", "tile-unreadable"] {
            #expect(bad.contains("[\(code)]"), "\(bad)")
        }
        let info = try await output(["info", "\(server.url)/tiles.json"])
        #expect(info.contains("-l 'vector:\(server.url)/tiles.json'"), "\(info)")
        #expect(info.contains("VECTOR LAYER"), "\(info)")
    }
}
#endif
