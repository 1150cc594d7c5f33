import PortolanWeb

extension Secrets {
    /// Returns a URL without user information and secret parameters, for documents that are shared, or `nil` if it has
    /// no secrets.
    ///
    /// A parameter whose value is a URL with a secret is removed as a whole. Secrets in path segments are not
    /// recognised.
    package static func leftOut(of url: String) -> String? { leftOut(of: url, depth: 0) }

    private static func leftOut(of url: String, depth: Int) -> String? {
        guard !url.hasPrefix("data:") else { return nil }
        let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        var place = String(url[..<end])
        if let slashes = place.firstRange(of: "//") {
            let authority = place[slashes.upperBound...].prefix { $0 != "/" }
            if let at = authority.lastIndex(of: "@") {
                place.removeSubrange(slashes.upperBound...at)
            }
        }
        place = parameters(of: place, after: ";", until: "/", depth: depth)
        let rest = query(url[end...], depth: depth)
        let clean = place + rest
        return clean == url ? nil : clean
    }

    /// Returns a path without its secret parameters (RFC 3986, section 3.3).
    private static func parameters(
        of path: String, after delimiter: Character, until segmentEnd: Character, depth: Int
    ) -> String {
        guard path.contains(delimiter) else { return path }
        return path.split(separator: segmentEnd, omittingEmptySubsequences: false).map { segment in
            let parts = segment.split(separator: delimiter, omittingEmptySubsequences: false)
            return parts.enumerated().filter { $0.offset == 0 || !isSecret($0.element, depth: depth) }.map(\.element)
                .joined(separator: String(delimiter))
        }.joined(separator: String(segmentEnd))
    }

    /// Returns a query and a fragment, including their leading `?` and `#`, without secret parameters.
    private static func query(_ text: Substring, depth: Int) -> String {
        var clean = "", rest = text, open: Character?
        while let mark = rest.first {
            rest.removeFirst()
            let pair = rest.prefix { !"?#&;".contains($0) }
            rest = rest[pair.endIndex...]
            // If the first item is removed, the next one follows the `?` or `#`.
            if mark == "?" || mark == "#" { open = mark }
            guard !isSecret(pair, depth: depth) else { continue }
            if pair.isEmpty, mark != "?", mark != "#", open != nil { continue }
            clean.append(open ?? mark)
            clean += pair
            open = nil
        }
        return clean
    }

    private static func isSecret(_ pair: Substring, depth: Int) -> Bool {
        guard let equals = pair.firstIndex(of: "=") else { return false }
        if SecretNames.contains(pair[..<equals]) { return true }
        guard depth < 4, let bytes = PercentEncoding.decode(pair[equals...].dropFirst().utf8),
            let value = String(validating: bytes, as: UTF8.self), value.contains("://")
        else { return false }
        return leftOut(of: value, depth: depth + 1) != nil
    }
}
