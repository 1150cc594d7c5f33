import Foundation
import PortolanCodecs
import PortolanRaster
import Testing

/// Tile services known by their documents: WMTS and TMS.
@Suite struct TileDocumentTests {
    private static let blue = Pixel(MapServer.tile)
    private static let view = ["--center", "0,0", "--zoom", "1", "--size", "512x512", "-o", "a.png"]

    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    /// A server with documents by their paths, its own address in them, and tiles of one colour for all else.
    private static func server(_ documents: [String: String]) throws -> LoopbackServer {
        let texts = try documents.mapValues {
            String(decoding: try MapServer.capture("mapproxy/\($0)"), as: UTF8.self)
        }
        let tile = try MapServer.picture(width: 256, height: 256)
        return try LoopbackServer { request in
            let host = request.headers.first { $0.lowercased().hasPrefix("host:") }?.dropFirst(6) ?? ""
            for (path, text) in texts where request.target == path {
                let own = text.replacing("127.0.0.1:18081", with: host).replacing("127.0.0.1:18082", with: host)
                return .init(type: "text/xml", body: Array(own.utf8))
            }
            if request.target.contains("GetCapabilities") {
                return .init(status: 500, type: "text/plain", body: Array("internal error".utf8))
            }
            return .init(type: "image/png", body: tile)
        }
    }

    private static let wmts = "/service?SERVICE=WMTS&REQUEST=GetCapabilities&VERSION=1.0.0"

    private func text(_ ended: BuiltCommand.Ended) -> String { String(decoding: ended.output, as: UTF8.self) }

    private func expectDrawn(_ arguments: [String], _ server: LoopbackServer, tiles: [String]) async throws {
        let ended = try await portolan.run(arguments)
        #expect(ended.status == 0, "\(ended.testDescription)")
        let targets = server.log.map(\.target).filter { !$0.contains("GetCapabilities") && !$0.hasSuffix(".xml") }
        #expect(targets.sorted() == tiles.sorted())
        #expect(try ImageDecoders.standard.decode(#require(portolan.file("a.png")))[5, 5] == Self.blue)
    }

    @Test func `a WMTS layer is drawn by parameters`() async throws {
        let server = try Self.server([Self.wmts: "wmts-kvp-caps.xml"])
        defer { server.stop() }
        let layer = "wmts:\(server.url)/service;layer=political;matrix-set=GLOBAL_MERCATOR;style=default;format=png"
        let tiles = ["0&TILECOL=0", "0&TILECOL=1", "1&TILECOL=0", "1&TILECOL=1"].map {
            "/service?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=political&STYLE=default&FORMAT=image/png"
                + "&TILEMATRIXSET=GLOBAL_MERCATOR&TILEMATRIX=01&TILEROW=\($0)"
        }
        try await expectDrawn(["render", "-l", layer] + Self.view, server, tiles: tiles)
    }

    @Test func `a WMTS layer with a dimension is drawn by path from a map document`() async throws {
        let server = try Self.server(["/wmts/1.0.0/WMTSCapabilities.xml": "dims-wmts-rest-caps.xml"])
        defer { server.stop() }
        // The service fails by parameters, as its server does.
        try portolan.write(
            Array(
                """
                {"size":[512,512],"center":[0,0],"zoom":1,
                 "layers":[{"wmts":"\(server.url)/service","layer":"dated","dim.time":"2024-01-01"}]}
                """.utf8), to: "map.json")
        let tiles = ["0/0", "0/1", "1/0", "1/1"].map { "/wmts/dated/GLOBAL_WEBMERCATOR/2024-01-01/01/\($0).jpeg" }
        try await expectDrawn(["render", "map.json", "-o", "a.png"], server, tiles: tiles)
    }

