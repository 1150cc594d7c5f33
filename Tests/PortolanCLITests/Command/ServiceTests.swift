import Foundation
import PortolanCodecs
import PortolanRaster
import PortolanWeb
import Testing

/// Pictures and plans from services on the loopback interface.
@Suite struct ServiceTests {
    private static let view = ["--center", "0,0", "--zoom", "1", "--size", "512x512", "--attribution", "none"]
    private static let blue = Pixel(MapServer.tile)

    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private func report(_ name: String = "a.json") throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(#require(portolan.file(name))))
        return try #require(object as? [String: Any])
    }

    @Test func `tiles fill the picture, and the report has the documented keys`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-o", "a.png", "--report", "a.json"] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        #expect([image[10, 10], image[500, 500], image[256, 255]].allSatisfy { $0 == Self.blue })
        #expect(Set(server.log.map(\.target)) == ["/1/0/0.png", "/1/1/0.png", "/1/0/1.png", "/1/1/1.png"])

        let report = try report()
        #expect(Set(report.keys) == ["complete", "view", "layers", "milliseconds", "warnings", "warningDetails"])
        #expect(report["complete"] as? Bool == true)
        let view = try #require(report["view"] as? [String: Any])
        #expect(Set(view.keys) == ["crs", "extent", "resolution", "zoom", "rotation", "size", "pixelRatio"])
        #expect(view["crs"] as? String == "EPSG:3857")
        #expect(view["size"] as? [Int] == [512, 512])
        let layer = try #require((report["layers"] as? [[String: Any]])?.first)
        // A layer without attribution has no such key.
        #expect(Set(layer.keys) == ["name", "kind", "requested", "fetched", "cached", "stale", "failed"])
        #expect(layer["kind"] as? String == "xyz")
        #expect(
            [layer["requested"], layer["fetched"], layer["cached"], layer["stale"]].map { $0 as? Int } == [4, 4, 0, 0])
        let milliseconds = try #require(report["milliseconds"] as? [String: Any])
        #expect(Set(milliseconds.keys) == ["plan", "fetch", "decode", "paint", "encode", "total"])
    }

    @Test func `the report contains the attribution of a layer`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        _ = try await portolan.run(
            [
                "render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png;attribution=© Who", "-o", "a.png", "--report",
                "a.json",
            ]
                + Self.view)
        let layer = try #require((report()["layers"] as? [[String: Any]])?.first)
        #expect(layer["attribution"] as? String == "© Who")
    }

    @Test func `a missing tile leaves a gap, a report entry and exit code 3`() async throws {
        let server = try LoopbackServer(MapServer.tiles(except: "/1/1/1"))
        defer { server.stop() }
        let line =
            ["render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-o", "a.png", "--report", "a.json"] + Self.view
        let ended = try await portolan.run(line)
        #expect(ended.status == 3, "\(ended.testDescription)")
        #expect(ended.errors.contains("1 of 4 missing"))
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        #expect(image[100, 100] == Self.blue)
        #expect(image[400, 400] == Pixel(.white))
        #expect(try report()["complete"] as? Bool == false)
        let layer = try #require((report()["layers"] as? [[String: Any]])?.first)
        let failed = try #require((layer["failed"] as? [[String: Any]])?.first)
        #expect(Set(failed.keys) == ["code", "status", "resource", "error"])
        #expect("\(failed["resource"] ?? "")".contains("/1/1/1.png"))
        #expect("\(failed["error"] ?? "")".contains("404") && failed["status"] as? Int == 404)
    }

    @Test(
        arguments: [(["--strict"], 69), (["--max-missing", "20%"], 69), (["--max-missing", "25%"], 3)]
            as [([String], Int32)])
    func `the allowed missing share decides whether a picture is written`(options: [String], status: Int32) async throws
    {
        let server = try LoopbackServer(MapServer.tiles(except: "/1/1/1"))
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-o", "a.png", "--report", "a.json"] + options
                + Self.view)
        #expect(ended.status == status, "\(ended.testDescription)")
        #expect((portolan.file("a.png") != nil) == (status == 3))
        // The missing part is reported in both cases.
        #expect(try report()["complete"] as? Bool == false)
    }

    @Test func `no picture is written if all tiles are missing`() async throws {
        let server = try LoopbackServer { _ in .notFound }
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-o", "a.png", "--report", "a.json"] + Self.view)
        #expect(ended.status == 69, "\(ended.testDescription)")
        #expect(portolan.files == ["a.json"])
    }

    @Test func `a WMS request follows the capabilities, at the given URL`() async throws {
        let server = try LoopbackServer(MapServer.wms())
        defer { server.stop() }
        let ended = try await portolan.run(
            [
                "render", "-l", "wms:\(server.url)/wms?map=x;layers=land,rivers;url-policy=base;params.TIME=2020%3B1",
                "-o",
                "a.png", "--report", "a.json", "--header", "X-All: 1", "--header", "127.0.0.1|X-One: 2", "--header",
                "example.org|X-None: 3", "--user-agent", "tests/1",
            ] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        let image = try ImageDecoders.standard.decode(#require(portolan.file("a.png")))
        #expect(image[256, 256] == Self.blue)
        let map = try #require(server.log.last)
        #expect(map.target.hasPrefix("/wms?map=x&"))
        #expect(map.target.contains("LAYERS=land,rivers") || map.target.contains("LAYERS=land%2Crivers"))
        #expect(map.target.contains("WIDTH=512") && map.target.contains("TIME=2020"))
        #expect(map.headers.contains("X-All: 1") && map.headers.contains("X-One: 2"))
        #expect(map.headers.contains("User-Agent: tests/1"))
        #expect(!map.headers.contains { $0.hasPrefix("X-None") })
    }

    @Test func `a layer that the service does not offer is a usage error`() async throws {
        let server = try LoopbackServer(MapServer.wms())
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", "wms:\(server.url)/wms;layers=lnad", "-o", "a.png"] + Self.view)
        #expect(ended.status == 64)
        #expect(ended.errors.contains("lnad"))
    }

    @Test func `a failed service is left out while other layers are drawn`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        let line = [
            "render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png;name=good", "-l",
            "wms:http://127.0.0.1:1/;layers=a;name=bad",
            "-o", "a.png", "--report", "a.json",
        ]
        let ended = try await portolan.run(line + Self.view)
        #expect(ended.status == 3, "\(ended.testDescription)")
        let layers = try #require(report()["layers"] as? [[String: Any]])
        #expect(layers.map { $0["name"] as? String } == ["good", "bad"])
        let strict = try await portolan.run(line + Self.view + ["--strict", "-o", "b.png"])
        #expect(strict.status == 69)
        #expect(portolan.file("b.png") == nil)
    }

    @Test func `features that a server does not return are missing, not fatal`() async throws {
        let server = try LoopbackServer(MapServer.tiles(except: "/route"))
        defer { server.stop() }
        let ended = try await portolan.run(
            ["render", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png", "-l", "\(server.url)/route.geojson", "-o", "a.png"]
                + Self.view)
        #expect(ended.status == 3, "\(ended.testDescription)")
        let fitted = try await portolan.run(["render", "-l", "\(server.url)/route.geojson", "-o", "b.png"])
        #expect(fitted.status == 69, "\(fitted.testDescription)")
        #expect(portolan.file("b.png") == nil)
    }

    @Test func `a plan lists each request with its position and fetches nothing`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        let ended = try await portolan.run(
            [
                "plan", "-l", "xyz:\(server.url)/{z}/{x}/{y}.png;name=base;opacity=0.5", "-o", "a.png", "--report",
                "a.json",
                "--strict", "--title", "T",
            ] + Self.view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(server.log.isEmpty && portolan.files.isEmpty)
        let plan = try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
        #expect(Set(plan.keys) == ["view", "steps", "warnings"])
        let step = try #require((plan["steps"] as? [[String: Any]])?.first)
        #expect(step["layer"] as? String == "base" && step["kind"] as? String == "xyz")
        #expect(step["opacity"] as? Double == 0.5)
        let mosaic = try #require((step["mosaics"] as? [[String: Any]])?.first)
        #expect(mosaic["size"] as? [Int] == [512, 512])
        let images = try #require(mosaic["images"] as? [[String: Any]])
        let places = Dictionary(
            images.map { ($0["url"] as? String ?? "", $0["placement"] as? [Int] ?? []) },
            uniquingKeysWith: { a, _ in a })
        #expect(
            places == [
                "\(server.url)/1/0/0.png": [0, 0, 256, 256], "\(server.url)/1/1/0.png": [256, 0, 256, 256],
                "\(server.url)/1/0/1.png": [0, 256, 256, 256], "\(server.url)/1/1/1.png": [256, 256, 256, 256],
            ])
    }
}
