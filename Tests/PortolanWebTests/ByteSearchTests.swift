import PortolanWeb
import Testing

@Suite struct ByteSearchTests {
    @Test(
        arguments: [
            ("<?xml ", "<?xml version", 0..<6), ("<?xml ", "error\n<<?xml ?>", 7..<13), ("<?xml ", "<?xml", nil),
            ("aab", "aaab", 1..<4), ("aab", "aaaaaa", nil), ("ä", "xäy", 1..<3), ("", "abc", 0..<0), ("a", "", nil),
        ] as [(String, String, Range<Int>?)])
    func `a text is found where it first stands`(text: String, bytes: String, expected: Range<Int>?) {
        #expect(Array(bytes.utf8)[...].firstRange(of: text) == expected)
        #expect(Array(bytes.utf8)[...].contains(text) == (expected != nil))
    }

    @Test func `positions are those of the slice`() {
        let bytes = Array("name, name".utf8)
        #expect(bytes[1...].firstRange(of: "name") == 6..<10)
        #expect(bytes[1..<9].firstRange(of: "name") == nil)
    }
}
