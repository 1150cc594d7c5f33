import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The proxies of the environment, interpreted like in libcurl.
struct EnvironmentProxies: Sendable {
    private let named: [String: String]
    /// The entries of `no_proxy`, in lower case and without leading and trailing dots.
    private let exceptions: [String]

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        // The order of libcurl. Upper-case HTTP_PROXY is excluded, because in a CGI program a client can set it with a
        // header field.
        func first(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let others = first("all_proxy", "ALL_PROXY")
        var named: [String: String] = [:]
        named["http"] = first("http_proxy") ?? others
        named["https"] = first("https_proxy", "HTTPS_PROXY") ?? others
        self.named = named
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(Self.bare)
    }

    /// Returns the proxy for the scheme of a request, ignoring `no_proxy`.
    func proxy(for request: HTTPRequest) -> String? { named[String(request.url.prefix { $0 != ":" })] }

    /// Returns whether `no_proxy` may exclude a host; `true` in doubt, as for IP addresses, because entries may be
    /// networks.
    func mayBypass(_ host: String) -> Bool {
        guard !exceptions.isEmpty else { return false }
        let host = Self.bare(host[...])
        return IPAddress(host: host) != nil
            || exceptions.contains { $0 == "*" || host == $0 || host.hasSuffix("." + $0) }
    }

    private static func bare(_ name: Substring) -> String {
        var name = name.lowercased()[...]
        while name.hasPrefix(".") { name.removeFirst() }
        while name.hasSuffix(".") { name.removeLast() }
        return String(name)
    }
}
