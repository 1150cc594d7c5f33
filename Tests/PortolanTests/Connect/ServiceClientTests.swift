import Foundation
import Portolan
import PortolanFetch
import PortolanRaster
import PortolanServices
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct ServiceClientTests {
    static func fixture(_ name: String) throws -> [UInt8] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "PortolanServicesTests/Fixtures/\(name)")
        return [UInt8](try Data(contentsOf: file))
    }

    static func client(_ answers: [String: HTTPResponse]) -> (ServiceClient, StubTransport) {
        let transport = StubTransport { request throws(FetchError) in
            for (part, response) in answers where request.url.contains(part) { return response }
            return HTTPResponse(status: 404, url: request.url)
        }
        return (ServiceClient(configuration: World.configuration(), transport: transport), transport)
    }

    static func ok(_ name: String) throws -> HTTPResponse {
        HTTPResponse(status: 200, body: try fixture(name), url: "")
    }

    @Test func `capabilities are requested in the given version`() async throws {
        let (client, transport) = try Self.client(["h": Self.ok("mapserver/caps-1.1.1.xml")])
        let offered = try await client.capabilities(of: "http://h/wms?map=x", version: .v1_1_1)
        #expect(offered.version == .v1_1_1 && !offered.layerNames.isEmpty)
        let url = try #require(transport.requests.first?.url)
        #expect(url.contains("map=x") && url.contains("REQUEST=GetCapabilities") && url.contains("VERSION=1.1.1"))
    }

    @Test func `a WMS layer is negotiated from the capabilities and drawn`() async throws {
        let body = try World.png(.black, 64, 64)
        let capabilities = try Self.fixture("mapserver/caps-1.3.0.xml")
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, body: request.url.contains("GetCapabilities") ? capabilities : body, url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let offered = try await client.capabilities(of: "http://h/wms")
        let name = try #require(offered.layerNames.first)
        let (layer, _) = try await client.wmsLayer(
            named: "base", url: "http://h/wms", options: WMSOptions(layers: [name]))
        #expect(layer.name == "base" && layer.source.kind == "wms")
        let result = try await World.renderer(transport).render(
            [layer], in: World.view(width: 64, height: 64), options: World.plain())
        #expect(result.report.complete && result.image[5, 5] == Pixel(.black))
        let url = try #require(transport.requests.last?.url)
        #expect(url.contains("REQUEST=GetMap") && url.contains("WIDTH=64&HEIGHT=64"))
    }

    @Test func `an unknown layer is named in the error`() async throws {
        let (client, _) = try Self.client(["h": Self.ok("mapserver/caps-1.3.0.xml")])
        let error = await #expect(throws: MapError.self) {
            try await client.wmsLayer(named: "x", url: "http://h/wms", options: WMSOptions(layers: ["nobody"]))
        }
        #expect(error?.code == .notOffered && error?.message.contains("nobody") == true)
    }

    @Test func `tile sets are requested with the tiled parameter first`() async throws {
        let (client, transport) = try Self.client(["h": Self.ok("mapproxy/wmsc-caps-1.1.1.xml")])
        let offered = try await client.capabilities(of: "http://h/service", withTileSets: true)
        let set = try #require(offered.tileSets.first)
        let (layer, _) = try await client.wmscLayer(
            named: "t", url: "http://h/service", options: .init(layers: set.layers, crsName: set.crsName))
        #expect(layer.source.kind == "wmsc")
        #expect(transport.requests[1].url.lowercased().contains("tiled=true"))
        // One tile more, to see whether the service serves its set as it lists it, where that is not certain.
        #expect(transport.requests.dropFirst(2).allSatisfy { $0.url.contains("REQUEST=GetMap") })
        #expect(transport.requests.count <= 3)
        let (plain, asked) = try Self.client(["h": Self.ok("mapserver/caps-1.1.1.xml")])
        let error = await #expect(throws: MapError.self) {
            try await plain.wmscLayer(named: "t", url: "http://h/service", options: .init(layers: ["x"]))
        }
        #expect(error?.code == .notOffered)
        #expect(asked.requests.map { $0.url.lowercased().contains("tiled=true") } == [true, false])
    }

    @Test(arguments: [(true, 1), (false, 0)])
    func `tiling without a tile set is a warning unless tile sets are turned off`(
        usesTileSets: Bool, count: Int
    ) async throws {
        let (client, _) = try Self.client(["h": Self.ok("mapserver/caps-1.1.1.xml")])
        var options = WMSOptions(layers: ["relief"])
        options.tiling = WMSOptions.Tiling(usesTileSets: usesTileSets)
        let warnings = try await client.wmsLayer(named: "t", url: "http://h/wms", options: options).warnings
        #expect(
            warnings.count { $0.description.contains("no usable tile set of these layers in EPSG:3857") } == count,
            "\(warnings)")
        let (ready, _) = try Self.client(["h": Self.ok("mapproxy/wmsc-caps-1.1.1.xml")])
        options.layers = ["political"]
        let own = try await ready.wmsLayer(named: "t", url: "http://h/service", options: options)
        #expect(own.layer.source.kind == (usesTileSets ? "wmsc" : "wms"))
        #expect(!own.warnings.contains { $0.description.contains("tile set") }, "\(own.warnings)")
    }

    @Test func `errors state the cause without secrets`() async throws {
        let refused = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "refused")
        }
        let away = await #expect(throws: MapError.self) {
            try await ServiceClient(configuration: World.configuration(), transport: refused).capabilities(
                of: "http://h/?api_key=s3cret")
        }
        #expect(away?.code == .network && away?.message.contains("refused") == true)
        #expect(away.map { "\($0)".contains("s3cret") } == false)
        let (client, _) = Self.client([
            "h1": World.answer(503, "busy"), "h2": World.answer(200, World.exception, type: "text/xml"),
            "h3": World.answer(200, "<html><body>hello</body></html>", type: "text/html"),
        ])
        for (host, words) in [("h1", ["503"]), ("h2", ["bäse"]), ("h3", [])] {
            let error = await #expect(throws: MapError.self) {
                try await client.capabilities(of: "http://\(host)/")
            }
            for word in words { #expect(error?.message.contains(word) == true, "\(error.debugDescription)") }
        }
    }

    @Test func `data is returned unchanged, and a missing file is a not found error`() async throws {
        let (client, _) = Self.client(["doc": World.answer(200, "hello"), "bad": World.answer(500, "no")])
        #expect(try await client.data(from: "http://h/doc") == Array("hello".utf8))
        let bad = await #expect(throws: MapError.self) { try await client.data(from: "http://h/bad") }
        #expect(bad?.code == .httpStatus && bad?.httpStatus == 500 && bad?.message.contains("500") == true)
        let gone = await #expect(throws: MapError.self) { try await client.data(from: "file:///no/such/file") }
        #expect(gone?.code == .notFound)
    }
}

