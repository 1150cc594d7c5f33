import PortolanFetch
import Testing

struct DataURLTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let url: String
        let type: String
        let text: String
        var testDescription: String { url }
    }

    @Test(arguments: [
        Case(url: "data:,", type: "text/plain;charset=US-ASCII", text: ""),
        // RFC 2397, section 4.
        Case(url: "data:,A%20brief%20note", type: "text/plain;charset=US-ASCII", text: "A brief note"),
        Case(url: "DATA:text/plain;base64,Zm9vYmFy", type: "text/plain", text: "foobar"),
        Case(url: "data:;charset=utf-8,%C3%A4", type: "text/plain;charset=utf-8", text: "ä"),
        Case(
            url: "data:image/svg+xml;charset=utf-8,<svg a='b'/>", type: "image/svg+xml;charset=utf-8",
            text: "<svg a='b'/>"),
        Case(url: "data:a/b;BASE64,Zm8", type: "a/b", text: "fo"),
        Case(url: "data:a/b;base64,Zm8%3D", type: "a/b", text: "fo"),
        Case(url: "data:a/b;base64,Zm9v\n%20YmFy", type: "a/b", text: "foobar"),
        Case(url: "data:a/b,x,y", type: "a/b", text: "x,y"),
        Case(url: "data:base64,eA", type: "base64", text: "eA"),
    ])
    func `a data URL is decoded`(_ test: Case) throws {
        let content = try DataURL(test.url)
        #expect(content.mediaType == test.type)
        #expect(String(decoding: content.bytes, as: UTF8.self) == test.text)
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let url: String
        let code: FetchError.Code
        let word: String
        var testDescription: String { url }
    }

    @Test(arguments: [
        Fault(url: "data:", code: .malformedDataURL, word: "comma"),
        Fault(url: "data:text/plain;base64", code: .malformedDataURL, word: "comma"),
        Fault(url: "data:,a%2", code: .malformedDataURL, word: "byte 7"),
        Fault(url: "data:,%zz", code: .malformedDataURL, word: "byte 6"),
        Fault(url: "data:,fill='#fff'", code: .malformedDataURL, word: "byte 12"),
        Fault(url: "data:a/b;base64,Zm9*", code: .malformedDataURL, word: "byte 3"),
        Fault(url: "data:a/b;base64,Z", code: .malformedDataURL, word: "invalid length"),
        Fault(url: "data:a/b;base64,Zg=", code: .malformedDataURL, word: "invalid length"),
        Fault(url: "data:a/\u{0001};base64,Zg==", code: .malformedDataURL, word: "byte 7"),
        Fault(url: "http://a.test/", code: .unsupportedScheme, word: "data:"),
    ])
    func `a malformed data URL is rejected with the position`(_ test: Fault) {
        let error = #expect(throws: FetchError.self) { try DataURL(test.url) }
        #expect(error?.code == test.code)
        #expect(error?.detail.contains(test.word) == true, "\(String(describing: error))")
    }

    @Test(arguments: [("data:,abcd", 4), ("data:;base64,Zm9vYg==", 4), ("data:,%41%42%43", 3), ("data:,", 0)])
    func `the limit applies to the decoded size`(url: String, count: Int) throws {
        #expect(try DataURL(url, maximumByteCount: count).bytes.count == count)
        guard count > 0 else { return }
        let error = #expect(throws: FetchError.self) { try DataURL(url, maximumByteCount: count - 1) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func `a huge URL is refused before it is decoded`() {
        let url = "data:," + String(repeating: "%41", count: 1 << 16)
        let error = #expect(throws: FetchError.self) { try DataURL(url, maximumByteCount: 100) }
        #expect(error?.code == .bodyTooLarge)
    }
}
