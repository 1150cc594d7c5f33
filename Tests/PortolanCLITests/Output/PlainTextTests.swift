import PortolanCLI
import Testing

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("a\nb", "a b"), ("a\r\n\t b", "a b"), ("é 日本", "é 日本"), ("\u{1B}[2Jx\u{9B}y", " [2Jx y"), ("", ""),
    ])
    func `a text becomes one line without control characters`(text: String, line: String) {
        #expect(PlainText.oneLine(text) == line)
    }

    @Test func `a text of ten megabytes keeps its beginning and its end`() {
        let line = PlainText.oneLine("first " + String(repeating: "x", count: 10 << 20) + " last")
        #expect(line.hasPrefix("first x") && line.hasSuffix("x last") && line.contains(" … "))
        #expect(line.count <= PlainText.longest + 3)
    }
}
