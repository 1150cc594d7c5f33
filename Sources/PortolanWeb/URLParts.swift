/// A URL split at its delimiters according to RFC 3986, section 3, without decoding.
///
/// It provides the parts for scheduling, redirects and messages (scheme, host, port), and does not normalise paths.
package struct URLParts: Hashable, Sendable {
    /// The scheme in lower case, without the colon.
    package var scheme: String
    /// The text before `@` in the authority, or `nil` without `@` or authority.
    package var userInfo: String?
    /// The host in lower case; an IPv6 address keeps its brackets.
    ///
    /// Empty without an authority.
    package var host: String
    /// The port in the URL.
    package var port: Int?
    package var path: String
    package var query: String?
    package var fragment: String?

    /// Parses an absolute URL, or returns `nil` if it is invalid.
    ///
    /// ``fault(of:)`` returns the reason.
    package init?(_ text: String) {
        guard URLParts.faultyByte(in: text) == nil, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let scheme = text[..<colon]
        guard let first = scheme.utf8.first, first.isASCIILetter,
            scheme.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
        else { return nil }
        self.scheme = scheme.lowercased()

        var rest = text[text.utf8.index(after: colon)...]
        fragment = rest.cutSuffix(from: UInt8(ascii: "#"))
        query = rest.cutSuffix(from: UInt8(ascii: "?"))
        guard rest.utf8.starts(with: "//".utf8) else {
            host = ""
            path = String(rest)
            return
        }
        rest.removeFirst(2)
        let authorityEnd = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        path = String(rest[authorityEnd...])
        var authority = rest[..<authorityEnd]
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = String(authority[..<at])
            authority = authority[authority.utf8.index(after: at)...]
        }
        guard let (host, port) = URLParts.hostAndPort(authority) else { return nil }
        self.host = host
        self.port = port
    }

    private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        var hostEnd = authority.utf8.lastIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        if authority.utf8.first == UInt8(ascii: "[") {
            guard let bracket = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            hostEnd = authority.utf8.index(after: bracket)
            guard hostEnd == authority.endIndex || authority.utf8[hostEnd] == UInt8(ascii: ":") else { return nil }
        }
        let host = authority[..<hostEnd]
        let isBracketed = host.utf8.first == UInt8(ascii: "[")
        // Characters that end or confuse a host in other parsers are rejected.
        guard !host.utf8.contains(where: { (isBracketed ? "\\<>^`{|}%" : "\\<>^`{|}[]:\"").utf8.contains($0) }) else {
            return nil
        }
        var port: Int?
        let digits = authority[hostEnd...].dropFirst()
        if !digits.isEmpty {
            guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits), (1...65_535).contains(number)
            else { return nil }
            port = number
        }
        return (host.lowercased(), port)
    }

    /// Returns the reason why `text` is not a valid URL.
    package static func fault(of text: String) -> String {
        if text.isEmpty { return "the URL is empty" }
        if let offset = faultyByte(in: text) {
            return "the URL has a space or control character at byte \(offset); write it percent-encoded"
        }
        if !text.utf8.contains(UInt8(ascii: ":")) { return "the URL is not absolute: it has no scheme such as https:" }
        return "invalid scheme, host or port in the URL"
    }

    private static func faultyByte(in text: String) -> Int? {
        text.utf8.enumerated().first { $0.element <= 0x20 || $0.element == 0x7F }?.offset
    }
}

extension URLParts {
    package var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// The port in the URL, or the default port of the scheme.
    package var effectivePort: Int? {
        port ?? (scheme == "http" ? 80 : scheme == "https" ? 443 : nil)
    }

    /// The key for counting connections: scheme, host and port (RFC 6454, section 4).
    package var origin: String { "\(scheme)://\(host):\(effectivePort ?? 0)" }

    /// The URL to send: without user information and fragment, with non-ASCII bytes after the host encoded.
    package var transferText: String {
        let portText = port.map { ":\($0)" } ?? ""
        let queryText = query.map { "?" + PercentEncoding.nonASCII($0) } ?? ""
        return "\(scheme)://\(host)\(portText)\(PercentEncoding.nonASCII(path))\(queryText)"
    }
}

extension Substring {
    /// Splits at the first `delimiter`: returns the text after it, and keeps the text before it.
    fileprivate mutating func cutSuffix(from delimiter: UInt8) -> String? {
        guard let index = utf8.firstIndex(of: delimiter) else { return nil }
        let suffix = String(self[utf8.index(after: index)...])
        self = self[..<index]
        return suffix
    }
}
