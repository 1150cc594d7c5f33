import Foundation
import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

/// Sprites that the server packs from folders.
@Suite struct SpritesEndpointTests {
    private static func svg(_ color: String) -> [UInt8] {
        Array(
            #"<svg xmlns="http://www.w3.org/2000/svg" width="6" height="4"><path d="M0 0h6v4H0z" fill="\#(color)"/></svg>"#
                .utf8)
    }

    /// A server of two folders of icons, and of a map whose style names one of them.
    private func sample() async throws -> SampleServer {
        let sample = try await SampleServer(), folder = sample.folder
        try FileManager.default.createDirectory(atPath: "\(folder.path)/icons", withIntermediateDirectories: true)
        try folder.write(Self.svg("red"), to: "icons/box.svg")
        let style = """
            {"version": 8, "sprite": "icons", "sources": {"here": {"type": "geojson", "data":
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [0.5, 0.5]}}}}, "layers": [
            {"id": "icon", "type": "symbol", "source": "here", "layout": {"icon-image": "box"}}]}
            """
        try folder.write(Array(style.utf8), to: "town.json")
        var masks = SpriteFolder(path: "\(folder.path)/icons")
        masks.isDistanceField = true
        sample.server.replace(
            try await MapBook.open(
                [MapSource(name: "town", layers: ["style:\(folder.path)/town.json"])],
                configuration: RendererConfiguration(),
                sprites: ["icons": SpriteFolder(path: "\(folder.path)/icons"), "masks": masks]))
        return sample
    }

    private static func entry(_ response: ServerResponse) throws -> Properties {
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try #require(try JSONReader.value(bytes: response.body).objectValue?["box"]?.objectValue)
    }

    @Test(arguments: ["/sprites/icons", "/sprite/icons", "/styles/town/sprite"])
    func `a folder of icons is a sprite of any density`(start: String) async throws {
        let sample = try await sample()
        for (ending, ratio) in [("", 1), ("@1x", 1), ("@2x", 2), ("@3x", 3)] {
            let entry = try Self.entry(await sample.get("\(start)\(ending).json"))
            #expect(entry["width"] == .integer(6 * ratio))
            #expect(entry["pixelRatio"] == .integer(ratio))
            #expect(entry["sdf"] == nil)
            let image = try await sample.pixels("\(start)\(ending).png")
            #expect((image.width, image.height) == (6 * ratio, 4 * ratio))
            #expect(image[3, 2] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        }
    }

    @Test func `a sprite of distance fields is marked as such`() async throws {
        let sample = try await sample(), entry = try Self.entry(await sample.get("/sprites/masks.json"))
        #expect(entry["sdf"] == true)
        #expect(entry["width"] == 12)
        let list = try JSONReader.value(bytes: await sample.get("/sprites").body)
        #expect(list == ["icons", "masks"])
    }

    @Test func `a changed icon is served without a reload, and an unchanged sprite is not sent again`() async throws {
        let sample = try await sample(), target = "/sprites/icons.png"
        let first = await sample.get(target), tag = try #require(first[header: "ETag"])
        #expect(await sample.get(target, [("If-None-Match", tag)]).status == 304)
        let tile = try await sample.pixels("/styles/town/0/0/0.png")
        #expect(tile[128, 127] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        try sample.folder.write(Self.svg("blue"), to: "icons/box.svg")
        #expect(await sample.get(target, [("If-None-Match", tag)]).status == 200)
        // The tiles that the server draws have the new icon as well.
        let blue = Pixel(MapColor(red: 0, green: 0, blue: 255))
        #expect(try await sample.pixels("/styles/town/0/0/0.png")[128, 127] == blue)
    }

    @Test func `the style that clients get names the sprite of the server`() async throws {
        let response = try await sample().get("/styles/town/style.json", [("Host", "h")])
        let style = try JSONReader.value(bytes: response.body).objectValue
        #expect(style?["sprite"] == "http://h/styles/town/sprite")
        #expect(response[header: "Portolan-Warning"] == nil)
    }

    @Test func `icons that cannot be drawn are warnings of the map`() async throws {
        let sample = try await sample()
        try sample.folder.write(Array("<svg".utf8), to: "icons/broken.svg")
        let book = try await MapBook.open(
            [MapSource(name: "town", layers: ["style:\(sample.folder.path)/town.json"])],
            configuration: RendererConfiguration())
        #expect(book.maps[0].warnings.contains { $0.message.contains("broken.svg") })
    }

    @Test(arguments: [
        "/sprites/none.json", "/sprites/icons.svg", "/sprites/icons@9x.png", "/sprites/icons", "/sprites/icons/a.json",
        "/sprites/..%2Ficons.json", "/sprite/.json", "/styles/town/sprite@9x.png",
    ])
    func `an unknown sprite is not found`(target: String) async throws {
        #expect(await (try sample()).get(target).status == 404)
    }
}
