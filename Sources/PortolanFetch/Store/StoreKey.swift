import PortolanWeb

/// The key of a stored response: a hash of the URL and of the header fields that may change the response.
///
/// Neither can be recovered from it, so a store on disk contains no passwords and no service keys.
public struct StoreKey: Hashable, Sendable {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Fields that do not change the content of a response, or that the transport adds itself.
    private static let indifferentFields = [
        "Accept-Encoding", "Cache-Control", "Connection", "If-Match", "If-Modified-Since", "If-None-Match",
        "If-Unmodified-Since", "Pragma", "Traceparent", "Tracestate", "User-Agent",
    ]

    /// Creates the key of a request, or returns `nil` for other schemes than `http:` and `https:`, and for POST.
    ///
    /// The case of scheme and host, a default port and a fragment are ignored. All header fields of the caller count
    /// except the few that never change a response, so that responses that vary by one of them (`Vary`) are kept apart.
    /// Responses that vary by `User-Agent` are treated as equal.
    ///
    /// - Parameter credential: the credential that identifies the user to the host, if it is not part of the request.
    public init?(_ request: HTTPRequest, credential: Credential? = nil) {
        let request = credential?.applied(to: request) ?? request
        guard request.body == nil, let canonical = StoreKey.canonical(request.url) else { return nil }
        var text = canonical.userInfo + canonical.address
        let fields = request.headers.filter { header in
            !StoreKey.indifferentFields.contains { header.isNamed($0) }
        }.map { "\($0.name.lowercased()): \($0.value)" }
        for field in fields.sorted() { text += "\n" + field }
        bytes = SHA256.hash(Array(text.utf8))
    }

    /// Creates a key from its bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    private static func canonical(_ url: String) -> (userInfo: String, address: String)? {
        guard let parts = URLParts(url), parts.isHTTP, !parts.host.isEmpty else { return nil }
        return (parts.userInfo.map { $0 + "@" } ?? "", address(of: parts))
    }

    private static func address(of parts: URLParts) -> String {
        let path = parts.path.isEmpty ? "/" : parts.path
        return parts.origin + PercentEncoding.nonASCII(path)
            + (parts.query.map { "?" + PercentEncoding.nonASCII($0) } ?? "")
    }
}

extension StoreKey {
    /// The maximum number of stored URL prefixes, the shortest first.
    static let maximumPrefixCount = 24

    /// Returns hashes of 8 bytes each for the prefixes of a URL that end before `/`, `?` or `&` or at its end, the host
    /// first.
    ///
    /// Entries can be found by these prefixes without storing their URLs.
    package static func prefixHashes(of url: String) -> [UInt8] {
        guard let parts = URLParts(url), parts.isHTTP, !parts.host.isEmpty else { return [] }
        let bytes = Array(address(of: parts).utf8)
        var ends = [parts.origin.utf8.count]
        for index in bytes.indices.dropFirst(ends[0] + 1)
        where [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "&")].contains(bytes[index]) {
            ends.append(index)
        }
        ends.append(bytes.count)
        return ends.prefix(maximumPrefixCount).flatMap { hash(bytes[..<$0]) }
    }

    /// Returns the hash for entries whose URL has this prefix, or `nil` if the prefix is not a valid URL.
    ///
    /// A trailing `/`, `?` or `&` is ignored.
    package static func prefixHash(_ prefix: String) -> [UInt8]? {
        guard let parts = URLParts(prefix), parts.isHTTP, !parts.host.isEmpty else { return nil }
        let end = prefix.utf8.last
        var bytes =
            parts.path.isEmpty && parts.query == nil
            ? Array(parts.origin.utf8)[...] : Array(address(of: parts).utf8)[...]
        if let end, "/?&".utf8.contains(end), bytes.last == end { bytes.removeLast() }
        if bytes.count < parts.origin.utf8.count { bytes = Array(parts.origin.utf8)[...] }
        return hash(bytes)
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] { Array(SHA256.hash(Array(bytes)).prefix(8)) }
}
