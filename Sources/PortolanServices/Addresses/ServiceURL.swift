import PortolanWeb

/// The address of a service, cut into the parts that requests are made of.
package struct ServiceURL: Hashable, Sendable {
    /// `http` or `https` in small letters, or what else stands before `://`; empty when nothing does.
    package let scheme: String
    /// Host and port as written, without credentials.
    package let authority: String
    /// All before the query.
    let stem: String
    /// The parameters of the query, as they are written in it.
    let parameters: [Substring]

    /// Reads an address; a fragment is dropped and characters that no URL may hold are encoded.
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
        // A second question mark is a slip that servers' own documents make.
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

    /// The host without its port.
    package var host: String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        return String(authority.prefix { $0 != ":" })
    }

    /// Whether it names a host.
    package var isAbsolute: Bool { !scheme.isEmpty && isHostUsable }

    /// Whether it names a host that is asked over HTTP.
    package var isOnWeb: Bool { isAbsolute && (scheme == "http" || scheme == "https") }

    /// Whether host and port, and what stands before them, have the form that RFC 3986 clause 3.2 gives them.
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

    /// The address with `request` in its query; of its own parameters those stay that `request` does not set and
    /// `dropped` does not name (both whatever the case).
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

    /// All before the query.
    package var withoutQuery: String { stem }

    /// The address as text, with its query.
    package var text: String { url(with: [], dropping: []) }

    /// The address over `https` when it names the same host as `base`, which is over `https`.
    package func upgraded(like base: ServiceURL) -> ServiceURL {
        guard scheme == "http", base.scheme == "https", host == base.host else { return self }
        let path = stem.dropFirst("http://".count).drop { $0 != "/" }
        // Port 80 is that of the scheme left behind; a port that is neither is kept.
        let port = authority.dropFirst(host.count)
        let address = port.isEmpty || port == ":80" ? base.authority : authority
        return ServiceURL("https://" + address + path + queryText)
    }

    /// The address with the parameters of `other` that it lacks.
    package func adding(parametersOf other: ServiceURL, dropping dropped: Set<String>) -> ServiceURL {
        let own = Set(parameters.map(Self.name))
        let extra = other.parameters.filter { !own.contains(Self.name(of: $0)) && !dropped.contains(Self.name(of: $0)) }
        guard !extra.isEmpty else { return self }
        return ServiceURL(stem + "?" + (parameters + extra).joined(separator: "&"))
    }

    /// The part after the authority, up to the query.
    package var path: String { String(stem.dropFirst(origin.count)) }

    /// The address with another path and the same query.
    package func replacingPath(_ path: String) -> ServiceURL {
        return ServiceURL(origin + path + queryText)
    }

    /// The query with its question mark, or nothing.
    var queryText: String { parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&") }

    /// Scheme and authority as they are written, user and password among it.
    var origin: Substring {
        guard let range = stem.firstRange(of: "://") else { return "" }
        let end = stem[range.upperBound...].firstIndex(of: "/") ?? stem.endIndex
        return stem[..<end]
    }

    /// The parameters of the query but for those that `dropped` names, as they are written in it.
    package func query(without dropped: Set<String>) -> String {
        parameters.filter { !dropped.contains(Self.name(of: $0)) }.joined(separator: "&")
    }

    static func name(of parameter: Substring) -> String { parameter.prefix { $0 != "=" }.uppercased() }
}

extension ServiceURL {
    /// A reference of a document at this address, made whole (RFC 3986, section 5.2) but as it is written otherwise: the names in
    /// braces of a template stay.
    ///
    /// What begins with the host of this address, or with `www.`, lacks its scheme.
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

    /// Schemes of addresses without a host.
    private static let schemes = ["data:", "mailto:", "urn:", "javascript:", "about:", "tel:"]

    /// A reference of a document at this address, made whole (RFC 3986, section 5.2).
    ///
    /// A whole address on the same host is over `https` when this one is; a slash at its end is left out. A colon alone
    /// makes no scheme: servers name maps `a:b@EPSG:900913`.
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

    /// The address with the path and query of this one at the scheme, host and port of `other`, by its user.
    func moved(to other: ServiceURL) -> ServiceURL {
        return ServiceURL(other.origin + path + queryText)
    }

    /// The address with user and password of `other`, if it has none and scheme, host and port are the same.
    func withUser(of other: ServiceURL) -> ServiceURL {
        guard let user = other.user, self.user == nil, scheme == other.scheme, host == other.host, port == other.port,
            let range = stem.firstRange(of: "://")
        else { return self }
        return ServiceURL(stem[..<range.upperBound] + user + "@" + stem[range.upperBound...] + queryText)
    }

    /// User and password as they are written, or `nil` when there are none.
    private var user: Substring? {
        let authority = origin
        guard let start = authority.firstRange(of: "://")?.upperBound, let at = authority.lastIndex(of: "@"),
            at >= start
        else { return nil }
        return authority[start..<at]
    }

    /// The port as written, or the scheme's own.
    private var port: Substring {
        let written = authority.dropFirst(host.count).dropFirst()
        return written.isEmpty ? (scheme == "https" ? "443" : "80") : written
    }
}
