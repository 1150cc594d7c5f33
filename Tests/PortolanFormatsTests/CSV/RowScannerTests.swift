import PortolanFormats
import Testing

@Suite struct RowScannerTests {
    /// The values of all rows, and the line on which each row begins.
    private func rows(_ text: String, _ scanner: RowScanner, places: Int = 20) -> [(line: Int, values: [String])] {
        var bytes = Array(text.utf8), position = 0, line = 1
        var rows: [(line: Int, values: [String])] = []
        while position < bytes.count {
            var bounds = [Int](repeating: 0, count: 2 * places)
            let found = scanner.row(in: bytes.span, from: position, isLast: true, bounds: bounds.mutableSpan)
            guard let row = found else { break }
            let values = (0..<row.count).map { value in
                let start = bounds[2 * value]
                var end = bounds[2 * value + 1]
                if row.hasInnerQuotes, start > 0, bytes[start - 1] == UInt8(ascii: "\"") {
                    end = RowScanner.unquote(start..<end, in: &bytes)
                }
                return String(decoding: bytes[start..<end], as: UTF8.self)
            }
            rows.append((line, values))
            (position, line) = (row.end, line + row.lines)
        }
        return rows
    }

    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        ("a,b\r1,2", [["a", "b"], ["1", "2"]]), ("a,\n", [["a", ""]]), ("\n\n", [[""], [""]]),
        ("\"x,y\",\"say \"\"so\"\"\"\n", [["x,y", "say \"so\""]]), ("\"\"\"\",\"\"", [["\"", ""]]),
        ("\"two\nlines\",2\n3", [["two\nlines", "2"], ["3"]]), ("x\"y", [["x\"y"]]), ("a,", [["a", ""]]),
    ])
    func `both kinds of tables are parsed as RFC 4180 states`(text: String, expected: [[String]]) {
        #expect(rows(text, .feed).map(\.values) == expected)
        #expect(rows(text, .lenient(mark: UInt8(ascii: ","))).map(\.values) == expected)
    }

    @Test(arguments: [
        (" a , b \n", ["a", "b"], [" a ", " b "]), (" \"a\" ,b", ["a", "b"], [" \"a\" ", "b"]),
        ("\"a\"b,c", ["a", "c"], ["ab", "c"]), ("\"a\"\"\"b\"c,d", ["a\"", "d"], ["a\"b\"c", "d"]),
        ("\"a\" ,b", ["a", "b"], ["a ", "b"]), ("\"a,b", ["a,b"], ["a,b"]),
    ])
    func `spaces and stray quotes are parsed by the kind of table`(text: String, feed: [String], lenient: [String]) {
        #expect(rows(text, .feed).map(\.values) == [feed])
        #expect(rows(text, .lenient(mark: UInt8(ascii: ","))).map(\.values) == [lenient])
    }

    @Test func `an unclosed quote affects one line of a feed, and the rest of another table`() {
        #expect(rows("\"a,b\nc,d\n", .feed).map(\.values) == [["a,b"], ["c", "d"]])
        #expect(rows("\"a,b\nc,d\n", .lenient(mark: UInt8(ascii: ","))).map(\.values) == [["a,b\nc,d\n"]])
    }

    @Test(arguments: [",", ";", "\t", "|"])
    func `any separator is supported`(mark: String) throws {
        let byte = try #require(mark.utf8.first)
        let others = [",", ";", "\t", "|"].filter { $0 != mark }.joined()
        #expect(
            rows("a\(mark)\(others)\(mark)\r\nb", .lenient(mark: byte)).map(\.values) == [["a", others, ""], ["b"]])
    }

    @Test func `line breaks within quotes are counted`() {
        #expect(rows("a\n\"1\n2\"\n\nb", .feed).map(\.line) == [1, 2, 4, 5])
    }

    @Test(arguments: ["a,b", "a,\"b", "a,\"b\"", "a,b\r"])
    func `an incomplete row is not returned before the end`(text: String) {
        let bytes = Array(text.utf8)
        var bounds = [0, 0, 0, 0]
        let early = RowScanner.feed.row(in: bytes.span, from: 0, isLast: false, bounds: bounds.mutableSpan)
        #expect(early == nil)
        let last = RowScanner.feed.row(in: bytes.span, from: 0, isLast: true, bounds: bounds.mutableSpan)
        #expect(last?.count == 2)
    }

    @Test func `too many values are reported as a fault`() {
        let bytes = Array("a,b,c\nd".utf8)
        var bounds = [0, 0, 0, 0]
        let row = RowScanner.feed.row(in: bytes.span, from: 0, isLast: true, bounds: bounds.mutableSpan)
        #expect(row?.fault == .tooManyValues)
        #expect(row?.count == 2)
        #expect(row?.end == 6)
    }
}
