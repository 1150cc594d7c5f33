#if Text
import PortolanRaster
import PortolanText
import TestHelpers
import Testing

@Suite struct FontBookGlyphsTests {
    /// Boxes 14 of 24 pixels wide for some characters of one range.
    private static func source(_ characters: String, stack: String = "Test Sans") throws -> GlyphSource {
        let start = try #require(characters.unicodeScalars.first).value & ~0xFF
        let range = try GlyphRange(GlyphBytes.boxes(characters), start: start)
        return GlyphSource(GlyphRanges(["Test Sans": [start: [range]]]), stack: stack)
    }

    private static func line(
        _ text: String, _ book: FontBook, _ glyphs: GlyphSource?, size: Double = 24
    ) throws(TextError) -> TextLine {
        try book.shape(text, request: FontRequest(families: ["Test Sans", "sans-serif"]), size: size, glyphs: glyphs)
    }

    @Test func `characters that no font has are drawn from glyph ranges`() throws {
        let book = Fixture.book(Fixture.sans), glyphs = try Self.source("東杭")
        let latin = try Self.line("Tokyo ", book, nil), mixed = try Self.line("Tokyo 東杭", book, glyphs)
        #expect(try Self.line("東杭", book, nil).missingGlyphCount == 2)
        #expect(mixed.missingGlyphCount == 0 && mixed.clusters.count == 8)
        #expect(abs(mixed.advance - latin.advance - 28) < 1e-9)
        let last = try #require(mixed.clusters.last)
        #expect(abs(last.x - latin.advance - 14) < 1e-9 && last.advance == 14)
        let corners = mixed.outline.elements[last.elements].flatMap(\.points)
        // The box is 12 pixels wide and high, and begins 12 pixels above the baseline.
        let sides = [corners.map(\.x).min(), corners.map(\.x).max(), corners.map(\.y).min(), corners.map(\.y).max()]
        for (side, expected) in zip(sides, [last.x + 1, last.x + 13, -12, 0]) {
            #expect(abs(try #require(side) - expected) < 0.1)
        }
        let twice = try Self.line("Tokyo 東杭", book, glyphs, size: 48)
        #expect(abs(twice.advance - 2 * mixed.advance) < 1e-9)
    }

    @Test func `fonts take precedence over glyph ranges`() throws {
        let book = Fixture.book(Fixture.sans), glyphs = try Self.source("ABC")
        #expect(try Self.line("CAB", book, glyphs).outline == Self.line("CAB", book, nil).outline)
    }

    @Test func `without any font, texts are drawn from glyph ranges`() throws {
        let book = FontBook(fonts: [], usesSystemFonts: false), glyphs = try Self.source("AB ")
        let line = try Self.line("A BX", book, glyphs)
        #expect(line.advance == 42 && line.missingScalars == ["X"])
        #expect(line.font.families.first == "Test Sans")
        #expect(throws: TextError.noFont(families: ["Test Sans", "sans-serif"])) { try Self.line("A", book, nil) }
        // Another stack has no glyphs.
        let other = try Self.source("AB", stack: "Test Serif")
        #expect(try Self.line("AB", book, other).missingScalars == ["A", "B"])
    }

    @Test func `letters from right to left begin on the right`() throws {
        let book = FontBook(fonts: [], usesSystemFonts: false)
        var wide = GlyphBytes.Glyph(0x5D0), narrow = GlyphBytes.Glyph(0x5D1)
        (wide.advance, narrow.advance) = (20, 8)
        let range = try GlyphRange(GlyphBytes.range([wide, narrow]), start: 0x500)
        let glyphs = GlyphSource(GlyphRanges(["Test Sans": [0x500: [range]]]), stack: "Test Sans")
        #expect(try Self.line("\u{5D0}\u{5D1}", book, glyphs).clusters.map(\.advance) == [8, 20])
    }

    @Test func `uncovered characters are those that no font has`() {
        let book = Fixture.book(Fixture.sans)
        #expect(book.uncovered(["A", "é", "東", "\u{F015}"]) == ["東", "\u{F015}"])
        #expect(FontBook(fonts: [], usesSystemFonts: false).uncovered(["A"]) == ["A"])
        // The picture reports an unusable font.
        #expect(Fixture.book("/nowhere.ttf").uncovered(["東"]) == [])
    }
}
#endif
