import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The proxies that the environment names, as libcurl reads them.
struct EnvironmentProxies: Sendable {
    private let named: [String: String]
    /// The entries of `no_proxy`, in small letters and without dots at their ends.
    private let exceptions: [String]

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        // The order of libcurl; HTTP_PROXY in capitals would be a header field of a CGI program's client.
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

    /// The proxy for the scheme of a request, whatever `no_proxy` says.
    func proxy(for request: HTTPRequest) -> String? { named[String(request.url.prefix { $0 != ":" })] }

    /// Whether `no_proxy` may lead past the proxy to a host; true if in doubt, as for addresses, which it may hold as networks.
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
