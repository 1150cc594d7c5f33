import PortolanFetch
import Testing

struct RetryAfterTests {
    // Seconds since 1970 by `date -u -d … +%s`.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
            ("Sat, 21 Nov 2026 11:39:15 GMT", 1_795_261_155),
        ] as [(String, Int64)])
    func `reads the three forms of a date`(text: String, seconds: Int64) {
        #expect(RetryAfter.seconds(of: text) == seconds)
    }

    @Test(arguments: [
        "", "soon", "Sun, 06 Nov 1994", "Sun, 06 Nix 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "-1", "1.5",
    ])
    func `what is no date is none`(text: String) {
        #expect(RetryAfter.seconds(of: text) == nil)
    }

    private func delay(_ value: String, date: String? = nil, now: Int64 = 784_111_777) -> Duration? {
        var headers = [HTTPHeader(name: "retry-after", value: value)]
        if let date { headers.append(HTTPHeader(name: "Date", value: date)) }
        return RetryAfter.delay(of: HTTPResponse(status: 503, headers: headers, url: "http://a.test/"), now: now)
    }

    @Test func `seconds and dates are waits`() {
        #expect(delay("120") == .seconds(120))
        #expect(delay("0") == .zero)
        #expect(delay("Sun, 06 Nov 1994 08:50:07 GMT") == .seconds(30))
        #expect(delay("Sun, 06 Nov 1994 08:49:07 GMT") == .zero, "a date that has passed")
        #expect(delay("nonsense") == nil)
        #expect(delay("99999999999999999999") == .seconds(366 * 86_400), "no more than a year, and no overflow")
        #expect(RetryAfter.delay(of: HTTPResponse(status: 503, url: "http://a.test/"), now: 0) == nil)
    }

    @Test func `the clock of the server counts where it tells it`() {
        #expect(
            delay("Sun, 06 Nov 1994 08:50:07 GMT", date: "Sun, 06 Nov 1994 08:50:00 GMT", now: 0) == .seconds(7))
    }
}
