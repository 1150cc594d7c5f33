import Foundation
import Testing

/// Types decide, sentences come last: no code looks into a sentence to choose what it does next.
@Suite struct ProseTests {
    /// Searching a text whose name says that it is written for a person, as in `error.detail.hasPrefix("HTTP status 404")`,
    /// or a value turned into such a text, as in `"\(warning)".replacing("; ignored", with: "")`.
    private static let pattern: NSRegularExpression? = {
        let sentences = "message|detail|(?:localizedD|d)escription|words|reason|advice|remedy|resource|error|sentence"
        let searches =
            "hasPrefix|hasSuffix|contains|split|replacing|replacingOccurrences|firstRange|ranges|range|starts|components"
            + "|trimmingPrefix|wholeMatch|firstMatch"
        let receiver = #"(?:\b(?:\#(sentences))\b|"\\\(\w+\)")"#
        return try? NSRegularExpression(
            pattern: receiver + #"[?!]?\s*\.(?:\#(searches))\s*[({]|\b(?:\#(sentences))[?!]?\s*[=!]=\s*""#)
    }()

    /// Files that still do, from before this rule.
    ///
    /// The list only shrinks: types are on their way to each of them.
    private static let remaining: Set<String> = []

    /// Files that read such a text on purpose, and why they may.
    private static let classifying = [
        "Sources/Portolan/Connect/NothingFound.swift": "it sorts what servers write about nothing into one case",
        "Sources/PortolanFetch/Transport/Curl/CurlTransfer.swift": "it takes secrets out of what libcurl says",
        "Sources/PortolanWeb/Numbers/NumberText.swift": "the description of a number is its digits",
    ]

    private static func offences(in text: String) -> [String] {
        let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        return pattern?.matches(in: code, range: NSRange(code.startIndex..., in: code)).compactMap {
            Range($0.range, in: code).map { String(code[$0]) }
        } ?? []
    }

    @Test func `no decision depends on the text of a message`() {
        for source in HouseTests.sources(in: "Sources")
        where !Self.remaining.contains(source.path) && Self.classifying[source.path] == nil {
            let found = Self.offences(in: source.text)
            #expect(found.isEmpty, "\(source.path): give the error a case or a field, and look at that")
        }
    }

    @Test func `the list of exceptions contains only files that still need it`() {
        for path in Self.remaining.union(Self.classifying.keys) {
            let text = HouseTests.sources(in: "Sources").first { $0.path == path }?.text
            #expect(text.map { !Self.offences(in: $0).isEmpty } ?? false, "\(path) is mended: take it off the list")
        }
    }

    @Test(arguments: [
        #"if error.detail.hasPrefix("HTTP status 404") { throw error }"#, #"failure.message.contains("--user")"#,
        #"let words = "\(warning)".replacing("; ignored", with: "")"#, #"if error?.description == "cancelled" {}"#,
        "warning.message\n    .split(separator: \" \")",
    ])
    func `a decision on the text of a message is detected`(code: String) {
        #expect(!Self.offences(in: code).isEmpty)
    }

    @Test(arguments: [
        "// error.detail.hasPrefix(text)", "host.hasPrefix(name)", "if error.code == .notFound {}",
        "reasons.contains(error.code)", "text += error.detail",
    ])
    func `code without such a decision is accepted`(code: String) {
        #expect(Self.offences(in: code).isEmpty)
    }
}
