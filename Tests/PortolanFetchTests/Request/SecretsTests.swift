import Foundation
import PortolanWeb
import Testing

@testable import PortolanFetch

@Suite struct SecretsTests {
    static let password = "p&ss/<w>\"rd' +ü"

    /// Encodings of the password by other libraries and by hand.
    static let spellings: [(how: String, text: String)] = [
        ("as it is", password),
        ("in capitals", "P&SS/<W>\"RD' +ü"),
        ("percent-encoded", "p%26ss%2F%3Cw%3E%22rd%27%20%2B%C3%BC"),
        ("percent-encoded in small letters", "p%26ss%2f%3cw%3e%22rd%27%20%2b%c3%bc"),
        ("as a form", "p%26ss%2F%3Cw%3E%22rd%27+%2B%C3%BC"),
        ("percent-encoded twice", "p%2526ss%252F%253Cw%253E%2522rd%2527%2520%252B%25C3%25BC"),
        ("in base 64", Data(password.utf8).base64EncodedString()),
        ("in base 64 after a name", Data("joe:\(password)".utf8).base64EncodedString()),
        ("in base 64 within a sentence", Data("the key '\(password)' is wrong".utf8).base64EncodedString()),
        ("in XML", "p&amp;ss/&lt;w&gt;\"rd' +ü"),
        ("in an attribute", "p&amp;ss/&lt;w&gt;&quot;rd&#39; +ü"),
        ("in PHP's HTML", "p&amp;ss/&lt;w&gt;&quot;rd&#039; +ü"),
        ("in XHTML", "p&amp;ss/&lt;w&gt;&quot;rd&apos; +ü"),
        ("in JSON", "p&ss/<w>\\\"rd' +ü"),
        ("in JSON of PHP", "p&ss\\/<w>\\\"rd' +ü"),
        ("in JSON of .NET", "p\\u0026ss/\\u003Cw\\u003E\\u0022rd\\u0027 \\u002B\\u00FC"),
    ]

