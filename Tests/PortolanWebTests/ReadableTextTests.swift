import PortolanWeb
import Testing

@Suite struct ReadableTextTests {
    @Test(arguments: [
        ("a\nb", "a b"), ("a\r\n\t b", "a b"), ("é 日本", "é 日本"), ("\u{1B}[2Jx\u{9B}y", " [2Jx y"), ("", ""),
        ("a\u{A0}\u{2028} b ", "a b "), ("\u{FFFD}", "\u{FFFD}"),
    ])
    func `a text becomes one line without control characters`(text: String, line: String) {
        #expect(text.inOneLine == line)
        #expect(text.inOneLine(limit: 100) == line)
    }

    @Test(arguments: [
        ("a\u{202E}gpj.exe", "a\\u{202E}gpj.exe"), ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
        ("\u{200E}\u{200F}\u{61C}", "\\u{200E}\\u{200F}\\u{61C}"), ("so\u{AD}ft", "so\\u{AD}ft"),
        ("\u{FEFF}a\u{2060}b", "\\u{FEFF}a\\u{2060}b"), ("a\u{200D}b", "a\\u{200D}b"), ("\u{E0041}", "\\u{E0041}"),
        // Joiners that join: a family, Persian, Hindi.
        ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"),
        (
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}",
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"
        ),
        ("\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{200D}\u{937}"), ("\u{200D}\u{915}", "\\u{200D}\u{915}"),
        // A sign before Arabic numbers, which is seen.
        ("\u{600}\u{661}", "\u{600}\u{661}"), ("עברית", "עברית"),
    ])
    func `bidi and invisible format characters are escaped`(text: String, line: String) {
        #expect(text.inOneLine == line)
    }

    @Test(arguments: [
        ("0123456789", 10, "0123456789"), ("0123456789A", 8, "012345 … 9A"), ("0123 \n    89AB", 8, "0123 … AB"),
    ])
    func `a long text is shortened in the middle`(text: String, limit: Int, line: String) {
        #expect(text.inOneLine(limit: limit) == line)
    }

    @Test(arguments: [
        (" a \n b ", 9, "a b"), ("a\u{7}b", 9, "ab"), ("a\u{FFFD}b", 9, "ab"), ("abcdef", 3, "abc…"),
        ("ab cd", 3, "ab…"), ("", 3, ""),
    ])
    func `a server's text is trimmed and cut at its end`(text: String, limit: Int, line: String) {
        #expect(ReadableText.line(text, limit: limit) == line)
    }

    @Test func `mostly unreadable text is not quoted`() {
        #expect(ReadableText.readableLine("\u{1}\u{2}\u{3}abc", limit: 9) == nil)
        #expect(ReadableText.readableLine("plain words\u{1}", limit: 90) == "plain words")
        #expect(ReadableText.readableLine(" \n", limit: 9) == nil)
    }

    @Test func `bytes are decoded as UTF-8, or else as Latin-1`() {
        #expect(ReadableText.decode([0xEF, 0xBB, 0xBF, 0xC3, 0xA9]) == "é")
        #expect(ReadableText.decode([0xE9]) == "é")
    }
}
