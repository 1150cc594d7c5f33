import Foundation
import Testing

/// A server repeats all that it was asked with, wherever its words may stand: no secret leaves the command.
@Suite(.serialized) struct SecretTests {
    /// The response of the server, and how it encodes the echo.
    static let answers = [
        ("exception", "as it is"), ("exception", "percent"), ("exception", "base64"), ("exception", "json"),
        ("page", "as it is"), ("problem", "as it is"), ("text", "base64"), ("capabilities", "as it is"),
        ("redirect", "as it is"), ("picture", "percent"),
    ]

    private static func encoded(_ text: String, _ how: String) -> String {
        switch how {
        case "percent": text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        case "base64": Data(text.utf8).base64EncodedString()
        case "json":
            ((try? JSONEncoder().encode([text])).map { String(decoding: $0, as: UTF8.self) } ?? "").dropFirst(2)
                .dropLast(2).description
        default: text
        }
    }

    private static func markup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// A server that repeats its requests.
    private static func server(_ answer: String, _ encoding: String) throws -> LoopbackServer {
        let capabilities = String(decoding: try MapServer.capture("mapserver/caps-1.3.0.xml"), as: UTF8.self)
        return try LoopbackServer { asked in
            // Each piece by itself, as servers name the parameter at fault.
            let pieces = [asked.target] + asked.target.split { "?&".contains($0) }.map(String.init) + asked.headers
            let echo = pieces.map { encoded($0, encoding) }.joined(separator: " | ")
            let isMap = asked.target.contains("GetMap") || asked.target.contains(".png")
            switch answer {
            case "page":
                return .init(
                    status: 500, type: "text/html", body: Array("<html><body>\(markup(echo))</body></html>".utf8))
            case "problem":
                let text = String(decoding: (try? JSONEncoder().encode(["error": echo])) ?? Data(), as: UTF8.self)
                return .init(status: 403, type: "application/json", body: Array(text.utf8))
            case "text": return .init(status: 400, type: "text/plain", body: Array(echo.utf8))
            case "capabilities" where asked.target.contains("GetCapabilities"):
                let titled = capabilities.replacing(#/<Title>[^<]*</#, with: "<Title>\(markup(echo))<")
                    .replacing(#/<Abstract>[^<]*</#, with: "<Abstract>\(markup(echo))<")
                return .init(type: "text/xml", body: Array(titled.utf8))
            case "capabilities" where asked.target.contains("GetFeatureInfo"):
                return .init(type: "text/plain", body: Array(echo.utf8))
            case "redirect" where !asked.target.hasPrefix("/again"):
                let location = isMap ? "ftp://maps.example/" : "/again"
                let query = encoded(echo, "percent")
                return .init(status: 302, headers: ["Location: \(location)?q=\(query)"])
            case "picture" where isMap:
                return .init(
                    type: "image/png", body: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(echo.utf8))
            default:
                let text = """
                    <?xml version="1.0"?><ServiceExceptionReport version="1.3.0"><ServiceException code="\(markup(echo))">\
                    \(markup(echo))</ServiceException></ServiceExceptionReport>
                    """
                return .init(type: "text/xml", body: Array(text.utf8))
            }
        }
    }

    /// A secret with what needs escapes in it.
    private static func secret() -> String {
        let letters = Array("abcdefghkmnpqrstuvwxyz23456789")
        func some(_ count: Int) -> String { String((0..<count).map { _ in letters.randomElement() ?? "a" }) }
        return some(6) + "&" + some(3) + "<+" + some(4) + "\"/'" + some(5) + "="
    }

    @Test(arguments: answers)
    func `secrets do not appear in any output`(answer: String, encoding: String) async throws {
        let server = try Self.server(answer, encoding)
        defer { server.stop() }
        let command = try BuiltCommand()
        let key = Self.secret(), field = Self.secret(), password = Self.secret()
        let query = "apikey=" + (key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        let service = "\(server.url)/wms?\(query)", tiles = "xyz:\(server.url)/{z}/{x}/{y}.png?\(query)"
        let network = [
            "--header", "X-Custom: \(field)", "--user", "127.0.0.1|joe:\(password)", "--retries", "0", "--no-cache",
        ]
        let view = ["--center", "24.9,60.2", "--zoom", "5", "--size", "64x64"]
        let maps = ["-l", "wms:\(service);layers=countries"] + view
        let runs: [[String]] = [
            ["info", service] + network, ["info", service, "--json"] + network,
            ["doctor", service, "--max-requests", "12"] + network.filter { $0 != "--no-cache" },
            ["doctor", service, "--json", "--max-requests", "12"] + network.filter { $0 != "--no-cache" },
            ["render", "-o", "a.png", "--report", "a.json"] + maps + network,
            ["render", "-o", "b.png", "--report", "b.json", "-l", tiles] + view + network,
            ["plan"] + maps + network, ["plan", "-l", tiles] + view + network,
            ["identify", "--at", "10,10"] + maps + network,
            ["seed", "-l", tiles, "--zooms", "0-1", "--bbox=-1e6,-1e6,1e6,1e6", "-o", "c.mbtiles"] + network,
        ]
        for arguments in runs {
            let ended = try await command.run(arguments)
            let said = [ended.errors, String(decoding: ended.output, as: UTF8.self)]
            let written = ["a.json", "b.json"].compactMap {
                command.file($0).map { String(decoding: $0, as: UTF8.self) }
            }
            for text in said + written {
                for secret in [key, field, password] {
                    if let form = Self.form(of: secret, in: text) {
                        Issue.record("\(arguments[0]) shows \(form) of \(secret):\n\(text.prefix(3000))")
                    }
                }
            }
        }
        #expect(!server.log.isEmpty)
    }

    /// An encoding of a secret in a text, written by other code than that of this package.
    private static func form(of secret: String, in text: String) -> String? {
        let forms =
            ["as it is", "percent", "base64", "json"].map { encoded(secret, $0) } + [
                markup(secret), markup(encoded(secret, "json")), Data("joe:\(secret)".utf8).base64EncodedString(),
            ]
        if let form = forms.first(where: text.contains) { return form }
        for run in text.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber) || "+/=".contains($0)) })
        where run.count >= 8 {
            for start in 0..<4 {
                let digits = run.dropFirst(start).prefix { $0 != "=" }
                guard let data = Data(base64Encoded: String(digits.prefix(digits.count / 4 * 4))) else { continue }
                if String(decoding: data, as: UTF8.self).contains(secret) { return String(run) }
            }
        }
        return nil
    }

    @Test func `plan shows secrets only on request`() async throws {
        let command = try BuiltCommand()
        let tiles = [
            "plan", "-l", "xyz:http://maps.example/{z}/{x}/{y}.png?tk=0123abcd", "--center", "0,0", "--zoom", "1",
        ]
        let hidden = try await command.run(tiles), shown = try await command.run(tiles + ["--show-secrets"])
        #expect(hidden.status == 0 && shown.status == 0)
        #expect(String(decoding: hidden.output, as: UTF8.self).contains("png?tk=***\""))
        #expect(!String(decoding: hidden.output, as: UTF8.self).contains("0123abcd"))
        #expect(String(decoding: shown.output, as: UTF8.self).contains("png?tk=0123abcd\""))
    }

    @Test(arguments: [
        ["render", "-l", "wms:http://joe:0123abcd@maps.example", "-o", "a.png"],
        ["render", "--header", "no colon 0123abcd", "-l", "a.geojson", "-o", "a.png"],
        ["render", "--header", "X-Key;0123abcd", "-l", "a.geojson", "-o", "a.png"],
        ["render", "--user", "maps.example:joe:0123abcd", "-l", "a.geojson", "-o", "a.png"],
        ["render", "--proxy", "joe:0123abcd@proxy", "-l", "a.geojson", "-o", "a.png"],
        ["info", "xyz:http://maps.example/{z}/{x}/{y}?key=0123abcd"], ["doctor", "ftp://maps.example/?key=0123abcd"],
        ["info", "--cache", "redis://:0123abcd@[::1", "a.geojson"],
    ])
    func `an invalid command line is reported without its secrets`(arguments: [String]) async throws {
        let ended = try await BuiltCommand().run(arguments)
        #expect(ended.status != 0)
        #expect(!ended.errors.contains("0123abcd"), "\(ended.errors)")
    }
}
