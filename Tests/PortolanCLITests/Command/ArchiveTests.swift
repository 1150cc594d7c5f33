#if Storage
import Foundation
import PortolanArchives
import Testing

/// Files of tiles: what they hold, and pictures of all of it.
@Suite(.timeLimit(.minutes(2))) struct ArchiveTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    /// The north-east quarter of the world in one tile.
    private func write() throws {
        let writer = try MBTilesWriter(path: portolan.folder.path + "/a.mbtiles", job: "x")
        try writer.write([
            MBTile(level: 1, column: 1, row: 0, bytes: MapServer.picture(width: 256, height: 256))
        ])
        try writer.finish(MBTilesMetadata(name: "Quarter", format: "png", attribution: "us"))
    }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test(arguments: ["a.mbtiles", "mbtiles:a.mbtiles"]) func `info lists the content of an archive`(
        source: String
    ) async throws {
        try write()
        let table = try await portolan.run(["info", source])
        #expect(table.status == 0, "\(table.testDescription)")
        let lines = String(decoding: table.output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("MBTiles, ") == true && lines.contains("Tiles     1, image/png"))
        #expect(lines.contains("Degrees   0 0 180 85.0511") && lines.contains("Credit    us"))
        let info = try object(await portolan.run(["info", source, "--json"]).output)
        #expect(info["type"] as? String == "MBTiles")
        let layer = try #require((info["layers"] as? [[String: Any]])?.first)
        #expect(layer["name"] as? String == "Quarter" && layer["crs"] as? String == "EPSG:3857")
        #expect(layer["minZoom"] as? Int == 1 && layer["maxZoom"] as? Int == 1 && layer["tiles"] as? Int == 1)
        #expect((layer["geographicBox"] as? [Double])?.count == 4 && layer["format"] as? String == "image/png")
    }

    @Test func `without a view the whole archive is drawn, and a view outside it is reported`() async throws {
        try write()
        let whole = try await portolan.run([
            "render", "-l", "mbtiles:a.mbtiles", "--size", "256x256", "-o", "a.png", "--report", "a.json",
        ])
        #expect(whole.status == 0 && whole.errors.isEmpty, "\(whole.testDescription)")
        let report = try #require(portolan.file("a.json"))
        let view = try #require(object(report)["view"] as? [String: Any])
        let extent = try #require(view["extent"] as? [Double])
        #expect(zip(extent, [0, 0, 20_037_508.34, 20_037_508.34]).allSatisfy { abs($0 - $1) < 1 }, "\(extent)")
        let elsewhere = try await portolan.run([
            "render", "-l", "mbtiles:a.mbtiles", "--center", "-60,-30", "--zoom", "4", "--size", "64x64", "-o", "b.png",
        ])
        #expect(
            elsewhere.errors.contains(
                "the view is entirely outside the layer, which covers 0,0,180,85.0511 degrees"), "\(elsewhere)")
    }

    @Test func `a tile that is absent or empty in the archive does not count as missing`() async throws {
        let writer = try MBTilesWriter(path: portolan.folder.path + "/s.mbtiles", job: "x")
        try writer.write([
            MBTile(level: 2, column: 1, row: 1, bytes: MapServer.picture(width: 256, height: 256)),
            MBTile(level: 2, column: 2, row: 1, bytes: []),
        ])
        try writer.finish(
            MBTilesMetadata(name: "Sparse", format: "png", bounds: [-180, -85, 180, 85], levels: 2...2))
        let ended = try await portolan.run([
            "render", "-l", "mbtiles:s.mbtiles", "--center", "0,0", "--zoom", "2", "--size", "1024x1024", "--strict",
            "-o",
            "a.png",
        ])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
    }

    @Test func `an archive given as a feature file is rejected with the right syntax`() async throws {
        try write()
        let ended = try await portolan.run(["render", "-l", "a.mbtiles", "-o", "a.png"])
        #expect(ended.status == 64 && ended.error.contains("write mbtiles:a.mbtiles"), "\(ended)")
    }
}
#endif
