#if os(Linux) && Drivers
import CCurl
import PortolanWeb
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The proxies for requests.
///
/// For URLs from documents the policy depends on the IP address of the host (``AddressPolicy``), so it must be known
/// whether the visible address belongs to a proxy. For such a request the proxy is determined here and set explicitly,
/// and `no_proxy` is ignored, because only the proxy provides access to its network.
struct CurlProxies {
    /// The route of a request.
    struct Route {
        /// The proxy for libcurl, empty for none; `nil` lets libcurl use the environment.
        let proxy: String?
        /// Whether a proxy resolves the host; `nil` if only libcurl knows.
        let isProxied: Bool?
    }

    private let setting: ConnectionSettings.Proxy
    private let environment: EnvironmentProxies

    init(_ setting: ConnectionSettings.Proxy) {
        self.setting = setting
        environment = setting == .environment ? EnvironmentProxies() : EnvironmentProxies([:])
    }

    func route(for request: HTTPRequest) -> Route {
        switch setting {
        case .direct: return Route(proxy: "", isProxied: false)
        case .url(let url): return Route(proxy: url, isProxied: true)
        case .environment:
            guard let proxy = environment.proxy(for: request) else { return Route(proxy: "", isProxied: false) }
            return request.looksAtConnections
                ? Route(proxy: proxy, isProxied: true) : Route(proxy: nil, isProxied: nil)
        }
    }
}

/// CURLOPT_OPENSOCKETFUNCTION: `context` is the `CurlTransfer`, alive while its handle is; `address` is valid during
/// the call.
func openCurlSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    // Writes at most 16 bytes.
    let count = unsafe portolan_curl_address_bytes(address, &bytes)
    guard transfer.mayUse(IPAddress(bytes: Array(bytes.prefix(Int(count))))) else { return -1 }
    return unsafe socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
}

/// CURLOPT_PREREQFUNCTION: `context` as above; `peer` is the null-terminated address of the peer, valid during the
/// call.
func mayCurlSend(
    _ context: UnsafeMutableRawPointer?, _ peer: UnsafeMutablePointer<CChar>?, _ own: UnsafeMutablePointer<CChar>?,
    _ peerPort: Int32, _ ownPort: Int32
) -> Int32 {
    // CURL_PREREQFUNC_OK and CURL_PREREQFUNC_ABORT.
    guard let context = unsafe context, let peer = unsafe peer else { return 1 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.mayUse(IPAddress(host: unsafe String(cString: peer))) ? 0 : 1
}

extension ConnectionSettings {
    /// Sets the trusted authorities and the client certificate of a libcurl handle.
    ///
    /// libcurl copies the strings; an unusable value makes the connection fail with an error.
    func setTrust(of easy: UnsafeMutableRawPointer) {
        if let file = certificateAuthorityFile {
            _ = unsafe portolan_curl_set_string(easy, CURLOPT_CAINFO, file)
            _ = unsafe portolan_curl_set_string(easy, CURLOPT_CAPATH, nil)
        }
        if let certificate = clientCertificate {
            _ = unsafe portolan_curl_set_string(easy, CURLOPT_SSLCERT, certificate.file)
            if let file = certificate.keyFile { _ = unsafe portolan_curl_set_string(easy, CURLOPT_SSLKEY, file) }
            if let password = certificate.password {
                _ = unsafe portolan_curl_set_string(easy, CURLOPT_KEYPASSWD, password)
            }
        }
        if allowsInsecureServers {
            _ = unsafe portolan_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
            _ = unsafe portolan_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
    }
}
#endif
