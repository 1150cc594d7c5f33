public import PortolanWeb

/// A GET of one resource, or a question asked by POST, with its limits.
///
/// Schemes are `http`, `https`, and, through a ``Fetcher``, `file` and `data`.
public struct HTTPRequest: Hashable, Sendable {
    /// The absolute URL, percent-encoded; other than ASCII characters after the host are encoded as UTF-8.
    ///
    /// `user:password@` before the host is sent as Basic credentials (RFC 7617) and is not part of what is requested.
    public var url: String

    /// Who named the URL.
    public let origin: AddressOrigin

    /// The rule of what may be asked for: it holds for this request unless the user named its URL, and for where the answer
    /// leads.
    public var policy: AddressPolicy

    /// Fields to send, in order; a transport adds `User-Agent` when it is not here, and what HTTP itself needs.
    public var headers: [HTTPHeader]

    /// What is asked by POST, or `nil` for a GET.
    ///
    /// No cache keeps what answers it.
    public var question: HTTPQuestion?

    /// The time limits.
    public var timeouts: ConnectionTimeouts

    /// The most bytes a body may have, after decompression; 64 MiB by default.
    public var maximumBodyByteCount: Int

    /// Makes a request; URL and headers are checked when it is sent.
    public init(
        to address: NamedURL,
        headers: [HTTPHeader] = [],
        question: HTTPQuestion? = nil,
        timeouts: ConnectionTimeouts = ConnectionTimeouts(),
        maximumBodyByteCount: Int = 64 << 20,
        policy: AddressPolicy = .standard
    ) {
        precondition(maximumBodyByteCount >= 0, "a body cannot have fewer than no bytes")
        url = address.text
        origin = address.origin
        self.policy = policy
        self.headers = headers
        self.question = question
        self.timeouts = timeouts
        self.maximumBodyByteCount = maximumBodyByteCount
    }

    /// The URL, and who named it.
    public var address: NamedURL { NamedURL(url, namedBy: origin) }

    /// The value of the first field with this name, compared without regard to case.
    public func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }
}

extension HTTPRequest {
    /// Why it is not to be sent, as far as the way its URL is written tells; `nil` when nothing speaks against it.
    var refusal: FetchError? { policy.refusal(of: address).map { FetchError($0, url: url) } }

    /// Whether the address that its host turns out to have can change whether it is sent.
    var looksAtConnections: Bool {
        origin != .user && policy.looksAtConnections(to: URLParts(url)?.host ?? "", namedBy: origin)
    }

    /// Why it is not to be sent over a connection to an address, or `nil` when nothing speaks against it.
    ///
    /// - Parameter asked: the URL that was asked for, before redirects.
    func refusal(ofConnectionTo peer: IPAddress, asked: String) -> FetchError? {
        guard looksAtConnections, let host = URLParts(url)?.host else { return nil }
        return policy.refusal(of: peer, host: host, namedBy: origin).map { FetchError($0, url: asked) }
    }
}

/// A question that no address can hold, as a GraphQL query or a table of places: sent as the body of a POST.
///
/// It changes nothing on the server, so that it may be asked again where a connection fails, and equal ones share an answer.
/// A redirect within its origin is asked the same; one to another origin is an error.
public struct HTTPQuestion: Hashable, Sendable {
    /// The media type of the body.
    public var contentType: String

    /// The body.
    public var body: [UInt8]

    /// Makes a question.
    public init(contentType: String = "application/json", body: [UInt8]) {
        self.contentType = contentType
        self.body = body
    }
}

/// The time limits of a transfer, four independent ones.
public struct ConnectionTimeouts: Hashable, Sendable {
    /// Time for name resolution, TCP and TLS together, on each connection made.
    ///
    /// 10 s by default.
    ///
    /// URLSession has no such limit of its own; there `firstByte` covers it.
    public var connect: Duration

    /// Time from the request's last byte to the answer's first: what the server may take to make it.
    ///
    /// 30 s by default, or as long as `stall` if that is given alone. Over URLSession it runs from the start of the request,
    /// connecting included, to the end of the response's header.
    public var firstByte: Duration

    /// Longest silence in the middle of an answer.
    ///
    /// 15 s by default.
    public var stall: Duration

    /// Time for the whole transfer with all its redirects; waiting for a free connection slot is not counted.
    ///
    /// 60 s by default.
    public var total: Duration

    /// Makes limits; each must be positive.
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

extension Duration {
    /// Whole milliseconds, at least 1 and at most a day: what a C timer takes without overflow or the meaning "never".
    package var timerMilliseconds: Int {
        let day = 86_400_000
        guard self > .zero else { return 1 }
        guard components.seconds < 86_400 else { return day }
        return max(1, Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }

    /// "15 s" or "0.3 s", for messages.
    package var secondsText: String {
        let milliseconds = timerMilliseconds
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        return "\(Double(milliseconds) / 1000) s"
    }
}

/// The name of the package for servers.
public enum UserAgent {
    /// The `User-Agent` sent unless another is given.
    ///
    /// Public tile servers ask that an application names itself: give your own, with a way to reach you.
    public static let standard = "Portolan/0.1 (map image engine)"
}
