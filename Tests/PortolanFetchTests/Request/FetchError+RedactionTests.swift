import PortolanFetch
import Testing

struct FetchErrorRedactionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let url: String
        let shown: String
        var testDescription: String { shown }
    }

    @Test(arguments: [
        Case(url: "https://a.test/wms?LAYERS=x&FORMAT=png", shown: "https://a.test/wms?LAYERS=x&FORMAT=png"),
        Case(url: "https://u:p@a.test/x@2x.png", shown: "https://***@a.test/x@2x.png"),
        Case(url: "https://a.test/x@2x.png", shown: "https://a.test/x@2x.png"),
        Case(url: "https://a@b:c@d.test/", shown: "https://***@d.test/"),
        Case(url: "https://a.test/?token=s1&b=2", shown: "https://a.test/?token=***&b=2"),
        Case(url: "https://a.test/?b=2&KEY=s1", shown: "https://a.test/?b=2&KEY=***"),
        Case(url: "https://a.test/?api_key=s;API-Key=t", shown: "https://a.test/?api_key=***;API-Key=***"),
        Case(url: "https://a.test/?apikey=a=b", shown: "https://a.test/?apikey=***"),
        Case(url: "https://a.test/?access_token=s", shown: "https://a.test/?access_token=***"),
        Case(url: "https://a.test/?Authorization=s", shown: "https://a.test/?Authorization=***"),
        Case(url: "https://a.test/?password=s&PWD=t&sig=u", shown: "https://a.test/?password=***&PWD=***&sig=***"),
        Case(url: "https://a.test/?X-Amz-Signature=s", shown: "https://a.test/?X-Amz-Signature=***"),
        Case(url: "https://a.test/?%74oken=s", shown: "https://a.test/?%74oken=***"),
        Case(url: "https://a.test/?token=\u{301}s", shown: "https://a.test/?token=***"),
        Case(url: "https://a.test/#access_token=s", shown: "https://a.test/#access_token=***"),
        Case(url: "https://u:p/w@a.test/", shown: "***@a.test/"),
        Case(url: "https://u:p?w@a.test/", shown: "***@a.test/"),
        Case(url: "u:p@a.test/x", shown: "***@a.test/x"),
        Case(url: "https://a.test/\r\nx", shown: "https://a.test/??x"),
        Case(url: "DATA:image/png;base64,AAAA", shown: "DATA:image/png;base64,… (26 bytes)"),
        Case(url: "https://u:p%2Fw@a.test/", shown: "https://***@a.test/"),
        Case(url: "//u:p@a.test/x", shown: "//***@a.test/x"),
        Case(url: "https://a.test/?u=http://v:w@b.test/&c=1", shown: "https://a.test/?u=http://***@b.test/&c=1"),
        Case(
            url: "https://a.test/?u=http%3A%2F%2Fv%3Aw%40b.test%2F",
            shown: "https://a.test/?u=http%3A%2F%2F***%40b.test%2F"),
        Case(url: "https://a.test/http://v:w@b.test/x@2x", shown: "https://a.test/http://***@b.test/x@2x"),
        // An @ in a path is not user information (RFC 3986, sections 3.2.1 and 3.3).
        Case(url: "/home/ann/maps@work/a@2x.png", shown: "/home/ann/maps@work/a@2x.png"),
        Case(url: "icons/sprite@2x.json?key=s", shown: "icons/sprite@2x.json?key=***"),
        Case(url: "https://{s}.a.test/{z}/{x}/{y}@2x.png", shown: "https://{s}.a.test/{z}/{x}/{y}@2x.png"),
        Case(url: "https://a.test/my map@2x.png", shown: "https://a.test/my map@2x.png"),
        Case(url: "", shown: ""),
    ])
    func `secrets in a URL are redacted`(_ test: Case) {
        #expect(FetchError.redacted(test.url) == test.shown)
    }

    @Test(arguments: [
        Case(url: "/tiles/p/3/4/2@2x.png", shown: "/tiles/p/3/4/2@2x.png"),
        Case(
            url: "/maps/p/static/24.9,60.1,9@30/90x90@2x.png?key=s",
            shown: "/maps/p/static/24.9,60.1,9@30/90x90@2x.png?key=***"),
        Case(url: "//tiles//a:b@2x.png", shown: "//tiles//a:b@2x.png"),
        Case(url: "/x?u=http://ann:pw@a.test/x", shown: "/x?u=http://***@a.test/x"),
        Case(url: "/url-http%3a%2f%2fann:pw@a.test%2fx.png(1,2)/", shown: "/url-http%3a%2f%2f***@a.test%2fx.png(1,2)/"),
        Case(url: "http://ann:pw@a.test/x@2x.png", shown: "http://***@a.test/x@2x.png"),
        Case(url: "*", shown: "*"),
    ])
    func `the target of a request is shown with its path, without secrets`(_ test: Case) {
        #expect(FetchError.redacted(target: test.url) == test.shown)
    }

    @Test func `a long URL is truncated`() {
        let shown = FetchError.redacted("https://a.test/" + String(repeating: "x", count: 5000))
        #expect(shown.unicodeScalars.count == 501)
    }

    @Test func `a URL to be shown whole is redacted, but not truncated`() {
        let path = "https://a.test/" + String(repeating: "x", count: 5000)
        #expect(FetchError.redactedWhole(path + "?key=s&b=1") == path + "?key=***&b=1")
    }

    @Test func `an error contains no secret`() {
        let error = FetchError(.timedOut, url: "https://u:secret@a.test/?key=secret", status: 200, detail: "late")
        #expect(error.description == "https://***@a.test/?key=*** (status 200): the server timed out: late")
        #expect(!"\(error.url)".contains("secret"))
    }
}
