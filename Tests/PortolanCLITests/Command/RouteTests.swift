import Foundation
import TestHelpers
import Testing

/// `portolan route`.
@Suite struct RouteTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private func json(_ ended: BuiltCommand.Ended) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
    }

    private static let line = ["24.90,60.17;name=A", "24.96,60.17;name=D", "24.92,60.17;name=B", "24.94,60.17;name=C"]

    @Test func `places are visited in the best order or in the given order`() async throws {
        let best = try await portolan.run(["route"] + Self.line)
        #expect(best.status == 0 && best.errors.isEmpty, "\(best.testDescription)")
        let text = String(decoding: best.output, as: UTF8.self)
        let rows = text.split(separator: "\n").prefix(5).map { row in
            row.split(separator: " ").prefix(2).joined(separator: " ")
        }
        #expect(rows == ["PLACE DISTANCE", "1 A", "2 B", "3 C", "4 D"])
        #expect(text.contains("shortest possible order"))
        let given = try json(try await portolan.run(["route", "--order", "given", "--json"] + Self.line))
        let names = try #require(given["places"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        #expect(names == ["A", "D", "B", "C"] && given["isProven"] == nil)
    }

    @Test func `western and southern positions are accepted, and directions are in Spanish`() async throws {
        let ended = try await portolan.run([
            "route", "-3.70,40.41", "-3.69,-40.42;name=Allí", "--directions", "--language", "es", "--mode", "car",
        ])
        let text = String(decoding: ended.output, as: UTF8.self)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(text.contains("Sal hacia el sur") && text.contains("Has llegado a Allí"))
    }

    @Test func `a route is written as a table of places and read back`() async throws {
        let written = try await portolan.run(["route", "-o", "way.csv"] + Self.line)
        #expect(written.status == 0, "\(written.testDescription)")
        let table = String(decoding: try #require(portolan.file("way.csv")), as: UTF8.self)
        #expect(table.hasPrefix("longitude,latitude,id,type,order,arrival,name\n24.9,60.17,place-1,poi,1,0,A\n"))
        #expect(table.split(separator: "\n").count == 5)
        let again = try json(try await portolan.run(["route", "way.csv", "--order", "given", "--json"]))
        let names = try #require(again["places"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        #expect(names == ["A", "B", "C", "D"])
    }

    @Test(arguments: [[], ["--directions"], ["--round-trip", "--directions"]] as [[String]])
    func `a route in Spanish contains no English words`(options: [String]) async throws {
        let places = ["2.10,41.54;name=Casa;stay=30", "2.11,41.55", "2.12,41.54;name=Notario;window=300-360"]
        let ended = try await portolan.run(["route", "--language", "es"] + places + options)
        let text = String(decoding: ended.output, as: UTF8.self) + ended.errors
        #expect(ended.status == 0, "\(ended.testDescription)")
        let english =
            /\b(place|distance|time|arrival|wait|stay|delay|with|estimated|along|straight|lines|shortest|order)\b/
        #expect(text.lowercased().firstMatch(of: english) == nil, "\(text)")
        #expect(text.contains("LLEGADA") && text.contains("en total") && text.contains("estimado en línea recta"))
    }

    @Test(arguments: ["straight", "osrm:http://127.0.0.1:1", "valhalla:http://127.0.0.1:1"])
    func `public transport without a timetable is an error that asks for a feed`(provider: String) async throws {
        let ended = try await portolan.run([
            "route", "2.10,41.54", "2.11,41.55", "--mode", "transit", "--provider", provider,
        ])
        #expect(ended.status == 64 && ended.errors.contains("--feed") && ended.errors.contains("otp:"))
    }

    @Test func `public transport is routed by a timetable`() async throws {
        let feed = try TemporaryFolder()
        try SampleFeed.write(to: feed.path)
        let places = ["24.92,60.18;name=Home", "24.95,60.179;name=Work"],
            by = ["--mode", "transit", "--feed", feed.path]
        let time = ["--departure", "2026-11-02T07:30"]
        let route = try json(try await portolan.run(["route"] + places + by + time + ["--directions", "--json"]))
        // Half an hour of waiting, and twenty minutes in the tram.
        let leg = try #require((route["legs"] as? [[String: Any]])?.first)
        #expect(leg["seconds"] as? Double == 3000 && leg["isEstimate"] as? Bool == false)
        let steps = try #require(leg["steps"] as? [[String: Any]]).compactMap { $0["instruction"] as? String }
        #expect(steps.contains { $0.contains("9") && $0.contains("Hakaniemi") }, "\(steps)")
        for (wrong, status) in [
            (by, 65), (["--feed", feed.path], 64), (by + ["--provider", "osrm:http://localhost:1"], 64),
            (by + ["--departure", "noon"], 64), (["--departure", "08:00"], 64),
        ] as [([String], Int32)] {
            // On a Sunday nothing runs.
            let sunday = wrong == by ? ["--departure", "2026-11-01T08:00"] : []
            let ended = try await portolan.run(["route"] + places + wrong + sunday)
            #expect(ended.status == status, "\(ended.testDescription)")
        }
    }

    @Test func `time windows, stays and fixed positions are respected`() async throws {
        let places = ["24.90,60.17", "24.92,60.17;window=200-300", "24.94,60.17;stay=15", "24.96,60.17;at=2"]
        let found = try json(try await portolan.run(["route", "--json"] + places))
        #expect(found["order"] as? [Int] == [0, 3, 2, 1])
        let arrivals = try #require(found["places"] as? [[String: Any]]).compactMap { $0["arrival"] as? Double }
        #expect(arrivals == arrivals.sorted())
    }

    @Test func `columns of a table mean the same as options on the command line`() async throws {
        try portolan.write(
            "name,lon,lat,stay,window\nA,24.90,60.17,5,\nB,24.92,60.17,10,60-90\nC,24.94,60.17,,\n", to: "places.csv")
        let file = try json(try await portolan.run(["route", "places.csv", "--json"]))
        let words = try json(
            try await portolan.run([
                "route", "24.90,60.17;name=A;stay=5", "24.92,60.17;name=B;stay=10;window=60-90", "24.94,60.17;name=C",
                "--json",
            ]))
        #expect(NSDictionary(dictionary: file) == NSDictionary(dictionary: words))
        let waits = try #require(file["places"] as? [[String: Any]]).compactMap { $0["wait"] as? Double }
        #expect(waits.count == 1)
        #expect(try #require(file["secondsInAll"] as? Double) > 3600)
    }

    @Test(arguments: ["geojson", "gpx", "png", "svg", "pdf"])
    func `a route is written in each format, and a saved route is planned again`(format: String) async throws {
        let ended = try await portolan.run(["route", "--round-trip", "--json", "-o", "way.\(format)"] + Self.line)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try #require(portolan.file("way.\(format)")).count > 500)
        guard format == "geojson" || format == "gpx" else { return }
        let names = try names(ended)
        #expect(Set(names) == ["A", "B", "C", "D"] && names.first == "A" && names.last == "A")
        #expect(try self.names(try await portolan.run(["route", "way.\(format)", "--json"])) == names)
    }

    private func names(_ ended: BuiltCommand.Ended) throws -> [String] {
        try #require(try json(ended)["places"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    @Test func `place names are looked up in a file`() async throws {
        try portolan.write(
            #"""
            {"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": "Kauppatori"}, "geometry": {"type": "Point", "coordinates": [24.95, 60.17]}},
            {"type": "Feature", "properties": {"name": "Töölö"}, "geometry": {"type": "Point", "coordinates": [24.92, 60.18]}}]}
            """#, to: "names.geojson")
        let found = try json(
            try await portolan.run(["route", "kauppatori", "toolo;stay=10", "--geocoder", "names.geojson", "--json"]))
        let places = try #require(found["places"] as? [[String: Any]])
        #expect(places.compactMap { $0["name"] as? String } == ["Kauppatori", "Töölö"])
        #expect(places.last?["stay"] as? Double == 600)
        let unknown = try await portolan.run(["route", "kauppatori", "Atlantis", "--geocoder", "names.geojson"])
        #expect(unknown.status == 66)
    }

    @Test func `a route falls back to straight lines if the server is down, with its own exit code`() async throws {
        let ended = try await portolan.run(
            ["route", "--provider", "osrm:http://127.0.0.1:9", "--retries", "0"] + Self.line)
        #expect(ended.status == 3, "\(ended.testDescription)")
        #expect(ended.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        (["24.9,60.1"], 64, "two places"), (["24.9,60.1", "24.9,95"], 64, "outside the earth"),
        (["24.9,60.1", "Atlantis"], 66, "no such file"),
        (["24.9,60.1;at=0", "24.9,60.2"], 64, "a whole number from 1"),
        (["24.9,60.1;window=9", "24.9,60.2"], 64, "FROM-TO"), (["24.9,60.1;up=9", "24.9,60.2"], 64, "key 'up'"),
        (["24.9,60.1;stay=-1", "24.9,60.2"], 64, "minutes"),
        (["24.9,60.1", "24.9,60.2", "--mode", "boat"], 64, "boat"),
        (["24.9,60.1", "24.9,60.2", "--provider", "osrm:nowhere"], 64, "osrm:URL"),
        (["24.9,60.1", "24.9,60.2", "--provider", "map:http://a.example"], 64, "available: osrm"),
        (["24.9,60.1", "24.9,60.2", "--provider", "osrm:http://a.example", "--offline"], 64, "--offline"),
        (["24.9,60.1", "24.9,60.2", "--language", "fi"], 64, "en and es"),
        (["24.9,60.1", "24.9,60.2", "--bogus"], 64, "--bogus"),
        (["24.9,60.1", "24.9,60.2", "-o", "x.doc"], 64, ".gpx"),
        (["24.9,60.1", "24.9,60.2", "--keep-last", "--round-trip"], 64, "contradict"),
        (["24.9,60.1", "24.9,60.2", "-l", "a.geojson"], 64, "-o"),
        (["24.9,60.1", "24.9,60.2", "24.9,60.3;at=2", "--order", "given"], 64, "pinned"),
        (["24.9,60.1", "24.9,60.2;at=1"], 64, "both"), (["24.9,60.1", "24.9,60.2", "-o", "/nowhere/x.gpx"], 73, ""),
    ])
    func `invalid requests are reported in text`(arguments: [String], status: Int32, words: String) async throws {
        let ended = try await portolan.run(["route"] + arguments)
        #expect(ended.status == status, "\(ended.testDescription)")
        #expect(words.isEmpty || ended.errors.contains(words), "\(ended.testDescription)")
    }
}
