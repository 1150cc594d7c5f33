import Portolan
import PortolanFetch
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Synchronization
import Testing

/// Services whose tiles have several addresses.
@Suite struct MapRendererAddressesTests {
    private static func document(_ resources: [String], parameters: [String]) -> [UInt8] {
        let gets = parameters.map { "<ows:Get xlink:href='\($0)'/>" }.joined()
        let operation =
            gets.isEmpty
            ? "" : "<ows:Operation name='GetTile'><ows:DCP><ows:HTTP>\(gets)</ows:HTTP></ows:DCP></ows:Operation>"
        let templates = resources.map {
            "<ResourceURL format='image/png' resourceType='tile' template='\($0)/{TileMatrix}/{TileRow}/{TileCol}.png'/>"
        }.joined()
        let matrices = (0..<6).map { level in
            """
            <TileMatrix><ows:Identifier>\(level)</ows:Identifier>
            <ScaleDenominator>\(559_082_264.0287178 / Double(1 << level))</ScaleDenominator>
            <TopLeftCorner>-20037508.3427892 20037508.3427892</TopLeftCorner><TileWidth>256</TileWidth>
            <TileHeight>256</TileHeight><MatrixWidth>\(1 << level)</MatrixWidth><MatrixHeight>\(1 << level)</MatrixHeight>
            </TileMatrix>
            """
        }.joined()
        return Array(
            """
            <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
             xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0"><ows:OperationsMetadata>\(operation)</ows:OperationsMetadata>
            <Contents><Layer><ows:Identifier>l</ows:Identifier><Style isDefault="true"><ows:Identifier>s</ows:Identifier></Style>
            <Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>\(templates)</Layer>
            <TileMatrixSet><ows:Identifier>m</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
            \(matrices)</TileMatrixSet></Contents></Capabilities>
            """.utf8)
    }

    /// The addresses that were asked for tiles, and whether the picture is whole.
    private static func drawn(
        _ document: [UInt8], _ answer: @escaping @Sendable (String) throws(FetchError) -> HTTPResponse
    ) async throws -> (urls: [String], isComplete: Bool) {
        let transport = StubTransport { request throws(FetchError) in
            if request.url.contains("apabilities") {
                return HTTPResponse(status: 200, body: document, url: request.url)
            }
            return try answer(request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let (layer, _) = try await client.wmtsLayer(
            named: "l", url: "http://h/WMTSCapabilities.xml", options: WMTSOptions(layer: "l"))
        let renderer = World.renderer(transport)
        let first = try await renderer.render([layer], in: World.view(), options: World.plain())
        let asked = transport.requests.map(\.url).filter { !$0.contains("apabilities") }
        return (asked, first.report.complete)
    }

    private static let kinds: [(name: String, answer: @Sendable (String) throws(FetchError) -> HTTPResponse)] = [
        ("404", { url throws(FetchError) in HTTPResponse(status: 404, body: Array("no".utf8), url: url) }),
        ("500", { url throws(FetchError) in HTTPResponse(status: 500, body: Array("no".utf8), url: url) }),
        (
            "an exception",
            { url throws(FetchError) in
                HTTPResponse(status: 200, body: Array("<ExceptionReport><Exception/></ExceptionReport>".utf8), url: url)
            }
        ),
        ("no host", { url throws(FetchError) in throw FetchError(.cannotConnect, url: url, detail: "no such host") }),
    ]

    @Test(arguments: kinds.indices)
    func `the next address is tried if one fails`(index: Int) async throws {
        let png = try World.png(.black), failure = Self.kinds[index].answer
        for (resources, parameters) in [
            (["http://dead/a"], ["http://live/kvp?"]), (["http://dead/a", "http://live/b"], []),
            (["http://dead/a", "http://dead/b", "http://live/c"], ["http://dead/kvp?"]),
            ([], ["http://dead/kvp?", "http://live/kvp?"]),
        ] {
            let (urls, isComplete) = try await Self.drawn(Self.document(resources, parameters: parameters)) {
                url throws(FetchError) in
                url.hasPrefix("http://live") ? HTTPResponse(status: 200, body: png, url: url) : try failure(url)
            }
            #expect(isComplete, "\(resources) \(parameters)")
            #expect(urls.count { $0.hasPrefix("http://live") } == 4)
        }
    }

    @Test func `other addresses are not contacted if the first one responds`() async throws {
        let png = try World.png(.black)
        let document = Self.document(["http://live/a", "http://other/b"], parameters: ["http://other/kvp?"])
        let (urls, isComplete) = try await Self.drawn(document) { url throws(FetchError) in
            HTTPResponse(status: 200, body: png, url: url)
        }
        #expect(isComplete && urls.count == 4 && urls.allSatisfy { $0.hasPrefix("http://live/a") })
    }

    @Test func `a service that refuses everything is not retried endlessly at each address`() async throws {
        let document = Self.document(["http://a/a", "http://b/b"], parameters: ["http://c/kvp?"])
        let transport = StubTransport { request throws(FetchError) in
            request.url.contains("apabilities")
                ? HTTPResponse(status: 200, body: document, url: request.url)
                : HTTPResponse(status: 503, body: Array("no".utf8), url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let (layer, _) = try await client.wmtsLayer(
            named: "l", url: "http://h/WMTSCapabilities.xml", options: WMTSOptions(layer: "l"))
        let renderer = World.renderer(transport)
        for _ in 0..<5 {
            let result = try? await renderer.render([layer], in: World.view(), options: World.plain())
            #expect(result?.report.complete != true)
        }
        let asked = transport.requests.map(\.url).filter { !$0.contains("apabilities") }
        #expect(asked.count { $0.hasPrefix("http://c") } < asked.count { $0.hasPrefix("http://a") })
    }
}
