import PortolanFetch
import PortolanWeb
import Testing

struct RetryAfterTests {
    private func delay(_ value: String, date: String? = nil, now: Int64 = 784_111_777) -> Duration? {
        var headers = [HTTPHeader(name: "retry-after", value: value)]
        if let date { headers.append(HTTPHeader(name: "Date", value: date)) }
        return RetryAfter.delay(of: HTTPResponse(status: 503, headers: headers, url: "http://a.test/"), now: now)
    }

    @Test func `Retry-After is a number of seconds or a date`() {
        #expect(delay("120") == .seconds(120))
        #expect(delay("0") == .zero)
        #expect(delay("Sun, 06 Nov 1994 08:50:07 GMT") == .seconds(30))
        #expect(delay("Sun, 06 Nov 1994 08:49:07 GMT") == .zero, "a date that has passed")
        #expect(delay("nonsense") == nil)
        #expect(delay("Sun, 31 Dec 1899 12:00:00 GMT") == .zero, "a clock that was never set, as HTTPDate reads it")
        #expect(delay("99999999999999999999") == .seconds(366 * 86_400), "no more than a year, and no overflow")
        #expect(RetryAfter.delay(of: HTTPResponse(status: 503, url: "http://a.test/"), now: 0) == nil)
    }

    @Test func `the clock of the server is used if the response states it`() {
        #expect(
            delay("Sun, 06 Nov 1994 08:50:07 GMT", date: "Sun, 06 Nov 1994 08:50:00 GMT", now: 0) == .seconds(7))
    }
}
