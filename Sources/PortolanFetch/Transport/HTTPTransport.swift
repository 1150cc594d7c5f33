#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Carries one request to its server and brings the response back.
///
/// The seam between Portolan and the network: tests, recordings and other HTTP clients conform to it. What every
/// conformer keeps to:
/// - Any final status is a response, not an error: OGC services explain themselves in the body of a 400 or a 500.
/// - Redirects are followed, at most ten, to `http` and `https` only; to another origin go no `Authorization`, no
///   `Cookie` and no header a service may have invented for a key.
/// - The body is decompressed, whole, and no longer than the request allows; a truncated body is an error.
/// - All ``ConnectionTimeouts`` hold.
/// - Cancelling the task ends the transfer at once with ``FetchError/Code/cancelled``.
/// - It may be used by many tasks at the same time. It neither queues, joins nor retries: ``Fetcher`` does.
public protocol HTTPTransport: Sendable {
    /// The response to `request`.
    func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse
}

/// A transport that can answer by a call on its own thread: each transfer then costs no task and no switch between them.
package protocol CallbackTransport: HTTPTransport {
    /// The receiver of an answer.
    typealias Answer = @Sendable (Result<HTTPResponse, FetchError>) -> Void

    /// Begins a transfer.
    ///
    /// - Parameter answer: called once and after this has returned, on a thread of the transport's; it must not block.
    /// - Returns: what ends the transfer, which is then answered with ``FetchError/Code/cancelled`` unless it has been.
    func begin(_ request: HTTPRequest, answer: @escaping Answer) -> @Sendable () -> Void
}

extension CallbackTransport {
    /// Sends a request and waits for its answer; cancelling the task ends the transfer.
    func response(to request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(url: request.url) }
        let slot = ReplySlot()
        let cancel = begin(request) { slot.answer($0) }
        let reply = await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            cancel()
        }
        return try reply.get()
    }
}

/// The connection settings of a transport: proxy, trust and client certificate.
///
/// `CurlTransport` obeys all of it. On Apple platforms proxies and trusted certificates are the system's settings, and
/// of these only the `User-Agent` counts. On Linux without the trait `Drivers` the environment's proxies and the system's
/// authorities alone are available; a request with other settings fails with ``FetchError/Code/needsTrait``.
public struct ConnectionSettings: Hashable, Sendable {
    /// The proxy that carries the requests.
    public enum Proxy: Hashable, Sendable {
        /// The proxy that the environment names: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
        case environment
        /// None.
        case direct
        /// One for all, as `http://user:password@proxy.example:3128`; `https`, `socks5` and `socks5h` too.
        case url(String)
    }

    /// The certificate that a client shows to a server (mutual TLS).
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

    /// The `User-Agent` sent where a request has none.
    public var userAgent: String

    /// The proxy that carries the requests; that of the environment by default.
    public var proxy = Proxy.environment

    /// A PEM file of the authorities that are trusted, in place of the system's; `nil` by default.
    public var certificateAuthorityFile: String?

    /// The certificate for servers that ask for one.
    public var clientCertificate: ClientCertificate?

    /// Whether any certificate is good enough: for tests on a network of one's own, as anybody can listen and answer.
    ///
    /// False by default.
    public var allowsInsecureServers = false

    /// Makes the default settings.
    public init(userAgent: String = UserAgent.standard) { self.userAgent = userAgent }
}

extension ConnectionSettings {
    /// What proxies are told, those of the environment too, and the password of the client's key.
    package var secrets: Secrets {
        var secrets = Secrets()
        switch proxy {
        case .direct: break
        case .url(let url): secrets.add(url: url)
        case .environment:
            for (name, url) in ProcessInfo.processInfo.environment where name.lowercased().hasSuffix("_proxy") {
                // The scheme may be missing.
                secrets.add(url: url.contains("//") ? url : "//" + url)
            }
        }
        if let password = clientCertificate?.password { secrets.add(password) }
        return secrets
    }
}

/// The HTTP transport that suits this platform: libcurl on Linux with the trait `Drivers`, URLSession elsewhere.
///
/// Without `Drivers` on Linux, use it only for servers that you trust: `SECURITY.md` lists what swift-corelibs-foundation does
/// not hold. Make one for a process and share it: it holds the open connections.
///
/// - Parameter userAgent: what it sends as `User-Agent` where a request has none.
public func systemTransport(userAgent: String = UserAgent.standard) -> any HTTPTransport {
    systemTransport(ConnectionSettings(userAgent: userAgent))
}

/// The HTTP transport that suits this platform, with settings.
public func systemTransport(_ settings: ConnectionSettings) -> any HTTPTransport {
    #if os(Linux) && Drivers
    CurlTransport(settings)
    #else
    URLSessionTransport(settings)
    #endif
}

extension [UInt8] {
    /// Makes room in a body for its next bytes, which fit in the limit.
    ///
    /// - Parameter announced: before the first bytes the `Content-Length`, which alone reserves a mebibyte at most; `nil` if it
    ///   is unknown, and later.
    mutating func makeRoom(forBodyBytes next: Int, announced: Int?, limit: Int) {
        if let announced { reserveCapacity(Swift.min(announced, limit, 1 << 20)) }
        guard count + next > capacity else { return }
        // By half, and no further than it may go: to double it would take three times the limit for a moment.
        reserveCapacity(Swift.min(count + Swift.max(next, count / 2), limit))
    }
}
