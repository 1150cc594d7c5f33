import PortolanCLI
import Testing

@Suite struct TextTableTests {
    @Test func `columns are as wide as their widest text, and empty ones are left out`() {
        let text = TextTable.text([["NAME", "VOID", "N"], ["a", "", "1"], ["  bcdef", "", ""]])
        #expect(text == "NAME     N\na        1\n  bcdef\n")
    }

    @Test func `long texts are cut, and line ends and escapes are removed`() {
        let text = TextTable.text([["A", "B"], [String(repeating: "x", count: 100), "1\n2\u{1B}[3"]])
        #expect(
            text == "A" + String(repeating: " ", count: 49) + "B\n" + String(repeating: "x", count: 47) + "…  1 2 [3\n")
    }

    @Test func `a table of headings alone is an empty line, and an empty table nothing`() {
        #expect(TextTable.text([["A"]]) == "\n")
        #expect(TextTable.text([]).isEmpty)
    }
}

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("a\nb", "a b"), ("a\r\n\t b", "a b"), ("é 日本", "é 日本"), ("\u{1B}[2Jx\u{9B}y", " [2Jx y"), ("", ""),
    ])
    func `a text becomes one line without control characters`(text: String, line: String) {
        #expect(PlainText.oneLine(text) == line)
    }

    @Test func `a text of ten megabytes is shortened in the middle`() {
        let line = PlainText.oneLine("first " + String(repeating: "x", count: 10 << 20) + " last")
        #expect(line.hasPrefix("first x") && line.hasSuffix("x last") && line.contains(" … "))
        #expect(line.count <= PlainText.longest + 3)
    }
}
