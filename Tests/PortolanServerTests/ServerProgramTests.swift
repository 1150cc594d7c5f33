#if Server
import Foundation
import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanRaster
import PortolanTestSupport
import Testing

/// The program as scripts and service managers use it.
@Suite struct ServerProgramTests {
    private static let square = """
        {"type": "Feature", "properties": {"fill": "#ff0000", "fill-opacity": 1, "stroke-width": 0},
         "geometry": {"type": "Polygon", "coordinates": [[[-5, -5], [5, -5], [5, 5], [-5, 5], [-5, -5]]]}}
        """

    private func built() throws -> BuiltServer {
        let built = try BuiltServer()
        try built.folder.write(Array(Self.square.utf8), to: "square.geojson")
        return built
    }

    @Test func `its first line is the address, requests are answered, and SIGTERM ends it with 0`() async throws {
        let running = try built().start(["-l", "square.geojson", "--port", "0"])
        let port = try await running.port()
        let answer = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port)
        #expect(answer.status == 200 && answer.headers["content-type"] == "image/png")
        #expect(answer.headers["content-length"] == "\(answer.body.count)")
        let pixels = try ImageDecoders.standard.decode(answer.body)
        #expect(pixels[255, 255] == Pixel(Color(red: 255, green: 0, blue: 0)))
        let tag = try #require(answer.headers["etag"])
        let again = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port, headers: ["If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty)
        let head = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port, method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.headers["content-length"] == "\(answer.body.count)")
        let options = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port, method: "OPTIONS")
        #expect(options.status == 204)
        running.process.terminate()
        #expect(await running.status() == 0)
        #expect(running.printed == "http://127.0.0.1:\(port)/\n")
        #expect(running.complaints.contains("GET /tiles/map/2/1/1.png 200"))
    }

    @Test func `a taken port is a sentence and a status`() async throws {
        let (descriptor, port) = try LoopbackSocket.listen()
        defer { LoopbackSocket.end(descriptor) }
        let running = try built().start(["-l", "square.geojson", "--port", "\(port)"])
        #expect(await running.status() == 69)
        #expect(running.printed.isEmpty)
        #expect(running.complaints.contains("port \(port) of 127.0.0.1 is taken"))
    }

    @Test(arguments: [
        ([], 64, "there is nothing to serve"), (["--port", "99999", "-l", "square.geojson"], 64, "--port 99999"),
        (["none.json"], 66, "none.json"), (["-l", "square.geojson;colour=red"], 65, "colour"),
        (["--no-such"], 64, "--no-such"),
        (["none.yaml"], 66, "none.yaml"), (["check", "bad.yaml"], 65, "line 2"),
        (["check", "memory.yaml"], 65, "memory.yaml, line 2: 'memory-mib' is not a whole number from 8"),
        (["check", "key.yaml"], 65, "line 3"), (["check", "cache.yaml"], 64, "redis://127.0.0.1"),
    ])
    func `what is wrong is a sentence and a status`(arguments: [String], status: Int32, words: String) async throws {
        let built = try built()
        try built.folder.write(Array("port: 8080\nmapps: {}\n".utf8), to: "bad.yaml")
        let key = "maps: {a: {layers: [square.geojson]}}\nroutes:\n  keys: {ana: short}\n"
        try built.folder.write(Array(key.utf8), to: "key.yaml")
        let memory = "maps: {a: {layers: [square.geojson]}}\nmemory-mib: 64k\n"
        try built.folder.write(Array(memory.utf8), to: "memory.yaml")
        let cache = "maps: {a: {layers: [square.geojson]}}\ncache: redis://127.0.0.1:port\n"
        try built.folder.write(Array(cache.utf8), to: "cache.yaml")
        let running = try built.start(arguments)
        #expect(await running.status() == status)
        #expect(running.complaints.contains(words), "\(running.complaints)")
    }

    @Test func `a configuration is checked, served, and read again at SIGHUP: all of it, or none`() async throws {
        let built = try built()
        func configure(_ text: String) throws { try built.folder.write(Array(text.utf8), to: "maps.yaml") }
        try configure("port: 0\nmaps:\n  one: {layers: [square.geojson], title: One, zooms: 0-5}\n")
        let check = try built.start(["check", "maps.yaml"])
        #expect(await check.status() == 0)
        #expect(check.printed == "one: 1 layers, EPSG:3857, levels 0 to 5\n")
        let running = try built.start(["maps.yaml", "--quiet"])
        let port = try await running.port()
        func status(_ map: String) async throws -> Int {
            try await RawHTTP.get("/tilejson/\(map).json", from: port).status
        }
        #expect(try await status("one") == 200)
        try configure("maps:\n  two: {layers: [none.geojson]}\n")
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("the maps stay as they were") })
        #expect(try await status("one") == 200)
        try configure("maps:\n  two: {layers: [square.geojson]}\n")
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("the maps were read again: two") })
        #expect(try await status("one") == 404)
        #expect(try await status("two") == 200)
        // A timetable belongs to what is read.
        try configure("maps:\n  three: {layers: [square.geojson]}\nviewer: {transit: none.zip}\n")
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("the maps stay as they were; 'transit'") })
        #expect(try await status("two") == 200)
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test func `health has a port of its own, at which a server that is to end says so while it goes on`() async throws
    {
        let built = try built()
        let text = """
            port: 0
            health-port: 0
            shutdown: {notice: 3600}
            maps: {one: {layers: [square.geojson]}}

            """
        try built.folder.write(Array(text.utf8), to: "maps.yaml")
        let running = try built.start(["maps.yaml", "--quiet"])
        let port = try await running.port()
        #expect(await eventually { running.complaints.contains("health and figures are at") })
        let named = try #require(running.complaints.firstMatch(of: #/http:\/\/127\.0\.0\.1:(\d+)\//#))
        let health = try #require(Int(named.1))
        func status(_ target: String, _ port: Int) async throws -> Int {
            try await RawHTTP.get(target, from: port).status
        }
        for target in ["/health/live", "/health/ready", "/metrics"] {
            #expect(try await status(target, health) == 200)
            #expect(try await status(target, port) == 404)
        }
        for target in ["/", "/tilejson/one.json", "/viewer/one"] { #expect(try await status(target, health) == 404) }
        running.process.terminate()
        var ready = 200
        while ready == 200 { ready = try await status("/health/ready", health) }
        #expect(ready == 503)
        #expect(try await status("/tilejson/one.json", port) == 200)
        kill(running.process.processIdentifier, SIGKILL)
        #expect(await running.status() == 128 + SIGKILL)
    }
}
#endif
