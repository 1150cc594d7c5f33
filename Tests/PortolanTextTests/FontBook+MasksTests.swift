#if Text
import PortolanRaster
import PortolanText
import Testing

/// Upright texts drawn by masks.
@Suite struct FontBookMasksTests {
    private static let size = ImageSize(width: 96, height: 48)

    private static func line(_ book: FontBook, _ text: String) throws -> TextLine {
        try book.shape(text, request: FontRequest(), size: 13)
    }

    struct Look: Sendable {
        let color: MapColor
        let halo: ShapedText.Halo?
    }

    static let looks = [
        Look(color: .black, halo: nil),
        Look(color: MapColor(red: 90, green: 20, blue: 30), halo: ShapedText.Halo(width: 3, color: .white)),
        Look(
            color: MapColor(red: 10, green: 200, blue: 30, alpha: 140),
            halo: ShapedText.Halo(width: 2.5, color: MapColor(red: 250, green: 240, blue: 10, alpha: 90))),
        Look(color: .clear, halo: ShapedText.Halo(width: 4, color: .black)),
    ]

    /// In the middle, cut by each side of the picture, and outside.
    @Test(arguments: looks, [(10, 20), (-17, 22), (70, 6), (30, 46), (30, 2), (200, 20), (10, -90)])
    func `a mask gives the same pixels as the outline at any position`(_ look: Look, _ place: (x: Int, y: Int)) throws {
        let book = Fixture.book(Fixture.sans)
        let lines = [try Self.line(book, "Kruununhaka"), try Self.line(book, "Туёq")]
        let origins = [
            Point(x: Double(place.x), y: Double(place.y)), Point(x: Double(place.x + 7), y: Double(place.y + 12)),
        ]
        var outline = Path()
        for (line, origin) in zip(lines, origins) {
            outline.append(line.shaped(by: .translation(x: origin.x, y: origin.y)).outline)
        }
        let font = ShapedText.Font(families: [], size: 13)
        let whole = ShapedText(outline: outline, text: "", runs: [], font: font)
        var masked = ShapedText(outline: Path(), text: "", runs: [], font: font)
        masked.mask = try #require(book.mask(of: lines, at: origins, haloWidth: look.halo?.width ?? 0))
        let size = try #require(Self.size)
        func picture(_ text: ShapedText) -> PixelBuffer {
            var canvas = Canvas(size: size, background: MapColor(red: 120, green: 160, blue: 120))
            canvas.draw(text, color: look.color, halo: look.halo)
            return canvas.buffer
        }
        func recorded(_ text: ShapedText) -> PixelBuffer {
            var drawing = Drawing(), canvas = Canvas(size: size, background: MapColor(red: 120, green: 160, blue: 120))
            drawing.draw(text, color: look.color, halo: look.halo)
            canvas.paint(drawing, threads: 3)
            return canvas.buffer
        }
        #expect(picture(masked) == picture(whole))
        #expect(recorded(masked) == picture(whole))
    }

    @Test func `a mask is cached by text, position and halo width`() throws {
        let book = Fixture.book(Fixture.sans)
        let line = try Self.line(book, "Kamppi")
        func mask(_ x: Double, _ y: Double, _ width: Double) -> PlacedTextMask? {
            book.mask(of: [line], at: [Point(x: x, y: y)], haloWidth: width)
        }
        let first = mask(4, 5, 2)
        #expect(first != nil)
        #expect(first == mask(4, 5, 2))
        #expect(first != mask(5, 5, 2))
        #expect(first != mask(4, 5, 3))
    }

    @Test func `blank, large, thin and subpixel glyphs have no mask`() throws {
        let book = Fixture.book(Fixture.sans), place = [Point(x: 3, y: 4)]
        let line = try Self.line(book, "Kamppi"), large = try book.shape("Kamppi", request: FontRequest(), size: 400)
        #expect(book.mask(of: [line], at: place, haloWidth: 2) != nil)
        #expect(try book.mask(of: [Self.line(book, " ")], at: place, haloWidth: 2) == nil)
        #expect(book.mask(of: [large], at: place, haloWidth: 2) == nil)
        #expect(book.mask(of: [line], at: place, haloWidth: 0.5) == nil)
        #expect(book.mask(of: [line], at: place, haloWidth: .nan) == nil)
        #expect(book.mask(of: [line], at: [Point(x: 3.5, y: 4)], haloWidth: 2) == nil)
        #expect(book.mask(of: [line, line], at: place, haloWidth: 2) == nil)
        #expect(book.mask(of: [], at: [], haloWidth: 2) == nil)
    }
}
#endif
