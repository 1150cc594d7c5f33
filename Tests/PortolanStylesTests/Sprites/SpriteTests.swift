import PortolanFeatures
import PortolanRaster
import Testing

@testable import PortolanStyles

@Suite struct SpriteTests {
    private static let index = #"""
        {"park": {"x": 1, "y": 0, "width": 2, "height": 1, "pixelRatio": 1},
         "fine": {"x": 0, "y": 0, "width": 2, "height": 2, "pixelRatio": 2, "stretchX": [[0, 1]]},
         "field": {"x": 0, "y": 2, "width": 3, "height": 1, "sdf": true},
         "beyond": {"x": 2, "y": 2, "width": 3, "height": 1}, "odd": {"x": -1, "y": 0, "width": 1, "height": 1}, "none": 1}
        """#

    /// Three columns and rows, each pixel of another red; in the last row the opacities of a distance field.
    private static func sprite(_ id: String = Sprite.defaultID) throws -> Sprite {
        let size = try #require(ImageSize(width: 3, height: 3))
        var pixels = (0..<6).map { Pixel(red: UInt8($0), green: 0, blue: 0, alpha: 255).bits }
        pixels += [0, 191, 255].map { Pixel(red: 0, green: 0, blue: 0, alpha: $0).bits }
        let image = try #require(PixelBuffer(size: size, pixels: pixels))
        return Sprite(id: id, index: try SpriteIndex(bytes: Array(index.utf8)), image: image)
    }

    @Test func `an index lists image positions and names malformed entries`() throws {
        let index = try SpriteIndex(bytes: Array(Self.index.utf8))
        #expect(index.malformedNames == ["none", "odd"])
        #expect(index.entries.count == 4)
        let fine = try #require(index.entries["fine"])
        #expect(fine.pixelRatio == 2)
        #expect(fine.hasStretchedParts)
        #expect(!fine.isDistanceField)
        #expect(index.entries["field"]?.isDistanceField == true)
        #expect(index.entries["park"]?.x == 1)
    }

    @Test func `stretch ranges are sorted and must lie inside the image`() throws {
        let json = #"""
            {"all": {"x": 0, "y": 0, "width": 9, "height": 6, "stretchX": [[6, 8], [1, 3]], "stretchY": [[2, 4]],
              "content": [1, 1, 8, 5]},
             "odd": {"x": 0, "y": 0, "width": 9, "height": 6, "stretchX": [[3, 1], [2, 20], 5], "content": [1, 1, 10, 5]}}
            """#
        let entries = try SpriteIndex(bytes: Array(json.utf8)).entries
        let stretch = PictureStretch(
            columns: [1..<3, 6..<8], rows: [2..<4], content: Rectangle(minX: 1, minY: 1, maxX: 8, maxY: 5))
        #expect(entries["all"]?.stretch == stretch)
        #expect(entries["odd"]?.stretch == nil)
    }

    @Test(arguments: [("[]", SpriteError.noIndex), ("1", .noIndex)])
    func `other JSON is refused as an index`(_ text: String, _ error: SpriteError) {
        #expect(throws: error) { try SpriteIndex(bytes: Array(text.utf8)) }
    }

    @Test func `broken JSON is refused with its line`() {
        let error = #expect(throws: SpriteError.self) { try SpriteIndex(bytes: Array("{\n\"a\": {]}".utf8)) }
        guard case .json(let line, _)? = error else { return #expect(Bool(false), "another error") }
        #expect(line == 2)
    }

    @Test func `an icon is cut from the sheet and scaled by its pixel ratio`() throws {
        var pictures = StylePictures(sprites: [try Self.sprite()], pixelRatio: 1)
        guard case .icon(let park)? = pictures.marker("park", look: .init(), opacity: 0.5) else {
            return #expect(Bool(false), "no icon")
        }
        #expect(park.picture?.pixels.pixels.map { $0 & 255 } == [1, 2])
        #expect(park.width == 2)
        #expect(park.opacity == 0.5)
        guard case .icon(let fine)? = pictures.marker("fine", look: .init(size: 3), opacity: 1) else {
            return #expect(Bool(false), "no icon")
        }
        #expect(fine.width == 3)
        #expect(fine.height == 3)
        #expect(fine.picture?.pixels.pixels.map { $0 & 255 } == [0, 1, 3, 4])
        #expect(pictures.marker("beyond", look: .init(), opacity: 1) == nil)
        #expect(pictures.marker("nothing", look: .init(), opacity: 1) == nil)
    }

    @Test func `images of a named sprite have its prefix, and built-in shapes are the fallback`() throws {
        var pictures = StylePictures(sprites: [try Self.sprite("more")], pixelRatio: 1)
        #expect(pictures.marker("more:park", look: .init(), opacity: 1) != nil)
        #expect(pictures.marker("park", look: .init(), opacity: 1) == nil)
        guard case .shape(let star)? = pictures.marker("star", look: .init(color: .white, size: 2), opacity: 1) else {
            return #expect(Bool(false), "no shape")
        }
        #expect(star.shape == .star)
        #expect(star.radius == 12)
        #expect(star.fill?.color == .white)
    }

    @Test func `a distance field is drawn in any colour with an antialiased edge and a halo`() throws {
        var pictures = StylePictures(sprites: [try Self.sprite()], pixelRatio: 1)
        let blue = MapColor(red: 0, green: 0, blue: 255), white = MapColor.white
        func pixels(_ look: StylePictures.Look) -> [MapColor]? {
            guard case .icon(let icon)? = pictures.marker("field", look: look, opacity: 1),
                let pixels = icon.picture?.pixels
            else { return nil }
            return pixels.pixels.map { Pixel(bits: $0).color }
        }
        // Opacity 191 is a hundredth of a pixel outside three quarters.
        let plain = try #require(pixels(.init(color: blue)))
        #expect(plain[0].alpha == 0 && (125...128).contains(plain[1].alpha) && plain[2] == blue)
        let haloed = try #require(pixels(.init(color: blue, halo: white, haloWidth: 2)))
        #expect(haloed[0].alpha == 0 && haloed[1].alpha == 255 && haloed[1].red > 120 && haloed[2] == blue)
        // Twice as large it has twice the pixels each way.
        #expect(pixels(.init(color: blue, size: 2))?.count == 12)
    }
}
