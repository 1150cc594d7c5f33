import Portolan
import PortolanTesting
import Testing

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
        await #expect(throws: ServiceError.self) {
            switch wanted {
            case .wmts: _ = try await client.wmtsLayer(named: "x", url: "http://h/s", choice: WMTSChoice(layer: "a"))
            case .tms: _ = try await client.tmsLayer(named: "x", url: "http://h/s")
            default: _ = try await client.wmsLayer(named: "x", url: "http://h/s", options: WMSOptions(layers: ["a"]))
            }
        }
    }

    @Test(
        arguments: [
            (.wms, wmts, .wmts), (.wms, "<TileMapService/>", .tms), (.wms, "<WFS_Capabilities/>", .wfs),
            (.wmts, "<WMS_Capabilities version='1.3.0'/>", .wms), (.tms, "<WMS_Capabilities version='1.3.0'/>", .wms),
            (.wms, #"{"tilejson":"3.0.0"}"#, .tileJSON), (.wms, #"{"currentVersion":11}"#, .arcGIS),
            (.wmts, "<!DOCTYPE html><title>Maps</title>", .page),
        ] as [(AnswerKind, String, AnswerKind)])
    func `what answers instead is named`(wanted: AnswerKind, body: String, kind: AnswerKind) async throws {
        let (client, _) = client { _ in body }
        let error = try #require(await error(client, wanted: wanted))
        #expect(error.answersAs == kind && error.detail.contains("this address \(kind.words)"), "\(error)")
    }

    @Test func `a service that says no is asked what else it is`() async throws {
        let (client, _) = client { $0.contains("SERVICE=WMTS") ? Self.wmts : Self.exception }
        let error = try #require(await error(client, wanted: .wms))
        #expect(error.answersAs == .wmts && error.detail == "this address answers as a WMTS")
    }

    @Test func `one that says no to everything is told in its own words`() async throws {
        let (client, _) = client { _ in Self.exception }
        let error = try #require(await error(client, wanted: .tms))
        #expect(error.answersAs == nil && error.detail.contains("no such layer"))
    }

    @Test func `a server that fails is not asked more`() async throws {
        let transport = StubTransport { request throws(FetchError) in HTTPResponse(status: 503, url: request.url) }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = try #require(await error(client, wanted: .wms))
        #expect(error.code == .unavailable && transport.requests.count == 1)
    }
}
