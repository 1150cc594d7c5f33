import PortolanWeb
import Testing

@testable import PortolanFetch

@Suite struct EnvironmentProxiesTests {
    @Test(arguments: [
        (["http_proxy": "http://a:1"], "http://x/", "http://a:1"),
        (["HTTP_PROXY": "http://a:1"], "http://x/", nil),
        (["HTTPS_PROXY": "http://a:1"], "https://x/", "http://a:1"),
        (["https_proxy": "", "all_proxy": "socks5://b"], "https://x/", "socks5://b"),
        (["https_proxy": "http://a:1"], "http://x/", nil),
    ])
    func `each scheme uses the proxy that libcurl uses`(_ environment: [String: String], url: String, proxy: String?) {
        let request = HTTPRequest(to: NamedURL(url, namedBy: .user))
        #expect(EnvironmentProxies(environment).proxy(for: request) == proxy)
    }

    @Test(arguments: [
        ("", "a.example", false), ("*", "a.example", true), ("example", "a.example", true),
        (".example,b", "a.example", true), ("b, A.Example.", "a.example", true), ("ple", "a.example", false),
        ("b", "10.0.0.1", true), ("", "10.0.0.1", false), ("10.0.0.0/8", "a.example", false),
    ])
    func `no_proxy decides whether a host may bypass the proxy`(_ exceptions: String, host: String, mayBypass: Bool) {
        let proxies = EnvironmentProxies(["http_proxy": "http://p", "no_proxy": exceptions])
        #expect(proxies.mayBypass(host) == mayBypass)
    }
}
