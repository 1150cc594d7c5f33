import Foundation
import TestHelpers
import Testing

/// `portolan transit`.
@Suite struct TransitTests {
    private let portolan: BuiltCommand
    private let feed: TemporaryFolder

    init() throws {
        portolan = try BuiltCommand()
        feed = try TemporaryFolder()
        try SampleFeed.write(to: feed.path)
    }

    private func json(_ arguments: [String]) async throws -> [String: Any] {
        let ended = try await portolan.run(["transit"] + arguments + ["--json"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        return try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
    }

    @Test func `the content of a timetable is summarised`() async throws {
        let info = try await json(["info", feed.path])
        let counts = ["stops", "routes", "trips", "stopTimes", "problems"].map { info[$0] as? Int }
        #expect(counts == [4, 1, 2, 6, 0] && info["from"] as? String == "2026-01-01")
        #expect(info["to"] as? String == "2026-12-31")
    }

    @Test func `stops are found near a position and by name`() async throws {
        let near = try await json(["stops", feed.path, "--near", "24.931,60.169", "--within", "300"])
        let stop = try #require((near["stops"] as? [[String: Any]])?.first)
        #expect(stop["id"] as? String == "s2" && stop["meters"] as? Double == 0 && stop["lines"] as? [String] == ["9"])
        let inBox = try await json(["stops", feed.path, "--bbox", "24.9309,60.1689,24.9311,60.1691"])
        #expect((inBox["stops"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == ["s2"])
        let named = try await json(["stops", feed.path, "--search", "toolo"])
        #expect((named["stops"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == ["s1"])
    }

    @Test func `departures are in the time zone of the feed`() async throws {
        let board = try await json(["departures", feed.path, "Kamppi", "--at", "2026-11-02T08:00"])
        let calls = try #require(board["departures"] as? [[String: Any]])
        #expect(
            calls.compactMap { $0["scheduled"] as? String } == [
                "2026-11-02T08:11:00+02:00", "2026-11-02T09:11:00+02:00",
            ])
        let arrivals = try await json(["departures", feed.path, "s3", "--arrivals", "--at", "2026-11-02T06:00:00Z"])
        #expect((arrivals["arrivals"] as? [[String: Any]])?.count == 2)
    }

    @Test func `two stops of the same name across a street share a departure board`() async throws {
        func write(_ latitude: String) throws {
            let stops =
                "stop_id,stop_name,stop_lat,stop_lon\ns1,Asema,60.1800,24.9200\ns2,Asema,\(latitude),24.9205\n"
                + "s3,Hakaniemi,60.1790,24.9500\ns4,Sörnäinen,60.1870,24.9600\n"
            try feed.write(Array(stops.utf8), to: "stops.txt")
        }
        try write("60.1802")
        let one = try await json(["departures", feed.path, "s1", "--at", "2026-11-02T07:30"])
        let other = try await json(["departures", feed.path, "s2", "--at", "2026-11-02T07:30"])
        let both = try await json(["departures", feed.path, "asema", "--at", "2026-11-02T07:30"])
        let times = [one, other, both].map {
            ($0["departures"] as? [[String: Any]] ?? []).compactMap { $0["scheduled"] as? String }
        }
        #expect(!times[0].isEmpty && !times[1].isEmpty && times[2] == (times[0] + times[1]).sorted())
        #expect(both["stops"] as? [String] == ["s1", "s2"] && one["stops"] == nil)
        let board = try await portolan.run(["transit", "departures", feed.path, "Asema", "--at", "2026-11-02T07:30"])
        let text = String(decoding: board.output, as: UTF8.self)
        #expect(text.hasPrefix("Asema (s1, s2)\n") && text.contains("STOP"))
        // A journey may begin on either side; the rider does not walk across first.
        for (time, departure) in [("07:55", "08:00:00"), ("08:05", "08:11:00")] {
            let plan = try await json(["plan", feed.path, "asema", "s3", "--at", "2026-11-02T\(time)"])
            let journeys = plan["journeys"] as? [[String: Any]] ?? []
            let modes = journeys.map { ($0["legs"] as? [[String: Any]] ?? []).map { $0["mode"] as? String } }
            #expect(modes.contains(["tram"]), "\(plan)")
            #expect(journeys.contains { $0["departure"] as? String == "2026-11-02T\(departure)+02:00" }, "\(plan)")
        }
        // In two parts of a city they are two.
        try write("60.2802")
        let apart = try await portolan.run(["transit", "departures", feed.path, "Asema"])
        #expect(apart.status == 64 && apart.errors.contains("give an identifier"))
    }

    @Test func `a journey has a transit leg and a walking leg`() async throws {
        let plan = try await json(["plan", feed.path, "s1", "24.9501,60.1791", "--at", "2026-11-02T07:30"])
        let journey = try #require((plan["journeys"] as? [[String: Any]])?.first)
        let legs = try #require(journey["legs"] as? [[String: Any]])
        #expect(legs.compactMap { $0["mode"] as? String } == ["tram", "walk"])
        #expect(journey["departure"] as? String == "2026-11-02T08:00:00+02:00")
        #expect((journey["arrival"] as? String)?.hasPrefix("2026-11-02T08:20:") == true)
    }

    @Test func `invalid rows of a timetable are reported with their line`() async throws {
        try Data("stop_id,stop_name,stop_lat,stop_lon\ns1,Töölö,north,24.92\n".utf8).write(
            to: URL(filePath: feed.path + "/stops.txt"))
        let ended = try await portolan.run(["transit", "validate", feed.path])
        #expect(ended.status == 3 && String(decoding: ended.output, as: UTF8.self).contains("stops.txt:2 (stop_lat)"))
    }

    @Test(
        arguments: [
            (["info", "none.zip"], 66), (["departures", "FEED", "Nowhere"], 66),
            (["plan", "FEED", "s1", "s3", "--at", "noon"], 64),
            (["plan", "FEED", "s1", "s3", "--at", "2026-11-01T08:00"], 65),
            (["stops", "FEED", "--near", "Kamppi"], 64), (["stops", "FEED", "--bbox", "1,2,0,3"], 64),
            (["vehicles", "none.pb"], 66), (["engine", "none.pb"], 64),
        ] as [([String], Int32)])
    func `failures have their exit codes`(arguments: [String], status: Int32) async throws {
        let ended = try await portolan.run(["transit"] + arguments.map { $0 == "FEED" ? feed.path : $0 })
        #expect(ended.status == status && !ended.errors.isEmpty, "\(ended.testDescription)")
    }

    @Test func `followed vehicles are written as a recording that can be read again`() async throws {
        try portolan.write("0 A1;1009;24.94;60.17;90;1\n1 A1;1009;24.95;60.17;90;1\n", to: "vehicles.txt")
        let followed = try await portolan.run([
            "transit", "vehicles", "vehicles.txt", "--follow", "--speed", "1000", "--json",
        ])
        #expect(followed.status == 0, "\(followed.testDescription)")
        try portolan.write(String(decoding: followed.output, as: UTF8.self), to: "recorded.jsonl")
        let heard = try await json(["vehicles", "recorded.jsonl"])
        let vehicle = try #require((heard["vehicles"] as? [[String: Any]])?.first)
        #expect(vehicle["id"] as? String == "A1" && vehicle["coordinate"] as? [Double] == [24.95, 60.17])
    }

    @Test(arguments: [
        ["vehicles", "SOURCE", "--seconds", "0.5"],
        ["engine", "SOURCE", "--publish", "out.pb", "--interval", "0.1"],
    ])
    func `a recording without a valid line is rejected as a source`(words: [String]) async throws {
        try portolan.write("bad\nworse\n", to: "bad.txt")
        let bad = try await portolan.run(["transit"] + words.map { $0 == "SOURCE" ? "bad.txt" : $0 })
        #expect(bad.status == 65 && bad.error.contains("not a vehicle (line 1)"), "\(bad.testDescription)")
        try portolan.write("", to: "empty.txt")
        let empty = try await portolan.run(["transit"] + words.map { $0 == "SOURCE" ? "empty.txt" : $0 })
        #expect(empty.status == 65, "\(empty.testDescription)")
    }

    @Test(arguments: ["stomp", "mqtt"])
    func `a broker that does not respond is an error, not an empty result`(scheme: String) async throws {
        // It waits for the end of a request that never comes.
        let server = try LoopbackServer { _ in nil }
        let source = "\(scheme)://127.0.0.1:\(server.port)"
        let heard = try await portolan.run(["transit", "vehicles", source, "--seconds", "0.5"])
        #expect(heard.status == 69 && heard.output.isEmpty, "\(heard.testDescription)")
        let drawn = try await portolan.run(
            ["render", "-l", "vehicles:\(source);seconds=0.5", "--center", "24.9,60.1", "--zoom", "9", "-o", "a.png"])
        #expect(drawn.status == 69 && portolan.file("a.png") == nil, "\(drawn.testDescription)")
    }

    @Test func `skipped lines of a recording are counted and change the exit code`() async throws {
        try portolan.write("0 A1;1009;24.94;60.17;90;1\nbad\n1 A1;1009;24.95;60.17;90;1\n", to: "vehicles.txt")
        let words = "1 entry is left out: line 2: not a vehicle"
        for line in [
            ["vehicles", "vehicles.txt"], ["vehicles", "vehicles.txt", "--follow", "--speed", "1000"],
            ["engine", "vehicles.txt", "--speed", "1000", "--interval", "0.1", "--publish", "out.pb"],
        ] {
            let ended = try await portolan.run(["transit"] + line)
            #expect(ended.status == 3 && ended.errors.contains(words), "\(ended.testDescription)")
        }
    }

    @Test(arguments: [
        (
            "a.xlsx", ZipBytes.archive([("[Content_Types].xml", [1], 0, 0), ("xl/workbook.xml", [1], 0, 0)]),
            "it is a spreadsheet"
        ),
        ("a.html", Array("<!DOCTYPE html><title>Log in</title>".utf8), "it is a web page"),
        ("a.geojson", Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8), "it is features in GeoJSON"),
        ("a.pmtiles", Array("PMTiles\u{3}".utf8), "it is a PMTiles archive"),
        (
            "a.zip", ZipBytes.archive([("stops.txt", [1, 2, 3], 1, 0), ("agency.txt", [1, 2, 3], 1, 0)]),
            "the archive is encrypted"
        ),
    ])
    func `a file of another kind is rejected by its kind`(name: String, bytes: [UInt8], words: String) async throws {
        try portolan.write(bytes, to: name)
        let info = try await portolan.run(["transit", "info", name])
        #expect(info.status == 65 && info.error.contains(words), "\(info.testDescription)")
        guard !words.contains("encrypted") else { return }
        let heard = try await portolan.run(["transit", "vehicles", name])
        #expect(heard.status == 65 && heard.error.contains(words), "\(heard.testDescription)")
    }

