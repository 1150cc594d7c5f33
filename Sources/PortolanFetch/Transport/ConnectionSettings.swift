/// How a transport makes its connections: by which proxy, and whom it trusts.
///
/// `CurlTransport` obeys all of it. On Apple platforms proxies and trusted certificates are the system's settings, and
/// of these only the `User-Agent` counts.
public struct ConnectionSettings: Hashable, Sendable {
    /// Which proxy carries the requests.
    public enum Proxy: Hashable, Sendable {
        /// What the environment says: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
        case environment
        /// None.
        case direct
        /// One for all, as `http://user:password@proxy.example:3128`; `https`, `socks5` and `socks5h` too.
        case url(String)
    }

    /// What a client shows a server that asks who it is (mutual TLS).
    public struct ClientCertificate: Hashable, Sendable {
        /// A PEM file of the certificate, and those that vouch for it.
        public var file: String
        /// A PEM file of the private key, or `nil` when it is in the same file.
        public var keyFile: String?
        /// The password of the key, or `nil` when it has none.
        public var password: String?

        /// Makes a certificate of its files, which are read with each connection.
        public init(file: String, keyFile: String? = nil, password: String? = nil) {
            self.file = file
            self.keyFile = keyFile
            self.password = password
        }
    }

    /// What is sent as `User-Agent` where a request has none.
    public var userAgent: String

    /// Which proxy carries the requests; that of the environment by default.
    public var proxy = Proxy.environment

    /// A PEM file of the authorities that are trusted, in place of the system's; `nil` by default.
    public var certificateAuthorityFile: String?

    /// What to show a server that asks who the client is.
    public var clientCertificate: ClientCertificate?

    /// Whether any certificate is good enough: for tests on a network of one's own, as anybody can listen and answer.
    ///
    /// False by default.
    public var allowsInsecureServers = false

    /// Makes the default settings.
    public init(userAgent: String = UserAgent.standard) { self.userAgent = userAgent }
}
