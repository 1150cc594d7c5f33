import Foundation
import PortolanCodecs
import PortolanRaster
import Testing

/// WMS-C and TMS tiles, and servers that do not answer.
@Suite struct TileServiceTests {
    private static let blue = Pixel(MapServer.tile)

    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private func corner(_ name: String) throws -> Pixel {
        try ImageDecoders.standard.decode(#require(portolan.file(name)))[5, 5]
    }

    @Test func `tiles of an advertised tile set are requested on its grid`() async throws {
        let text = String(decoding: try MapServer.capture("mapproxy/wmsc-caps-1.1.1.xml"), as: UTF8.self)
        let tile = try MapServer.picture(width: 256, height: 256)
        let server = try LoopbackServer { request in
            guard request.target.contains("GetCapabilities") else { return .init(type: "image/png", body: tile) }
            // The server names its own address, which is elsewhere now.
            let host = request.headers.first { $0.lowercased().hasPrefix("host:") }?.dropFirst(6) ?? ""
            return .init(type: "text/xml", body: Array(text.replacing("127.0.0.1:18081", with: host).utf8))
        }
        defer { server.stop() }
        let ended = try await portolan.run([
            "render", "-l", "wmsc:\(server.url)/service;layers=political", "--center", "0,0", "--zoom", "1", "--size",
            "512x512", "-o", "a.png",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try corner("a.png") == Self.blue)
        let maps = server.log.map(\.target).filter { $0.contains("GetMap") }
        #expect(maps.count == 4)
        #expect(maps.allSatisfy { $0.contains("WIDTH=256") && $0.contains("HEIGHT=256") })
    }

    @Test(arguments: ["wmts", "wms"]) func `a view outside a service's extent is reported, and refused with --strict`(
        kind: String
    ) async throws {
        let isTiled = kind == "wmts"
        let file = isTiled ? "mapproxy/wmts-kvp-caps.xml" : "mapproxy/caps-1.3.0.xml"
        let text = String(decoding: try MapServer.capture(file), as: UTF8.self)
        let picture = try MapServer.picture(width: 256, height: 256)
        let server = try LoopbackServer { request in
            guard request.target.contains("GetCapabilities") else { return .init(type: "image/png", body: picture) }
            let host = request.headers.first { $0.lowercased().hasPrefix("host:") }?.dropFirst(6) ?? ""
            return .init(type: "text/xml", body: Array(text.replacing("127.0.0.1:18081", with: host).utf8))
        }
        defer { server.stop() }
        let layer = isTiled ? "layer=spain" : "layers=spain"
        let line = [
            "render", "-l", "\(kind):\(server.url)/service;\(layer);name=s", "--zoom", "6", "--size", "256x256", "-o",
        ]
        let elsewhere = ["--center", "100,10"]
        let told = try await portolan.run(line + ["a.png"] + elsewhere)
        #expect(told.status == 0 && told.errors.contains("layer 's': the view is entirely outside"), "\(told.errors)")
        let strict = try await portolan.run(line + ["b.png", "--strict"] + elsewhere)
        #expect(strict.status == 69 && portolan.file("b.png") == nil, "\(strict.testDescription)")
        #expect(strict.error.contains("layer 's': the view is entirely outside"))
        let there = try await portolan.run(line + ["c.png", "--strict", "--center", "-4,40"])
        #expect(there.status == 0, "\(there.testDescription)")
    }

    @Test func `a WMS is requested in tiles of a grid with a gutter`() async throws {
        let text = String(decoding: try MapServer.capture("mapserver/caps-1.3.0.xml"), as: UTF8.self)
        let tile = try MapServer.picture(width: 280, height: 280)
        let server = try LoopbackServer { request in
            guard request.target.contains("GetCapabilities") else { return .init(type: "image/png", body: tile) }
            let host = request.headers.first { $0.lowercased().hasPrefix("host:") }?.dropFirst(6) ?? ""
            return .init(type: "text/xml", body: Array(text.replacing("127.0.0.1:18080", with: host).utf8))
        }
        defer { server.stop() }
        let document =
            "{\"size\":[256,256],\"center\":[0,0],\"zoom\":4,\"layers\":[{\"wms\":\"\(server.url)/wms\",\"layers\":"
            + "\"world\",\"tiled\":true,\"tile-size\":256,\"gutter\":12,\"tile-set\":false}]}"
        try portolan.write(document, to: "map.json")
        let ended = try await portolan.run(["render", "map.json", "-o", "a.png", "--attribution", "none"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try corner("a.png") == Self.blue)
        let maps = server.log.map(\.target).filter { $0.contains("GetMap") }
        #expect(maps.count == 4 && maps.allSatisfy { $0.contains("WIDTH=280&HEIGHT=280") && !$0.contains("TILED") })
    }

    @Test func `a manually defined tile set needs no capabilities`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        let layer =
            "wmsc:\(server.url)/t;layers=a;crs=EPSG:25830;extent=600000,4600000,856000,4856000;resolutions=1000,500,250;"
            + "format=image/png;tile-size=256"
        let ended = try await portolan.run([
            "render", "-l", layer, "--crs", "EPSG:25830", "--bbox", "600000,4600000,728000,4728000", "--size",
            "256x256",
            "--attribution", "none", "-o", "a.png",
        ])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(server.log.count == 1)
        let target = try #require(server.log.first?.target.replacing("%2C", with: ","))
        #expect(target.hasPrefix("/t?"))
        #expect(target.contains("BBOX=600000,4600000,728000,4728000&"))
        #expect(try corner("a.png") == Self.blue)
    }

    @Test func `TMS rows are counted from the bottom`() async throws {
        let server = try LoopbackServer(MapServer.tiles())
        defer { server.stop() }
        // North America: the top row of two, which is row 1 from the bottom.
        let view = ["--center", "-90,66.51326044311186", "--zoom", "1", "--size", "256x256", "-o", "a.png"]
        let ended = try await portolan.run(["render", "-l", "tms:\(server.url)/{z}/{x}/{y}.png"] + view)
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(server.log.map(\.target) == ["/1/0/1.png"])
    }

    @Test func `a server that never responds is given up at the timeout`() async throws {
        let server = try LoopbackServer { _ in nil }
        defer { server.stop() }
        let ended = try await portolan.run([
            "render", "-l", "wms:\(server.url)/;layers=a", "--center", "0,0", "--zoom", "1", "--timeout", "0.2", "-o",
            "a.png",
        ])
        #expect(ended.status == 69, "\(ended.testDescription)")
        #expect(ended.errors.contains("0.2 s"))
        #expect(portolan.files.isEmpty)
    }

    @Test func `a response that is not a picture is reported with the server's message`() async throws {
        let exception = try MapServer.capture("mapserver/err-layer-1.1.1.xml")
        let server = try LoopbackServer { _ in .init(type: "image/png", body: exception) }
        defer { server.stop() }
        let ended = try await portolan.run([
            "render", "-l", "xyz:\(server.url)/{z}/{x}/{y}", "--center", "0,0", "--zoom", "1", "-o", "a.png",
        ])
        #expect(ended.status == 69, "\(ended.testDescription)")
        #expect(ended.errors.contains("msWMSLoadGetMapParams") || ended.errors.contains("Invalid layer"))
    }
}