    @Test(arguments: spellings)
    func `a secret is found in any encoding`(how: String, text: String) {
        var secrets = Secrets()
        secrets.add(.basic(name: "joe", password: Self.password))
        let shown = secrets.removed(from: "Sorry: [\(text)], no.")
        #expect(shown.contains("***"))
        // The first and the last digits of base 64 may have bits of neighbours in them.
        #expect(
            shown.count <= "Sorry: [***], no.".count + (how.contains("within") ? 40 : how.contains("name") ? 10 : 0))
        let digits = shown.split { !($0.isLetter || $0.isNumber || "+/=".contains($0)) }
        for run in digits {
            guard let data = Data(base64Encoded: String(run)) else { continue }
            #expect(!String(decoding: data, as: UTF8.self).contains(Self.password))
        }
        #expect(secrets.removed(from: shown) == shown)
    }

    @Test(arguments: [
        ("http://maps.example/wms?apikey=0123abcd&layers=a", "0123abcd"),
        ("http://maps.example/wms?layers=a;APIKEY=0123abcd", "0123abcd"),
        ("http://joe:0123%61bcd@maps.example/wms", "0123abcd"),
        ("http://0123abcd@maps.example/wms", "0123abcd"),
        ("http://maps.example/wms#access_token=0123abcd", "0123abcd"),
        ("http://proxy.example/?url=http%3A%2F%2Fmaps.example%2F%3Ftk%3D0123abcd", "0123abcd"),
        ("wms:http://joe:0123abcd@maps.example/wms?a=b;layers=c", "0123abcd"),
        ("http://maps.example/a?appid=0123abcd", "0123abcd"), ("http://maps.example/a?app_code=0123abcd", "0123abcd"),
        ("http://maps.example/a?code=0123abcd", "0123abcd"), ("http://maps.example/a?sas=0123abcd", "0123abcd"),
        ("http://maps.example/a?guid=0123abcd", "0123abcd"), ("http://maps.example/a?sig=0123abcd", "0123abcd"),
    ])
    func `secrets in a URL are recognised`(url: String, secret: String) {
        var secrets = Secrets()
        secrets.add(url: url)
        #expect(secrets.removed(from: "no '\(secret)' here") == "no '***' here")
        #expect(secrets.removed(from: "maps.example, layers=a") == "maps.example, layers=a")
    }

    @Test(arguments: [
        ("Authorization", "Bearer 0123abcd", "0123abcd"), ("Authorization", "Basic am9lOjAxMjNhYmNk", "0123abcd"),
        ("Authorization", "Basic am9lOjAxMjNhYmNk", "am9lOjAxMjNhYmNk"), ("X-Key", "0123abcd", "0123abcd"),
        ("Cookie", "a=b; sid=0123abcd", "0123abcd"),
    ])
    func `secrets in a header field are recognised`(name: String, value: String, secret: String) {
        var secrets = Secrets()
        secrets.add(HTTPHeader(name: name, value: value))
        #expect(secrets.removed(from: "no '\(secret)' here") == "no '***' here")
    }

    @Test(arguments: ["Accept", "User-Agent", "Referer", "Accept-Language"])
    func `header fields that do not identify the user are not secrets`(name: String) {
        var secrets = Secrets()
        secrets.add(HTTPHeader(name: name, value: "image/png"))
        #expect(secrets.isEmpty)
    }

    @Test func `a secret too short to be distinctive is not removed`() {
        var secrets = Secrets()
        secrets.add("abc")
        #expect(secrets.removed(from: "abc") == "abc")
    }

    @Test func `the longest secret is removed first, and overlapping ones are not left whole`() {
        var secrets = Secrets()
        for value in ["secret", "secretive", "vexed!"] { secrets.add(value) }
        #expect(secrets.removed(from: "secretivexed!") == "***xed!")
        #expect(secrets.removed(from: "a secret, secretive") == "a ***, ***")
    }

    @Test func `a percent sign is matched both literally and as an escape`() {
        var secrets = Secrets()
        secrets.add(url: "http://maps.example/?token=x%2Fend&key=x/other")
        #expect(
            secrets.removed(from: "<x%2Fend> <x%2fother> <x/end> <x/other> <x%2Fnone>")
                == "<***> <***> <***> <***> <x%2Fnone>")
    }

    @Test func `secrets in a document are removed, up to a limit`() {
        var secrets = Secrets()
        secrets.learn((0..<5000).map { "http://maps.example/a?token=aaaaaaaaaaaaaaaaaaaaaaaa\(10_000 + $0)" })
        let shown = secrets.removed(
            from: (10_000..<15_000).map { "aaaaaaaaaaaaaaaaaaaaaaaa\($0)" }.joined(separator: " "))
        let words = shown.split(separator: " ")
        #expect(words.prefix(Secrets.mostLearned).allSatisfy { $0 == "***" })
        #expect(!words[Secrets.mostLearned].contains("***"))
    }

    @Test func `text that resembles a long secret is matched in bounded time and not shown`() {
        var secrets = Secrets()
        secrets.learn(["http://maps.example/a?token=\(String(repeating: "y", count: 30_000))x"])
        let shown = secrets.removed(from: "no: " + String(repeating: "y", count: 100_000) + " end")
        #expect(shown.hasPrefix("no: y"))
        #expect(shown.hasSuffix("y***"))
        #expect(shown.count < 1000)
    }

    @Test func `a text of repeated secrets takes linear time`() {
        var secrets = Secrets()
        secrets.add("abcd")
        let shown = secrets.removed(from: [UInt8](repeatElement(Array("abcd".utf8), count: 250_000).joined()))
        #expect(shown?.count == 750_000)
    }

    @Test func `random secrets never remain in a text that repeats them`() {
        var generator = SystemRandomNumberGenerator()
        let characters = Array(" !\"#$%&'()*+,-./0189:;<=>?@AZ[\\]^_`az{|}~äλ中😀")
        for _ in 0..<300 {
            let length = Int.random(in: 4...40, using: &generator)
            let secret = String((0..<length).map { _ in characters.randomElement(using: &generator) ?? "a" })
            var secrets = Secrets()
            secrets.add(secret)
            let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let json = (try? JSONEncoder().encode([secret])).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let base64 = Data(secret.utf8).base64EncodedString()
            let shown = secrets.removed(from: "<\(secret)> <\(encoded)> \(json) <\(base64)>")
            for form in [secret, encoded, json, base64] {
                #expect(!shown.contains(form), "\(form) in \(shown)")
            }
        }
    }
}
