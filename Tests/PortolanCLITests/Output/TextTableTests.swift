import PortolanCLI
import Testing

@Suite struct TextTableTests {
    @Test func `columns are as wide as their widest text, and empty ones are left out`() {
        let text = TextTable.text([["NAME", "VOID", "N"], ["a", "", "1"], ["  bcdef", "", ""]])
        #expect(text == "NAME     N\na        1\n  bcdef\n")
    }

    @Test func `long texts are cut, line ends and escapes are not shown`() {
        let text = TextTable.text([["A", "B"], [String(repeating: "x", count: 100), "1\n2\u{1B}[3"]])
        #expect(
            text == "A" + String(repeating: " ", count: 49) + "B\n" + String(repeating: "x", count: 47) + "…  1 2 [3\n")
    }

    @Test func `a table without rows is its heading's line end, one without heading nothing`() {
        #expect(TextTable.text([["A"]]) == "\n")
        #expect(TextTable.text([]).isEmpty)
    }
}
