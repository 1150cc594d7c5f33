#if os(Linux) && Drivers
import CCurl
import PortolanWeb
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The proxies that requests go through.
///
/// Where a document leads, the address that a host turns out to have decides (``AddressPolicy``); so it must be known whether it
/// is the host's or a proxy's. For such a request the proxy is looked up here and named to libcurl, and then `no_proxy` does
/// not count: the proxy alone leads into its network.
struct CurlProxies {
    /// The way that a request takes.
    struct Route {
        /// The proxy for libcurl, empty for none; `nil` for what libcurl finds in the environment.
        let proxy: String?
        /// Whether a proxy finds the host; `nil` when libcurl alone knows.
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

/// CURLOPT_OPENSOCKETFUNCTION: `context` is the `CurlTransfer`, alive while its handle is; `address` lives during the call.
func openCurlSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    // Writes 16 bytes at most.
    let count = unsafe portolan_curl_address_bytes(address, &bytes)
    guard transfer.mayUse(IPAddress(bytes: Array(bytes.prefix(Int(count))))) else { return -1 }
    return unsafe socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
}

/// CURLOPT_PREREQFUNCTION: `context` as above; `peer` is the address of the other end, terminated, for the call.
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
    /// Tells a handle of libcurl whom to trust, and who we are.
    ///
    /// libcurl copies the strings; what it cannot use fails with the connection, which says why.
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
