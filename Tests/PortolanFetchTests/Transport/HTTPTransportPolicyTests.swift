#if os(Linux)
import PortolanFetch
import TestHelpers
import PortolanWeb
import Testing

/// The address that a host turns out to have decides, whatever its name looked like: everything here talks to 127.0.0.1.
@Suite(.timeLimit(.minutes(20)))
struct CurlTransportPolicyTests {
    /// A document that came from where anyone reaches, of a host that is looked up anew.
    private static let far = AddressOrigin.document(RemoteDocument(host: "localhost", network: .global))

    private func code(_ url: String, _ origin: AddressOrigin, on transport: CurlTransport) async -> FetchError? {
        do {
            _ = try await transport.send(HTTPRequest(to: NamedURL(url, namedBy: origin)))
            return nil
        } catch { return error }
    }

    @Test func `a host that has moved to this machine is not connected to`() async throws {
        let server = try FaultServer { _ in [.response(text: "secret")] }
        defer { server.stop() }
        let error = await code(server.url("/", host: "localhost"), Self.far, on: CurlTransport())
        #expect(error?.code == .addressRefused)
        #expect(error?.detail.contains("127.0.0.1") == true || error?.detail.contains("0:0:0:0:0:0:0:1") == true)
        #expect(server.requests.isEmpty && server.connectionCount == 0)
    }

    @Test func `a connection that is open already is not used either`() async throws {
        let server = try FaultServer { _ in [.response(text: "secret")] }
        defer { server.stop() }
        let transport = CurlTransport(), url = server.url("/", host: "localhost")
        // The user asks, and the connection stays open.
        #expect(await code(url, .user, on: transport) == nil)
        #expect(await code(url, Self.far, on: transport)?.code == .addressRefused)
        #expect(server.requests.count == 1)
        #expect(await code(url, .user, on: transport) == nil)
    }

    @Test func `a host that is allowed is asked, and so is one of the document's own network`() async throws {
        let server = try FaultServer { _ in [.response(text: "here")] }
        defer { server.stop() }
        let url = NamedURL(server.url("/", host: "localhost"), namedBy: Self.far), transport = CurlTransport()
        let request = HTTPRequest(to: url, policy: AddressPolicy(allowedHosts: ["localhost"]))
        #expect(try await transport.send(request).status == 200)
        for network in [IPAddress.Network.loopback, nil] {
            let near = AddressOrigin.document(RemoteDocument(host: "localhost", network: network))
            #expect(await code(url.text, near, on: transport) == nil)
        }
    }

    @Test func `an answer tells where its server was found`() async throws {
        let server = try FaultServer { _ in [.response(text: "here")] }
        defer { server.stop() }
        for host in ["127.0.0.1", "localhost"] {
            let response = try await CurlTransport().send(HTTPRequest(to: server.url("/", host: host)))
            #expect(response.network == .loopback)
        }
    }

    // (what the redirect leads to, whether it is refused as such)
    @Test(arguments: [
        ("http://169.254.169.254/latest/", FetchError.Code.addressRefused), ("http://0.0.0.0:1/", .addressRefused),
        ("http://[fe80::1]/", .addressRefused), ("http://[::ffff:169.254.169.254]/", .addressRefused),
        ("http://169.254.43518/", .addressRefused), ("file:///etc/passwd", .unsupportedScheme),
    ])
    func `a redirect is a document of who sends it`(target: String, code: FetchError.Code) async throws {
        let server = try FaultServer { _ in [.response("302 Found", headers: ["Location: \(target)"])] }
        defer { server.stop() }
        #expect(await self.code(server.url("/"), .user, on: CurlTransport())?.code == code)
        #expect(server.requests.count == 1)
    }

    @Test func `redirects go on within the network of who sends them`() async throws {
        let server = try FaultServer { request in
            request.target == "/" ? [.response("302 Found", headers: ["Location: /b"])] : [.response(text: "here")]
        }
        defer { server.stop() }
        #expect(await code(server.url("/"), .user, on: CurlTransport()) == nil)
        #expect(server.requests.map(\.target) == ["/", "/b"])
    }

    /// A proxy finds the host: what is written alone can be looked at, and the proxy itself may be anywhere.
    @Test func `behind a proxy the way an address is written decides`() async throws {
        let proxy = try FaultServer { _ in [.response(text: "here")] }
        defer { proxy.stop() }
        var settings = ConnectionSettings()
        settings.proxy = .url(proxy.url(""))
        let transport = CurlTransport(settings),
            far = AddressOrigin.document(RemoteDocument(host: "maps.example", network: .global))
        #expect(await code("http://other.example/", far, on: transport) == nil)
        let response = try await transport.send(HTTPRequest(to: "http://maps.example/"))
        #expect(response.network == nil)
        let fetcher = Fetcher(transport: transport)
        let refused = await #expect(throws: FetchError.self) {
            try await fetcher.fetch(HTTPRequest(to: NamedURL("http://10.0.0.1/", namedBy: far)))
        }
        #expect(refused?.code == .addressRefused)
        #expect(proxy.requests.count == 2)
    }
}
#endif
