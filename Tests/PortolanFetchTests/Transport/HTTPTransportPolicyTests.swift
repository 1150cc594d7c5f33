#if os(Linux)
import PortolanFetch
import TestHelpers
import PortolanWeb
import Testing

/// The address that a host turns out to have decides, whatever its name looked like: everything here talks to 127.0.0.1.
@Suite(.timeLimit(.minutes(20)))
struct HTTPTransportPolicyTests {
    /// A document from a public address, on a host that is resolved again.
    private static let far = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "localhost", network: .global))

    private func code(_ url: String, _ origin: NamedURL.Origin, on transport: any HTTPTransport) async -> FetchError? {
        do {
            _ = try await transport.send(HTTPRequest(to: NamedURL(url, namedBy: origin)))
            return nil
        } catch { return error }
    }

    @Test(arguments: TestTransport.allCases)
    func `a remote document cannot reach a host that resolves to this machine`(over kind: TestTransport) async throws {
        let server = try FaultServer { _ in [.response(text: "secret")] }
        defer { server.stop() }
        let error = await code(server.url("/", host: "localhost"), Self.far, on: kind.make())
        #expect(error?.code == .addressRefused)
        #expect(error?.detail.contains("127.0.0.1") == true || error?.detail.contains("0:0:0:0:0:0:0:1") == true)
        let secure = server.url("/", host: "localhost").replacing("http:", with: "https:")
        #expect(await code(secure, Self.far, on: kind.make())?.code == .addressRefused)
        #expect(server.requests.isEmpty)
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: TestTransport.allCases)
    func `a remote document cannot reuse an open connection to such a host`(over kind: TestTransport) async throws {
        let server = try FaultServer { _ in [.response(text: "secret")] }
        defer { server.stop() }
        let transport = kind.make(), url = server.url("/", host: "localhost")
        // The user asks, and the connection stays open.
        #expect(await code(url, .user, on: transport) == nil)
        #expect(await code(url, Self.far, on: transport)?.code == .addressRefused)
        #expect(server.requests.count == 1)
        #expect(await code(url, .user, on: transport) == nil)
    }

    @Test(arguments: TestTransport.allCases)
    func `an allowed host, and one in the document's own network, is reached`(over kind: TestTransport) async throws {
        let server = try FaultServer { _ in [.response(text: "here")] }
        defer { server.stop() }
        let url = NamedURL(server.url("/", host: "localhost"), namedBy: Self.far), transport = kind.make()
        let request = HTTPRequest(to: url, policy: AddressPolicy(allowedHosts: ["localhost"]))
        #expect(try await transport.send(request).status == 200)
        for network in [IPAddress.Network.loopback, nil] {
            let near = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "localhost", network: network))
            #expect(await code(url.text, near, on: transport) == nil)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `a response states the network of its server`(over kind: TestTransport) async throws {
        let server = try FaultServer { _ in [.response(text: "here")] }
        defer { server.stop() }
        for host in ["127.0.0.1", "localhost"] {
            let response = try await kind.make().send(HTTPRequest(to: server.url("/", host: host)))
            // URLSession on Linux does not say where it found a name.
            #expect(response.network == (kind.isURLSession && host == "localhost" ? nil : .loopback))
        }
        // A document's address was looked up and checked.
        let near = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "localhost", network: .loopback))
        let request = HTTPRequest(to: NamedURL(server.url("/", host: "localhost"), namedBy: near))
        #expect(try await kind.make().send(request).network == .loopback)
        #expect(server.requests.last?.header("Host") == "localhost:\(server.port)")
    }

    // (what the redirect leads to, whether it is refused as such)
    @Test(
        arguments: TestTransport.allCases,
        [
            ("http://169.254.169.254/latest/", FetchError.Code.addressRefused), ("http://0.0.0.0:1/", .addressRefused),
            ("http://[fe80::1]/", .addressRefused), ("http://[::ffff:169.254.169.254]/", .addressRefused),
            ("http://169.254.43518/", .addressRefused), ("file:///etc/passwd", .unsupportedScheme),
        ])
    func `a redirect is checked by the rules for remote documents`(
        over kind: TestTransport, _ test: (target: String, code: FetchError.Code)
    ) async throws {
        let server = try FaultServer { _ in [.response("302 Found", headers: ["Location: \(test.target)"])] }
        defer { server.stop() }
        #expect(await self.code(server.url("/"), .user, on: kind.make())?.code == test.code)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: TestTransport.allCases)
    func `redirects within the network of their sender are followed`(over kind: TestTransport) async throws {
        let server = try FaultServer { request in
            request.target == "/" ? [.response("302 Found", headers: ["Location: /b"])] : [.response(text: "here")]
        }
        defer { server.stop() }
        #expect(await code(server.url("/"), .user, on: kind.make()) == nil)
        #expect(server.requests.map(\.target) == ["/", "/b"])
    }

    #if Drivers
    /// A proxy finds the host: what is written alone can be looked at, and the proxy itself may be anywhere.
    @Test func `behind a proxy, addresses are checked as written`() async throws {
        let proxy = try FaultServer { _ in [.response(text: "here")] }
        defer { proxy.stop() }
        var settings = ConnectionSettings()
        settings.proxy = .url(proxy.url(""))
        let transport = CurlTransport(settings),
            far = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "maps.example", network: .global))
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
    #endif
}
#endif
