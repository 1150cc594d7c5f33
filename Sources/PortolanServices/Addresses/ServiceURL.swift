import PortolanWeb

/// The URL of a service, divided into the parts of requests.
package struct ServiceURL: Hashable, Sendable {
    /// The lowercase scheme, such as `http` or `https`; empty without a scheme.
    package let scheme: String
    /// The host and port as written, without credentials.
    package let authority: String
    /// Everything before the query.
    let stem: String
    /// The query parameters as written.
    let parameters: [Substring]

    /// Parses a URL.
    ///
    /// The fragment is removed, and invalid characters are encoded.
    package init(_ text: String) {
        var rest = PercentEncoding.repaired(text.trimmingSpace())[...]
        if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
        var stem = rest
        var query: Substring = ""
        if let mark = rest.firstIndex(of: "?") {
            stem = rest[..<mark]
            query = rest[rest.index(after: mark)...]
        } else if rest.hasSuffix("&") {
            stem = rest.dropLast()
        }
        self.stem = String(stem)
        // Some servers write a second question mark in their documents.
        parameters = query.split(whereSeparator: { $0 == "&" || $0 == "?" })
        if let range = stem.firstRange(of: "://") {
            scheme = stem[..<range.lowerBound].lowercased()
            let host = stem[range.upperBound...].prefix { $0 != "/" }
            authority = host.split(separator: "@").last.map { $0.lowercased() } ?? ""
        } else {
            scheme = ""
            authority = ""
        }
    }

    /// The host without port.
    package var host: String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        return String(authority.prefix { $0 != ":" })
    }

    /// Whether the URL has a host.
    package var isAbsolute: Bool { !scheme.isEmpty && isHostUsable }

    /// Whether the URL has a host and an HTTP scheme.
    package var isOnWeb: Bool { isAbsolute && (scheme == "http" || scheme == "https") }

    /// Whether user information, host and port are valid according to RFC 3986, clause 3.2.
    private var isHostUsable: Bool {
        let site = stem.dropFirst(scheme.utf8.count + 3).prefix { $0 != "/" }
        if let at = site.lastIndex(of: "@"), site[..<at].contains(where: { "[]@".contains($0) }) { return false }
        var rest = authority[...]
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return false }
            let address = rest[..<end].dropFirst()
            guard address.contains(":"), address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
                return false
            }
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0 != ":" }
            guard !name.isEmpty, !name.contains(where: { "[]@".contains($0) }) else { return false }
            rest = rest[name.endIndex...]
        }
        guard let colon = rest.first else { return true }
        let port = rest.dropFirst()
        return colon == ":" && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (port.isEmpty || UInt16(port) != nil)
    }

    /// Returns the URL with `request` in its query.
    ///
    /// Existing parameters are kept unless `request` sets them or `dropped` contains them; case is ignored.
    package func url(with request: [(name: String, value: String)], dropping dropped: Set<String>) -> String {
        let names = Set(request.map { $0.name.uppercased() })
        let kept = parameters.filter {
            let name = Self.name(of: $0)
            return !names.contains(name) && !dropped.contains(name)
        }
        let written = request.map { PercentEncoding.value($0.name) + "=" + $0.value }
        let query = (kept.map(String.init) + written).joined(separator: "&")
        return query.isEmpty ? stem : stem + "?" + query
    }

    /// Everything before the query.
    package var withoutQuery: String { stem }

    /// The URL as text, with its query.
    package var text: String { url(with: [], dropping: []) }

    /// Returns the URL with `https` if it is on the same host as `base`, which uses `https`.
    package func upgraded(like base: ServiceURL) -> ServiceURL {
        guard scheme == "http", base.scheme == "https", host == base.host else { return self }
        let path = stem.dropFirst("http://".count).drop { $0 != "/" }
        // Port 80 belongs to the old scheme; any other port is kept.
        let port = authority.dropFirst(host.count)
        let address = port.isEmpty || port == ":80" ? base.authority : authority
        return ServiceURL("https://" + address + path + queryText)
    }

    /// Returns the URL with the parameters of `other` that it lacks.
    package func adding(parametersOf other: ServiceURL, dropping dropped: Set<String>) -> ServiceURL {
        let own = Set(parameters.map(Self.name))
        let extra = other.parameters.filter { !own.contains(Self.name(of: $0)) && !dropped.contains(Self.name(of: $0)) }
        guard !extra.isEmpty else { return self }
        return ServiceURL(stem + "?" + (parameters + extra).joined(separator: "&"))
    }

    /// The part between authority and query.
    package var path: String { String(stem.dropFirst(origin.count)) }

    /// Returns the URL with another path and the same query.
    package func replacingPath(_ path: String) -> ServiceURL {
        return ServiceURL(origin + path + queryText)
    }

    /// The query with its question mark, or an empty string.
    var queryText: String { parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&") }

    /// The scheme and authority as written, including user and password.
    var origin: Substring {
        guard let range = stem.firstRange(of: "://") else { return "" }
        let end = stem[range.upperBound...].firstIndex(of: "/") ?? stem.endIndex
        return stem[..<end]
    }

    /// Returns the query parameters as written, except those in `dropped`.
    package func query(without dropped: Set<String>) -> String {
        parameters.filter { !dropped.contains(Self.name(of: $0)) }.joined(separator: "&")
    }

    static func name(of parameter: Substring) -> String { parameter.prefix { $0 != "=" }.uppercased() }
}

