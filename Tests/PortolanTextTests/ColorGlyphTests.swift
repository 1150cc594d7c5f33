#if Text && !canImport(CoreText)
import PortolanRaster
import PortolanText
import Testing

/// Emoji and other glyphs that bring their colours along.
@Suite struct ColorGlyphTests {
    private static let colors = Fixture.folder + "PortolanTestColors.ttf"
    private static let emoji = Fixture.folder + "NotoColorEmojiSubset.ttf"

    private func glyphs(_ text: String, _ book: FontBook, size: Double = 100) throws -> [ShapedText.ColorGlyph] {
        try book.shape(text, request: FontRequest(), size: size).shaped(by: .identity).colorGlyphs
    }

    /// A text of 100 pixels per em, with its baseline at 100.
    private func picture(_ text: String, _ book: FontBook, color: MapColor = .black, width: Int = 300) throws -> Canvas
    {
        var canvas = Canvas(size: try #require(ImageSize(width: width, height: 130)))
        let line = try book.shape(text, request: FontRequest(), size: 100)
        canvas.draw(line.shaped(by: .translation(x: 0, y: 100)), color: color, halo: nil)
        return canvas
    }

    @Test func `layers are painted in the colours of the palette and in that of the text`() throws {
        let book = Fixture.book(Self.colors), green = MapColor(red: 0, green: 128, blue: 0)
        // Left red, at the bottom right a half opaque blue, at the top right the text's own colour; 80 pixels high.
        let canvas = try picture("\u{1F7E5}", book, color: green)
        #expect(canvas.buffer[25, 60] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        #expect(canvas.buffer[75, 80] == Pixel(MapColor(red: 0, green: 0, blue: 255, alpha: 128)))
        #expect(canvas.buffer[75, 40] == Pixel(green))
        #expect(
            canvas.buffer[75, 15].alpha == 0 && canvas.buffer[110, 60].alpha == 0 && canvas.buffer[25, 102].alpha == 0)
        let faint = try picture("\u{1F7E5}", book, color: green.withOpacity(0.5))
        #expect(faint.buffer[25, 60].alpha == 128)
        #expect(faint.buffer[75, 80].alpha == 64)
    }

    @Test func `a plain glyph of a colour font is an outline`() throws {
        let book = Fixture.book(Self.colors), line = try book.shape("A", request: FontRequest(), size: 10)
        #expect(try glyphs("A", book).isEmpty)
        #expect(line.outline.boundingRectangle == Rectangle(minX: 5, minY: -8, maxX: 10, maxY: -4))
    }

    /// The font has its pixels 109 to the em, 136 of them wide, 101 of its 128 rows above the baseline.
    @Test func `bitmap glyphs have the size stated by their font, and are on the baseline`() throws {
        let book = Fixture.book(Self.emoji), line = try book.shape("😀", request: FontRequest(), size: 109)
        #expect(abs(line.advance - 109 * 2550 / 2048) < 0.01)
        let glyph = try #require(line.shaped(by: .identity).colorGlyphs.first)
        guard case .image(let image) = glyph.content else { throw CancellationError() }
        #expect(image.size.description == "136x128")
        let corner = glyph.transform(Point(x: 0, y: 0)), end = glyph.transform(Point(x: 136, y: 128))
        #expect(abs(corner.x) < 0.01)
        #expect(abs(corner.y + 101) < 0.01)
        #expect(abs(end.x - 136) < 0.01)
        #expect(abs(end.y - 27) < 0.01)
        #expect(line.ink?.maxX.rounded() == 136)
        #expect(line.ink?.minY.rounded() == -101)
        // As another reader of the font's images has them, premultiplied.
        for (x, y, color) in Self.expected {
            #expect(image[x, y] == Pixel(color), "\(x), \(y)")
        }
        let half = try #require(try glyphs("😀", book, size: 54.5).first)
        #expect(abs(half.transform(Point(x: 136, y: 0)).x - 68) < 0.01)
    }

    static let expected: [(Int, Int, MapColor)] = [
        (68, 20, MapColor(red: 250, green: 206, blue: 45)), (40, 50, MapColor(red: 66, green: 43, blue: 13)),
        (96, 50, MapColor(red: 252, green: 220, blue: 47)), (2, 2, .clear),
    ]

    @Test(arguments: [
        ("👩‍💻", 1), ("🇪🇸", 1), ("👋🏽", 1), ("👋", 1), ("👋🏽👋", 2), ("🇪🇸🇪🇸", 2), ("👩💻", 2), ("⚓", 1),
    ])
    func `an emoji sequence is one glyph`(text: String, count: Int) throws {
        let book = Fixture.book(Self.emoji), found = try glyphs(text, book)
        #expect(found.count == count)
        #expect(try book.shape(text, request: FontRequest(), size: 100).missingGlyphCount == 0)
        // Another picture than that of its first part.
        let first = text.unicodeScalars.prefix(1)
        if text.unicodeScalars.count > count {
            #expect(try glyphs(String(first), book).first?.content != found.first?.content)
        }
    }

    @Test func `emoji are placed among letters`() throws {
        let book = Fixture.book(Fixture.sans, Self.emoji),
            line = try book.shape("a😀b", request: FontRequest(), size: 100)
        let a = try book.shape("a", request: FontRequest(), size: 100), shaped = line.shaped(by: .identity)
        #expect(shaped.colorGlyphs.count == 1)
        #expect(!shaped.outline.isEmpty)
        #expect(line.missingGlyphCount == 0)
        #expect(abs((shaped.colorGlyphs.first?.transform.tx ?? 0) - a.advance) < 0.01)
        // The letters alone are the outline, the last behind the picture.
        #expect((line.outline.boundingRectangle?.maxX ?? 0) > a.advance + 100)
    }

    @Test func `colour glyphs of a drawing equal those painted directly on a canvas`() throws {
        let book = Fixture.book(Fixture.sans, Self.emoji), size = try #require(ImageSize(width: 300, height: 130))
        let line = try book.shape("a😀b", request: FontRequest(), size: 80)
        let text = line.shaped(by: .translation(x: 3, y: 100))
        var direct = Canvas(size: size), replayed = Canvas(size: size), drawing = Drawing()
        direct.draw(text, color: .black, halo: ShapedText.Halo(width: 4, color: .white))
        drawing.draw(text, color: .black, halo: ShapedText.Halo(width: 4, color: .white))
        replayed.paint(drawing, threads: 3)
        #expect(direct.buffer == replayed.buffer)
        #expect(direct.buffer.pixels.contains { Pixel(bits: $0).red > 200 && Pixel(bits: $0).blue < 90 })
    }
}
#endif
