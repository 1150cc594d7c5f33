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
        Case(url: "", shown: ""),
    ])
    func `secrets are not shown`(_ test: Case) {
        #expect(FetchError.redacted(test.url) == test.shown)
    }

    @Test func `a long URL is cut`() {
        let shown = FetchError.redacted("https://a.test/" + String(repeating: "x", count: 5000))
        #expect(shown.unicodeScalars.count == 501)
    }

    @Test func `a URL that is not to be cut is not, and shows no secret either`() {
        let path = "https://a.test/" + String(repeating: "x", count: 5000)
        #expect(FetchError.redactedWhole(path + "?key=s&b=1") == path + "?key=***&b=1")
    }

    @Test func `an error shows no secret`() {
        let error = FetchError(.timedOut, url: "https://u:secret@a.test/?key=secret", status: 200, detail: "late")
        #expect(error.description == "timedOut: https://***@a.test/?key=*** (status 200): late")
        #expect(!"\(error.url)".contains("secret"))
    }
}
