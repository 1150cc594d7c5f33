public import PortolanWeb

/// An HTTP GET, or a read-only POST, with its limits.
///
/// Schemes are `http`, `https`, and, through a ``Fetcher``, `file` and `data`.
public struct HTTPRequest: Hashable, Sendable {
    /// The absolute URL.
    ///
    /// Non-ASCII characters after the host are percent-encoded as UTF-8.
    ///
    /// `user:password@` before the host is sent as Basic credentials (RFC 7617) and is not part of the requested URL.
    public var url: String

    /// The origin of the URL: the user, a file or a document.
    public let origin: NamedURL.Origin

    /// The policy for addresses.
    ///
    /// It applies to this request unless the user specified its URL, and to all redirects.
    public var policy: AddressPolicy

    /// The header fields, in order.
    ///
    /// A transport adds `User-Agent` if it is missing, and the fields that HTTP requires.
    public var headers: [HTTPHeader]

    /// The body of a POST, or `nil` for a GET.
    ///
    /// Responses to a POST are never cached.
    public var body: HTTPRequest.Body?

    /// The time limits.
    public var timeouts: HTTPRequest.Timeouts

    /// The maximum length of the decompressed body in bytes; 64 MiB by default.
    public var maximumBodyByteCount: Int

    /// Creates a request; URL and headers are validated when it is sent.
    public init(
        to address: NamedURL,
        headers: [HTTPHeader] = [],
        body: HTTPRequest.Body? = nil,
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(),
        maximumBodyByteCount: Int = 64 << 20,
        policy: AddressPolicy = .standard
    ) {
        precondition(maximumBodyByteCount >= 0, "a body cannot have fewer than no bytes")
        url = address.text
        origin = address.origin
        self.policy = policy
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.maximumBodyByteCount = maximumBodyByteCount
    }

    /// The URL with its origin.
    public var address: NamedURL { NamedURL(url, namedBy: origin) }

    /// Returns the value of the first field with this name, ignoring case.
    public func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }
}

extension HTTPRequest {
    /// The reason for which the policy forbids the URL as written, or `nil` if it is allowed.
    var refusal: FetchError? { policy.refusal(of: address).map { FetchError($0, url: url) } }

    /// Whether the policy depends on the IP address to which the host resolves.
    var looksAtConnections: Bool {
        origin != .user && policy.looksAtConnections(to: URLParts(url)?.host ?? "", namedBy: origin)
    }

    /// Returns the reason for which the policy forbids a connection to an address, or `nil` if it is allowed.
    ///
    /// - Parameter asked: the URL before redirects.
    func refusal(ofConnectionTo peer: IPAddress, asked: String) -> FetchError? {
        guard looksAtConnections, let host = URLParts(url)?.host else { return nil }
        return policy.refusal(of: peer, host: host, namedBy: origin).map { FetchError($0, url: asked) }
    }
}

extension HTTPRequest {
    /// A read-only query that does not fit into a URL, such as a GraphQL query or a list of coordinates, sent by POST.
    ///
    /// It changes nothing on the server, so it may be retried, and equal queries are coalesced. A redirect within its
    /// origin repeats the POST; a redirect to another origin is an error.
    public struct Body: Hashable, Sendable {
        /// The media type of the body.
        public var contentType: String

        /// The body.
        public var bytes: [UInt8]

        /// Creates a query.
        public init(contentType: String = "application/json", bytes: [UInt8]) {
            self.contentType = contentType
            self.bytes = bytes
        }
    }
}

extension HTTPRequest {
    /// The time limits of a transfer, which are independent of each other.
    public struct Timeouts: Hashable, Sendable {
        /// The time limit for name resolution, TCP and TLS together, for each connection.
        ///
        /// 10 s by default. URLSession has no such limit; there `firstByte` includes it.
        public var connect: Duration

        /// The time limit from the last byte of the request to the first byte of the response.
        ///
        /// 30 s by default, or as long as `stall` if that alone is given. With URLSession it runs from the start of the
        /// request, including the connection, to the end of the response's header.
        public var firstByte: Duration

        /// The longest pause within a response; 15 s by default.
        public var stall: Duration

        /// The time limit for the whole transfer including redirects, but without the wait for a free connection.
        ///
        /// 60 s by default.
        public var total: Duration

        /// Creates limits, which must be positive.
        public init(
            connect: Duration = .seconds(10), firstByte: Duration? = nil, stall: Duration? = nil,
            total: Duration = .seconds(60)
        ) {
            let firstByte = firstByte ?? stall ?? .seconds(30)
            let stall = stall ?? .seconds(15)
            precondition(
                connect > .zero && firstByte > .zero && stall > .zero && total > .zero, "a timeout must be positive")
            self.connect = connect
            self.firstByte = firstByte
            self.stall = stall
            self.total = total
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds from 1 to a day, which C timers accept without overflow or the meaning
    /// "never".
    package var timerMilliseconds: Int {
        let day = 86_400_000
        guard self > .zero else { return 1 }
        guard components.seconds < 86_400 else { return day }
        return max(1, Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }

    /// The duration for messages, such as "15 s" or "0.3 s".
    package var secondsText: String {
        let milliseconds = timerMilliseconds
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        return "\(Double(milliseconds) / 1000) s"
    }
}

extension HTTPRequest {
    /// The name of the package for servers.
    public enum UserAgent {
        /// The default `User-Agent`.
        ///
        /// Public tile servers require that applications identify themselves: set your own value with contact information.
        public static let standard = "Portolan/0.2 (map image engine)"
    }
}
