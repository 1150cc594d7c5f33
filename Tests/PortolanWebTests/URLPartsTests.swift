import PortolanWeb
import Testing

struct URLPartsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let url: String
        let expected: [String?]
        var testDescription: String { url }
    }

    // Components of the examples follow RFC 3986, sections 1.1.2 and 3.
    @Test(arguments: [
        Case(url: "http://a.test/b?c=d#e", expected: ["http", nil, "a.test", "80", "/b", "c=d", "e"]),
        Case(url: "HTTPS://U:P@A.Test:8443", expected: ["https", "U:P", "a.test", "8443", "", nil, nil]),
        Case(url: "http://[2001:DB8::7]:81/c", expected: ["http", nil, "[2001:db8::7]", "81", "/c", nil, nil]),
        Case(url: "http://a@b@c.test/", expected: ["http", "a@b", "c.test", "80", "/", nil, nil]),
        Case(url: "https://a.test:/x", expected: ["https", nil, "a.test", "443", "/x", nil, nil]),
        Case(url: "http://a.test?x/y", expected: ["http", nil, "a.test", "80", "", "x/y", nil]),
        Case(url: "http://a.test#x?y/z", expected: ["http", nil, "a.test", "80", "", nil, "x?y/z"]),
        Case(url: "file:///etc/hosts", expected: ["file", nil, "", nil, "/etc/hosts", nil, nil]),
        Case(url: "file:/etc/hosts", expected: ["file", nil, "", nil, "/etc/hosts", nil, nil]),
        Case(url: "mailto:a@b.test", expected: ["mailto", nil, "", nil, "a@b.test", nil, nil]),
    ])
    func `a URL is split at its delimiters`(_ test: Case) throws {
        let parts = try #require(URLParts(test.url))
        let port = parts.effectivePort.map { String($0) }
        let found = [parts.scheme, parts.userInfo, parts.host, port, parts.path, parts.query, parts.fragment]
        #expect(found == test.expected)
    }

    @Test(arguments: [
        "", "a.test/b", "//a.test/", "http//a", "1http://a.test/", "http://a.test:0/", "http://a.test:65536/",
        "http://a.test:8x/", "http://[::1/", "http://[::1]x/", "http://a b.test/", "http://a.test/\n", "http://a\\b/",
        "http://a:b:c/", ":", "http://a.test:99999999999999999999/",
    ])
    func `an invalid URL is refused`(_ text: String) {
        #expect(URLParts(text) == nil)
        #expect(!URLParts.fault(of: text).isEmpty)
    }

    @Test func `a request URL has no user, no fragment and ASCII only`() {
        #expect(
            URLParts("HTTP://u:p@A.test:81/ä?q=é%20#f")?.transferText == "http://a.test:81/%C3%A4?q=%C3%A9%20")
    }
}
