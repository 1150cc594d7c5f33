#if Text
import PortolanText
import Testing

@Suite struct FontBookWrapTests {
    /// A text, the text whose width is the limit, and the lines' texts.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let widthOf: String
        let lines: [String]

        init(_ name: String, _ text: String, widthOf: String, _ lines: [String]) {
            testDescription = name
            self.text = text
            self.widthOf = widthOf
            self.lines = lines
        }
    }

    private static let request = FontRequest()

    @Test(arguments: [
        Case("all fits", "one two", widthOf: "one two", ["one two"]),
        Case("break at the space", "one two", widthOf: "one t", ["one", "two"]),
        Case("greedy", "aaa bbb ccc ddd eee", widthOf: "aaa bbb ccc", ["aaa bbb ccc", "ddd eee"]),
        Case("spaces at the break vanish", "one    two", widthOf: "one ", ["one", "two"]),
        Case("spaces inside stay", "a  b", widthOf: "a  b", ["a  b"]),
        Case("spaces at the ends vanish", "  one  ", widthOf: "one", ["one"]),
        Case("after a hyphen", "Stoke-on-Trent", widthOf: "Stoke-on", ["Stoke-", "on-Trent"]),
        Case("after a dash", "north–south", widthOf: "north–s", ["north–", "south"]),
        Case("not after a minus sign", "at -12", widthOf: "at -1", ["at", "-12"]),
        Case("not before a digit", "in 2026-11", widthOf: "in 2026-1", ["in", "2026-11"]),
        Case("no-break space", "a 12\u{A0}km b", widthOf: "12\u{A0}km", ["a", "12\u{A0}km", "b"]),
        Case("a word too long", "mmmmmmm", widthOf: "mmm", ["mmm", "mmm", "m"]),
        Case("a word too long between others", "i mmmm i", widthOf: "mmm", ["i", "mmm", "m i"]),
        Case("too narrow for a character", "mm m", widthOf: "i", ["m", "m", "m"]),
        Case("a character is not broken", "me\u{301}m", widthOf: "i", ["m", "e\u{301}", "m"]),
        Case("line breaks", "a\nb\r\nc\n\nd\u{2028}e", widthOf: "mmm", ["a", "b", "c", "", "d", "e"]),
        Case("line break at the end", "a\n", widthOf: "mmm", ["a", ""]),
        Case("empty", "", widthOf: "mmm", [""]),
        Case("only spaces", "   ", widthOf: " ", [""]),
        Case("zero width space", "aaa\u{200B}bbb", widthOf: "aaab", ["aaa", "bbb"]),
    ])
    func `text is wrapped at line break opportunities`(_ test: Case) throws {
        let book = Fixture.book(Fixture.sans)
        let width = try book.shape(test.widthOf, request: Self.request, size: 16).advance
        let lines = try book.wrap(test.text, request: Self.request, size: 16, maximumWidth: width)
        let expected = try test.lines.map { try book.shape($0, request: Self.request, size: 16) }
        #expect(lines.map(\.advance) == expected.map(\.advance))
        #expect(lines.map(\.outline) == expected.map(\.outline))
    }

    @Test func `each line of a long text is filled with as many words as fit`() throws {
        let book = Fixture.book(Fixture.sans)
        let words = (0..<400).map { String(repeating: "aVoTy", count: 1 + $0 * 7 % 3).prefix(1 + $0 * 11 % 13) }
        let text = words.joined(separator: " ")
        for width in [90.0, 133, 1000] {
            let lines = try book.wrap(text, request: Self.request, size: 10, maximumWidth: width)
            var expected: [String] = []
            for word in words {
                let longer = expected.last.map { $0 + " " + word }
                if let longer, try book.shape(longer, request: Self.request, size: 10).advance <= width {
                    expected[expected.count - 1] = longer
                } else {
                    expected.append(String(word))
                }
            }
            let shaped = try expected.map { try book.shape($0, request: Self.request, size: 10).advance }
            #expect(lines.allSatisfy { $0.advance <= width })
            #expect(lines.map(\.advance) == shaped)
        }
    }

    @Test func `an infinite width does not wrap paragraphs`() throws {
        let book = Fixture.book(Fixture.sans)
        let lines = try book.wrap("a b\nc d", request: Self.request, size: 16, maximumWidth: .infinity)
        #expect(lines.count == 2)
    }

    @Test(arguments: [0, -1, .nan])
    func `a width of zero or less is refused`(_ width: Double) {
        #expect {
            _ = try Fixture.book(Fixture.sans).wrap("a", request: Self.request, size: 16, maximumWidth: width)
        } throws: { error in
            guard case .invalidWidth? = error as? TextError else { return false }
            return true
        }
    }

    @Test func `font size and text length are limited`() {
        let book = Fixture.book(Fixture.sans)
        #expect(throws: TextError.invalidSize(0, limit: 2048)) {
            try book.wrap("a", request: Self.request, size: 0, maximumWidth: 10)
        }
        let paragraph = String(repeating: "x ", count: 2049)
        #expect(throws: TextError.tooLong(count: 4098, limit: 4096)) {
            try book.wrap(paragraph, request: Self.request, size: 1, maximumWidth: 10)
        }
        let text = String(repeating: "x\n", count: 32_769)
        #expect(throws: TextError.tooLong(count: 65_538, limit: 65_536)) {
            try book.wrap(text, request: Self.request, size: 1, maximumWidth: 10)
        }
    }
}
#endif
