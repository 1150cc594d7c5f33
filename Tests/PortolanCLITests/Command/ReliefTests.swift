import Foundation
import Portolan
import TestHelpers
import Testing

/// Layers of elevations, and elevations for routes and positions, as processes.
@Suite struct ReliefTests {
    private let portolan: BuiltCommand
    private static let tiles = "terrarium/{z}/{x}/{y}.png;encoding=terrarium;min-zoom=11;max-zoom=11"

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Fixture.bytes("relief/jacksboro.tif"), to: "jacksboro.tif")
        for (column, row) in [(543, 801), (543, 802), (544, 801), (544, 802)] {
            let path = "terrarium/11/\(column)/\(row).png"
            try portolan.write(Fixture.bytes("relief/" + path), to: path)
        }
    }

    private func json(_ ended: BuiltCommand.Ended) throws -> [String: Any] {
        #expect(ended.status == 0, "\(ended.testDescription)")
        return try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
    }

    /// A line along a row of the DEM, from the centre of column 200 to that of column 240.
    private static let line = """
        {"type":"Feature","properties":{"name":"Cross Mountain"},"geometry":{"type":"LineString","coordinates":\
        [[-84.2466667,36.1983333],[-84.2133333,36.1983333]]}}
        """

    #if Text
    private static let contours = "contours"
    #else
    // Labels give a warning.
    private static let contours = "contours;label=false"
    #endif

    @Test(arguments: ["hillshade", "hillshade;method=igor", "color-relief", "slope;unit=percent", "aspect", contours])
    func `each kind draws a GeoTIFF and tiles, in any CRS`(_ words: String) async throws {
        let parts = words.split(separator: ";").map(String.init), keys = parts.dropFirst().map { ";" + $0 }.joined()
        for (name, source) in [("file", "jacksboro.tif"), ("tiles", Self.tiles)] {
            for crs in ["EPSG:3857", "EPSG:32616"] {
                let ended = try await portolan.run([
                    "render", "-l", "\(parts[0]):\(source)\(keys)", "--center", "-84.24,36.3", "--zoom", "11", "--crs",
                    crs,
                    "--size", "200x160", "-o", "\(name).png", "--report", "report.json",
                ])
                #expect(ended.status == 0, "\(ended.testDescription)")
                #expect(ended.errors.isEmpty, "\(ended.testDescription)")
            }
        }
    }

    /// The values of the sample, and its slope by Horn's formula on WGS 84 worked out with NumPy.
    @Test func `identify gives elevation, slope and aspect`() async throws {
        let ended = try await portolan.run([
            "identify", "-l", "hillshade:jacksboro.tif", "--lonlat", "-84.2466667,36.2041667", "--zoom", "14", "--size",
            "300x300",
        ])
        let answers = try #require(try json(ended)["answers"] as? [[String: Any]])
        #expect(answers.map { $0["kind"] as? String } == ["hillshade"])
        let features = try #require(answers[0]["features"] as? [[String: Any]])
        let facts = try #require(features.first?["properties"] as? [String: Double])
        #expect(facts["elevation"] == 692)
        #expect(abs((facts["slope"] ?? 0) - 19.52) < 0.05)
        #expect(abs((facts["aspect"] ?? 0) - 213.39) < 0.3)
    }

    @Test func `lines without elevations get those of a GeoTIFF or of tiles in a profile`() async throws {
        try portolan.write(Self.line, to: "line.geojson")
        #expect(try await portolan.run(["profile", "line.geojson"]).status == 65)
        for source in ["jacksboro.tif", "hillshade:jacksboro.tif", Self.tiles] {
            let ended = try await portolan.run([
                "profile", "line.geojson", "--elevation", source, "-o", "line.json",
            ])
            #expect(ended.status == 0, "\(ended.testDescription)")
            let profile = try #require(
                try JSONSerialization.jsonObject(with: Data(portolan.file("line.json") ?? [])) as? [String: Any])
            #expect(abs((profile["highest"] as? Double ?? 0) - 1_076) < 12, "\(source)")
            #expect(abs((profile["lowest"] as? Double ?? 0) - 600) < 12, "\(source)")
            let runs = try #require(profile["runs"] as? [[[Double]]])
            #expect(runs.count == 1 && runs[0].count > 30)
        }
    }

    @Test func `measure adds climbs and the length over the ground`() async throws {
        try portolan.write(Self.line, to: "line.geojson")
        let ended = try await portolan.run(["measure", "line.geojson", "--elevation", "jacksboro.tif", "--json"])
        let features = try #require(try json(ended)["features"] as? [[String: Any]])
        let climb = try #require(features.first?["climb"] as? [String: Double]),
            meters = features[0]["meters"] as? Double
        #expect(abs((climb["highest"] ?? 0) - 1_076) < 3)
        // By the values along the row: 335 and 42 metres up.
        #expect(abs((climb["ascent"] ?? 0) - 377) < 6)
        #expect(abs((climb["ascent"] ?? 0) - (climb["descent"] ?? 0) + 103) < 0.5)
        #expect((climb["groundMeters"] ?? 0) > (meters ?? 0) + 20)
        let way = try await portolan.run([
            "measure", "-84.2466667,36.1983333", "-84.2133333,36.1983333", "--elevation", "jacksboro.tif",
        ])
        let text = String(decoding: way.output, as: UTF8.self)
        #expect(text.contains("up 37") && text.contains("down 4"), "\(way.testDescription)")
    }

    @Test func `a map with a profile takes its elevations from a DEM`() async throws {
        try portolan.write(Self.line, to: "line.geojson")
        let map = [
            "render", "-l", "contours:jacksboro.tif", "-l", "line.geojson", "--center", "-84.23,36.2", "--zoom", "12",
            "--size", "400x500",
        ]
        let without = try await portolan.run(map + ["--profile", "-o", "a.png"])
        #expect(without.status == 65, "\(without.testDescription)")
        let ended = try await portolan.run(map + ["--profile", "--profile-elevation", "jacksboro.tif", "-o", "a.png"])
        #expect(ended.status == 0, "\(ended.testDescription)")
    }

    @Test(arguments: [
        ("hillshade:\(tiles.prefix { $0 != ";" })", "encoding=terrarium"),
        ("hillshade:jacksboro.tif;encoding=mapbox", "bands"),
        ("hillshade:jacksboro.tif;band=2", "1 to 1"),
        ("hillshade:jacksboro.tif;method=multi", "multidirectional"),
        ("hillshade:jacksboro.tif;method=igor;altitude=30", "no effect"),
        ("hillshade:jacksboro.tif;z-factor=0", "above 0"),
        ("color-relief:jacksboro.tif;ramp=viridis", "range=0..3000"),
        ("color-relief:jacksboro.tif;ramp=0:red,high:blue", "0:#000,1000:green"),
        ("color-relief:jacksboro.tif;range=0..9", "ramp=viridis"),
        ("contours:jacksboro.tif;interval=-5", "above 0"),
        ("contours:jacksboro.tif;unit=yd", "m or ft"),
        ("slope:\(tiles);band=1", "GeoTIFF"),
        ("aspect:\(tiles);base-shift=5", "encoding=custom"),
    ])
    func `invalid keys are usage errors with a remedy`(_ layer: String, _ remedy: String) async throws {
        let ended = try await portolan.run([
            "render", "-l", layer, "--center", "-84.24,36.3", "--zoom", "11", "-o", "a.png",
        ])
        #expect(ended.status != 0, "\(ended.testDescription)")
        #expect(ended.errors.contains(remedy), "\(ended.testDescription)")
        #expect(portolan.file("a.png") == nil)
    }
}
