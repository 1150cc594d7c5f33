import PortolanFetch
import Testing

struct HTTPRequestPreparedTests {
    @Test func `the credentials of the URL become a header`() throws {
        // The example of RFC 7617, section 2.
        let request = try HTTPRequest(url: "http://Aladdin:open%20sesame@a.test/x#f").prepared(userAgent: "T/1")
        #expect(request.url == "http://a.test/x")
        #expect(request.header("authorization") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(request.header("user-agent") == "T/1")
    }

    @Test func `headers of the request win`() throws {
        let headers = [HTTPHeader(name: "authorization", value: "A"), HTTPHeader(name: "USER-AGENT", value: "B")]
        let request = try HTTPRequest(url: "http://u:p@a.test/", headers: headers).prepared(userAgent: "T/1")
        #expect(request.headers == headers)
    }

    @Test func `a user name alone is followed by a colon`() throws {
        let request = try HTTPRequest(url: "http://u@a.test/").prepared(userAgent: "T/1")
        #expect(request.header("Authorization") == "Basic dTo=")
    }

    @Test(arguments: [
        ("ftp://a.test/", FetchError.Code.unsupportedScheme), ("file:///x", .unsupportedScheme), ("x", .invalidURL),
        ("http:///x", .invalidURL), ("http://a.test/ x", .invalidURL), ("http://%zz@a.test/", .invalidURL),
    ])
    func `a bad URL is refused`(url: String, code: FetchError.Code) {
        let error = #expect(throws: FetchError.self) { try HTTPRequest(url: url).prepared(userAgent: "T/1") }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        HTTPHeader(name: "A", value: "b\r\nC: d"), HTTPHeader(name: "A b", value: "c"),
        HTTPHeader(name: "", value: "c"),
        HTTPHeader(name: "A:", value: "c"), HTTPHeader(name: "A", value: "b\0"), HTTPHeader(name: "Ä", value: "b"),
    ])
    func `a bad header is refused`(_ header: HTTPHeader) {
        let error = #expect(throws: FetchError.self) {
            try HTTPRequest(url: "http://a.test/", headers: [header]).prepared(userAgent: "T/1")
        }
        #expect(error?.code == .invalidRequest)
    }
}
