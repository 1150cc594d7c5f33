/// A URL cut where it is likely to have its parts, however it is written; references are made whole by it (RFC 3986, section 5).
///
/// Nothing is checked or normalised: addresses of services are often broken, and are asked for as they are written.
package struct LooseURL: Sendable {
    /// The scheme as written, before `://`; nil when there is none.
    package let scheme: Substring?
    /// Scheme and authority as they are written, user and password included; empty when there is no scheme.
    package let origin: Substring
    /// The path, up to the query or fragment.
    package let path: Substring

    /// Cuts an address.
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

    /// The host in small letters, without user, password and port; `nil` when there is no scheme.
    package var host: String? {
        guard let scheme else { return nil }
        let authority = origin[scheme.endIndex...].dropFirst("://".count)
        let place = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") { return place[...end].lowercased() }
        return place.prefix { $0 != ":" }.lowercased()
    }

    /// Whether it names a file of this machine.
    package var isFile: Bool { scheme?.lowercased() == "file" }

    /// A relative reference made whole (RFC 3986, section 5.2); it must be percent-encoded.
    ///
    /// The segments `.` and `..` are carried out, but in the paths of files: a folder may be a link to one elsewhere.
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
