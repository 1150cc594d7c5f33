import PortolanWeb

extension FetchError {
    /// Returns a URL for messages and logs, with `***` for user name, password and values of secret parameters.
    ///
    /// User information is recognised only in the authority (RFC 3986, section 3.2.1), including that of URLs within
    /// the path or query; an `@` in a path is an ordinary character. A parameter is secret by its name (`token`, `key`,
    /// `apikey`, `appid`, `password`, `sig`, `authorization` and similar, in any case and spelling). Secrets in path
    /// segments are not recognised.
    ///
    /// Any text is accepted, including invalid URLs and file paths. Control characters become `?`, the payload of a
    /// `data:` URL is left out, and the result is truncated to 500 characters.
    public static func redacted(_ url: String) -> String { redacted(url, limit: 500) }

    /// Returns a redacted URL of any length, by which addresses can be distinguished without their secrets.
    package static func redactedWhole(_ url: String) -> String { redacted(url, limit: .max) }

    /// Returns a redacted request target: a path and a query, or a whole URL (RFC 9112, section 3.2).
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

    /// Redacts all text before the last `@` of an invalid URL, whose password may contain delimiters, or of a URL
    /// without a scheme.
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
        // Without a colon it has no password, and may be a file path.
        guard authority.utf8.contains(UInt8(ascii: ":")) else { return text }
        return "***" + text[(authority.utf8.lastIndex(of: UInt8(ascii: "@")) ?? last)...]
    }

    /// Redacts the text before the last `@` of each authority, including percent-encoded URLs within the path or query.
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
            // A URL that is not encoded itself may have a password with an encoded slash.
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
    // Splits at bytes, not characters, because a combining mark after a delimiter would hide it.
    fileprivate mutating func cut(at delimiter: UInt8) -> Substring? {
        guard let index = utf8.firstIndex(of: delimiter) else { return nil }
        let suffix = self[utf8.index(after: index)...]
        self = self[..<index]
        return suffix
    }
}
