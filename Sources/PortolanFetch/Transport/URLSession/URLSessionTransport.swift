#if canImport(Darwin) || !Drivers || DEBUG
/// HTTP over URLSession: the transport of Apple platforms, and of Linux without the trait `Drivers`.
///
/// On Linux it is compiled into debug builds with `Drivers` too, so that the tests run over it in every configuration; a
/// release build with `Drivers` does without FoundationNetworking and the 45 MB that Foundation adds to a static program.
///
/// The session keeps no cookies, no credentials and no cache. Redirects are followed here, one URLSession task each, by
/// the rules of ``Redirect``; challenges are answered here, so a 401 is a response; the time limits are kept here.
///
/// Differences from libcurl on Linux, where URLSession is swift-corelibs-foundation's:
/// - Proxies and trust are the environment's and the system's; other ``ConnectionSettings`` fail with
///   ``FetchError/Code/needsTrait``.
/// - A body is requested uncompressed. One that is compressed anyway is decoded up to the limit.
/// - If the address of a host matters (``/PortolanWeb/AddressPolicy``), the host is resolved first. `http` then connects to the
///   address that was checked. For `https` each address must be allowed, and URLSession resolves the name again: a name server
///   that changes its answer in between gets a TLS handshake sent to another address, but no request, since the certificate
///   there does not match.
/// - ``HTTPResponse/network`` is known for addresses that were checked so, and for hosts written as addresses.
/// - Header fields of one name come joined by commas, in alphabetical order; the header has a limit once it has come.
/// - The body of a redirect that leads nowhere is left out.
/// - Most failures have no code of their own: TLS, an unreachable network and a malformed header are
///   ``FetchError/Code/transportFailure`` with the system's explanation.
/// - A hostile server can end the process or block all its sessions; `SECURITY.md` says how.
package final class URLSessionTransport: CallbackTransport {
    private let settings: ConnectionSettings
    private let loop = URLSessionLoop()

    /// Makes a transport with a session of its own.
    package init(_ settings: ConnectionSettings = ConnectionSettings()) { self.settings = settings }

    deinit { loop.end() }

    /// The response to `request`; see ``HTTPTransport`` for what holds.
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
            // Not within this call.
            Task { answer(.failure(error)) }
            return {}
        }
    }
}

#if !canImport(Darwin)
extension ConnectionSettings {
    /// The setting that swift-corelibs-foundation has no way to obey, or `nil` if there is none.
    fileprivate func unsupportedFeature(for request: HTTPRequest) -> String? {
        switch proxy {
        case .url: return "a proxy other than the environment's"
        case .direct where EnvironmentProxies().proxy(for: request) != nil:
            return "a connection past the environment's proxy"
        case .direct, .environment: break
        }
        if certificateAuthorityFile != nil { return "certificate authorities other than the system's" }
        if clientCertificate != nil { return "a client certificate" }
        return allowsInsecureServers ? "a server whose certificate is not checked" : nil
    }
}
#endif
#endif
