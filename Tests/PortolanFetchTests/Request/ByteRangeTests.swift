import PortolanFetch
import Testing

@Suite struct ByteRangeTests {
    private static let range = ByteRange(10..<14)

    private static func response(_ status: Int, _ headers: [(String, String)]) -> HTTPResponse {
        response(status, [1, 2, 3, 4], headers)
    }

    private static func response(_ status: Int, _ body: [UInt8], _ headers: [(String, String)]) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers.map { HTTPHeader(name: $0.0, value: $0.1) }, body: body, url: "http://h/a")
    }

    @Test func `a range request asks for unencoded bytes of one version`() {
        func fields(_ version: FileVersion?) -> [String] {
            Self.range.headers(of: version).map { "\($0.name): \($0.value)" }
        }
        let plain = ["Range: bytes=10-13", "Accept-Encoding: identity"]
        #expect(fields(nil) == plain)
        #expect(fields(FileVersion(tag: "\"a\"")) == plain + ["If-Match: \"a\""])
        // A server would refuse any range for a weak tag.
        #expect(fields(FileVersion(tag: "W/\"a\"", modified: "x")) == plain)
        let time = "Thu, 01 Jan 1970 00:00:00 GMT"
        #expect(fields(FileVersion(modified: time)) == plain + ["If-Unmodified-Since: \(time)"])
    }

    @Test func `partial and whole responses are read`() throws {
        let part = try Self.range.part(
            of: Self.response(206, [("content-range", "Bytes 10-13/20"), ("ETag", "\"a\"")]), version: nil)
        #expect(part.bytes == [1, 2, 3, 4])
        #expect(part.isWhole == false)
        #expect(part.version == FileVersion(tag: "\"a\"", byteCount: 20))
        let whole = try Self.range.part(of: Self.response(200, [9, 9], []), version: nil)
        #expect(whole.bytes == [9, 9])
        #expect(whole.isWhole)
        // The file ends in the range, and its length may be unknown.
        let short = try Self.range.part(
            of: Self.response(206, [1, 2], [("Content-Range", "bytes 10-11/12")]), version: nil)
        #expect(short.bytes == [1, 2])
        let open = try Self.range.part(of: Self.response(206, [("Content-Range", "bytes 10-13/*")]), version: nil)
        #expect(open.version.byteCount == nil)
    }

    static let wrong: [([(String, String)], Int)] = [
        ([], 4), ([("Content-Range", "bytes */20")], 4), ([("Content-Range", "bytes 10-13/13")], 4),
        ([("Content-Range", "bytes 13-10/20")], 4), ([("Content-Range", "items 10-13/20")], 4),
        ([("Content-Range", "bytes 0-3/20")], 4), ([("Content-Range", "bytes 10-13/20")], 3),
        ([("Content-Range", "bytes 10-11/20")], 2), ([("Content-Range", "bytes 10-14/20")], 5),
        ([("Content-Range", "bytes 10-99999999999999999999/20")], 4),
        ([("Content-Type", "multipart/byteranges; boundary=x")], 4),
    ]

    @Test(arguments: wrong) func `bytes other than those requested are rejected`(
        fields: [(String, String)], count: Int
    ) {
        let fault = #expect(throws: ByteRange.Fault.self) {
            _ = try Self.range.part(
                of: Self.response(206, [UInt8](repeating: 1, count: count), fields), version: nil)
        }
        if case .mismatch? = fault {} else { Issue.record("\(fault as Any)") }
    }

    @Test func `compressed ranges, other statuses and other versions are refused`() {
        func fault(_ status: Int, _ headers: [(String, String)], _ version: FileVersion? = nil) -> ByteRange.Fault? {
            do throws(ByteRange.Fault) {
                _ = try Self.range.part(of: Self.response(status, headers), version: version)
                return nil
            } catch { return error }
        }
        let range = ("Content-Range", "bytes 10-13/20")
        #expect(fault(206, [range, ("Content-Encoding", "gzip")]) == .encoded("gzip"))
        #expect(fault(206, [range, ("Content-Encoding", "Identity")]) == nil)
        #expect(fault(416, []) == .status(416))
        #expect(fault(404, []) == .status(404))
        #expect(fault(412, []) == .changed)
        let version = FileVersion(tag: "\"a\"", modified: "now", byteCount: 20)
        #expect(fault(206, [range, ("ETag", "\"b\"")], version) == .changed)
        #expect(fault(206, [range, ("ETag", "W/\"a\"")], version) == nil)
        #expect(fault(206, [range, ("Last-Modified", "then")], version) == .changed)
        #expect(fault(206, [("Content-Range", "bytes 10-13/21"), ("ETag", "\"a\"")], version) == .changed)
        #expect(fault(200, [("ETag", "\"b\"")], FileVersion(tag: "\"a\"")) == .changed)
        #expect(fault(206, [range], version) == nil)
    }
}
