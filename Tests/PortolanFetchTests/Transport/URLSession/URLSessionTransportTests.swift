#if os(Linux) && (!Drivers || DEBUG)
import TestHelpers
import PortolanWeb
import Testing

@testable import PortolanFetch

/// Requests that URLSession on Linux cannot execute are refused before anything is sent.
@Suite(.timeLimit(.minutes(20))) struct URLSessionTransportTests {
    struct Setting: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout ConnectionSettings) -> Void
    }

    @Test(arguments: [
        Setting(testDescription: "a proxy", change: { $0.proxy = .url("http://127.0.0.1:1") }),
        Setting(testDescription: "authorities", change: { $0.certificateAuthorityFile = "/nowhere.pem" }),
        Setting(
            testDescription: "a client certificate", change: { $0.clientCertificate = .init(file: "/nowhere.pem") }),
        Setting(testDescription: "no check", change: { $0.allowsInsecureServers = true }),
    ])
    func `a setting that needs libcurl is an error that names the trait`(_ setting: Setting) async throws {
        let server = try FaultServer { _ in [.response(text: "x")] }
        defer { server.stop() }
        var settings = ConnectionSettings()
        setting.change(&settings)
        let error = await #expect(throws: FetchError.self) {
            try await URLSessionTransport(settings).send(HTTPRequest(to: server.url("/")))
        }
        #expect(error?.code == .needsTrait)
        #expect(error?.detail.contains("trait Drivers") == true)
        #expect(error?.detail.contains("libcurl4-openssl-dev") == true)
        #expect(server.connectionCount == 0)
    }

    @Test func `a redirect to localhost with a trailing dot is rejected`() async throws {
        let server = try FaultServer { _ in [.response("302 Found", headers: ["Location: http://localhost.:1/"])] }
        defer { server.stop() }
        let origin = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "127.0.0.1", network: .global))
        let request = HTTPRequest(to: NamedURL(server.url("/"), namedBy: origin))
        let error = await #expect(throws: FetchError.self) { try await URLSessionTransport().send(request) }
        #expect(error?.code == .addressRefused)
        #expect(server.connectionCount == 0)
    }

    #if !Drivers
    @Test func `an international host name and a broker need the trait`() async throws {
        let error = await #expect(throws: FetchError.self) {
            try await systemTransport().send(HTTPRequest(to: "http://bücher.example/"))
        }
        #expect(error?.code == .needsTrait)
        let endpoint = try ByteEndpoint("tcp://127.0.0.1:1")
        await #expect { _ = try await systemByteTransport().connect(to: endpoint) } throws: {
            ($0 as? FetchError)?.code == .needsTrait
        }
    }
    #endif
}
#endif
