import Foundation
import Portolan
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct ServiceClientFeatureServicesTests {
    /// A server that has the recorded answers of a real one.
    private static func server(_ kind: String) throws -> StubTransport {
        func answer(_ name: String) throws -> [UInt8] { try ServiceClientTests.fixture("features/\(name)") }
        let capabilities = try answer("wfs-caps-2.0.0.xml"), first = try answer("wfs-cities-2.0.0-page-1.gml")
        let second = try answer("wfs-cities-2.0.0-page-2.gml"), exception = try answer("wfs-exception-2.0.0.xml")
        let landing = try answer("oaf-landing.json"), collections = try answer("oaf-collections.json")
        let conformance = try answer("oaf-conformance.json"), items = try answer("oaf-items.json")
        let nothing = Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8)
        return StubTransport { request throws(FetchError) in
            let url = request.url
            func has(_ part: String) -> Bool { url.contains(part) }
            var status = 200, body: [UInt8]
            if has("GetCapabilities") {
                body = capabilities
            } else if has("GetFeature") {
                body = kind == "exception" ? exception : has("STARTINDEX=3") ? second : first
                // The second page names a third.
                if has("STARTINDEX=6") { body = nothing }
            } else if has("/items") {
                body = has("offset=") ? nothing : items
                if kind == "exception" {
                    status = 400
                    body = Array("{\"code\":\"InvalidParameterValue\",\"description\":\"no such box\"}".utf8)
                }
            } else if has("/conformance") {
                body = conformance
            } else {
                body = has("/collections") ? collections : landing
            }
            return HTTPResponse(status: status, body: body, url: url)
        }
    }

    private static func map(of text: String, _ transport: StubTransport) async throws -> (RenderResult, MapLayer) {
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let built = try await LayerBuilder(client: client).build([LayerSpecification(text)])
        let layer = try #require(built.first?.layer)
        let view = try Viewport(
            center: Coordinate(x: 33.5, y: 52), resolution: #require(Resolution(unitsPerPixel: 0.04)),
            size: #require(ImageSize(width: 300, height: 200)), crs: .crs84)
        let renderer = World.renderer(transport)
        return (try await renderer.render([layer], in: view, options: World.plain()), layer)
    }

    @Test(arguments: [
        ("wfs:http://maps.example/gml;layers=cities", "wfs", 3),
        ("oaf:http://maps.example/ogcapi;layers=cities", "oaf", 2),
    ])
    func `all pages of features are drawn in the layer's style`(text: String, kind: String, count: Int) async throws {
        let transport = try Self.server(kind)
        let (result, layer) = try await Self.map(of: text + ";marker-color=#f00", transport)
        #expect(layer.source.kind == kind && result.report.complete && result.report.warnings.isEmpty)
        #expect(result.report.layers.map(\.requested) == [count] && result.report.layers.map(\.fetched) == [count])
        #expect(result.image.pixels.contains { $0 != result.image.pixels[0] })
    }

    @Test(arguments: ["wfs:http://maps.example/gml;layers=cities", "oaf:http://maps.example/ogcapi;layers=cities"])
    func `the features of a view are fetched for tiles, and a refused request is not an empty view`(
        text: String
    ) async throws {
        let transport = try Self.server("all")
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let layer = try #require(try await LayerBuilder(client: client).build([LayerSpecification(text)]).first?.layer)
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: 40_075_016.68 / 512)),
            size: #require(ImageSize(width: 512, height: 512)))
        let seen = await World.renderer(transport).features(of: layer, in: view)
        #expect(!seen.features.isEmpty && !seen.isIncomplete)
        #expect(seen.features.allSatisfy { $0.geometry != nil && !$0.properties.isEmpty })
        let refused = await World.renderer(try Self.server("exception")).features(of: layer, in: view)
        #expect(refused.features.isEmpty && refused.isIncomplete)
    }

    private static func features(
        of text: String, _ transport: StubTransport, limit: Int = 1000
    ) async throws -> ServiceClient.ServedFeatures {
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let built = try await LayerBuilder(client: client).build([LayerSpecification(text)])
        let service = try #require(built.first?.layer?.featureService)
        return try await client.readFeatures(of: service.request, limit: limit)
    }

    @Test(
        arguments: [
            ("wfs:http://maps.example/gml;layers=cities", 3, 6),
            ("oaf:http://maps.example/ogcapi;layers=cities", 2, nil),
        ] as [(String, Int, Int?)])
    func `all features of a service are fetched without a bounding box`(
        text: String, pages: Int, count: Int?
    ) async throws {
        let transport = try Self.server("all")
        let served = try await Self.features(of: text, transport)
        #expect(served.pageCount == pages && served.losses.isEmpty)
        if let count { #expect(served.collection.features.count == count) }
        let first = transport.requests.first { $0.url.contains("GetFeature") || $0.url.contains("/items") }
        #expect(first?.url.lowercased().contains("bbox=") == false)
        let one = try await Self.features(of: text, try Self.server("all"), limit: 1)
        #expect(one.collection.features.count == 1 && !one.losses.isEmpty)
        await #expect(throws: ServiceError.self) { try await Self.features(of: text, try Self.server("exception")) }
    }

    @Test(arguments: ["wfs:http://maps.example/gml;layers=cities", "oaf:http://maps.example/ogcapi;layers=cities"])
    func `an exception instead of features keeps the service's message`(text: String) async throws {
        let error = await #expect(throws: MapError.self) {
            _ = try await Self.map(of: text, try Self.server("exception"))
        }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains("TYPENAME 'nothing' doesn't exist") || words.contains("no such box"))
    }

    @Test(arguments: [
        ("wfs:http://maps.example/gml;layers=citie", "did you mean 'ms:cities'?"),
        ("oaf:http://maps.example/ogcapi;layers=citie", "did you mean 'cities'?"),
        ("wfs:http://maps.example/gml", "layers"), ("wfs:http://maps.example/gml;layers=a,b", "has several names"),
        ("wfs:http://maps.example/gml;layers=a;version=3.0.0", "must be one of 1.0.0, 1.1.0 and 2.0.0"),
        ("oaf:http://maps.example/ogcapi;layers=cities;axis=zz", "must be one of auto, xy and yx"),
    ])
    func `an invalid layer option is an error that lists the valid values`(text: String, words: String) async throws {
        let client = ServiceClient(configuration: World.configuration(), transport: try Self.server("all"))
        let error = await #expect(throws: MapError.self) {
            _ = try await LayerBuilder(client: client).build([LayerSpecification(text)])
        }
        #expect(error?.description.contains(words) == true)
    }
}
