#if Text
import PortolanRaster
import PortolanText
import Testing

/// Expected numbers come from fontTools (hmtx, GPOS, glyph bounds) and from another release of HarfBuzz.
@Suite struct FontBookTests {
    private static let unitsPerEm = 2048.0

    @Test func `the table of shaped lines is complete`() { #expect(ShapedLine.all.count == 21) }

    @Test(arguments: ShapedLine.all)
    func `outlines and advances equal those of another shaper`(_ expected: ShapedLine) throws {
        let sizes = ["PortolanTestBoxes.otf": 1000.0, "PortolanTestDevanagari.ttf": 1024]
        let unitsPerEm = sizes[expected.font] ?? Self.unitsPerEm
        let line = try Fixture.book(
            (expected.font == "PortolanTestBoxes.otf" ? Fixture.folder : Fixture.fonts) + expected.font
        )
        .shape(expected.text, request: FontRequest(), size: unitsPerEm)
        #expect(line.advance == expected.advance)
        #expect(line.missingGlyphCount == 0)
        let actual = line.outline.withoutClosingLines
        let wanted = expected.outline.withoutClosingLines
        #expect(String(actual.map(\.letter)) == String(wanted.map(\.letter)))
        for (element, other) in zip(actual, wanted) {
            for (point, want) in zip(element.points, other.points) {
                // FreeType rounds a point implied half-way between two others to a font unit.
                #expect(abs(point.x - want.x) < 1 && abs(-point.y - want.y) < 1, "\(point) is not \(want), y up")
            }
        }
    }

    @Test func `an i-matra is placed before its conjunct, and mixed scripts keep their order`() throws {
        let book = Fixture.book(Fixture.sans, Fixture.devanagari)
        func line(_ text: String) throws -> TextLine { try book.shape(text, request: FontRequest(), size: 1024) }
        // ka + virama + ssa + i: the conjunct of 657 units, with the matra of 266 units before it.
        #expect(try line("क्षि").advance == 266 + 657)
        #expect(try line("क्ष").advance == 657)
        let matra = try #require(line("क्षि").outline.controlBounds),
            conjunct = try #require(line("क्ष").outline.controlBounds)
        #expect(matra.maxX == conjunct.maxX + 266)
        #expect(matra.minX < 266)
        let mixed = try line("A क्षि مح")
        #expect(mixed.missingScalars.isEmpty)
        let advance = try line("A ").advance + line("क्षि").advance + line(" ").advance + line("مح").advance
        #expect(abs(mixed.advance - advance) < 1e-9)
        // Joined scripts are kept whole on a bent line.
        #expect(mixed.clusters.isEmpty)
    }

    @Test(arguments: ["", " ", "\u{1F600}", "\u{1F469}\u{200D}\u{1F467}", "\u{1F1EB}\u{1F1EE}", "क्", "\u{94D}", "ि"])
    func `empty texts, emoji and lone marks are shaped`(_ text: String) throws {
        let line = try Fixture.book(Fixture.sans, Fixture.devanagari).shape(text, request: FontRequest(), size: 16)
        #expect(line.advance.isFinite)
        #expect(line.advance >= 0)
        #expect(line.missingScalars.allSatisfy { text.unicodeScalars.contains($0) && $0 != "\u{200D}" })
    }

    struct GlyphCase: CustomTestStringConvertible {
        let text: String
        let isBold: Bool
        let advance: Double
        let bounds: (minX: Double, minY: Double, maxX: Double, maxY: Double)
        var testDescription: String { isBold ? text + " bold" : text }
    }

    @Test(arguments: [
        GlyphCase(text: "A", isBold: false, advance: 1401, bounds: (16, 0, 1384, 1493)),
        GlyphCase(text: "P", isBold: false, advance: 1235, bounds: (201, 0, 1165, 1493)),
        GlyphCase(text: "g", isBold: false, advance: 1300, bounds: (113, -426, 1114, 1147)),
        GlyphCase(text: "Å", isBold: false, advance: 1401, bounds: (16, 0, 1384, 1901)),
        GlyphCase(text: "Ж", isBold: false, advance: 2206, bounds: (40, 0, 2166, 1493)),
        GlyphCase(text: "©", isBold: false, advance: 2048, bounds: (283, 0, 1765, 1485)),
        GlyphCase(text: "°", isBold: false, advance: 1024, bounds: (195, 885, 829, 1520)),
        GlyphCase(text: "A", isBold: true, advance: 1585, bounds: (10, 0, 1575, 1493)),
        GlyphCase(text: "g", isBold: true, advance: 1466, bounds: (92, -442, 1294, 1145)),
    ])
    func `a glyph has the font's bounds, scaled and with y down`(_ test: GlyphCase) throws {
        for size in [2048.0, 16, 12.5] {
            let request = FontRequest(weight: test.isBold ? .bold : .regular)
            let line = try Fixture.book(Fixture.sans, Fixture.sansBold).shape(test.text, request: request, size: size)
            let scale = size / Self.unitsPerEm
            let bounds = try #require(line.outline.controlBounds)
            #expect(abs(line.advance - test.advance * scale) < 1e-9)
            #expect(abs(bounds.minX - test.bounds.minX * scale) < 1e-9)
            #expect(abs(bounds.maxX - test.bounds.maxX * scale) < 1e-9)
            #expect(abs(bounds.minY + test.bounds.maxY * scale) < 1e-9)
            #expect(abs(bounds.maxY + test.bounds.minY * scale) < 1e-9)
        }
    }

    @Test func `A and V are kerned`() throws {
        let line = try Fixture.book(Fixture.sans).shape("AV", request: FontRequest(), size: Self.unitsPerEm)
        #expect(line.advance == 1401 + 1401 - 131)
    }

    @Test func `ascent and descent are the font's, and the greatest of the fonts used`() throws {
        let book = Fixture.book(Fixture.sans, Fixture.boxes)
        let latin = try book.shape("A", request: FontRequest(), size: Self.unitsPerEm)
        #expect(latin.ascent == 1901)
        #expect(latin.descent == 483)
        let han = try book.shape("東", request: FontRequest(families: ["Portolan Test Boxes"]), size: 1000)
        #expect(han.ascent == 900)
        #expect(han.descent == 300)
        let both = try book.shape("A東", request: FontRequest(), size: 1000)
        #expect(both.ascent == 1901.0 * 1000 / 2048)
        #expect(both.descent == 300)
    }

    @Test func `a character that no font has is counted and drawn as a box`() throws {
        let line = try Fixture.book(Fixture.sans).shape("A東", request: FontRequest(), size: Self.unitsPerEm)
        #expect(line.missingGlyphCount == 1)
        #expect(line.missingScalars == ["東"])
        #expect(line.advance == 1401 + 1229)
        #expect(line.outline.controlBounds?.maxX == 2527.0)
    }

    @Test func `a character that the first font lacks comes from the next`() throws {
        let line = try Fixture.book(Fixture.sans, Fixture.boxes).shape("A東", request: FontRequest(), size: 1024)
        #expect(line.missingGlyphCount == 0)
        #expect(line.advance == 700.5 + 1024)
        #expect(line.outline.controlBounds?.maxX == 700.5 + 900 * 1.024)
    }

    @Test func `an accent stays with its letter's font`() throws {
        let book = Fixture.book(Fixture.boxes, Fixture.sans)
        let composed = try book.shape("é", request: FontRequest(), size: 10)
        let decomposed = try book.shape("e\u{301}", request: FontRequest(), size: 10)
        #expect(decomposed.advance == composed.advance)
        #expect(composed.missingGlyphCount == 0)
    }

    @Test(arguments: [
        ("A\u{7}V\u{0}", "AV"), ("A\u{9B}V", "AV"), ("A\tV", "A V"), ("A\nV", "A V"), ("A\r\nV", "A V"),
        ("A\u{2028}V", "A V"),
    ])
    func `control characters are removed, and white space ones become a space`(_ text: String, _ same: String) throws {
        let book = Fixture.book(Fixture.sans)
        let line = try book.shape(text, request: FontRequest(), size: 20)
        let expected = try book.shape(same, request: FontRequest(), size: 20)
        #expect(line.outline == expected.outline)
        #expect(line.advance == expected.advance)
        #expect(line.missingGlyphCount == 0)
    }

    @Test(arguments: ["\u{200D}", "\u{FE0F}", "\u{200E}", "\u{2060}"])
    func `invisible format characters are neither drawn nor missing`(_ text: String) throws {
        let line = try Fixture.book(Fixture.sans).shape(text, request: FontRequest(), size: 20)
        #expect(line.outline.isEmpty)
        #expect(line.advance == 0)
        #expect(line.missingGlyphCount == 0)
    }

    @Test func `shaped lines are cached by exact characters, size and weight`()
        throws
    {
        let book = Fixture.book(Fixture.boxes)
        #expect(try book.shape("é", request: FontRequest(), size: 20).missingScalars == ["é"])
        #expect(try book.shape("e\u{301}", request: FontRequest(), size: 20).missingScalars == ["e", "\u{301}"])
        let sans = Fixture.book(Fixture.sans, Fixture.sansBold)
        let first = try sans.shape("Aé", request: FontRequest(), size: 20)
        #expect(try sans.shape("Aé", request: FontRequest(), size: 20).outline == first.outline)
        #expect(try sans.shape("Aé", request: FontRequest(), size: 21).outline != first.outline)
        #expect(try sans.shape("Aé", request: FontRequest(weight: .bold), size: 20).outline != first.outline)
    }

    @Test func `empty text is an empty line with the font's height`() throws {
        let line = try Fixture.book(Fixture.sans).shape("", request: FontRequest(), size: 2048)
        #expect(line.outline.isEmpty)
        #expect(line.advance == 0)
        #expect(line.ascent == 1901)
    }

    struct ChoiceCase: CustomTestStringConvertible {
        let testDescription: String
        let request: FontRequest
        let advance: Double
    }

    @Test(arguments: [
        ChoiceCase(testDescription: "regular", request: FontRequest(), advance: 1401),
        ChoiceCase(testDescription: "bold", request: FontRequest(weight: .bold), advance: 1585),
        ChoiceCase(
            testDescription: "weight before slope", request: FontRequest(weight: .bold, isItalic: true),
            advance: 1585),
        ChoiceCase(
            testDescription: "family without regard to case", request: FontRequest(families: ["dejavu sans"]),
            advance: 1401),
        ChoiceCase(
            testDescription: "family before weight", request: FontRequest(families: ["Portolan Test Boxes"]),
            advance: 1401),
        ChoiceCase(testDescription: "no families", request: FontRequest(families: []), advance: 1401),
    ])
    func `the request selects among the given font files`(_ test: ChoiceCase) throws {
        let book = Fixture.book(Fixture.boxes, Fixture.sansBold, Fixture.sans)
        #expect(try book.shape("A", request: test.request, size: 2048).advance == test.advance)
    }

    @Test func `numbers after right-to-left text are placed to its left and run left to right`() throws {
        let book = Fixture.book(Fixture.sans)
        let number = try book.shape("12", request: FontRequest(), size: 32)
        let space = try book.shape(" ", request: FontRequest(), size: 32)
        let word = try book.shape("شارع", request: FontRequest(), size: 32)
        let line = try book.shape("شارع 12", request: FontRequest(), size: 32)
        var expected = number.outline
        expected.append(word.outline.transformed(by: .translation(x: number.advance + space.advance, y: 0)))
        #expect(line.outline == expected)
    }

    @Test func `right-to-left words inside a left-to-right line are reordered`() throws {
        let book = Fixture.book(Fixture.sans)
        func line(_ text: String) throws -> TextLine { try book.shape(text, request: FontRequest(), size: 32) }
        let space = try line(" ").advance
        var expected = Path()
        var x = 0.0
        for word in ["A", "قلعة", "شارع", "B"] {
            let part = try line(word)
            expected.append(part.outline.transformed(by: .translation(x: x, y: 0)))
            x += part.advance + space
        }
        let actual = try line("A شارع قلعة B")
        #expect(actual.advance == x - space)
        #expect(actual.outline == expected)
    }

    /// Texts in reading order, and their parts from left to right by UAX #9.
    static let mixed: [(text: String, parts: [String])] = [
        ("شارع 3.5", ["3.5", " ", "شارع"]), ("12:30 شارع", ["شارع", " ", "12:30"]),
        ("A 12:30 شارع", ["A", " ", "12:30", " ", "شارع"]), ("شارع 10%", ["%", "10", " ", "شارع"]),
        ("شارع (A) 5", ["5", " ", "(", "A", ")", " ", "شارع"]), ("A (شارع) B", ["A", " ", "(", "شارع", ")", " ", "B"]),
        ("شارع 1,234.5 A", ["A", " ", "1,234.5", " ", "شارع"]), ("A -7 شارع", ["A", " ", "-", "7", " ", "شارع"]),
        // An isolate runs its own way; an override turns what is in it.
        ("A \u{2067}12 شارع\u{2069} B", ["A", " ", "شارع", " ", "12", " ", "B"]),
        ("A \u{2067}شارع 12\u{2069}: 5", ["A", " ", "12", " ", "شارع", ":", " ", "5"]),
        ("\u{202E}ABC\u{202C}", ["C", "B", "A"]), ("شارع \u{200E}- A", ["-", " ", "A", " ", "شارع"]),
    ]

    @Test(arguments: mixed) func `a line of two directions is in the order of the Unicode algorithm`(
        text: String, parts: [String]
    ) throws {
        let book = Fixture.book(Fixture.sans)
        func line(_ text: String) throws -> TextLine { try book.shape(text, request: FontRequest(), size: 2048) }
        var joined = Path(), x = 0.0
        for part in parts {
            let own = try line(part)
            joined.append(own.outline.transformed(by: .translation(x: x, y: 0)))
            x += own.advance
        }
        let actual = try line(text)
        #expect(actual.advance == x)
        #expect(actual.outline == joined)
    }

    @Test func `a font book can be shared by many tasks`() async throws {
        let book = Fixture.book(Fixture.sans, Fixture.sansBold, Fixture.boxes)
        let texts = ["Portolan", "العربية", "AVA 東京", "Москва"]
        var expected: [Path] = []
        for text in texts { expected.append(try book.shape(text, request: FontRequest(), size: 17).outline) }
        let fresh = Fixture.book(Fixture.sans, Fixture.sansBold, Fixture.boxes)
        let outlines = await withTaskGroup(of: (Int, Path?).self) { group in
            for task in 0..<100 {
                group.addTask { @concurrent in
                    (task, try? fresh.shape(texts[task % texts.count], request: FontRequest(), size: 17).outline)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outlines.count == 100)
        for (task, outline) in outlines { #expect(outline == expected[task % texts.count]) }
    }

    @Test func `without files the system's font is used, or its absence reported`() {
        let request = FontRequest(families: ["No Such Family", "sans-serif"])
        do throws(TextError) {
            let line = try FontBook().shape("Map", request: request, size: 16)
            #expect(line.advance > 16)
            #expect(line.advance < 48)
            #expect(line.missingGlyphCount == 0)
        } catch {
            #expect(error == .noFont(families: request.families))
        }
    }

    @Test func `the system's fonts supply what a given file lacks`() throws {
        let lonely = try Fixture.book(Fixture.boxes).shape("東A", request: FontRequest(), size: 16)
        #expect(lonely.missingGlyphCount == 1)
        let line = try FontBook(files: [Fixture.boxes]).shape("東A", request: FontRequest(), size: 16)
        let hasSystemFont = (try? FontBook().shape("A", request: FontRequest(), size: 16))?.missingGlyphCount == 0
        #expect(line.missingGlyphCount == (hasSystemFont ? 0 : 1))
    }
}

@Suite struct GlyphClusterTests {
    @Test(arguments: ["AV A", "e\u{301}a", "", " "])
    func `clusters are contiguous from left to right and cover the outline`(text: String) throws {
        let line = try Fixture.book(Fixture.sans).shape(text, request: FontRequest(), size: 64)
        #expect(line.clusters.count == text.count)
        var x = 0.0, element = 0
        for cluster in line.clusters {
            #expect(abs(cluster.x - x) < 1e-9)
            #expect(cluster.elements.lowerBound == element)
            x = cluster.x + cluster.advance
            element = cluster.elements.upperBound
        }
        #expect(abs(x - line.advance) < 1e-9)
        #expect(element == line.outline.elements.count)
    }

    @Test(arguments: [("سلام", true), ("A سلام", true), ("Ω Ж", false)])
    func `a line with joining scripts has no clusters`(text: String, isWhole: Bool) throws {
        let line = try Fixture.book(Fixture.sans).shape(text, request: FontRequest(), size: 64)
        #expect(line.clusters.isEmpty == isWhole)
    }
}
#endif
