import Portolan
import PortolanFetch
import TestHelpers
import Testing

/// The transport with independently developed servers.
@Suite(.onMapServers) struct HTTPTransportServerTests {
    @Test(arguments: TestTransport.allCases)
    func `documents and images arrive whole, sequentially and concurrently`(over kind: TestTransport) async throws {
        let servers = try MapServers.running()
        let transport = kind.make()
        let capabilities = HTTPRequest(to: servers.mapServer + "SERVICE=WMS&VERSION=1.1.1&REQUEST=GetCapabilities")
        let first = try await transport.send(capabilities)
        #expect(first.header("Content-Length") == String(first.body.count))
        #expect(first.body.suffix(40).contains(UInt8(ascii: ">")))
        for _ in 0..<3 { #expect(try await transport.send(capabilities).body == first.body) }
        let urls = (0..<16).map { "\(servers.mapProxy)tiles/political/webmercator/4/\($0)/5.png" }
        let bodies = try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
            for url in urls { group.addTask { (url, try await transport.send(HTTPRequest(to: url)).body) } }
            return try await group.reduce(into: [String: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        #expect(bodies.count == 16)
        for (url, body) in bodies {
            #expect(try await transport.send(HTTPRequest(to: url)).body == body)
            #expect(try ImageDecoders.standard.size(of: body) == ImageSize(width: 256, height: 256))
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `an error status is returned as a response with its body`(over kind: TestTransport) async throws {
        let servers = try MapServers.running()
        let response = try await kind.make().send(
            HTTPRequest(
                to: servers.mapProxyService + "SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=nope&STYLES="
                    + "&SRS=EPSG:4326&BBOX=0,0,1,1&WIDTH=10&HEIGHT=10&FORMAT=image/png"))
        #expect(response.status == 500)
        #expect(String(decoding: response.body, as: UTF8.self).contains("unknown layer: nope"))
    }

    @Test(arguments: TestTransport.allCases)
    func `a body over the size limit is rejected`(over kind: TestTransport) async throws {
        let servers = try MapServers.running()
        let request = HTTPRequest(
            to: servers.mapServer + "SERVICE=WMS&VERSION=1.3.0&REQUEST=GetCapabilities", maximumBodyByteCount: 4096)
        let error = await #expect(throws: FetchError.self) { try await kind.make().send(request) }
        #expect(error?.code == .bodyTooLarge)
    }
}
