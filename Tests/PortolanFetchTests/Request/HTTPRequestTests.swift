import PortolanFetch
import Testing

struct ConnectionTimeoutsTests {
    @Test(arguments: [
        (Duration.zero, 1), (.nanoseconds(1), 1), (.milliseconds(300), 300), (.seconds(15), 15_000),
        (.seconds(-5), 1), (.seconds(Int64.max), 86_400_000),
    ])
    func `a timer never overflows and always expires`(duration: Duration, milliseconds: Int) {
        #expect(duration.timerMilliseconds == milliseconds)
    }
}

struct HTTPHeaderTests {
    @Test func `header names are compared without case, values with it`() {
        let header = HTTPHeader(name: "X-Key", value: "a")
        #expect(header == HTTPHeader(name: "x-kEY", value: "a"))
        #expect(Set([header, HTTPHeader(name: "x-key", value: "a")]).count == 1)
        #expect(header != HTTPHeader(name: "X-Key", value: "A"))
        #expect(header != HTTPHeader(name: "X-Kez", value: "a"))
    }

    @Test func `a response header is found in any case`() {
        let headers = [HTTPHeader(name: "Content-type", value: "a/b"), HTTPHeader(name: "CONTENT-TYPE", value: "c/d")]
        let response = HTTPResponse(status: 404, headers: headers, url: "http://a.test/")
        #expect(response.header("Content-Type") == "a/b")
        #expect(response.header("Content") == nil)
        #expect(!response.isSuccessful)
    }
}
