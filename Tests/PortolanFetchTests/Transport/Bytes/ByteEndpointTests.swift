import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanFetch

@Suite struct ByteEndpointTests {
    @Test(arguments: [
        ("stomp://broker.example", "broker.example", 61613, false),
        ("stomps://Broker.Example:99/x", "broker.example", 99, true),
        ("stomp+ssl://broker.example", "broker.example", 61614, true),
        ("mqtt://127.0.0.1", "127.0.0.1", 1883, false), ("mqtts://[::1]", "[::1]", 8883, true),
        ("tcp://a:1", "a", 1, false), ("tls://a:2", "a", 2, true),
    ])
    func `host, port and security are read from the URL`(url: String, host: String, port: Int, isSecure: Bool) throws {
        let endpoint = try ByteEndpoint(.user(url))
        #expect(endpoint.host == host)
        #expect(endpoint.port == port)
        #expect(endpoint.isSecure == isSecure)
        #expect(endpoint.credentials == nil)
    }

    @Test func `credentials are decoded and never shown`() throws {
        let endpoint = try ByteEndpoint("stomp://ann:p%40ss:word@broker.example")
        #expect(endpoint.credentials == ByteEndpoint.Credentials(name: "ann", password: "p@ss:word"))
        #expect(endpoint.shown == "stomp://***@broker.example")
        #expect(try ByteEndpoint("mqtt://ann@broker.example").credentials?.password == nil)
    }

    @Test(arguments: [
        ("http://a", FetchError.Code.unsupportedScheme), ("tcp://a", .invalidURL), ("stomp://", .invalidURL),
        ("broker", .invalidURL),
        ("stomp://a%zz:b@c", .invalidURL), ("stomp://a:99999", .invalidURL), ("file:///etc/passwd", .unsupportedScheme),
    ])
    func `an invalid broker URL is rejected`(url: String, code: FetchError.Code) {
        #expect { try ByteEndpoint(.user(url)) } throws: { ($0 as? FetchError)?.code == code }
    }

    @Test func `documents cannot reference a broker, and files any but link-local ones`() throws {
        let document = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "a.example"))
        #expect { try ByteEndpoint(NamedURL("stomp://a.example", namedBy: document)) } throws: {
            ($0 as? FetchError)?.code == .addressRefused
        }
        let local = try ByteEndpoint(NamedURL("stomp://broker.example", namedBy: .file(within: "/")))
        #expect(local.looksAtConnections)
        // Whatever the name looked like, the address that it turns out to have decides.
        #expect(try local.refusal(ofConnectionTo: #require(IPAddress(host: "169.254.1.1")))?.code == .addressRefused)
        #expect(try local.refusal(ofConnectionTo: #require(IPAddress(host: "192.168.1.1"))) == nil)
        #expect { try ByteEndpoint(NamedURL("stomp://169.254.1.1", namedBy: .file(within: "/"))) } throws: {
            ($0 as? FetchError)?.code == .addressRefused
        }
    }
}
