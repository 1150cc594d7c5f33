import Foundation
import PortolanFeatures
import PortolanFetch
import PortolanServerCore
import TestHelpers
import Testing

/// What operators of a server see and decide: origins, metrics and the access log.
@Suite struct OperationTests {
    @Test(
        arguments: [
            (.any, "https://a.example", "*"), (.none, "https://a.example", nil),
            (.of(["https://a.example"]), "https://a.example", "https://a.example"),
            (.of(["https://a.example"]), "https://A.example", "https://A.example"),
            (.of(["https://a.example"]), "https://b.example", nil), (.of(["https://a.example"]), nil, nil),
        ] as [(CrossOrigins, String?, String?)])
    func `pages of other origins may read responses if the server permits it`(
        origins: CrossOrigins, origin: String?, allowed: String?
    ) async throws {
        let sample = try await SampleServer { $0.crossOrigins = origins }
        let headers = origin.map { [("Origin", $0)] } ?? []
        for response in [
            await sample.get("/tilejson/square.json", headers), await sample.get("/nothing", headers),
            await sample.answer("OPTIONS", "/tiles/square/0/0/0.png", headers),
        ] {
            #expect(response[header: "Access-Control-Allow-Origin"] == allowed)
            let varies = response[header: "Vary"]?.contains("Origin") == true
            #expect(varies == (origins != .any && origins != .none))
        }
    }

    @Test(
        arguments: [
            ("https://a.example", "https://a.example"), ("HTTP://A.example:8080", "http://a.example:8080"),
            ("https://a.example/", nil), ("a.example", nil), ("*", nil), ("https://", nil),
            ("https://u@a.example", nil),
        ] as [(String, String?)])
    func `an origin is a scheme and a host`(text: String, origin: String?) {
        #expect(CrossOrigins.origin(text) == origin)
    }

    @Test func `metrics have a histogram for each route, the caches and the process`() async throws {
        let sample = try await SampleServer { $0.version = "1.2.3" }
        for _ in 0..<3 { _ = await sample.get("/tiles/square/0/0/0.png") }
        let page = String(decoding: await sample.get("/metrics").body, as: UTF8.self)
        func value(_ name: String) throws -> Double {
            let line = try #require(page.split(separator: "\n").first { $0.hasPrefix(name + " ") }, "\(name)")
            return try #require(Double(line.split(separator: " ").last ?? ""))
        }
        let buckets = page.split(separator: "\n").filter {
            $0.hasPrefix("portolan_http_request_duration_seconds_bucket{route=\"tiles\"")
        }
        let counts = buckets.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(counts.count == buckets.count && counts == counts.sorted() && counts.last == 3)
        #expect(buckets.last?.contains("le=\"+Inf\"") == true)
        #expect(try value("portolan_http_request_duration_seconds_count{route=\"tiles\"}") == 3)
        #expect(try value("portolan_http_request_duration_seconds_sum{route=\"tiles\"}") > 0)
        #expect(try value("portolan_cache_misses_total") == 1)
        #expect(try value("portolan_cache_hits_total") == 2)
        #expect(try value("portolan_cache_bytes{cache=\"pictures\"}") > 0)
        #expect(try value("portolan_viewers") == 0)
        #expect(try value("portolan_gate_waiting") == 0)
        #expect(try value("portolan_build_info{version=\"1.2.3\"}") == 1)
        #if os(Linux)
        #expect(try value("process_resident_memory_bytes") > 1_000_000)
        #expect(try value("process_cpu_seconds_total") > 0)
        #expect(try value("process_open_fds") > 2)
        let start = try value("process_start_time_seconds"), now = Date().timeIntervalSince1970
        #expect(start < now + 2 && start > now - 86_400)
        #endif
        // Each family has a type, and each sample belongs to the family before it.
        var family = ""
        for line in page.split(separator: "\n") {
            if line.hasPrefix("# HELP ") { family = String(line.split(separator: " ")[2]) }
            if !line.hasPrefix("#") { #expect(line.hasPrefix(family), "\(line)") }
        }
    }

    private static func entry(
        _ target: String, _ response: ServerResponse = ServerResponse(status: 200, body: [1, 2, 3]),
        referrer: String? = nil, agent: String? = nil
    ) -> AccessEntry {
        let outcome = MapServer.Outcome(
            response: response, route: "tiles", client: "192.0.2.1", duration: .milliseconds(12.34))
        return AccessEntry(
            time: Date(timeIntervalSince1970: 971_186_136), method: "GET", target: target,
            outcome: outcome, referrer: referrer, agent: agent)
    }

    @Test func `the combined log is that of Apache`() {
        let entry = Self.entry(
            "/tiles/a/0/0/0@2x.png", referrer: "http://www.example.com/start.html", agent: "Mozilla \"4.08\"\u{7}")
        #expect(
            entry.line(as: .combined)
                == "192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] \"GET /tiles/a/0/0/0@2x.png HTTP/1.1\" 200 3 "
                + "\"http://www.example.com/start.html\" \"Mozilla \\\"4.08\\\"\\x07\"")
    }

    @Test func `a line of the JSON log is one object`() throws {
        let line = Self.entry("/tiles/a/0/0/0.png", agent: "A\"\nB").line(as: .json)
        #expect(!line.contains("\n"))
        let members = try #require(try JSONReader.value(bytes: Array(line.utf8)).objectValue)
        #expect(members["time"]?.stringValue == "2000-10-10T13:55:36Z")
        #expect(members["target"]?.stringValue == "/tiles/a/0/0/0.png")
        #expect(members["status"]?.integerValue == 200)
        #expect(members["ms"]?.doubleValue == 12.3)
        #expect(members["agent"]?.stringValue == "A\"\nB")
    }

    @Test func `the log has the client that a trusted proxy names`() async throws {
        let sample = try await SampleServer { $0.trustedProxies = ["192.0.2.1"] }
        let outcome = await sample.server.answer(
            "GET", "/health", headers: [HTTPHeader(name: "X-Forwarded-For", value: "10.0.0.1, 198.51.100.7")],
            client: "192.0.2.1")
        let entry = AccessEntry(time: Date(), method: "GET", target: "/health", outcome: outcome)
        #expect(entry.line(as: .combined).hasPrefix("198.51.100.7 - - ["))
    }

    @Test(arguments: [
        "/tiles/a/0/0/0.png?key=SECRET-SECRET-SECRET", "/key/SECRET-SECRET-SECRET/tiles/a/0/0/0.png?x=1",
        "/maps/key/SECRET-SECRET-SECRET", "/styles/v1/u/a/static/0,0,1/9x9?access_token=SECRET-SECRET-SECRET",
    ])
    func `no log has a key`(target: String) {
        let entry = Self.entry(target, referrer: "http://h" + target)
        for format in AccessEntry.Format.allCases {
            let line = entry.line(as: format)
            #expect(!line.contains("SECRET"), "\(line)")
            #expect(line.contains("***"))
        }
    }
}