    @Test func `an engine that cannot publish exits with an error`() async throws {
        try portolan.write("0 A1;1009;24.94;60.17;90;1\n", to: "vehicles.txt")
        let ended = try await portolan.run([
            "transit", "engine", "vehicles.txt", "--interval", "0.1", "--publish", "stomp://127.0.0.1:1",
        ])
        #expect(ended.status == 69 && ended.error.contains("nothing published"), "\(ended.testDescription)")
    }

    @Test func `for departures outside its period, a timetable states the period that it covers`() async throws {
        let ended = try await portolan.run(["transit", "departures", feed.path, "s2", "--at", "2040-01-01T08:00"])
        #expect(
            ended.status == 0
                && String(decoding: ended.output, as: UTF8.self).contains(
                    "no departures in this period: the timetable covers "),
            "\(ended.testDescription)")
    }

    @Test func `an engine writes vehicle reports as GTFS Realtime`() async throws {
        try portolan.write("0 A1;1009;24.94;60.17;90;1\n1 A1;1009;24.95;60.17;90;1\n", to: "vehicles.txt")
        let ended = try await portolan.run([
            "transit", "engine", "vehicles.txt", "--speed", "1000", "--interval", "0.1", "--publish", "out.pb",
            "--quiet",
        ])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        let heard = try await json(["vehicles", "out.pb"])
        #expect((heard["vehicles"] as? [[String: Any]])?.first?["id"] as? String == "A1")
    }

    @Test func `an engine writes the city document of a timetable`() async throws {
        try portolan.write("0 A1;r9;24.94;60.17;90;1\n", to: "vehicles.txt")
        let engine = ["transit", "engine", "vehicles.txt", "--interval", "0.1", "--publish", "out.pb"]
        let days = try FileManager.default.contentsOfDirectory(atPath: feed.path).enumerated()
        for (day, name) in days {
            let date = Date(timeIntervalSince1970: Double(86_400 * (20_000 - day)))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: feed.path + "/" + name)
        }
        let ended = try await portolan.run(engine + ["--city", feed.path, "--publish", "city.json"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let written = try Data(contentsOf: portolan.folder.appending(path: "city.json"))
        let city = try #require(try JSONSerialization.jsonObject(with: written) as? [String: Any])
        #expect((city["lines"] as? [[String: Any]])?.map { $0["name"] as? String } == ["9"])
        #expect((city["stops"] as? [[String: Any]])?.count == 3 && city["name"] as? String == "Lines of A")
        // The date of the newest table: who has this city is not sent it again.
        #expect((city["updated"] as? [String: String])?["lines"] == "2024-10-04T00:00:00Z")
        for wrong in [["--city", feed.path], ["--publish", "city.json"]] {
            #expect(try await portolan.run(engine + wrong).status == 64)
        }
    }
}
