#if Text
import Foundation
import PortolanRaster
import PortolanText
import Testing

/// Glyphs as distance fields, beside those that FreeType and a search over all segments give.
@Suite struct FontBookRangesTests {
    /// A glyph of `DistanceGlyphs.json`.
    private struct Expected: Decodable {
        let id: UInt32
        let width: Int, height: Int, left: Int, top: Int, advance: Int
        let bitmap: String?

        var values: [Int] {
            let digits = Array((bitmap ?? "").utf8)
            return stride(from: 0, to: digits.count, by: 2).compactMap {
                Int(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
            }
        }
    }

    @Test func `glyphs have the metrics and distances of fontnik's definition`() throws {
        let expected = try JSONDecoder().decode(
            [Expected].self, from: Data(contentsOf: URL(filePath: Fixture.folder + "DistanceGlyphs.json")))
        try #require(expected.count == 6)
        let book = Fixture.book(Fixture.sans)
        for glyph in expected {
            let found = try #require(
                try book.distanceGlyphs(of: glyph.id...glyph.id, inFaceNamed: "DejaVu Sans")?.first)
            #expect(found.scalar.value == glyph.id)
            let metrics: [Int] = [found.width, found.height, found.left, found.top, found.advance]
            let wanted: [Int] = [glyph.width, glyph.height, glyph.left, glyph.top, glyph.advance]
            #expect(metrics == wanted, "\(found.scalar)")
            let values = glyph.values, made = found.field?.values.map(Int.init) ?? []
            try #require(made.count == values.count, "\(found.scalar)")
            // FreeType rounds outlines to 1/64 pixel, which is half a value.
            #expect(zip(values, made).allSatisfy { abs($0 - $1) <= 1 }, "\(found.scalar)")
        }
    }

    @Test(arguments: ["DejaVu Sans Book", "DejaVu Sans", "dejavu-sans regular", "DEJAVUSANS", "DejaVu Sans Regular"])
    func `a face has several names`(name: String) throws {
        let book = Fixture.book(Fixture.sansBold, Fixture.sans)
        let glyph = try #require(try book.distanceGlyphs(of: 65...65, inFaceNamed: name)?.first)
        #expect(glyph.advance == 16)
        let bold = try #require(try book.distanceGlyphs(of: 65...65, inFaceNamed: "DejaVu Sans Bold")?.first)
        #expect(bold.advance == 18)
        #expect(book.faceNames == ["DejaVu Sans Bold", "DejaVu Sans Book"])
    }

    @Test func `a face without characters gives no glyphs, and an unknown name nothing`() throws {
        let book = Fixture.book(Fixture.sans)
        #expect(try book.distanceGlyphs(of: 0x4E00...0x4EFF, inFaceNamed: "DejaVu Sans") == [])
        #expect(try book.distanceGlyphs(of: 0xD800...0xD8FF, inFaceNamed: "DejaVu Sans") == [])
        #expect(try book.distanceGlyphs(of: 0...255, inFaceNamed: "DejaVu Serif") == nil)
        #expect(try book.distanceGlyphs(of: 0...255, inFaceNamed: "") == nil)
    }

    @Test func `missing and damaged font files have no names`() throws {
        try Fixture.withFile([0, 1, 0, 0, 5]) { path in
            let book = Fixture.book("/nowhere.ttf", path, Fixture.sans)
            #expect(book.faceNames == ["DejaVu Sans Book"])
            let glyphs = try book.distanceGlyphs(of: 65...66, inFaceNamed: "DejaVu Sans")
            #expect(glyphs?.count == 2)
        }
    }
}
#endif
