import PortolanFetch
import Testing

struct RetryPolicyTests {
    @Test func `delays double up to a maximum, randomly reduced by up to half`() {
        let policy = RetryPolicy(firstDelay: .seconds(1), longestDelay: .seconds(5))
        #expect((1...5).map { policy.delay(before: $0, random: 0) } == [1, 2, 4, 5, 5].map { .seconds($0) })
        #expect((1...3).map { policy.delay(before: $0, random: 0.5) } == [0.75, 1.5, 3].map { .seconds($0) })
        #expect(policy.delay(before: 1, random: 1) == .milliseconds(500))
        #expect(policy.delay(before: 1000, random: 0) == .seconds(5), "no overflow")
    }

    static let exception = "<?xml version='1.0'?>\n<ServiceExceptionReport><ServiceException/></ServiceExceptionReport>"

    @Test(
        arguments: [
            (200, "", "", false), (301, "", "", false), (400, "", "", false), (401, "", "", false),
            (403, "", "", false),
            (404, "", "", false), (408, "", "", true), (410, "", "", false), (425, "", "", true), (429, "", "", true),
            (451, "", "", false), (500, "", "oops", true), (501, "", "", false), (502, "", "", true),
            (503, "", "", true), (504, "", "", true), (505, "", "", false), (507, "", "", false),
            (500, "text/xml", exception, false), (500, "", "\u{FEFF} \n" + exception, false),
            (500, "application/vnd.ogc.se_xml; charset=utf-8", "", false),
            (500, "text/xml", "<ows:ExceptionReport version='1.1.0'/>", false),
            (500, "text/html", "<html><body>Internal Server Error</body></html>", true),
            (500, "text/plain", "a ServiceException was not caught", true), (503, "text/xml", exception, true),
        ] as [(Int, String, String, Bool)])
    func `only transient statuses are retried, and no exception with status 500`(
        status: Int, type: String, body: String, canPass: Bool
    ) {
        let response = HTTPResponse(
            status: status, headers: [HTTPHeader(name: "content-type", value: type)], body: Array(body.utf8),
            url: "http://a.test/")
        #expect(RetryPolicy.canPass(.success(response)) == canPass)
    }

    @Test(arguments: [
        (FetchError.Code.cannotConnect, true), (.cannotResolveHost, true), (.connectionLost, true), (.timedOut, true),
        (.cancelled, false), (.tls, false), (.malformedResponse, false), (.bodyTooLarge, false),
        (.tooManyRedirects, false), (.invalidURL, false), (.invalidRequest, false), (.hostUnavailable, false),
        (.hostBusy, false),
    ])
    func `only connection failures are retried`(code: FetchError.Code, canPass: Bool) {
        #expect(RetryPolicy.canPass(.failure(FetchError(code, url: "http://a.test/", detail: ""))) == canPass)
    }
}