@Suite struct ServiceClientAnswersTests {
    private static let wmts =
        "<Capabilities xmlns='http://www.opengis.net/wmts/1.0' version='1.0.0'><Contents/></Capabilities>"
    private static let exception = World.exception

    private func client(_ answer: @escaping @Sendable (String) -> String) -> (ServiceClient, StubTransport) {
        let transport = StubTransport { request throws(FetchError) in
            ServiceClientWMSTests.response(request, answer(request.url))
        }
        return (ServiceClient(configuration: World.configuration(), transport: transport), transport)
    }

    private func error(_ client: ServiceClient, wanted: AnswerKind) async -> ServiceError? {
        let error = await #expect(throws: MapError.self) {
            switch wanted {
            case .wmts: _ = try await client.wmtsLayer(named: "x", url: "http://h/s", options: WMTSOptions(layer: "a"))
            case .tms: _ = try await client.tmsLayer(named: "x", url: "http://h/s")
            default: _ = try await client.wmsLayer(named: "x", url: "http://h/s", options: WMSOptions(layers: ["a"]))
            }
        }
        return error?.inner as? ServiceError
    }

    @Test(
        arguments: [
            (.wms, wmts, .wmts), (.wms, "<TileMapService/>", .tms), (.wms, "<WFS_Capabilities/>", .wfs),
            (.wmts, "<WMS_Capabilities version='1.3.0'/>", .wms), (.tms, "<WMS_Capabilities version='1.3.0'/>", .wms),
            (.wms, #"{"tilejson":"3.0.0"}"#, .tileJSON), (.wms, #"{"currentVersion":11}"#, .arcGIS),
            (.wmts, "<!DOCTYPE html><title>Maps</title>", .page),
        ] as [(AnswerKind, String, AnswerKind)])
    func `the error names the kind of service that responded`(
        wanted: AnswerKind, body: String, kind: AnswerKind
    ) async throws {
        let (client, _) = client { _ in body }
        let error = try #require(await error(client, wanted: wanted))
        #expect(error.answersAs == kind && error.detail.contains("this URL \(kind.words)"), "\(error)")
    }

    @Test func `after an exception other service kinds are tried`() async throws {
        let (client, _) = client { $0.contains("SERVICE=WMTS") ? Self.wmts : Self.exception }
        let error = try #require(await error(client, wanted: .wms))
        #expect(error.answersAs == .wmts && error.detail == "this URL responds as a WMTS")
    }

    @Test func `if no service kind is accepted the error keeps the service's message`() async throws {
        let (client, _) = client { _ in Self.exception }
        let error = try #require(await error(client, wanted: .tms))
        #expect(error.answersAs == nil && error.detail.contains("no such layer"))
    }

    @Test func `no other service kinds are tried after a server failure`() async throws {
        let transport = StubTransport { request throws(FetchError) in HTTPResponse(status: 503, url: request.url) }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = try #require(await error(client, wanted: .wms))
        #expect(error.code == .unavailable && transport.requests.count == 1)
    }
}
