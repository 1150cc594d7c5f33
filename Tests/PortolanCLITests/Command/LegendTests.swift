#if Text
import Foundation
import PortolanCodecs
import PortolanRaster
import PortolanWeb
import Testing

/// `--legend` on pictures and plans of a service on the loopback interface.
@Suite struct LegendTests {
    private static let view = ["--center", "0,0", "--zoom", "1", "--size", "400x300", "--attribution", "none"]
    private static let red = MapColor(red: 200, green: 0, blue: 0)

    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    /// MapServer's capabilities with maps of one colour, and legends of another, or none.
    private func server(hasLegend: Bool = true, hasMaps: Bool = true) throws -> LoopbackServer {
        let wms = try MapServer.wms()
        let capabilities = try MapServer.capture("mapserver/caps-1.3.0.xml")
        let exception = try MapServer.capture("mapserver/err-legend-layer.xml")
        let legend = try MapServer.picture(width: 60, height: 40, color: Self.red)
        // The captured addresses of legends lead to the captured server's own port.
        let text = String(decoding: capabilities, as: UTF8.self)
        return try LoopbackServer { request in
            if request.target.contains("GetCapabilities") {
                let host = request.headers.first { $0.lowercased().hasPrefix("host:") }?.dropFirst("host:".count)
                let own = "http://\((host ?? "").trimmingPrefix { $0 == " " })"
                let body = text.replacing("http://127.0.0.1:18080", with: own)
                return .init(type: "text/xml", body: Array(body.utf8))
            }
            if request.target.contains("GetLegendGraphic") {
                return hasLegend
                    ? .init(type: "image/png", body: legend) : .init(type: "text/xml", body: exception)
            }
            return hasMaps ? wms(request) : .notFound
        }
    }

    private func report() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(#require(portolan.file("a.json"))))
        return try #require(object as? [String: Any])
    }

    private func layer(_ server: LoopbackServer) -> String { "wms:\(server.url)/wms;layers=countries,cities;name=base" }

    @Test func `the legends of a service's layers are drawn at the right`() async throws {
        let server = try server()
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", layer(server), "-o", "a.png", "--report", "a.json", "--legend"] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        let reds = (0..<300).reduce(0) { count, y in
            count + (0..<400).count { image[$0, y] == Pixel(Self.red) && $0 > 200 }
        }
        #expect(reds == 2 * 60 * 40)
        #expect(image[100, 150] == Pixel(MapServer.tile))
        let layer = try #require((report()["layers"] as? [[String: Any]])?.first)
        #expect(layer["requested"] as? Int == 3 && layer["fetched"] as? Int == 3)
    }

    @Test func `a failed legend leaves its title, a report entry and exit code 3`() async throws {
        let server = try server(hasLegend: false)
        defer { server.stop() }
        let line = ["render", "-l", layer(server), "-o", "a.png", "--report", "a.json", "--legend"] + Self.view
        let ended = try await portolan.run(line)
        #expect(ended.status == 3, "\(ended.testDescription)")
        let layer = try #require((report()["layers"] as? [[String: Any]])?.first)
        let failed = try #require(layer["failed"] as? [[String: Any]])
        #expect(failed.count == 2 && failed.allSatisfy { "\($0["resource"] ?? "")".hasPrefix("legend http://") })
        #expect(failed.allSatisfy { "\($0["error"] ?? "")".contains("LayerNotDefined") })
        #expect(failed.allSatisfy { $0["code"] as? String == "exception" })
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        // The panel is there, with its titles.
        #expect((0..<300).contains { image[380, $0] == Pixel(.white) })
        let strict = try await portolan.run(line + ["--strict", "-o", "b.png"])
        #expect(strict.status == 69 && portolan.file("b.png") == nil)
    }

    @Test(
        arguments: [
            ("90x40", 3, "no room for the legend"), ("200x80", 3, "no room for any of the 2 legend entries"),
            ("300x150", 0, "legend entries left out: 1"),
        ]
            as [(String, Int32, String)])
    func `a legend that does not fit is reported`(size: String, status: Int32, words: String) async throws {
        let server = try server()
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", layer(server), "-o", "a.png", "--report", "a.json", "--legend"] + Self.view
                + ["--size", size])
        #expect(ended.status == status && ended.errors.contains(words), "\(ended.testDescription)")
        let report = try report(), warnings = try #require(report["warnings"] as? [String])
        #expect(report["complete"] as? Bool == (status == 0) && warnings.contains { $0.contains(words) })
    }

    @Test func `a legend without entries is reported`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-o", "a.png", "--legend"] + Self.view)
        #expect(ended.status == 0 && ended.errors.contains("no layer in view has a legend"), "\(ended.testDescription)")
    }

    @Test func `no picture is written if the legend alone could be drawn`() async throws {
        let server = try server(hasMaps: false)
        defer { server.stop() }
        let ended = try await portolan.run(["render", "-l", layer(server), "-o", "a.png", "--legend"] + Self.view)
        #expect(ended.status == 69, "\(ended.testDescription)")
        #expect(portolan.file("a.png") == nil)
    }

    @Test func `a plan lists the images and samples of the legend`() async throws {
        let server = try server()
        defer { server.stop() }
        try portolan.write(
            """
            {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},\
            "properties":{"kind":"well","marker-color":"#f00"}},{"type":"Feature","geometry":{"type":"Point",\
            "coordinates":[1,1]},"properties":{"kind":"hut","marker-color":"#0f0"}}]}
            """, to: "sights.geojson")
        let line = ["plan", "-l", layer(server), "-l", "sights.geojson"] + Self.view
        let ended = try await portolan.run(line + ["--legend"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let plan = try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
        let legend = try #require(plan["legend"] as? [[String: Any]])
        #expect(legend.map { $0["layer"] as? String } == ["sights", "base", "base"])
        #expect(legend[0]["symbols"] as? [String] == ["well", "hut"])
        #expect((legend[1]["url"] as? String)?.contains("layer=cities") == true)
        #expect(!server.log.contains { $0.target.contains("GetLegendGraphic") })
        let plain = try await portolan.run(line)
        #expect(!String(decoding: plain.output, as: UTF8.self).contains("\"legend\""))
    }
}
#endif
