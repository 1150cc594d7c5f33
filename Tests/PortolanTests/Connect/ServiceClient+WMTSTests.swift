import Portolan
import PortolanFetch
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct ServiceClientWMTSTests {
    @Test func `a layer is negotiated from the capabilities and drawn`() async throws {
        let body = try World.png(.black, 256, 256),
            document = try ServiceClientTests.fixture("mapproxy/wmts-kvp-caps.xml")
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, body: request.url.contains("GetCapabilities") ? document : body, url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let (layer, warnings) = try await client.wmtsLayer(
            named: "base", url: "http://127.0.0.1:18081/service?map=x", options: WMTSOptions(layer: "political"))
        #expect(layer.source.kind == "wmts" && warnings == [])
        let result = try await World.renderer(transport).render(
            [layer], in: World.view(width: 64, height: 64), options: World.plain())
        #expect(result.report.complete && result.image[5, 5] == Pixel(.black))
        #expect(result.report.layers.first?.kind == "wmts")
        let urls = transport.requests.map(\.url)
        #expect(
            urls.first == "http://127.0.0.1:18081/service?map=x&SERVICE=WMTS&REQUEST=GetCapabilities&VERSION=1.0.0")
        #expect(urls.dropFirst().allSatisfy { $0.contains("?map=x&SERVICE=WMTS&REQUEST=GetTile&") })
    }

    /// Quirk 13.
    @Test func `the document is requested by REST path if the KVP request fails`() async throws {
        let failure = HTTPResponse(
            status: 500, body: try ServiceClientTests.fixture("mapproxy/dims-wmts-kvp-caps.txt"), url: "")
        let (client, transport) = try ServiceClientTests.client([
            "GetCapabilities": failure, "h/wmts/1.0.0": ServiceClientTests.ok("mapproxy/dims-wmts-rest-caps.xml"),
        ])
        let offered = try await client.wmtsCapabilities(of: "http://h/service?")
        #expect(offered.layers.map(\.identifier) == ["dated", "undated"])
        #expect(
            transport.requests.map(\.url).dropFirst()
                == ["http://h/service/1.0.0/WMTSCapabilities.xml", "http://h/wmts/1.0.0/WMTSCapabilities.xml"])
    }

    @Test func `if all requests fail the most informative failure is reported`() async throws {
        let failure = HTTPResponse(
            status: 500, body: try ServiceClientTests.fixture("mapproxy/dims-wmts-kvp-caps.txt"), url: "")
        let (client, transport) = ServiceClientTests.client(["GetCapabilities": failure])
        let error = await #expect(throws: MapError.self) {
            try await client.wmtsCapabilities(of: "http://h/service?")
        }
        #expect(error?.code == .httpStatus && error?.message.contains("HTTP status 500") == true)
        #expect(error?.message.contains("internal error") == true && transport.requests.count == 3)
        // An exception of the service says more than a status.
        let (other, _) = try ServiceClientTests.client(["h": ServiceClientTests.ok("mapproxy/wmts-kvp-err-layer.xml")])
        let told = await #expect(throws: MapError.self) { try await other.wmtsCapabilities(of: "http://h/") }
        #expect(told?.code == .serviceException && told?.message.contains("nope") == true)
    }

    @Test func `an unreachable server is contacted only once`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "refused")
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = await #expect(throws: MapError.self) { try await client.wmtsCapabilities(of: "http://h/") }
        #expect(error?.code == .network && transport.requests.count == 1)
    }

    @Test func `an unknown layer is an error that lists the available layers`() async throws {
        let (client, _) = try ServiceClientTests.client(["h": ServiceClientTests.ok("mapproxy/wmts-rest-caps.xml")])
        let error = await #expect(throws: MapError.self) {
            try await client.wmtsLayer(named: "x", url: "http://h/wmts", options: WMTSOptions(layer: "nobody"))
        }
        #expect(error?.code == .notOffered && error?.message.contains("available: relief, political") == true)
    }

    /// Quirk 13: the name says PNG, the bytes are a JPEG.
    @Test func `the image format is recognised from the tile's first bytes`() async throws {
        let tile = try ServiceClientTests.fixture("mapproxy/wmts-rest-mixed-asked-png.jpg")
        let document = try ServiceClientTests.fixture("mapproxy/wmts-rest-caps.xml")
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Content-Type", value: "image/png")],
                body: request.url.hasSuffix(".xml") ? document : tile, url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let (layer, _) = try await client.wmtsLayer(
            named: "x", url: "http://h/WMTSCapabilities.xml", options: WMTSOptions(layer: "mixed"))
        let result = try await World.renderer(transport).render(
            [layer], in: World.view(width: 64, height: 64), options: World.plain())
        #expect(result.report.complete && transport.requests.last?.url.hasSuffix(".png") == true)
    }
}
