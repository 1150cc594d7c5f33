#if canImport(Darwin) || !Drivers || DEBUG
/// HTTP with URLSession: the transport of Apple platforms, and of Linux without the trait `Drivers`.
///
/// On Linux it is also compiled into debug builds with `Drivers`, so that its tests run in every configuration. A
/// release build with `Drivers` omits it, which avoids FoundationNetworking and the 45 MB that Foundation adds to a
/// static program.
///
/// The session keeps no cookies, credentials or cache. Redirects are followed here with one URLSession task each, by
/// the rules of ``Redirect``. Challenges are rejected, so that a 401 is a response. Time limits are enforced here.
///
/// Differences from libcurl on Linux, where URLSession is part of swift-corelibs-foundation:
/// - Proxies and trust are those of the environment and the system; other ``ConnectionSettings`` fail with
///   ``FetchError/Code/needsTrait``.
/// - Bodies are requested uncompressed. A body that is compressed anyway is decoded up to the limit.
/// - If the policy depends on the address of a host (``/PortolanWeb/AddressPolicy``), the host is resolved first.
///   `http` then connects to the checked address. For `https` each address must be allowed, and URLSession resolves the
///   name again: a name server that changes its answer in between can cause a TLS handshake with another address, but
///   no request, because the certificate there does not match.
/// - ``HTTPResponse/network`` is known for addresses checked this way, and for hosts written as addresses.
/// - Header fields with the same name are joined by commas, in alphabetical order. The header limit is checked after
///   the whole header was received.
/// - The body of a redirect without a valid target is left out.
/// - Most failures have no specific code: TLS errors, an unreachable network and a malformed header are
///   ``FetchError/Code/transportFailure`` with the system's explanation.
/// - A hostile server can end the process or block all its sessions; see `SECURITY.md`.
package final class URLSessionTransport: CallbackTransport {
    private let settings: ConnectionSettings
    private let loop = URLSessionLoop()

    /// Creates a transport with its session.
    package init(_ settings: ConnectionSettings = ConnectionSettings()) { self.settings = settings }

    deinit { loop.end() }

    /// Returns the response to `request`; see ``HTTPTransport``.
    package func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        try await response(to: request)
    }

    package func begin(_ request: HTTPRequest, answer: @escaping Answer) -> @Sendable () -> Void {
        do throws(FetchError) {
            #if !canImport(Darwin)
            if let feature = settings.unsupportedFeature(for: request) {
                throw .needsDrivers(feature, url: request.url)
            }
            #endif
            let prepared = try request.prepared(userAgent: settings.userAgent)
            let id = loop.start(prepared, asked: request.url, answer: answer)
            return { [loop] in loop.cancel(id) }
        } catch {
            // The answer must not be given within this call.
            Task { answer(.failure(error)) }
            return {}
        }
    }
}

#if !canImport(Darwin)
extension ConnectionSettings {
    /// Returns the setting that swift-corelibs-foundation does not support, or `nil` if all are supported.
    fileprivate func unsupportedFeature(for request: HTTPRequest) -> String? {
        switch proxy {
        case .url: return "a proxy other than the environment's"
        case .direct where EnvironmentProxies().proxy(for: request) != nil:
            return "a connection that bypasses the environment's proxy"
        case .direct, .environment: break
        }
        if certificateAuthorityFile != nil { return "certificate authorities other than the system's" }
        if clientCertificate != nil { return "a client certificate" }
        return allowsInsecureServers ? "a server with an unverified certificate" : nil
    }
}
#endif
#endif