    @Test(arguments: ["/tms/1.0.0/relief/webmercator", "/tms/1.0.0/;layer=relief"])
    func `a TMS layer is drawn from its documents`(source: String) async throws {
        let server = try Self.server([
            "/tms/1.0.0/": "tms-service.xml", "/tms/1.0.0/relief/webmercator": "tms-map.xml",
        ])
        defer { server.stop() }
        let ended = try await portolan.run(["render", "-l", "tms:\(server.url)\(source)"] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        let tiles = server.log.map(\.target).filter { $0.hasSuffix(".jpeg") }
        #expect(tiles.sorted() == ["0/0", "0/1", "1/0", "1/1"].map { "/tms/1.0.0/relief/webmercator/0/\($0).jpeg" })
    }

    @Test(arguments: [
        (";layer=releif", "did you mean 'relief'?"), ("", "no layer given; available: relief, political"),
        (";layer=relief;matrix-set=x", "is not available in the matrix set 'x'; available: webmercator"),
        (";layer=relief;dim.time=1", "unknown dimension 'time' of layer"),
    ])
    func `a selection that the service does not offer is a usage error`(keys: String, words: String) async throws {
        let server = try Self.server([Self.wmts: "wmts-kvp-caps.xml"])
        defer { server.stop() }
        let ended = try await portolan.run(["render", "-l", "wmts:\(server.url)/service\(keys)"] + Self.view)
        #expect(ended.status == 64 && ended.errors.contains(words), "\(ended.testDescription)")
        #expect(portolan.files.isEmpty)
    }

    @Test func `template keys are rejected for a service document`() async throws {
        for key in ["tile-size=512", "subdomains=a"] {
            let ended = try await portolan.run(["render", "-l", "tms:http://127.0.0.1:1/tms;\(key)"] + Self.view)
            #expect(ended.status == 64 && ended.errors.contains("needs a template"), "\(ended.testDescription)")
        }
        let ended = try await portolan.run(["render", "-l", "tms:http://127.0.0.1:1/{z}/{x}/{y};layer=a"] + Self.view)
        #expect(ended.status == 64, "\(ended.testDescription)")
    }

    @Test func `a WMTS is shown as a table`() async throws {
        let server = try Self.server([Self.wmts: "wmts-kvp-caps.xml"])
        defer { server.stop() }
        let ended = try await portolan.run(["info", "\(server.url)/service?SERVICE=WMTS"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        let lines = text(ended).split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["Portolan test cache (MapProxy) ñ", "WMTS 1.0.0"])
        #expect(lines.contains { $0.hasPrefix("spain ") && $0.hasSuffix("es_utm30_nw, webmercator") })
        #expect(lines.contains { $0.hasPrefix("es_utm30_nw ") && $0.hasSuffix("256x256  00 – 10 (11)  1800 – 1") })
        #expect(lines.contains { $0.hasPrefix("geodetic_nw ") && $0.contains("512x512  00 – 07 (8)   0.7031 – ") })
    }

    @Test func `a WMTS document in a file is shown as JSON`() async throws {
        try portolan.write(MapServer.capture("mapproxy/dims-wmts-rest-caps.xml"), to: "caps.xml")
        let ended = try await portolan.run(["info", "caps.xml", "--json"])
        let info = try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
        #expect(info["type"] as? String == "WMTS" && info["version"] as? String == "1.0.0")
        let layers = try #require(info["layers"] as? [[String: Any]])
        let dimension = try #require((layers[0]["dimensions"] as? [[String: Any]])?.first)
        #expect(dimension["name"] as? String == "Time" && dimension["default"] as? String == "2026-01-01")
        let set = try #require((info["matrixSets"] as? [[String: Any]])?.first)
        #expect((set["resolutions"] as? [Double])?.count == 20 && set["tileSizes"] as? [[Int]] == [[256, 256]])
    }

    @Test func `TMS documents are shown with their full URLs`() async throws {
        let server = try Self.server([
            "/tms/1.0.0/": "tms-service.xml", "/tms/1.0.0/relief/webmercator": "tms-map.xml", "/tms/": "tms-root.xml",
        ])
        defer { server.stop() }
        let service = text(try await portolan.run(["info", "\(server.url)/tms/1.0.0/"]))
        #expect(service.contains("\nTMS 1.0.0\n"))
        #expect(service.contains("OSGEO:41001  global-mercator  \(server.url)/tms/1.0.0/relief/webmercator\n"))
        let map = text(try await portolan.run(["info", "\(server.url)/tms/1.0.0/relief/webmercator"]))
        #expect(map.contains("Tiles     image/jpeg, 256x256 pixels\nCRS       OSGEO:41001\n"))
        #expect(map.contains("0.5972      \(server.url)/tms/1.0.0/relief/webmercator/17\n"))
        let root = try await portolan.run(["info", "\(server.url)/tms/", "--json"])
        let info = try #require(try JSONSerialization.jsonObject(with: Data(root.output)) as? [String: Any])
        #expect((info["services"] as? [[String: Any]])?.first?["url"] as? String == "\(server.url)/tms/1.0.0/")
    }
}
