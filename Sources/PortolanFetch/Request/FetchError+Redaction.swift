import PortolanWeb

extension FetchError {
    /// A URL that may be shown and logged: user name, password and values of secret parameters are `***`.
    ///
    /// A parameter is secret when its name says so (`token`, `key`, `apikey`, `appid`, `password`, `sig`, `authorization`
    /// and the like, in any case and spelling). Works on any text, a broken URL too; control characters become `?`, the payload
    /// of a `data:` URL is left out, and what is longer than 500 characters is cut. Secrets in the path are not known.
    public static func redacted(_ url: String) -> String { redacted(url, limit: 500) }

    /// The same of any length: what tells addresses apart, whatever the secrets in them.
    package static func redactedWhole(_ url: String) -> String { redacted(url, limit: .max) }

    private static func redacted(_ url: String, limit: Int) -> String {
        if url.utf8.count >= 5, url.utf8.prefix(5).map(\.asciiLowercased) == Array("data:".utf8) {
            let head = url[..<(url.utf8.firstIndex(of: UInt8(ascii: ",")) ?? url.endIndex)]
            return printable(head.prefix(80), limit: limit) + ",… (\(url.utf8.count) bytes)"
        }
        var rest = url[...]
        if URLParts(url) == nil, let at = url.utf8.lastIndex(of: UInt8(ascii: "@")) {
            // Where nothing is certain, a password may hold any delimiter: all up to the last @ goes.
            rest = "***" + url[at...]
        }
        let fragment = rest.cut(at: UInt8(ascii: "#"))
        let query = rest.cut(at: UInt8(ascii: "?"))
        var text = withoutUserInfo(rest)
        if let query { text += "?" + withoutSecretValues(query) }
        if let fragment { text += "#" + withoutSecretValues(fragment) }
        return printable(text[...], limit: limit)
    }

    private static func printable(_ text: Substring, limit: Int) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            shown.unicodeScalars.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "?" : scalar)
        }
        return text.unicodeScalars.count > limit ? shown + "…" : shown
    }

    /// Without what stands before the last `@` of the authority.
    ///
    /// A text with no `//` is read as if it began there.
    private static func withoutUserInfo(_ text: Substring) -> String {
        var authorityStart = text.startIndex
        if let slashes = text.firstRange(of: "//"), !text[..<slashes.lowerBound].utf8.contains(UInt8(ascii: "@")) {
            authorityStart = slashes.upperBound
        }
        let authorityEnd = text[authorityStart...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
        let authority = text[authorityStart..<authorityEnd]
        guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return String(text) }
        return text[..<authorityStart] + "***" + text[at...]
    }

    private static func withoutSecretValues(_ query: Substring) -> String {
        var shown = ""
        var rest = query
        while true {
            let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") } ?? rest.endIndex
            let pair = rest[..<end]
            if let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), SecretNames.contains(pair[..<equals]) {
                shown += pair[..<equals] + "=***"
            } else {
                shown += pair
            }
            guard end < rest.endIndex else { return shown }
            let next = rest.utf8.index(after: end)
            shown += rest[end..<next]
            rest = rest[next...]
        }
    }
}

extension Substring {
    // By bytes, not characters: a combining mark after a delimiter must not hide it.
    fileprivate mutating func cut(at delimiter: UInt8) -> Substring? {
        guard let index = utf8.firstIndex(of: delimiter) else { return nil }
        let suffix = self[utf8.index(after: index)...]
        self = self[..<index]
        return suffix
    }
}
