public import PortolanWeb

/// The endpoint of a byte stream, such as a message broker: host, port, and whether TLS is used.
///
/// Its address has the scheme of a protocol, such as `stomps://name:password@broker.example:61612` (or `stomp+ssl`, as
/// in ActiveMQ), `tcp` or `tls`. With TLS the certificate of the host is verified. Only the user or a local file may
/// specify such an address, not a server's document.
public struct ByteEndpoint: Sendable {
    /// The user name and password of the protocol.
    public struct Credentials: Hashable, Sendable {
        /// The user name.
        public var name: String
        /// The password, or `nil` for none.
        public var password: String?

        /// Creates credentials.
        public init(name: String, password: String? = nil) {
            self.name = name
            self.password = password
        }
    }

    /// The address without user name and password.
    public let shown: String
    /// The host in lower-case ASCII; an IPv6 address in brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether TLS is used.
    public let isSecure: Bool
    /// The credentials in the address, which are never shown.
    public let credentials: Credentials?
    /// The time limit for name resolution, TCP and TLS together; 10 s by default.
    public var timeout = Duration.seconds(10)

    private let origin: NamedURL.Origin
    private let policy: AddressPolicy

    /// The supported schemes, whether they use TLS, and their default ports: customary for STOMP, registered with IANA
    /// for MQTT.
    private static let schemes: [String: (isSecure: Bool, port: Int?)] = [
        "tcp": (false, nil), "tls": (true, nil), "stomp": (false, 61613), "stomps": (true, 61614),
        "stomp+ssl": (true, 61614), "mqtt": (false, 1883), "mqtts": (true, 8883),
    ]

    /// The protocol of a scheme.
    package enum Speech: Hashable, Sendable { case stomp, mqtt }

    /// Returns the protocol if an address has a broker scheme, otherwise `nil`.
    package static func speech(at address: String) -> Speech? {
        switch address.prefix(while: { $0 != ":" }).lowercased() {
        case "stomp", "stomps", "stomp+ssl": .stomp
        case "mqtt", "mqtts": .mqtt
        default: nil
        }
    }

    /// Parses an address.
    ///
    /// - Throws: ``FetchError`` if it is invalid, has an unsupported scheme or no port, or its origin may not refer to
    ///   it.
    public init(_ address: NamedURL, policy: AddressPolicy = .standard) throws(FetchError) {
        let text = address.text
        guard let parts = URLParts(text) else {
            throw FetchError(.invalidURL, url: text, detail: URLParts.fault(of: text))
        }
        guard let scheme = Self.schemes[parts.scheme] else {
            let detail = "scheme \(parts.scheme): must be one of \(Self.schemes.keys.sorted().joined(separator: ", "))"
            throw FetchError(.unsupportedScheme, url: text, detail: detail)
        }
        guard !parts.host.isEmpty, let name = try InternationalHost.asciiIfNeeded(parts.host, of: text) else {
            throw FetchError(.invalidURL, url: text, detail: "missing or invalid host in the URL")
        }
        guard let port = parts.port ?? scheme.port else {
            throw FetchError(
                .invalidURL, url: text, detail: "missing port in the URL; \(parts.scheme): has no default port")
        }
        shown = FetchError.redacted(text)
        host = name
        self.port = port
        isSecure = scheme.isSecure
        credentials = try Self.credentials(parts.userInfo, of: text)
        origin = address.origin
        self.policy = policy
        // For an address in a file the policy checks the host, as for HTTP; for one in a document it checks the scheme,
        // which is never allowed.
        let judged: NamedURL =
            if case .file = origin { NamedURL("https://\(name):\(port)/", namedBy: origin) } else { address }
        if let refusal = policy.refusal(of: judged) { throw FetchError(refusal, url: text) }
    }

    private static func credentials(_ userInfo: String?, of url: String) throws(FetchError) -> Credentials? {
        guard let userInfo, !userInfo.isEmpty else { return nil }
        let halves = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = halves.compactMap { half in
            PercentEncoding.decode(half.utf8).flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard decoded.count == halves.count, let name = decoded.first else {
            throw FetchError(.invalidURL, url: url, detail: "invalid percent-encoding in the user name or password")
        }
        return Credentials(name: name, password: decoded.count > 1 ? decoded[1] : nil)
    }

    /// The secrets of the endpoint.
    package var secrets: Secrets {
        var secrets = Secrets()
        if let password = credentials?.password { secrets.add(password) }
        return secrets
    }

    /// Whether the policy depends on the IP address to which the host resolves.
    var looksAtConnections: Bool { policy.looksAtConnections(to: host, namedBy: origin) }

    /// Returns the reason for which the policy forbids a connection to an address, or `nil` if it is allowed.
    func refusal(ofConnectionTo peer: IPAddress) -> FetchError? {
        guard looksAtConnections else { return nil }
        return policy.refusal(of: peer, host: host, namedBy: origin).map { FetchError($0, url: shown) }
    }
}

extension InternationalHost {
    /// Returns a host in ASCII (RFC 5890), unchanged if it already is.
    fileprivate static func asciiIfNeeded(_ host: String, of url: String) throws(FetchError) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        return try ascii(host, of: url).flatMap { $0.isEmpty ? nil : $0 }
    }
}
