import PortolanFetch
import PortolanWeb
import TestHelpers
import Testing

struct HTTPRequestPreparedTests {
    @Test func `credentials in the URL become a header`() throws {
        // The example of RFC 7617, section 2.
        let request = try HTTPRequest(to: "http://Aladdin:open%20sesame@a.test/x#f").prepared(userAgent: "T/1")
        #expect(request.url == "http://a.test/x")
        #expect(request.header("authorization") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(request.header("user-agent") == "T/1")
    }

    @Test func `headers of the request take precedence`() throws {
        let headers = [HTTPHeader(name: "authorization", value: "A"), HTTPHeader(name: "USER-AGENT", value: "B")]
        let request = try HTTPRequest(to: "http://u:p@a.test/", headers: headers).prepared(userAgent: "T/1")
        #expect(request.headers == headers)
    }

    @Test func `a user name alone is followed by a colon`() throws {
        let request = try HTTPRequest(to: "http://u@a.test/").prepared(userAgent: "T/1")
        #expect(request.header("Authorization") == "Basic dTo=")
    }

    @Test(arguments: [
        ("ftp://a.test/", FetchError.Code.unsupportedScheme), ("file:///x", .unsupportedScheme), ("x", .invalidURL),
        ("http:///x", .invalidURL), ("http://a.test/ x", .invalidURL), ("http://%zz@a.test/", .invalidURL),
    ])
    func `an invalid URL is rejected`(url: String, code: FetchError.Code) {
        let error = #expect(throws: FetchError.self) { try HTTPRequest(to: url).prepared(userAgent: "T/1") }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        HTTPHeader(name: "A", value: "b\r\nC: d"), HTTPHeader(name: "A b", value: "c"),
        HTTPHeader(name: "", value: "c"),
        HTTPHeader(name: "A:", value: "c"), HTTPHeader(name: "A", value: "b\0"), HTTPHeader(name: "Ä", value: "b"),
    ])
    func `an invalid header is rejected`(_ header: HTTPHeader) {
        let error = #expect(throws: FetchError.self) {
            try HTTPRequest(to: "http://a.test/", headers: [header]).prepared(userAgent: "T/1")
        }
        #expect(error?.code == .invalidRequest)
    }
}

struct RedirectTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let from: String
        let to: String
        let keepsCredentials: Bool
        var testDescription: String { "\(from) to \(to)" }
    }

    @Test(arguments: [
        Case(from: "http://a.test/x", to: "http://a.test/y", keepsCredentials: true),
        Case(from: "http://a.test/x", to: "http://A.test:80/y", keepsCredentials: true),
        Case(from: "http://a.test/x", to: "https://a.test/y", keepsCredentials: true),
        Case(from: "http://a.test:8080/x", to: "https://a.test/y", keepsCredentials: false),
        Case(from: "https://a.test/x", to: "http://a.test/y", keepsCredentials: false),
        Case(from: "http://a.test/x", to: "http://a.test:81/y", keepsCredentials: false),
        Case(from: "http://a.test/x", to: "http://b.test/y", keepsCredentials: false),
        Case(from: "http://a.test/x", to: "http://sub.a.test/y", keepsCredentials: false),
    ])
    func `credentials are sent only to their own origin`(_ test: Case) throws {
        let names = ["Authorization", "cookie", "X-Api-Key", "Accept", "User-Agent"]
        let headers = names.map { HTTPHeader(name: $0, value: "v") }
        let next = try Redirect.next(
            after: HTTPRequest(to: test.from, headers: headers), to: test.to, from: nil, count: 0, asked: test.from)
        #expect(next.headers.map(\.name) == (test.keepsCredentials ? names : ["Accept", "User-Agent"]))
    }

    @Test(arguments: [
        ("file:///etc/passwd", FetchError.Code.unsupportedScheme), ("ftp://a.test/", .unsupportedScheme),
        ("data:,x", .unsupportedScheme), ("", .invalidURL), ("http://a.test:x/", .invalidURL),
        ("http:///x", .unsupportedScheme),
    ])
    func `an invalid redirect target is rejected`(location: String, code: FetchError.Code) {
        let error = #expect(throws: FetchError.self) {
            try Redirect.next(
                after: HTTPRequest(to: "http://a.test/"), to: location, from: nil, count: 0, asked: "http://a.test/")
        }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ("g", "http://a.test/b/c/g"), ("../g?y", "http://a.test/b/g?y"), ("/g/./h", "http://a.test/g/h"),
        ("../../../g", "http://a.test/g"), ("//b.test/g", "http://b.test/g"), ("?y", "http://a.test/b/c/d;p?y"),
        ("g:h", "g:h"), ("https://b.test:1/x y?a b", "https://b.test:1/x%20y?a%20b"),
        ("x y", "http://a.test/b/c/x%20y"),
        ("mailto:a b", "mailto:a%20b"), ("http://b test/", "http://b test/"), ("a/b:c", "http://a.test/b/c/a/b:c"),
    ])
    func `a location is resolved against the URL that responded`(location: String, target: String) {
        #expect(Redirect.target(location, from: "http://a.test/b/c/d;p?q") == target)
    }

    @Test func `the eleventh redirect is refused`() throws {
        let request = HTTPRequest(to: "http://a.test/")
        _ = try Redirect.next(after: request, to: "http://a.test/", from: nil, count: 9, asked: request.url)
        let error = #expect(throws: FetchError.self) {
            try Redirect.next(after: request, to: "http://a.test/", from: nil, count: 10, asked: request.url)
        }
        #expect(error?.code == .tooManyRedirects)
    }

    @Test func `a redirect cannot supply credentials`() throws {
        let next = try Redirect.next(
            after: HTTPRequest(to: "http://a.test/"), to: "http://u:p@b.test/#f", from: nil, count: 0,
            asked: "http://a.test/")
        #expect(next.url == "http://b.test/")
    }

    @Test(arguments: [
        (200, false), (300, false), (301, true), (302, true), (303, true), (304, false), (307, true), (308, true),
    ])
    func `only five statuses redirect`(status: Int, isRedirect: Bool) {
        #expect(Redirect.isRedirect(status: status) == isRedirect)
    }
}
