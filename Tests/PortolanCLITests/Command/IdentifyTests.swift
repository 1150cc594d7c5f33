import Foundation
import Testing

/// `portolan identify` as a process.
@Suite struct IdentifyTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private static let square = """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":7,"geometry":{"type":"Polygon","coordinates":\
        [[[-10,-10],[10,-10],[10,10],[-10,10],[-10,-10]]]},"properties":{"name":"A","n":1.5,"on":true,"none":null,\
        "list":[1,"x"]}},{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"id":"p"}}]}
        """

    private static let view = ["--center", "0,0", "--zoom", "2", "--size", "256x256"]

    private func answers(_ ended: BuiltCommand.Ended) throws -> [[String: Any]] {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
        #expect(Set(document.keys) == ["at", "answers", "warnings"])
        return try #require(document["answers"] as? [[String: Any]])
    }

    /// A server with MapServer's capabilities; questions are answered by a capture.
    private func server(_ answer: String) throws -> LoopbackServer {
        let capabilities = try MapServer.capture("mapserver/caps-1.3.0.xml")
        let info = try MapServer.capture(answer)
        return try LoopbackServer { request in
            .init(
                type: "text/plain", body: request.target.contains("GetCapabilities") ? capabilities : info)
        }
    }

    @Test func `features of a file are listed with id, geometry and properties, the topmost first`() async throws {
        try portolan.write(Self.square, to: "a.geojson")
        let ended = try await portolan.run(
            ["identify", "-l", "a.geojson", "--at", "128,128", "-o", "a.png", "--title", "T"] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(portolan.files == ["a.geojson"])
        let answers = try answers(ended)
        #expect(answers.count == 1 && Set(answers[0].keys) == ["layer", "kind", "features"])
        #expect(answers[0]["layer"] as? String == "a" && answers[0]["kind"] as? String == "features")
        let features = try #require(answers[0]["features"] as? [[String: Any]])
        #expect(features.map { $0["id"] as? String } == ["p", nil] && features[1]["id"] as? Int == 7)
        let properties = try #require(features[1]["properties"] as? [String: Any])
        #expect(properties["n"] as? Double == 1.5 && properties["none"] is NSNull)
        let geometry = try #require(features[1]["geometry"] as? [String: Any])
        #expect(geometry["type"] as? String == "Polygon")
        #expect((geometry["coordinates"] as? [[[Double]]])?.first?.first == [-10, -10])
    }

    @Test func `a position in degrees is identified at its pixel, in each copy of the world`() async throws {
        try portolan.write(Self.square, to: "a.geojson")
        for (place, center, count) in [("9,9", "0,0", 1), ("11,0", "0,0", 0), ("360,0", "0,0", 2), ("0,0", "355,0", 2)]
        {
            let ended = try await portolan.run([
                "identify", "-l", "a.geojson", "--lonlat", place, "--center", center, "--zoom", "3", "--size",
                "256x256",
            ])
            let features = try answers(ended)[0]["features"] as? [Any]
            #expect(ended.status == 0 && features?.count == count, "\(place): \(ended.testDescription)")
        }
        // Without a stated centre, the view is centred on the point.
        let alone = try await portolan.run(["identify", "-l", "a.geojson", "--lonlat", "9,9", "--zoom", "3"])
        #expect(try (answers(alone)[0]["features"] as? [Any])?.count == 1)
    }

    @Test func `a service is queried for the drawn pixel, and its response is kept`() async throws {
        let server = try server("mapserver/info-1.1.1-text-plain.txt")
        defer { server.stop() }
        let ended = try await portolan.run(
            [
                "identify", "-l", "wms:\(server.url)/wms;layers=relief,cities;url-policy=base;name=base", "--at",
                "10.5,20",
                "--feature-count", "3", "--info-format", "text",
            ] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        let answer = try #require(try answers(ended).first)
        #expect(Set(answer.keys) == ["layer", "kind", "text"])
        #expect((answer["text"] as? String)?.contains("NAME = 'Zaragoza'") == true)
        let target = try #require(server.log.last?.target)
        for part in ["WIDTH=256&HEIGHT=256", "QUERY_LAYERS=cities&INFO_FORMAT=text/plain&FEATURE_COUNT=3&I=10&J=20"] {
            #expect(target.contains(part), "\(target)")
        }
    }

    @Test func `HTML responses are printed as text and unchanged`() async throws {
        let server = try server("mapserver/info-1.1.1-text-html.html")
        defer { server.stop() }
        let ended = try await portolan.run(
            [
                "identify", "-l", "wms:\(server.url)/wms;layers=cities;url-policy=base", "--at", "1,1", "--info-format",
                "html",
            ] + Self.view)
        let answer = try #require(try answers(ended).first)
        #expect(Set(answer.keys) == ["layer", "kind", "text", "html"])
        #expect((answer["html"] as? String)?.contains("<td>Zaragoza</td>") == true)
        #expect((answer["text"] as? String)?.contains("<") == false)
    }

    @Test func `failures are reported beside responses, with an exit code`() async throws {
        let server = try server("mapproxy/info-bad-format.txt")
        defer { server.stop() }
        try portolan.write(Self.square, to: "a.geojson")
        let failing = ["-l", "wms:\(server.url)/wms;layers=cities;url-policy=base", "--at", "128,128"] + Self.view
        let some = try await portolan.run(["identify", "-l", "a.geojson"] + failing)
        #expect(some.status == 3, "\(some.testDescription)")
        let answers = try answers(some)
        #expect(answers.map { $0["layer"] as? String } == ["cities", "a"])
        #expect((answers[0]["error"] as? String)?.contains("Unsupported INFO_FORMAT") == true)
        #expect((answers[1]["features"] as? [Any])?.count == 2)
        let none = try await portolan.run(["identify"] + failing)
        #expect(none.status == 69 && none.output.isEmpty, "\(none.testDescription)")
        #expect(none.error.contains("Unsupported INFO_FORMAT"))
        // A service that is not there at all.
        let gone = try await portolan.run(
            ["identify", "-l", "a.geojson", "-l", "wms:http://127.0.0.1:1/;layers=x", "--at", "1,1"] + Self.view)
        #expect(gone.status == 3, "\(gone.testDescription)")
        #expect(try self.answers(gone).last?["error"] != nil)
    }

    @Test func `tiles without a service cannot be identified`() async throws {
        let ended = try await portolan.run(
            ["identify", "-l", "xyz:http://127.0.0.1:1/{z}/{x}/{y}.png", "--at", "1,1"] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try answers(ended).first?["queryable"] as? Bool == false)
    }

    @Test(arguments: [
        ([], "--at X,Y or --lonlat LON,LAT"),
        (["--at", "1,1", "--lonlat", "1,1"], "--at and --lonlat cannot be combined"),
        (["--at", "1"], "X,Y"), (["--at", "257,1"], "outside the picture of 256x256"),
        (["--at", "-1,1"], "outside the picture"),
        (["--lonlat", "1,91"], "expected degrees"), (["--lonlat", "170,1"], "outside the view"),
        (["--at", "1,1", "--feature-count", "0"], "--feature-count 0"),
        (["--at", "1,1", "--tolerance", "-1"], "--tolerance"),
    ])
    func `impossible requests are reported with a remedy`(options: [String], words: String) async throws {
        try portolan.write(Self.square, to: "a.geojson")
        let ended = try await portolan.run(["identify", "-l", "a.geojson"] + options + Self.view)
        #expect(ended.status == 64 && ended.output.isEmpty, "\(ended.testDescription)")
        #expect(ended.error.contains(words), "\(ended.error)")
    }
}
