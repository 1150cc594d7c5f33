import PortolanWeb

extension FetchError {
    /// A URL that may be shown and logged: user name, password and values of secret parameters are `***`.
    ///
    /// User information stands in the authority alone (RFC 3986, section 3.2.1), that of a URL within the path or the query among
    /// it; an `@` in a path is a letter like others. A parameter is secret when its name says so (`token`, `key`, `apikey`,
    /// `appid`, `password`, `sig`, `authorization` and the like, in any case and spelling). Works on any text, a broken URL and
    /// the path of a file too; control characters become `?`, the payload of a `data:` URL is left out, and what is longer than
    /// 500 characters is cut. Secrets in the path are not known.
    public static func redacted(_ url: String) -> String { redacted(url, limit: 500) }

    /// The same of any length: what tells addresses apart, whatever the secrets in them.
    package static func redactedWhole(_ url: String) -> String { redacted(url, limit: .max) }

    /// The same of the target of a request: a path and a query, or a whole URL (RFC 9112, section 3.2).
    package static func redacted(target: String) -> String {
        target.utf8.first == UInt8(ascii: "/") ? redacted(path: target, limit: 500) : redacted(target)
    }

    private static func redacted(_ url: String, limit: Int) -> String {
        if url.utf8.count >= 5, url.utf8.prefix(5).map(\.asciiLowercased) == Array("data:".utf8) {
            let head = url[..<(url.utf8.firstIndex(of: UInt8(ascii: ",")) ?? url.endIndex)]
            return printable(head.prefix(80), limit: limit) + ",… (\(url.utf8.count) bytes)"
        }
        let isRelative = url.utf8.starts(with: "//".utf8)
        return redacted(path: withoutUncertain(url), beginsWithAuthority: isRelative, limit: limit)
    }

    private static func redacted(path: String, beginsWithAuthority: Bool = false, limit: Int) -> String {
        var rest = withoutUserInfo(path, beginsWithAuthority)[...]
        let fragment = rest.cut(at: UInt8(ascii: "#"))
        let query = rest.cut(at: UInt8(ascii: "?"))
        var text = String(rest)
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

    /// Without what stands before the last `@` of a broken URL, in which a password may hold any delimiter, and of one without a
    /// scheme.
    private static func withoutUncertain(_ text: String) -> String {
        func isDelimiter(_ letter: Character) -> Bool { letter.utf8.contains { "/?#".utf8.contains($0) } }
        guard let last = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        if let slashes = text.firstRange(of: "//"), !text[..<slashes.lowerBound].contains(where: isDelimiter) {
            let authority = text[slashes.upperBound...].prefix { !isDelimiter($0) }
            let isWhole = slashes.lowerBound > text.startIndex
            let isCertain =
                URLParts(isWhole ? text : "https:" + text) != nil || !authority.utf8.contains(UInt8(ascii: ":"))
            return isCertain ? text : "***" + text[last...]
        }
        let authority = text.prefix { !isDelimiter($0) }
        // Without a colon there is no password: it is the path of a file.
        guard authority.utf8.contains(UInt8(ascii: ":")) else { return text }
        return "***" + text[(authority.utf8.lastIndex(of: UInt8(ascii: "@")) ?? last)...]
    }

    /// Without what stands before the last `@` of each authority, that of a URL within the path or the query too, which may be
    /// percent-encoded.
    private static func withoutUserInfo(_ text: String, _ beginsWithAuthority: Bool) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") }) else { return text }
        let bytes = Array(text.utf8), letters = Letter.all(of: bytes)
        var shown: [UInt8] = [], index = 0
        while index < letters.count {
            let slash = letters[index]
            shown += bytes[slash.range]
            index += 1
            let isStart =
                beginsWithAuthority && index == 2
                || letters[..<index].suffix(3).elementsEqual("://".utf8, by: { $0.byte == $1 })
            guard isStart else { continue }
            // Within a URL that is not encoded itself, a password may hold an encoded slash.
            let authority = letters[index...].prefix {
                !"/?#&".utf8.contains($0.byte) || $0.isEncoded && !slash.isEncoded
            }
            guard let at = authority.lastIndex(where: { $0.byte == UInt8(ascii: "@") }) else { continue }
            shown += "***".utf8
            index = at
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// A byte of a text, which may be percent-encoded.
    private struct Letter {
        let byte: UInt8
        let range: Range<Int>

        var isEncoded: Bool { range.count > 1 }

        static func all(of bytes: [UInt8]) -> [Letter] {
            var letters: [Letter] = [], index = 0
            while index < bytes.count {
                var byte = bytes[index], end = index + 1
                if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = bytes[index + 1].hexadecimalValue,
                    let low = bytes[index + 2].hexadecimalValue
                {
                    (byte, end) = (high << 4 | low, index + 3)
                }
                letters.append(Letter(byte: byte, range: index..<end))
                index = end
            }
            return letters
        }
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
