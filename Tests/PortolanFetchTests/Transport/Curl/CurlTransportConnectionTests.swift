#if os(Linux) && Drivers
import PortolanFetch
import TestHelpers
import PortolanWeb
import Testing

/// Proxies, trust and the time to the first byte, on real sockets.
@Suite(.timeLimit(.minutes(20))) struct CurlTransportConnectionTests {
    private static func transport(_ change: (inout ConnectionSettings) -> Void) -> CurlTransport {
        var settings = ConnectionSettings(userAgent: "Test/1")
        change(&settings)
        return CurlTransport(settings)
    }

    @Test func `requests are sent through a proxy with its own credentials`() async throws {
        let proxy = try FaultServer { _ in [.response(text: "by proxy")] }
        defer { proxy.stop() }
        let transport = Self.transport { $0.proxy = .url("http://me:s3cret@127.0.0.1:\(proxy.port)") }
        let response = try await transport.send(HTTPRequest(to: "http://nowhere.invalid/a?b=c"))
        #expect(response.body == Array("by proxy".utf8))
        let request = try #require(proxy.requests.first)
        #expect(request.target == "http://nowhere.invalid/a?b=c")
        // me:s3cret in base 64.
        #expect(request.header("Proxy-Authorization") == "Basic bWU6czNjcmV0")
        #expect(request.header("Authorization") == nil)
    }

    @Test(arguments: [
        ("http://bücher.example/ä?ö", "http://xn--bcher-kva.example/%C3%A4?%C3%B6"),
        ("http://BÜCHER.example:8080/", "http://xn--bcher-kva.example:8080/"),
        ("http://中国.example/", "http://xn--fiqs8s.example/"), ("http://faß.example/", "http://xn--fa-hia.example/"),
    ])
    func `an international host name is sent in its ASCII form`(url: String, asked: String) async throws {
        let proxy = try FaultServer { _ in [.response(text: "by proxy")] }
        defer { proxy.stop() }
        let transport = Self.transport { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
        let response = try await transport.send(HTTPRequest(to: NamedURL(url, namedBy: .user)))
        #expect(proxy.requests.first?.target == asked)
        #expect(response.url == asked)
    }

    @Test func `a redirect to an international host name is followed`() async throws {
        let proxy = try FaultServer { request in
            request.target.contains("maps.example")
                ? [.response("302 Found", headers: ["Location: http://bücher.example/a"])] : [.response(text: "there")]
        }
        defer { proxy.stop() }
        let transport = Self.transport { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
        let response = try await transport.send(HTTPRequest(to: "http://maps.example/"))
        #expect(response.url == "http://xn--bcher-kva.example/a")
        #expect(response.body == Array("there".utf8))
    }

    @Test(arguments: ["http://\u{FF11}\u{FF12}\u{FF17}.0.0.1/", "http://ｌｏｃａｌｈｏｓｔ/", "http://１０.0.0.7/"])
    func `another spelling of a host is checked in its canonical form`(url: String) async throws {
        let proxy = try FaultServer { _ in [.response(text: "by proxy")] }
        defer { proxy.stop() }
        let transport = Self.transport { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
        let origin = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "maps.example", network: .global))
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: NamedURL(url, namedBy: origin)))
        }
        #expect(error?.code == .addressRefused, "\(String(describing: error))")
        #expect(proxy.requests.isEmpty)
    }

    @Test(arguments: ["http://\u{200B}/", "http://a\u{202E}b.example/", "http://xn--bcher-kva\u{FFFD}.example/"])
    func `an invalid international host name is rejected`(url: String) async throws {
        let proxy = try FaultServer { _ in [.response(text: "by proxy")] }
        defer { proxy.stop() }
        let transport = Self.transport { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: NamedURL(url, namedBy: .user)))
        }
        #expect(error?.code == .invalidURL, "\(String(describing: error))")
    }

    @Test func `an unreachable proxy is an error without secrets`() async throws {
        let transport = Self.transport { $0.proxy = .url("http://me:s3cret@127.0.0.1:1") }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: "http://nowhere.invalid/"))
        }
        #expect(error?.code == .cannotConnect)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test func `a missing file of authorities is a TLS error`() async throws {
        let server = try FaultServer { _ in [.stall] }
        defer { server.stop() }
        let transport = Self.transport { $0.certificateAuthorityFile = "/nowhere.pem" }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: "https://127.0.0.1:\(server.port)/"))
        }
        #expect(error?.code == .tls)
        #expect(error?.detail.contains("/nowhere.pem") == true)
    }

    @Test func `the time to the first byte has a separate limit`() async throws {
        let server = try FaultServer { $0.target == "/slow" ? [.stall] : [.text("HTTP/1.1 200 OK\r\n"), .stall] }
        defer { server.stop() }
        let transport = Self.transport { _ in }
        let timeouts = HTTPRequest.Timeouts(
            firstByte: .milliseconds(300), stall: .milliseconds(500), total: .seconds(600))
        func detail(_ target: String) async -> String? {
            let request = HTTPRequest(to: server.url(target), timeouts: timeouts)
            let error = await #expect(throws: FetchError.self) { try await transport.send(request) }
            #expect(error?.code == .timedOut)
            return error?.detail
        }
        #expect(await detail("/slow") == "first byte: no response 0.3 s after the request")
        #expect(await detail("/half") == "stalled: no data for 0.5 s after 0 bytes of the body")
    }
}
#endif
