import Foundation
import Testing

/// `portolan profile`, and profiles in pictures.
@Suite struct ProfileTests {
    private let portolan: BuiltCommand

    /// Two kilometres on the equator with two climbs and a gap.
    private static let hike = """
        <gpx><wpt lat="0" lon="0.009"><name>Hut</name></wpt><trk><name>Ridge</name><trkseg>\
        <trkpt lat="0" lon="0"><ele>100</ele></trkpt><trkpt lat="0" lon="0.006"><ele>160</ele></trkpt>\
        <trkpt lat="0" lon="0.009"><ele>158</ele></trkpt><trkpt lat="0" lon="0.012"><ele>200</ele></trkpt>\
        <trkpt lat="0" lon="0.014"/><trkpt lat="0" lon="0.018"><ele>120</ele></trkpt></trkseg></trk></gpx>
        """

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(Self.hike, to: "hike.gpx")
        try portolan.write(
            "<gpx><trk><trkseg><trkpt lat='0' lon='0'/><trkpt lat='0' lon='1'/></trkseg></trk></gpx>", to: "flat.gpx")
    }

    private func run(_ words: String) async throws -> BuiltCommand.Ended {
        try await portolan.run(words.split(separator: " ").map(String.init))
    }

    @Test func `the facts of a profile are printed, and its points written as JSON`() async throws {
        let told = try await run("profile hike.gpx")
        #expect(
            String(decoding: told.output, as: UTF8.self)
                == "Ridge\nlength 2.0 km\nascent 100 m\ndescent 80 m\nbetween 100 m and 200 m\n",
            "\(told.testDescription)")
        #expect(try await run("profile hike.gpx --threshold 0 -o hike.json").status == 0)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(portolan.file("hike.json") ?? [])) as? [String: Any])
        #expect(json["ascent"] as? Double == 102 && json["descent"] as? Double == 82)
        let runs = try #require(json["runs"] as? [[[Double]]])
        #expect(runs.map(\.count) == [4, 1] && runs[0][1][1] == 160)
        // By geod of PROJ 9.1: 667.917 m for 0.006 degrees on the equator.
        #expect(abs(runs[0][1][0] - 667.92) < 0.02)
        #expect((json["places"] as? [[String: Any]])?.first?["name"] as? String == "Hut")
    }

    @Test(arguments: ["png", "jpg", "svg", "pdf"])
    func `a profile is drawn in each format, the same each time`(_ format: String) async throws {
        for name in ["a", "b"] {
            let ended = try await run("profile hike.gpx --slopes --size 400x160 -o \(name).\(format)")
            #expect(ended.status == 0, "\(ended.testDescription)")
        }
        let bytes = try #require(portolan.file("a.\(format)"))
        #expect(bytes.count > 500 && bytes == portolan.file("b.\(format)"))
    }

    #if Text
    @Test func `a map and a route of a book have a profile below`() async throws {
        #expect(try await run("render -l hike.gpx --size 300x300 -o plain.png").status == 0)
        let ended = try await run("render -l hike.gpx --profile --profile-slopes --size 300x300 -o profile.png")
        #expect(
            ended.status == 0 && portolan.file("profile.png") != portolan.file("plain.png"), "\(ended.testDescription)")
        let file = try await run("render -l flat.gpx --profile-of hike.gpx --size 300x300 -o file.png")
        #expect(file.status == 0, "\(file.testDescription)")
        #expect(try await run("routes import hike.gpx --book book").status == 0)
        let snapshot = try await run("routes snapshot ridge --book book --profile --size 300x300 -o route.png")
        #expect(snapshot.status == 0 && portolan.file("route.png") != nil, "\(snapshot.testDescription)")
    }

    @Test func `a map document has a profile, which is drawn as with the option`() async throws {
        let layer = #""layers": [{"source": "hike.gpx"}], "size": [300, 300]"#
        try portolan.write(#"{"furniture": {"profile": {"slopes": true}}, \#(layer)}"#, to: "a.json")
        #expect(try await run("render a.json -o a.png").status == 0)
        #expect(try await run("render -l hike.gpx --profile --profile-slopes --size 300x300 -o b.png").status == 0)
        #expect(portolan.file("a.png") == portolan.file("b.png"))
        #expect(try await run("document a.json -o copy.json").status == 0)
        #expect(try await run("render copy.json -o c.png").status == 0)
        #expect(portolan.file("c.png") == portolan.file("b.png"))
        try portolan.write(
            #"{"furniture": {"profile": {"layer": "none"}}, "layers": [{"source": "hike.gpx"}]}"#, to: "bad.json")
        let bad = try await run("render bad.json -o bad.png")
        #expect(bad.status == 65 && bad.errors.contains("no layer is named 'none'"), "\(bad.testDescription)")
    }
    #endif

    @Test func `marks along a line are drawn by layer keys`() async throws {
        for keys in ["kilometre-marks=1", "slope-colors=true", "arrows=true", "ends=true", "waypoints=true"] {
            let ended = try await run("render -l hike.gpx;\(keys) --size 300x200 -o marked.png")
            #expect(ended.status == 0, "\(ended.testDescription)")
            let route = try await run("render -l route:hike.gpx;\(keys) --size 300x200 -o route.png")
            #expect(route.status == 0, "\(route.testDescription)")
        }
    }

    @Test(arguments: [
        ("profile flat.gpx", 65, "the line has no elevations"), ("profile none.gpx", 66, "none.gpx: no such file"),
        ("profile hike.gpx -o a.txt", 64, "unknown extension"), ("profile hike.gpx --smooth -1", 64, "--smooth -1"),
        ("profile hike.gpx --size 99999x99999 -o a.png", 64, "--size"),
        ("render -l flat.gpx --profile -o a.png", 65, "--profile: the line has no elevations"),
        ("render -l hike.gpx --profile-of flat.gpx -o a.png", 65, "--profile-of flat.gpx: the line has no elevations"),
        ("render -l flat.gpx;slope-colors=true -o a.png", 64, "slope-colors=true needs elevations"),
        ("render -l hike.gpx;kilometre-marks=0.00001 -o a.png", 64, "kilometre-marks=0.00001 must"),
    ])
    func `failures are reported with their exit codes`(_ words: String, _ status: Int32, _ told: String) async throws {
        let ended = try await run(words)
        #expect(ended.status == status && ended.error.contains(told), "\(ended.testDescription)")
        #expect(portolan.file("a.png") == nil)
    }
}
