import PortolanWeb

/// The key of a stored answer: a hash of the address and of the header fields that may change the answer.
///
/// Neither can be read back from it, so a store on disk holds no passwords and no keys of services.
public struct StoreKey: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Fields that do not change what an answer says, or that the transport adds itself.
    private static let indifferentFields = [
        "Accept-Encoding", "Cache-Control", "Connection", "If-Modified-Since", "If-None-Match", "Pragma", "Traceparent",
        "Tracestate", "User-Agent",
    ]

    /// The key of a request; nil when its URL is no address of `http:` or `https:`, and for what is asked by POST.
    ///
    /// Scheme and host count without case, the usual port and a fragment not at all. All header fields of the caller's
    /// count but the few that change no answer, so that an answer which varies by one of them (`Vary`) is never mixed up;
    /// one that varies by the `User-Agent` is taken for the same.
    ///
    /// - Parameter credential: what tells the host who asks, if that is not in the request.
    public init?(_ request: HTTPRequest, credential: Credential? = nil) {
        let request = credential?.applied(to: request) ?? request
        guard request.question == nil, let canonical = StoreKey.canonical(request.url) else { return nil }
        var text = canonical.userInfo + canonical.address
        let fields = request.headers.filter { header in
            !StoreKey.indifferentFields.contains { header.isNamed($0) }
        }.map { "\($0.name.lowercased()): \($0.value)" }
        for field in fields.sorted() { text += "\n" + field }
        bytes = SHA256.hash(Array(text.utf8))
    }

    /// Makes a key of its bytes.
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
    /// The number of beginnings of an address that are kept, the shortest first.
    static let maximumPrefixCount = 24

    /// Hashes, of 8 bytes each, of the beginnings of an address that end before `/`, `?` or `&` or at its end, the host's
    /// first: by them entries are found under a beginning without their addresses being kept.
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

    /// The hash under which entries of addresses with this beginning are found; nil when it is no address.
    ///
    /// A `/`, `?` or `&` at its end does not count.
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
