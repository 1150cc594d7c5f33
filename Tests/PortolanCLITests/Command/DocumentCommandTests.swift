import Foundation
import Portolan
import PortolanCodecs
import PortolanRaster
import Testing

/// `portolan document`, and contexts drawn by the command.
@Suite struct DocumentCommandTests {
    private let portolan: BuiltCommand

    init() throws {
        portolan = try BuiltCommand()
        try portolan.write(#"{"type":"LineString","coordinates":[[-1,0],[1,0]]}"#, to: "maps/data/line.geojson")
    }

    private let line = "maps/data/line.geojson;stroke=#ff0000;stroke-width=6;name=line"
    private let view = ["--size", "80x60", "--crs", "EPSG:4326", "--bbox", "-1,-1,1,1"]
    private let red = Pixel(red: 255, green: 0, blue: 0, alpha: 255)

    private func picture(_ name: String) throws -> PixelBuffer {
        try ImageDecoders.standard.decode(#require(portolan.file(name)))
    }

    @Test(arguments: [[], ["--context"]]) func `a render command line is saved as a document and drawn again`(
        options: [String]
    ) async throws {
        let written = try await portolan.run(["document", "-l", line] + view + ["-o", "maps/map.json"] + options)
        #expect(written.status == 0 && written.errors.isEmpty, "\(written.testDescription)")
        // It may be moved with its folder.
        try FileManager.default.moveItem(
            at: portolan.folder.appending(path: "maps"), to: portolan.folder.appending(path: "moved"))
        let ended = try await portolan.run(["render", "moved/map.json", "-o", "a.png"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        let image = try picture("a.png")
        #expect("\(image.size)" == "80x60" && image[40, 30] == red && image[40, 10] == Pixel(.white))
    }

    @Test func `the furniture of a render command is saved`() async throws {
        let furniture = [
            "--title", "Lines", "--subtitle", "Two", "--source", "Own data", "--frame", "utm", "--locator", "auto",
            "--theme", "dark", "--background", "#123456", "--legend", "--scale-bar", "--north-arrow", "--graticule",
            "10",
            "--attribution", "none", "--size", "300x240",
        ]
        let place = view.filter { $0 != "--size" && $0 != "80x60" }
        let written = try await portolan.run(["document", "-l", line] + place + furniture + ["-o", "map.json"])
        #expect(written.status == 0, "\(written.testDescription)")
        for (arguments, file) in [(["-l", line] + place + furniture, "a.png"), (["map.json"], "b.png")] {
            let ended = try await portolan.run(["render"] + arguments + ["-o", file])
            #expect(ended.status == 0, "\(ended.testDescription)")
        }
        #expect(portolan.file("a.png") == portolan.file("b.png"))
        // Options replace what the document has.
        _ = try await portolan.run(["document", "map.json", "--title", "Other", "-o", "other.json"])
        let other = String(decoding: try #require(portolan.file("other.json")), as: UTF8.self)
        #expect(other.contains("Other") && !other.contains("Lines") && other.contains("Two"))
    }

    @Test func `a map document and an OWS context convert into each other`() async throws {
        _ = try await portolan.run(["document", "-l", line] + view + ["-o", "maps/map.json"])
        let context = ["document", "maps/map.json", "--context", "--title", "Lines", "-o", "maps/c.json"]
        #expect(try await portolan.run(context).status == 0)
        #expect(try await portolan.run(["document", "maps/c.json", "-o", "maps/again.json"]).status == 0)
        #expect(portolan.file("maps/again.json") == portolan.file("maps/map.json"))
        let text = String(decoding: try #require(portolan.file("maps/c.json")), as: UTF8.self)
        #expect(text.contains(#""title":"Lines""#) && text.contains("owc-geojson/1.0/req/core"))
    }

    @Test func `layers and options beside a document are saved with it, without secrets`() async throws {
        _ = try await portolan.run(["document", "-l", line] + view + ["-o", "maps/map.json"])
        let wms = "wms:https://me:hidden@maps.example/wms?key=hidden2;layers=a"
        let ended = try await portolan.run(["document", "maps/map.json", "-l", wms, "--size", "40x30", "-o", "-"])
        #expect(ended.status == 0)
        let document = try MapDocument(bytes: ended.output, path: portolan.folder.appending(path: "map.json").path)
        #expect(document.layers.map(\.name) == ["line", "a"] && document.view.size.map { "\($0)" } == "40x30")
        #expect(!String(decoding: ended.output, as: UTF8.self).contains("hidden"))
        #expect(ended.errors.contains("layer 'a': ") && ended.errors.contains("is not saved"))
    }

    @Test func `hidden layers are not requested`() async throws {
        try portolan.write(
            """
            {"size": [80, 60], "crs": "EPSG:4326", "bbox": [-1, -1, 1, 1], "layers": [{"source": "data/line.geojson",
             "stroke": "#ff0000", "stroke-width": 6}, {"wms": "http://127.0.0.1:9/wms", "layers": "a", "visible": false}]}
            """, to: "maps/map.json")
        let ended = try await portolan.run(["render", "maps/map.json", "-o", "a.png"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
    }

    @Test func `a context from a server is drawn, and cannot reference local files`() async throws {
        let code = "http://www.opengis.net/spec/owc-geojson/1.0/req"
        func context(_ href: String) -> String {
            """
            {"type": "FeatureCollection", "id": "urn:x:1", "properties": {"lang": "en", "title": "T", "updated": "2020-01-01T00:00:00Z",
              "links": {"profiles": [{"href": "\(code)/core"}]}, "bbox": [-1, -1, 1, 1], "portolan": {"crs": "EPSG:4326", "size": [80, 60]}},
             "features": [{"type": "Feature", "id": "urn:x:2", "geometry": null, "properties": {"title": "line", "updated": "2020-01-01T00:00:00Z",
              "offerings": [{"code": "\(code)/geojson", "contents": [{"type": "application/geo+json", "href": "\(href)"}]}],
              "portolan": {"stroke": "#ff0000", "stroke-width": 6}}}]}
            """
        }
        let own = context("line.geojson"), foreign = context("file:///etc/hostname")
        let server = try LoopbackServer { request in
            switch request.target {
            case "/a/own.json": .init(type: "application/geo+json", body: Array(own.utf8))
            case "/a/foreign.json": .init(type: "application/geo+json", body: Array(foreign.utf8))
            case "/a/line.geojson":
                .init(
                    type: "application/geo+json",
                    body: Array(#"{"type":"LineString","coordinates":[[-1,0],[1,0]]}"#.utf8))
            default: .notFound
            }
        }
        defer { server.stop() }
        let ended = try await portolan.run(["render", "\(server.url)/a/own.json", "--no-cache", "-o", "a.png"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(try picture("a.png")[40, 30] == red)
        let refused = try await portolan.run(["render", "\(server.url)/a/foreign.json", "--no-cache", "-o", "b.png"])
        #expect(refused.status == 65 && portolan.file("b.png") == nil, "\(refused.testDescription)")
        #expect(refused.error.contains("nothing can be drawn; layer 'line': "), "\(refused.error)")
        let told = try await portolan.run(["document", "\(server.url)/a/foreign.json", "--no-cache", "-o", "-"])
        #expect(told.status == 0 && told.errors.contains("file: URL"), "\(told.testDescription)")
        let missing = try await portolan.run(["render", "\(server.url)/a/none.json", "--no-cache", "-o", "c.png"])
        #expect(missing.status == 69, "\(missing.testDescription)")
    }

    @Test(
        arguments: [
            (["document", "-l", "a.geojson"], 64, "missing output file"),
            (["document", "-o", "none/a.json"], 73, "no folder"),
            (["document", "none.json", "-o", "a.json"], 66, "no such map document"),
            (["document", "-l", "wms:x", "-o", "a.json"], 64, "must begin with"),
            (["document", "--theme", "x", "-o", "a.json"], 64, "--theme x"),
            (["document", "--profile-elevation", "x.tif", "-o", "a.json"], 64, "pass it to render"),
        ] as [([String], Int32, String)])
    func `an unwritable output is reported`(arguments: [String], status: Int32, words: String) async throws {
        let ended = try await portolan.run(arguments)
        #expect(ended.status == status && ended.error.contains(words), "\(ended.testDescription)")
        #expect(portolan.file("a.json") == nil)
    }
}
