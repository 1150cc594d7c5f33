/// A URL split leniently into its parts, for resolving relative references (RFC 3986, section 5).
///
/// Nothing is validated or normalised: service URLs are often invalid, and are requested as they are written.
package struct LooseURL: Sendable {
    /// The scheme as written, before `://`, or `nil` without a scheme.
    package let scheme: Substring?
    /// The scheme and authority as written, including user and password; empty without a scheme.
    package let origin: Substring
    /// The path, up to the query or fragment.
    package let path: Substring

    /// Splits a URL.
    package init(_ text: some StringProtocol) {
        let text = Substring(text)
        let separator = text.firstRange(of: "://")
        let authorityStart = separator?.upperBound ?? text.startIndex
        let end = text[authorityStart...].firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        scheme = separator.map { text[..<$0.lowerBound] }
        let pathStart = separator == nil ? authorityStart : text[authorityStart..<end].firstIndex(of: "/") ?? end
        origin = text[..<pathStart]
        path = text[pathStart..<end]
    }

    /// The host in lower case, without user, password and port, or `nil` without a scheme.
    package var host: String? {
        guard let scheme else { return nil }
        let authority = origin[scheme.endIndex...].dropFirst("://".count)
        let place = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") { return place[...end].lowercased() }
        return place.prefix { $0 != ":" }.lowercased()
    }

    /// Whether it is a `file:` URL.
    package var isFile: Bool { scheme?.lowercased() == "file" }

    /// Resolves a relative reference (RFC 3986, section 5.2), which must be percent-encoded.
    ///
    /// The segments `.` and `..` are removed except in file paths, where a folder may be a link to another location.
    package func resolving(_ reference: String) -> String {
        if reference.hasPrefix("//") { return "\(scheme ?? "http"):\(reference)" }
        if reference.isEmpty || reference.hasPrefix("?") || reference.hasPrefix("#") {
            return origin + path + reference
        }
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? path
        let whole = reference.hasPrefix("/") ? reference : folder + "/" + reference
        let end = whole.firstIndex { $0 == "?" || $0 == "#" } ?? whole.endIndex
        return origin + (isFile ? String(whole[..<end]) : Self.withoutDots(whole[..<end])) + whole[end...]
    }

    private static func withoutDots(_ path: Substring) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            switch segment {
            case ".": continue
            case "..": if segments.count > 1 { segments.removeLast() }
            default: segments.append(segment)
            }
        }
        return segments.joined(separator: "/")
    }
}
