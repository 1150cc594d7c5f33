import Foundation
import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanWeb
import TestHelpers
import Testing

/// Sprites packed from folders.
@Suite struct SpriteFolderTests {
    private static let square =
        #"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="8"><rect width="10" height="8" fill="red"/></svg>"#

    private static func png(_ width: Int, _ height: Int, _ color: MapColor) throws -> [UInt8] {
        let size = try #require(ImageSize(width: width, height: height))
        return try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(color)))
    }

    /// A folder with icons of each kind.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for sub in ["icons", "icons/signs"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(sub)", withIntermediateDirectories: true)
        }
        try folder.write(Array(square.utf8), to: "icons/square.svg")
        try folder.write(Array(square.utf8), to: "icons/mask.sdf.svg")
        try folder.write(try png(6, 5, .black), to: "icons/signs/stop.png")
        try folder.write(try png(12, 10, .white), to: "icons/signs/stop@2x.png")
        try folder.write(Array("notes".utf8), to: "icons/README.md")
        return folder
    }

    @Test func `a sprite has the icons of a folder, each at its density`() throws {
        let folder = try Self.folder()
        for ratio in [1, 2] {
            let packed = try SpriteFolder(path: "\(folder.path)/icons").packed(ratio: ratio)
            #expect(packed.warnings == [])
            let index = try SpriteIndex(bytes: packed.sheet.index)
            #expect(index.malformedNames == [])
            #expect(index.entries.keys.sorted() == ["mask", "signs/stop", "square"])
            let square = try #require(index.entries["square"])
            #expect(square.size == ImageSize(width: 10 * ratio, height: 8 * ratio))
            #expect(square.pixelRatio == Double(ratio))
            #expect(!square.isDistanceField)
            #expect(packed.sheet.pixels[square.x, square.y] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
            let mask = try #require(index.entries["mask"])
            #expect(mask.isDistanceField)
            // Three pixels of margin, whatever the density.
            #expect(mask.size == ImageSize(width: 10 * ratio + 6, height: 8 * ratio + 6))
            // Half a pixel inside of the outline, as far as a mask tells.
            let edge = packed.sheet.pixels[mask.x + 3, mask.y + 3 + 4 * ratio].alpha
            #expect(abs(Int(edge) - 207) <= 5)
            let stop = try #require(index.entries["signs/stop"])
            #expect(stop.pixelRatio == Double(ratio))
            #expect(packed.sheet.pixels[stop.x, stop.y] == Pixel(ratio == 1 ? .black : .white))
        }
    }

    @Test func `icons do not overlap, and the same icons give the same bytes`() throws {
        var icons: [SpriteSheet.Icon] = []
        for number in 0..<60 {
            let size = try #require(ImageSize(width: 1 + number * 7 % 31, height: 1 + number * 5 % 23))
            icons.append(
                SpriteSheet.Icon(
                    name: "i\(number)",
                    pixels: PixelBuffer(size: size, filledWith: Pixel(bits: 0xFF00_0000 + UInt32(number))), ratio: 1))
        }
        let sheet = try #require(SpriteSheet(icons)), other = try #require(SpriteSheet(icons.reversed()))
        #expect(sheet.index == other.index)
        #expect(try sheet.png() == other.png())
        let index = try SpriteIndex(bytes: sheet.index)
        for (number, icon) in icons.enumerated() {
            let entry = try #require(index.entries[icon.name])
            for y in entry.y..<entry.y + entry.size.height {
                for x in entry.x..<entry.x + entry.size.width {
                    #expect(sheet.pixels[x, y].bits == 0xFF00_0000 + UInt32(number))
                }
            }
        }
        let area = icons.reduce(0) { $0 + $1.pixels.width * $1.pixels.height }
        #expect(sheet.pixels.width * sheet.pixels.height < area * 3 / 2)
    }

    @Test func `invalid icons are left out with a warning that names the file`() throws {
        let folder = try Self.folder()
        try folder.write(Array("<svg".utf8), to: "icons/broken.svg")
        try folder.write([1, 2, 3], to: "icons/broken2.png")
        try folder.write(try Self.png(1025, 1, .black), to: "icons/wide.png")
        let packed = try SpriteFolder(path: "\(folder.path)/icons").packed(ratio: 1)
        #expect(packed.warnings.count == 3)
        for (name, warning) in zip(["broken.svg", "broken2.png", "wide.png"], packed.warnings) {
            #expect(warning.contains("\(folder.path)/icons/\(name)"))
        }
        #expect(try SpriteIndex(bytes: packed.sheet.index).entries.count == 3)
    }

    @Test func `a missing folder and a folder without icons are typed errors`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SpriteFolder.Failure.empty(folder.path)) {
            try SpriteFolder(path: folder.path).packed(ratio: 1)
        }
        let missing = folder.path + "/none"
        #expect(throws: SpriteFolder.Failure.unreadable(missing)) { try SpriteFolder(path: missing).packed(ratio: 1) }
    }

    @Test func `links do not lead out of the folder that a style may read`() throws {
        let folder = try Self.folder(), outside = try TemporaryFolder()
        try outside.write(Array(Self.square.utf8), to: "secret.svg")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/icons/link.svg", withDestinationPath: "\(outside.path)/secret.svg")
        let packed = try SpriteFolder(path: "\(folder.path)/icons", namedBy: .file(within: folder.path)).packed(
            ratio: 1)
        #expect(try SpriteIndex(bytes: packed.sheet.index).entries["link"] == nil)
        #expect(packed.warnings.count == 1)
    }

    @Test func `a style may name a folder of icons, and is drawn with them`() async throws {
        let folder = try Self.folder()
        let style = """
            {"version": 8, "sprite": "icons", "sources": {"here": {"type": "geojson", "data":
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [0, 0]}}}}, "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
            {"id": "icon", "type": "symbol", "source": "here", "layout": {"icon-image": "square"}}]}
            """
        try folder.write(Array(style.utf8), to: "style.json")
        let renderer = MapRenderer()
        func pixels() async throws -> PixelBuffer {
            let specification = try LayerSpecification("style:\(folder.path)/style.json")
            let layer = try #require(
                try await LayerBuilder(client: renderer.services).build([specification]).first?.layer)
            let viewport = try Viewport(
                center: Coordinate(x: 0, y: 0), resolution: try #require(Resolution(unitsPerPixel: 100)),
                size: try #require(ImageSize(width: 40, height: 40)), crs: .webMercator)
            let result = try await renderer.render([layer], in: viewport)
            #expect(result.report.warnings.isEmpty)
            return result.image
        }
        let red = Pixel(MapColor(red: 255, green: 0, blue: 0)), first = try await pixels()
        #expect(first[20, 20] == red)
        #expect(first[16, 17] == red)
        #expect(first[26, 20] == Pixel(.white))
        // A change of the folder is noticed.
        try folder.write(Array(Self.square.replacing("red", with: "blue").utf8), to: "icons/square.svg")
        #expect(try await pixels()[20, 20] == Pixel(MapColor(red: 0, green: 0, blue: 255)))
    }
}
