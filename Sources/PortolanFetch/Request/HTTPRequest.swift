/// A GET of one resource, with its limits.
///
/// Schemes are `http`, `https`, and, through a ``Fetcher``, `file` and `data`.
public struct HTTPRequest: Hashable, Sendable {
    /// The absolute URL, percent-encoded; other than ASCII characters after the host are encoded as UTF-8.
    ///
    /// `user:password@` before the host is sent as Basic credentials (RFC 7617) and is not part of what is requested.
    public var url: String

    /// Fields to send, in order; a transport adds `User-Agent` when it is not here, and what HTTP itself needs.
    public var headers: [HTTPHeader]

    /// How long it may take.
    public var timeouts: ConnectionTimeouts

    /// The most bytes a body may have, after decompression; 64 MiB by default.
    public var maximumBodyByteCount: Int

    /// Makes a request; URL and headers are checked when it is sent.
    public init(
        url: String,
        headers: [HTTPHeader] = [],
        timeouts: ConnectionTimeouts = ConnectionTimeouts(),
        maximumBodyByteCount: Int = 64 << 20
    ) {
        precondition(maximumBodyByteCount >= 0, "a body cannot have fewer than no bytes")
        self.url = url
        self.headers = headers
        self.timeouts = timeouts
        self.maximumBodyByteCount = maximumBodyByteCount
    }

    /// The value of the first field with this name, compared without regard to case.
    public func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }
}
