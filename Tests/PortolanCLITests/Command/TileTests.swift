#if Storage
import Foundation
import PortolanArchives
import Testing

/// `portolan tile`.
@Suite struct TileTests {
    private let portolan: BuiltCommand

    /// A square of 2 degrees, a line along the equator and a point, with attributes.
    private static let features = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":7,"properties":{"name":"Square","area":4,"secret":1},"geometry":{"type":"Polygon",
         "coordinates":[[[10,10],[12,10],[12,12],[10,12],[10,10]]]}},
        {"type":"Feature","id":"text","properties":{"name":"Equator"},"geometry":{"type":"LineString",
         "coordinates":[[-20,0],[20,0]]}},
        {"type":"Feature","properties":{"name":"Point","open":true},"geometry":{"type":"Point","coordinates":[11,11]}}]}
        """

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Self.features, to: "shapes.geojson")
        try portolan.write("SRID=3857;POINT(1000000 1000000)", to: "place.wkt")
    }

    private func path(_ name: String) -> String { portolan.folder.appending(path: name).path }

    /// The description of the layers, as JSON.
    private static func layers(_ metadata: MBTilesMetadata) -> String {
        metadata.rows.first { $0.name == "json" }?.value ?? ""
    }

    @Test func `a PMTiles archive has the layers, fields, bounds and tiles of its inputs`() async throws {
        let ended = try await portolan.run([
            "tile", "shapes.geojson", "places=place.wkt", "-o", "a.pmtiles", "--zooms", "0-5", "--attribution", "© us",
            "--report", "report.json",
        ])
        #expect(ended.status == 0 && ended.output.isEmpty, "\(ended.testDescription)")
        #expect(ended.errors.contains("identifiers left out of 1 features"), "\(ended.testDescription)")
        let archive = try PMTilesFile(path: path("a.pmtiles"))
        #expect(archive.metadata.name == "a")
        #expect(archive.metadata.attribution == "© us")
        #expect(archive.header.levels == 0...5)
        #expect(archive.header.tileKind == .mvt)
        let layers = Self.layers(archive.metadata)
        #expect(layers.contains(#""id":"shapes","minzoom":0,"maxzoom":5,"fields":{"name":"String","area":"Number","#))
        #expect(layers.contains(#""secret":"Number","open":"Boolean"}"#) && layers.contains(#""id":"places""#))
        let bounds = try #require(archive.metadata.bounds)
        #expect(zip(bounds, [-20, 0, 20, 12]).allSatisfy { abs($0 - $1) < 1e-6 })
        // The tile that begins at 0° E, 0° N at level 5.
        #expect(try archive.tile(level: 5, column: 16, row: 15) != nil)
        #expect(try archive.tile(level: 5, column: 0, row: 0) == nil)
        let report = String(decoding: portolan.file("report.json") ?? [], as: UTF8.self)
        #expect(report.contains(#""largestTile""#) && report.contains(#""zoom" : 5"#))
        let info = try await portolan.run(["info", "a.pmtiles"])
        #expect(info.status == 0 && String(decoding: info.output, as: UTF8.self).contains("shapes"))
    }

    @Test func `the features of the tiles are those of the input`() async throws {
        let made = try await portolan.run([
            "tile", "shapes.geojson", "-o", "a.mbtiles", "--zooms", "4-6", "--exclude", "secret", "--quiet",
        ])
        #expect(made.status == 0 && made.errors.isEmpty, "\(made.testDescription)")
        let back = try await portolan.run(["convert", "a.mbtiles", "back.geojson", "--precision", "2"])
        #expect(back.status == 0, "\(back.testDescription)")
        let text = String(decoding: portolan.file("back.geojson") ?? [], as: UTF8.self)
        for name in ["Square", "Equator", "Point"] { #expect(text.contains(#""name":"\#(name)""#), "\(text)") }
        #expect(text.contains("[11,11]") && text.contains("[10,10]") && text.contains("[12,12]"), "\(text)")
        #expect(!text.contains("secret"))
    }

    @Test func `MBTiles have equal tiles once, metadata and a view of tiles`() async throws {
        // The tiles inside of a large square are equal.
        let square =
            "SRID=3857;POLYGON((-9000000 -9000000,9000000 -9000000,9000000 9000000,-9000000 9000000,-9000000 -9000000))"
        try portolan.write(square, to: "large.wkt")
        let made = try await portolan.run(["tile", "large.wkt", "-o", "a.mbtiles", "--zooms", "6"])
        #expect(made.status == 0, "\(made.testDescription)")
        let file = try MBTilesFile(path: path("a.mbtiles"))
        #expect(file.metadata.levels == 6...6)
        #expect(Self.layers(file.metadata).contains(#""id":"large""#))
        let one = try file.tile(level: 6, column: 30, row: 30), other = try file.tile(level: 6, column: 33, row: 29)
        #expect(one != nil && one == other)
        let archive = try await portolan.run(["tile", "large.wkt", "-o", "a.pmtiles", "--zooms", "6"])
        #expect(archive.status == 0, "\(archive.testDescription)")
        let size = (portolan.file("a.pmtiles") ?? []).count
        #expect(size < 16384 + 20_000, "\(size) bytes")
    }

    @Test func `an existing archive is replaced when the new one is complete, and stays after a failure`() async throws
    {
        try portolan.write("old", to: "a.pmtiles")
        let failed = try await portolan.run([
            "tile", "shapes.geojson", "-o", "a.pmtiles", "--zooms", "0-3", "--drop", "none", "--max-tile-features", "1",
        ])
        #expect(failed.status == 65 && failed.error.contains("--drop densest"), "\(failed.testDescription)")
        #expect(portolan.file("a.pmtiles") == Array("old".utf8))
        #expect(portolan.file("a.pmtiles.new") == nil)
        let made = try await portolan.run(["tile", "shapes.geojson", "-o", "a.pmtiles", "--zooms", "0-3"])
        #expect(made.status == 0, "\(made.testDescription)")
        #expect(portolan.file("a.pmtiles")?.starts(with: "PMTiles".utf8) == true)
        let first = portolan.file("a.pmtiles")
        _ = try await portolan.run(["tile", "shapes.geojson", "-o", "a.pmtiles", "--zooms", "0-3"])
        #expect(portolan.file("a.pmtiles") == first)
    }

    @Test func `features that are left out are stated on standard error, in the report and in the metadata`()
        async throws
    {
        let points = (0..<500).map { "POINT(\($0 % 25) \($0 / 25))" }.joined(separator: "\n")
        try portolan.write(points, to: "points.wkt")
        let made = try await portolan.run([
            "tile", "points.wkt", "-o", "a.mbtiles", "--zooms", "0-1", "--drop-rate", "1", "--max-tile-features", "100",
            "--report", "report.json",
        ])
        #expect(made.status == 0 && made.errors.contains("features left out of"), "\(made.testDescription)")
        let report = String(decoding: portolan.file("report.json") ?? [], as: UTF8.self)
        #expect(report.contains(#""droppedAsNeeded" : 400"#), "\(report)")
        let info = String(decoding: portolan.file("a.mbtiles") ?? [], as: UTF8.self)
        #expect(info.contains(#""dropped_as_needed":400"#))
    }

    @Test(arguments: [
        (["-o", "a.pmtiles"], "missing input"), (["shapes.geojson"], "missing output"),
        (["shapes.geojson", "-o", "-"], "missing output"), (["shapes.geojson", "-o", "a.zip"], ".pmtiles or .mbtiles"),
        (["shapes.geojson", "-o", "a.pmtiles", "--zooms", "5-3"], "--zooms"),
        (["shapes.geojson", "-o", "a.pmtiles", "--zooms", "0-23"], "from 0 to 22"),
        (["shapes.geojson", "-o", "a.pmtiles", "--drop", "some"], "densest, fraction, none"),
        (["shapes.geojson", "-o", "a.pmtiles", "--drop-rate", "0.5"], "--drop-rate"),
        (["shapes.geojson", "-o", "a.pmtiles", "--drop-rate", "nan"], "--drop-rate"),
        (["shapes.geojson", "-o", "a.pmtiles", "--buffer", "-1"], "--buffer"),
        (["shapes.geojson", "-o", "a.pmtiles", "--simplify", "inf"], "--simplify"),
        (["shapes.geojson", "-o", "a.pmtiles", "--max-tile-bytes", "10"], "--max-tile-bytes"),
        (["shapes.geojson", "-o", "a.pmtiles", "--max-tile-features", "0"], "--max-tile-features"),
        (["shapes.geojson", "-o", "a.pmtiles", "--attributes", "a", "--exclude", "b"], "--exclude"),
        (["shapes.geojson", "shapes.geojson", "-o", "a.pmtiles"], "two layers"),
        (["x=", "-o", "a.pmtiles"], "missing file"),
        (["shapes.geojson", "-o", "a.pmtiles", "--report", "a.pmtiles"], "cannot both"),
    ])
    func `invalid options are refused before anything is read`(options: [String], message: String) async throws {
        let ended = try await portolan.run(["tile"] + options)
        #expect(ended.status == 64 && ended.error.contains(message), "\(ended.testDescription)")
        #expect(portolan.file("a.pmtiles") == nil)
    }

    @Test func `an attribute that no feature has is a warning, and a missing file an error`() async throws {
        let ended = try await portolan.run([
            "tile", "shapes.geojson", "-o", "a.pmtiles", "--zooms", "0", "--attributes", "name,wrong",
        ])
        #expect(
            ended.status == 0 && ended.errors.contains("--attributes wrong: no feature has it"),
            "\(ended.testDescription)")
        let missing = try await portolan.run(["tile", "none.geojson", "-o", "b.pmtiles"])
        #expect(missing.status == 66 && portolan.file("b.pmtiles") == nil, "\(missing.testDescription)")
    }
}
#endif