extension ServiceURL {
    /// Returns the absolute form of a reference (RFC 3986, section 5.2) without other changes, so that the placeholders
    /// of a template are preserved.
    ///
    /// A reference that starts with the host of this URL, or with `www.`, lacks its scheme.
    func whole(_ reference: String) -> String {
        let text = reference.trimmingSpace()
        let head = text.prefix { !"/?#".contains($0) }.lowercased()
        if head.contains(":"), text[head.endIndex...].hasPrefix("//") || Self.schemes.contains(where: head.hasPrefix) {
            return text
        }
        guard isAbsolute else { return text }
        if text.isEmpty { return self.text }
        if text.hasPrefix("//") { return "\(scheme):\(text)" }
        if head == authority || head.hasPrefix("www.") { return "\(scheme)://\(text)" }
        return LooseURL(stem).resolving(text)
    }

    /// Schemes of URLs without a host.
    private static let schemes = ["data:", "mailto:", "urn:", "javascript:", "about:", "tel:"]

    /// Returns the absolute form of a reference (RFC 3986, section 5.2).
    ///
    /// An absolute URL on the same host gets `https` if this URL has it, and a trailing slash is removed. A colon alone
    /// is not a scheme, since servers have map names such as `a:b@EPSG:900913`.
    package func resolving(_ reference: String) -> String {
        let trimmed = reference.trimmingSpace()
        var text = PercentEncoding.repaired(trimmed.hasPrefix("//") ? "\(scheme):\(trimmed)" : trimmed)
        if let hash = text.firstIndex(of: "#") { text = String(text[..<hash]) }
        if text.isEmpty { return self.text }
        if text.hasPrefix("?") { return stem + text }
        if let range = text.firstRange(of: "://"), !text[..<range.lowerBound].contains(where: { "/?".contains($0) }) {
            while text.hasSuffix("/") { text.removeLast() }
            return ServiceURL(text).upgraded(like: self).text
        }
        var result = LooseURL(stem).resolving(text)
        while result.hasSuffix("/") { result.removeLast() }
        return result
    }

    /// Returns the URL with the path and query of this one and the scheme, user, host and port of `other`.
    func moved(to other: ServiceURL) -> ServiceURL {
        return ServiceURL(other.origin + path + queryText)
    }

    /// Returns the URL with the user and password of `other`, if it has none and scheme, host and port are equal.
    func withUser(of other: ServiceURL) -> ServiceURL {
        guard let user = other.user, self.user == nil, scheme == other.scheme, host == other.host, port == other.port,
            let range = stem.firstRange(of: "://")
        else { return self }
        return ServiceURL(stem[..<range.upperBound] + user + "@" + stem[range.upperBound...] + queryText)
    }

    /// The user and password as written, or `nil`.
    private var user: Substring? {
        let authority = origin
        guard let start = authority.firstRange(of: "://")?.upperBound, let at = authority.lastIndex(of: "@"),
            at >= start
        else { return nil }
        return authority[start..<at]
    }

    /// The port as written, or the default port of the scheme.
    private var port: Substring {
        let written = authority.dropFirst(host.count).dropFirst()
        return written.isEmpty ? (scheme == "https" ? "443" : "80") : written
    }
}
