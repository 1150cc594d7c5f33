import PortolanFormats
import TestHelpers
import Testing

@testable import PortolanTransit

@Suite struct FeedTableTests {
    private static func rows(_ text: String, limits: TransitFeed.Limits = TransitFeed.Limits()) throws -> [[String]] {
        let files = FeedFiles(["a.txt": Array(text.utf8)])
        guard var table = try FeedTable("a.txt", in: files, limits: limits) else { return [] }
        var rows = [table.names]
        while try table.next() { rows.append(table.names.indices.map { table.text($0) }) }
        return rows
    }

    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
        ("\u{FEFF}a,b\r\n1,2\r\n3,4\r\n", [["a", "b"], ["1", "2"], ["3", "4"]]),
        ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
        ("a,b\n\n\n1,2\n\n", [["a", "b"], ["1", "2"]]), ("a , b\n 1 , 2 \n", [["a", "b"], ["1", "2"]]),
        ("\"a\",\"b\"\n\"x,y\",\"say \"\"so\"\"\"\n", [["a", "b"], ["x,y", "say \"so\""]]),
        ("a,b\n\"two\nlines\", \"q\" \n3,4\n", [["a", "b"], ["two\nlines", "q"], ["3", "4"]]),
        ("a,b\n\"\",\n,\n", [["a", "b"], ["", ""], ["", ""]]), ("a,b\n1\n", [["a", "b"], ["1", ""]]),
        ("a,b\n\"\"\"\",\"\"\n", [["a", "b"], ["\"", ""]]), ("a\nx\"y\n", [["a"], ["x\"y"]]), ("", [[]]),
        ("\n\n", [[]]),
    ])
    func `rows are split as in RFC 4180 and GTFS`(text: String, expected: [[String]]) throws {
        #expect(try Self.rows(text) == expected)
    }

    @Test func `line numbers count line ends within quotes`() throws {
        let files = FeedFiles(["a.txt": Array("a,b\n\"1\n2\",3\r\n4,5\n\n6,7".utf8)])
        var table = try #require(try FeedTable("a.txt", in: files, limits: TransitFeed.Limits()))
        var lines: [Int] = []
        while try table.next() { lines.append(table.line) }
        #expect(lines == [2, 4, 6])
    }

    @Test func `an unclosed quote affects only its own line`() throws {
        let files = FeedFiles(["a.txt": Array("a,b\n\"1,2\n3,4\n".utf8)])
        var table = try #require(try FeedTable("a.txt", in: files, limits: TransitFeed.Limits()))
        #expect(try table.next() && table.fault == .unclosedQuote)
        #expect(try table.next() && table.fault == nil && table.text(1) == "4" && table.line == 3)
        #expect(try !table.next())
    }

    @Test func `rows, files and their bytes have limits`() throws {
        var limits = TransitFeed.Limits()
        limits.rowByteCount = 10
        #expect(throws: TransitFeed.ReadError.limitExceeded(file: "a.txt", line: 2, what: "a row exceeds 10 bytes")) {
            _ = try Self.rows("a,b\n" + String(repeating: "x", count: 11), limits: limits)
        }
        limits = TransitFeed.Limits()
        limits.rowCount = 1
        #expect(throws: TransitFeed.ReadError.limitExceeded(file: "a.txt", line: 3, what: "more than 1 rows")) {
            _ = try Self.rows("a,b\n1,2\n3,4\n", limits: limits)
        }
        limits.byteCount = 4
        #expect(throws: TransitFeed.ReadError.limitExceeded(file: "a.txt", line: 1, what: "exceeds 4 bytes")) {
            _ = try Self.rows("a,b\n1,2\n3,4\n", limits: limits)
        }
    }

    /// A file of more than two pieces, whose rows lie across their ends.
    @Test func `a large file is read in pieces`() throws {
        let folder = try TemporaryFolder()
        let count = 120_000
        try folder.write(
            Array(("a,b\r\n" + (0..<count).map { "\($0),\"x\"\"\($0)\"\r\n" }.joined()).utf8), to: "a.txt")
        let files = try FeedFiles(at: folder.path, limits: TransitFeed.Limits())
        var table = try #require(try FeedTable("a.txt", in: files, limits: TransitFeed.Limits()))
        var number = 0
        while try table.next() {
            guard table.integer(0) == Int32(number), table.text(1) == "x\"\(number)", table.line == number + 2 else {
                break
            }
            number += 1
        }
        #expect(number == count)
    }

    @Test(arguments: [
        ("0:00:00", 0), ("8:05:09", 29_109), ("08:05:09", 29_109), ("25:10:00", 90_600), ("123:59:59", 446_399),
        ("", -1),
        ("8:5:9", -2), ("08:60:00", -2), ("08:00:60", -2), ("08-00-00", -2), ("x8:00:00", -2), ("08:00", -2),
        ("-1:00:00", -2),
        ("1234:00:00", -2), ("08:00:0a", -2),
    ])
    func `times can exceed 24 hours and have a one-digit hour`(text: String, seconds: Int) throws {
        let files = FeedFiles(["a.txt": Array("a,b\n\(text),x\n".utf8)])
        var table = try #require(try FeedTable("a.txt", in: files, limits: TransitFeed.Limits()))
        #expect(try table.next())
        let expected = seconds == -1 ? FeedTable.blank : seconds == -2 ? FeedTable.malformed : Int32(seconds)
        #expect(table.time(0) == expected)
    }

    @Test(arguments: [
        "60.1699", "-117.133162", "0", "1e3", "27.67610000", "000.5", ".5", "5.", "123456789012345678901234", "0.1",
        "179.99999999999999",
        "+4", "1.7976931348623157e308",
    ])
    func `decimal numbers are parsed exactly as by the standard library`(text: String) throws {
        let files = FeedFiles(["a.txt": Array("a,b\n\(text),x\n".utf8)])
        var table = try #require(try FeedTable("a.txt", in: files, limits: TransitFeed.Limits()))
        #expect(try table.next())
        #expect(table.number(0) == Double(text.hasSuffix(".") ? text + "0" : text.hasPrefix(".") ? "0" + text : text))
    }

    @Test(arguments: ["-", ".", "x", "1,", "nan", "inf", "1e999", "0x10p", "1 2"])
    func `an invalid number is empty`(text: String) throws {
        let files = FeedFiles(["a.txt": Array("a,b\n\"\(text)\",x\n".utf8)])
        var table = try #require(try FeedTable("a.txt", in: files, limits: TransitFeed.Limits()))
        #expect(try table.next())
        #expect(table.number(0) == nil)
    }
}
