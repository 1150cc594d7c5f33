#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends a request to its server and returns the response.
///
/// This is the interface between Portolan and the network: tests, recordings and other HTTP clients conform to it.
/// Requirements for conforming types:
/// - Any final status is a response, not an error: OGC services describe errors in the body of a 400 or 500.
/// - Redirects are followed, at most ten, to `http` and `https` only. Requests to another origin contain no
///   `Authorization`, no `Cookie` and no other header that could be a service's key.
/// - The body is decompressed, complete, and no longer than the request allows; a truncated body is an error.
/// - All ``HTTPRequest/Timeouts`` are enforced.
/// - Cancelling the task ends the transfer immediately with ``FetchError/Code/cancelled``.
/// - It can be used by many tasks at the same time. It neither queues, coalesces nor retries requests: ``Fetcher``
///   does.
public protocol HTTPTransport: Sendable {
    /// Returns the response to `request`.
    func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse
}

/// A transport with a callback interface, which avoids a task and a context switch per transfer.
package protocol CallbackTransport: HTTPTransport {
    /// Receives the response.
    typealias Answer = @Sendable (Result<HTTPResponse, FetchError>) -> Void

    /// Starts a transfer.
    ///
    /// - Parameter answer: called once, after this method has returned, on a thread of the transport. It must not
    ///   block.
    /// - Returns: a function that ends the transfer, which then completes with ``FetchError/Code/cancelled`` unless it
    ///   already has.
    func begin(_ request: HTTPRequest, answer: @escaping Answer) -> @Sendable () -> Void
}

extension CallbackTransport {
    /// Sends a request and waits for its response; cancelling the task ends the transfer.
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
/// `CurlTransport` supports all of them. On Apple platforms, proxies and trusted certificates follow the system
/// settings, and only the `User-Agent` is used. On Linux without the trait `Drivers`, only the environment's proxies
/// and the system's authorities are available; a request with other settings fails with ``FetchError/Code/needsTrait``.
public struct ConnectionSettings: Hashable, Sendable {
    /// The proxy for requests.
    public enum Proxy: Hashable, Sendable {
        /// The proxy of the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
        case environment
        /// No proxy.
        case direct
        /// One proxy for all requests, such as `http://user:password@proxy.example:3128`; also `https`, `socks5` and
        /// `socks5h`.
        case url(String)
    }

    /// The client certificate for mutual TLS.
    public struct ClientCertificate: Hashable, Sendable {
        /// A PEM file with the certificate and its chain.
        public var file: String
        /// A PEM file with the private key, or `nil` if it is in the certificate file.
        public var keyFile: String?
        /// The password of the key, or `nil` if it is not encrypted.
        public var password: String?

        /// Creates a certificate from its files, which are read for each connection.
        public init(file: String, keyFile: String? = nil, password: String? = nil) {
            self.file = file
            self.keyFile = keyFile
            self.password = password
        }
    }

    /// The `User-Agent` of requests without one.
    public var userAgent: String

    /// The proxy for requests; by default that of the environment.
    public var proxy = Proxy.environment

    /// A PEM file with the trusted authorities, replacing the system's; `nil` by default.
    public var certificateAuthorityFile: String?

    /// The certificate for servers that request one.
    public var clientCertificate: ClientCertificate?

    /// Whether any certificate is accepted.
    ///
    /// Use it only for tests in your own network, because anyone can intercept the connection.
    ///
    /// `false` by default.
    public var allowsInsecureServers = false

    /// Creates the default settings.
    public init(userAgent: String = HTTPRequest.UserAgent.standard) { self.userAgent = userAgent }
}

extension ConnectionSettings {
    /// The secrets of proxies, including those of the environment, and the password of the client key.
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

/// Returns the HTTP transport of this platform: libcurl on Linux with the trait `Drivers`, otherwise URLSession.
///
/// On Linux without `Drivers`, use it only for servers that you trust: `SECURITY.md` lists the limits that
/// swift-corelibs-foundation does not enforce. Create one transport per process and share it, because it holds the open
/// connections.
///
/// - Parameter userAgent: the `User-Agent` of requests without one.
public func systemTransport(userAgent: String = HTTPRequest.UserAgent.standard) -> any HTTPTransport {
    systemTransport(ConnectionSettings(userAgent: userAgent))
}

/// Returns the HTTP transport of this platform, with settings.
public func systemTransport(_ settings: ConnectionSettings) -> any HTTPTransport {
    #if os(Linux) && Drivers
    CurlTransport(settings)
    #else
    URLSessionTransport(settings)
    #endif
}

extension [UInt8] {
    /// Reserves capacity for the next bytes of a body, which fit in the limit.
    ///
    /// - Parameter announced: before the first bytes the `Content-Length`, which reserves at most 1 MiB; `nil` if it is
    ///   unknown, and later.
    mutating func makeRoom(forBodyBytes next: Int, announced: Int?, limit: Int) {
        if let announced { reserveCapacity(Swift.min(announced, limit, 1 << 20)) }
        guard count + next > capacity else { return }
        // Grows by half and not beyond the limit: doubling would briefly need three times the limit.
        reserveCapacity(Swift.min(count + Swift.max(next, count / 2), limit))
    }
}
