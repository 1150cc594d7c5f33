#if Text
import PortolanRaster
import PortolanText
import Testing

@Suite struct SubsetTests {
    private static func glyphs(
        _ text: String, _ book: FontBook
    ) throws -> [ShapedText.Glyph] {
        try book.shape(text, request: FontRequest(), size: 10).glyphs { _ in .identity }
    }

    /// The names of the tables of a font file (OpenType, table directory).
    private static func tables(_ file: [UInt8]) -> [String] {
        (0..<Int(file[5])).map { String(decoding: file[(12 + $0 * 16)..<(16 + $0 * 16)], as: UTF8.self) }
    }

    @Test func `a TrueType subset has outlines and metrics alone`() throws {
        let book = Fixture.book(Fixture.sans), glyphs = try Self.glyphs("Road", book)
        let program = try #require(glyphs[0].program), face = try #require(book.embeddable(program))
        #expect(face.name == "DejaVuSans" && face.outlines == .trueType && !face.isBold && !face.isItalic)
        let subset = try book.subset(of: program, glyphs: glyphs.map(\.index))
        #expect(Self.tables(subset) == ["glyf", "head", "hhea", "hmtx", "loca", "maxp"])
        #expect(subset.count < 20_000)
        // The advance of R is 1423 of 2048 units.
        let entry = try #require(book.identifier(of: glyphs[0].index, in: program))
        #expect(entry.code == glyphs[0].index && abs(entry.advance - 694.82) < 0.01)
    }

    @Test func `a subset of a CFF font is its table alone`() throws {
        let book = Fixture.book(Fixture.folder + "PortolanTestBoxes.otf"), glyphs = try Self.glyphs("A", book)
        let program = try #require(glyphs[0].program)
        #expect(try #require(book.embeddable(program)).outlines == .cff)
        #expect(try book.subset(of: program, glyphs: glyphs.map(\.index)).starts(with: [1, 0]))
    }

    @Test func `a face that has shaped no text of the book is not embedded`() throws {
        let program = try #require(Self.glyphs("a", Fixture.book(Fixture.sans)).first?.program)
        let other = Fixture.book(Fixture.devanagari)
        #expect(other.embeddable(program) == nil)
        #expect(throws: TextError.self) { try other.subset(of: program, glyphs: [1]) }
    }

    @Test(arguments: [
        ("e\u{301}t", ["e\u{301}", "t"]), ("a b", ["a", " ", "b"]),
        // Glyphs are ordered from left to right, and characters of a cluster in reading order.
        ("سلام", ["م", "لا", "س"]), ("क्षि", ["क्षि"]),
    ])
    func `each cluster keeps its characters`(text: String, expected: [String]) throws {
        let book = Fixture.book(Fixture.sans, Fixture.devanagari)
        let found = try Self.glyphs(text, book).map(\.text)
        #expect(found.filter { !$0.isEmpty } == expected)
    }

    @Test func `joined and spaced lines keep the characters and positions of their glyphs`() throws {
        let book = Fixture.book(Fixture.sans)
        let parts = try ["ab ", "cd"].map { try book.shape($0, request: FontRequest(), size: 10) }
        let joined = try #require(TextLine.joined(parts)),
            whole = try book.shape("ab cd", request: FontRequest(), size: 10)
        let one = joined.glyphs { _ in .identity }, other = whole.glyphs { _ in .identity }
        #expect(one.map(\.text) == ["a", "b", " ", "c", "d"])
        #expect(one.map(\.index) == other.map(\.index))
        #expect(zip(one, other).allSatisfy { abs($0.transform.tx - $1.transform.tx) < 1e-9 })
        let spaced = joined.spaced(by: 2).glyphs { _ in .identity }
        #expect(
            zip(spaced, one).enumerated().allSatisfy {
                abs($0.element.0.transform.tx - $0.element.1.transform.tx - 2 * Double($0.offset)) < 1e-9
            })
    }
}
#endif
