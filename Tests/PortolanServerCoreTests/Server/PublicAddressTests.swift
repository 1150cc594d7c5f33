import Portolan
import PortolanFeatures
import PortolanServerCore
import TestHelpers
import Testing

/// The address of the server in documents and redirects.
@Suite struct PublicAddressTests {
    private static let proxies: Set<String> = ["192.0.2.1"]

    private static func tiles(_ response: ServerResponse) throws -> String? {
        try #require(response.status == 200)
        return try JSONReader.value(bytes: response.body).objectValue?["tiles"]?.arrayValue?.first?.stringValue
    }

    @Test(arguments: [
        ([], "http://h"), ([("X-Forwarded-Prefix", "/maps")], "http://h/maps"),
        ([("X-Forwarded-Prefix", "/maps/")], "http://h/maps"), ([("X-Forwarded-Prefix", "/a/b.c")], "http://h/a/b.c"),
        ([("X-Forwarded-Proto", "https")], "https://h"), ([("X-Forwarded-Host", "evil.example")], "http://h"),
        ([("X-Forwarded-Prefix", "/\"><script>")], "http://h"),
        ([("X-Forwarded-Prefix", "//evil.example")], "http://h"),
        ([("X-Forwarded-Prefix", "/..")], "http://h"), ([("X-Forwarded-Prefix", "maps")], "http://h"),
        ([("X-Forwarded-Proto", "ftp")], "http://h"),
    ])
    func `a trusted proxy states the address of the client`(fields: [(String, String)], base: String) async throws {
        let sample = try await SampleServer { $0.trustedProxies = Self.proxies }
        let response = await sample.get("/tilejson/square.json", [("Host", "h")] + fields)
        #expect(try Self.tiles(response) == "\(base)/tiles/square/{z}/{x}/{y}.png")
    }

    @Test func `X-Forwarded headers of other clients are ignored`() async throws {
        let fields = [("Host", "h"), ("X-Forwarded-Prefix", "/maps"), ("X-Forwarded-Proto", "https")]
        let response = try await SampleServer().get("/tilejson/square.json", fields)
        #expect(try Self.tiles(response) == "http://h/tiles/square/{z}/{x}/{y}.png")
    }

    @Test func `under a prefix every address has it`() async throws {
        let sample = try await SampleServer { $0.prefix = "/maps" }, host = [("Host", "h")]
        #expect(
            try Self.tiles(await sample.get("/maps/tilejson/square.json", host))
                == "http://h/maps/tiles/square/{z}/{x}/{y}.png")
        for target in ["/maps/tiles/square/0/0/0.png", "/maps/viewer/square", "/maps", "/maps/", "/maps?x=1"] {
            #expect(await sample.get(target).status == 200, "\(target)")
        }
        // A map may have the name of the prefix, as its endpoint does.
        #expect(await sample.get("/maps/maps/square/static/0,0,3/20x10.png").status == 200)
        for target in ["/tiles/square/0/0/0.png", "/", "/mapsx/tiles/square/0/0/0.png", "/viewer/square"] {
            #expect(await sample.get(target).status == 404, "\(target)")
        }
        for target in ["/health/live", "/maps/health/ready", "/health", "/metrics"] {
            #expect(await sample.get(target).status == 200, "\(target)")
        }
        for target in ["/maps/wms?SERVICE=WMS&REQUEST=GetCapabilities", "/maps/wmts/1.0.0/WMTSCapabilities.xml"] {
            let text = String(decoding: await sample.get(target, host).body, as: UTF8.self)
            #expect(text.contains("http://h/maps/wm"), "\(target)")
            #expect(!text.contains("http://h/wm"), "\(target)")
        }
    }

    @Test(arguments: [
        ("/maps", [], "/maps/viewer/square"), ("/maps/", [], "/maps/viewer/square"),
        ("/maps", [("X-Forwarded-Prefix", "/gis")], "/gis/maps/viewer/square"),
    ])
    func `a browser is led to the viewer under the prefix`(
        target: String, fields: [(String, String)], location: String
    ) async throws {
        let sample = try await SampleServer {
            $0.prefix = "/maps"
            $0.trustedProxies = Self.proxies
        }
        sample.server.replace(MapBook([sample.book.maps[0]]))
        let response = await sample.get(target, fields + [("Accept", "text/html,*/*")])
        #expect(response.status == 302)
        #expect(response[header: "Location"] == location)
    }

    @Test(arguments: [("https://maps.example", "/viewer/square"), ("https://e.example/gis", "/gis/viewer/square")])
    func `a configured address is complete`(base: String, location: String) async throws {
        let sample = try await SampleServer {
            $0.base = base
            $0.prefix = "/maps"
        }
        sample.server.replace(MapBook([sample.book.maps[0]]))
        #expect(
            try Self.tiles(await sample.get("/maps/tilejson/square.json", [("Host", "h")]))
                == "\(base)/tiles/square/{z}/{x}/{y}.png")
        #expect(await sample.get("/maps", [("Accept", "text/html")])[header: "Location"] == location)
    }

    @Test func `a signature is that of the path after the prefix`() async throws {
        let signature = try #require(URLSignature(keys: [[UInt8](repeating: 1, count: 16)]))
        let sample = try await SampleServer {
            $0.signature = signature
            $0.prefix = "/gis"
        }
        let target = signature.signing("/maps/square/static/0,0,3/20x10.png", expiry: 4_000_000_000)
        #expect(await sample.get("/gis" + target).status == 200)
        #expect(await sample.get("/gis/maps/square/static/0,0,3/20x10.png").status == 401)
    }

    @Test(arguments: [
        ("/maps", "/maps"), ("/maps/", "/maps"), ("/", ""), ("", ""), ("/a/b-1_2.~", "/a/b-1_2.~"), ("maps", nil),
        ("/a//b", nil), ("/../a", nil), ("/a b", nil), ("https://h/maps", nil), ("/ä", nil),
    ])
    func `a prefix is a plain path`(text: String, prefix: String?) {
        #expect(MapServer.Settings.prefix(text) == prefix)
    }
}
