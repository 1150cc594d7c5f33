import PortolanFetch
import Testing

struct HTTPHeaderTests {
    @Test func `names are compared without case, values with it`() {
        let header = HTTPHeader(name: "X-Key", value: "a")
        #expect(header == HTTPHeader(name: "x-kEY", value: "a"))
        #expect(Set([header, HTTPHeader(name: "x-key", value: "a")]).count == 1)
        #expect(header != HTTPHeader(name: "X-Key", value: "A"))
        #expect(header != HTTPHeader(name: "X-Kez", value: "a"))
    }

    @Test func `a response finds its header in any case`() {
        let headers = [HTTPHeader(name: "Content-type", value: "a/b"), HTTPHeader(name: "CONTENT-TYPE", value: "c/d")]
        let response = HTTPResponse(status: 404, headers: headers, url: "http://a.test/")
        #expect(response.header("Content-Type") == "a/b")
        #expect(response.header("Content") == nil)
        #expect(!response.isSuccessful)
    }
}
