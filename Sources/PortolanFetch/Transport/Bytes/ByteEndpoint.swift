public import PortolanWeb

/// A place that is spoken to by bytes in both directions, as brokers of messages are: host, port, and whether by TLS.
///
/// Its address has the scheme of a protocol, as `stomps://name:password@broker.example:61612` (or `stomp+ssl`, as ActiveMQ has
/// it), or `tcp` or `tls`. By TLS the certificate is checked, of the host that the address names. Only the user, or a file of
/// this machine, leads to such a place: no document of a server does.
public struct ByteEndpoint: Sendable {
    /// Name and password for the protocol that is spoken.
    public struct Credentials: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The password, or `nil` when there is none.
        public var password: String?

        /// Makes credentials.
        public init(name: String, password: String? = nil) {
            self.name = name
            self.password = password
        }
    }

    /// The address, without name and password.
    public let shown: String
    /// The host, in small letters and ASCII; an IPv6 address in brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether it is spoken to by TLS.
    public let isSecure: Bool
    /// The credentials that the address carries, never shown.
    public let credentials: Credentials?
    /// The time limit for name resolution, TCP and TLS together; 10 s by default.
    public var timeout = Duration.seconds(10)

    private let origin: AddressOrigin
    private let policy: AddressPolicy

    /// The schemes that are read, whether each means TLS, and its port where a broker has one by custom: STOMP's by the
    /// custom of brokers, MQTT's as registered with IANA.
    private static let schemes: [String: (isSecure: Bool, port: Int?)] = [
        "tcp": (false, nil), "tls": (true, nil), "stomp": (false, 61613), "stomps": (true, 61614),
        "stomp+ssl": (true, 61614), "mqtt": (false, 1883), "mqtts": (true, 8883),
    ]

    /// What is spoken at an address by its scheme.
    package enum Speech: Hashable, Sendable { case stomp, mqtt }

    /// What is spoken where an address has one of the schemes of brokers, `nil` elsewhere.
    package static func speech(at address: String) -> Speech? {
        switch address.prefix(while: { $0 != ":" }).lowercased() {
        case "stomp", "stomps", "stomp+ssl": .stomp
        case "mqtt", "mqtts": .mqtt
        default: nil
        }
    }

    /// Reads an address.
    ///
    /// - Throws: ``FetchError`` when it cannot be read, has another scheme or no port, or may not be led to by who named it.
    public init(_ address: NamedURL, policy: AddressPolicy = .standard) throws(FetchError) {
        let text = address.text
        guard let parts = URLParts(text) else {
            throw FetchError(.invalidURL, url: text, detail: URLParts.fault(of: text))
        }
        guard let scheme = Self.schemes[parts.scheme] else {
            let detail = "scheme \(parts.scheme): is none of \(Self.schemes.keys.sorted().joined(separator: ", "))"
            throw FetchError(.unsupportedScheme, url: text, detail: detail)
        }
        guard !parts.host.isEmpty, let name = try InternationalHost.asciiIfNeeded(parts.host, of: text) else {
            throw FetchError(.invalidURL, url: text, detail: "the URL has no host that can be read")
        }
        guard let port = parts.port ?? scheme.port else {
            throw FetchError(
                .invalidURL, url: text, detail: "the URL has no port, and \(parts.scheme): has none by custom")
        }
        shown = FetchError.redacted(text)
        host = name
        self.port = port
        isSecure = scheme.isSecure
        credentials = try Self.credentials(parts.userInfo, of: text)
        origin = address.origin
        self.policy = policy
        // A file is judged by its host as it is for HTTP; a document by its scheme, which it must not lead to.
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
            throw FetchError(.invalidURL, url: url, detail: "a % in the user name or password is not an escape")
        }
        return Credentials(name: name, password: decoded.count > 1 ? decoded[1] : nil)
    }

    /// What must not be shown of it.
    package var secrets: Secrets {
        var secrets = Secrets()
        if let password = credentials?.password { secrets.add(password) }
        return secrets
    }

    /// Whether the address that its host turns out to have can change whether it is spoken to.
    var looksAtConnections: Bool { policy.looksAtConnections(to: host, namedBy: origin) }

    /// Why no connection to an address of it is made, or `nil` when nothing speaks against it.
    func refusal(ofConnectionTo peer: IPAddress) -> FetchError? {
        guard looksAtConnections else { return nil }
        return policy.refusal(of: peer, host: host, namedBy: origin).map { FetchError($0, url: shown) }
    }
}

extension InternationalHost {
    /// A host in ASCII (RFC 5890), as it is where it is that already.
    fileprivate static func asciiIfNeeded(_ host: String, of url: String) throws(FetchError) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        return try ascii(host, of: url).flatMap { $0.isEmpty ? nil : $0 }
    }
}
