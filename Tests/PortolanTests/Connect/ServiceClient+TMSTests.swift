import Portolan
import PortolanFetch
import PortolanPlan
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct ServiceClientTMSTests {
    private static func server() throws -> (ServiceClient, StubTransport) {
        var bodies: [String: [UInt8]] = [:]
        for (path, name) in [
            ("tms/", "root"), ("tms/1.0.0/", "service"), ("tms/1.0.0/relief/webmercator", "map"),
            ("tms/1.0.0/relief/GLOBAL_GEODETIC", "map_geodetic"), ("tms/1.0.0/political/es_utm30", "map_es"),
        ] {
            bodies["http://127.0.0.1:18081/" + path] = try ServiceClientTests.fixture("mapproxy/tms-\(name).xml")
        }
        let transport = StubTransport(bodies: bodies)
        return (ServiceClient(configuration: World.configuration(), transport: transport), transport)
    }

    @Test(
        arguments: [
            ("tms/", "relief", 3), ("tms/1.0.0/", "relief", 2), ("tms/1.0.0/relief/webmercator", nil, 1),
        ] as [(String, String?, Int)])
    func `tiles are found from each TMS document`(path: String, map: String?, count: Int) async throws {
        let (client, transport) = try Self.server()
        let (layer, warnings) = try await client.tmsLayer(
            named: "t", url: "http://127.0.0.1:18081/" + path, map: map)
        #expect(layer.source.kind == "tms" && warnings == [] && transport.requests.count == count)
        let plan = MapPlanner(viewport: try World.view(width: 64, height: 64)).plan([layer])
        #expect(
            plan.resources.map(\.location.description).allSatisfy {
                $0.hasPrefix("http://127.0.0.1:18081/tms/1.0.0/relief/webmercator/")
            })
        #expect(
            !plan.resources.map(\.location.description).isEmpty
                && plan.resources.map(\.location.description).allSatisfy { $0.hasSuffix(".jpeg") })
    }

    @Test func `the map's CRS is chosen, and levels can be limited`() async throws {
        let (client, _) = try Self.server()
        let (layer, _) = try await client.tmsLayer(
            named: "t", url: "http://127.0.0.1:18081/tms/", map: "relief", levels: 2...4, mapCRS: .crs84)
        guard let source = layer.tiles else {
            Issue.record("these are no tiles")
            return
        }
        #expect(source.grid.crs == .epsg4326 && source.grid.matrices.map(\.id) == ["2", "3", "4"])
    }

    @Test func `a missing or unknown map name is an error that lists the available maps`() async throws {
        let (client, _) = try Self.server()
        for (path, map) in [("tms/", nil), ("tms/1.0.0/", "nope")] as [(String, String?)] {
            let error = await #expect(throws: MapError.self) {
                try await client.tmsLayer(named: "t", url: "http://127.0.0.1:18081/" + path, map: map)
            }
            #expect(error?.code == .notOffered && error?.message.contains("relief/webmercator") == true)
        }
    }

    @Test func `an endless chain of documents is an error`() async throws {
        let transport = StubTransport { request throws(FetchError) in
            let text = "<Services><TileMapService title='a' href='http://h/\(request.url.utf8.count)'/></Services>"
            return HTTPResponse(status: 200, body: Array(text.utf8), url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = await #expect(throws: MapError.self) { try await client.tmsLayer(named: "t", url: "http://h/") }
        #expect(error?.code == .malformedDocument && transport.requests.count == 3)
    }

    @Test func `the error keeps the server's message`() async throws {
        let body = try ServiceClientTests.fixture("mapproxy/tms-err_map.xml")
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 404, body: body, url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        let error = await #expect(throws: MapError.self) { try await client.tmsLayer(named: "t", url: "http://h/") }
        #expect(error?.message.contains("unknown layer: nope") == true)
    }
}
