import PortolanWeb

extension ServiceURL {
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
        var result = BaseURL(stem).resolving(text)
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
