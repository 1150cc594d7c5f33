import Portolan
import PortolanFetch
import PortolanPlan
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

/// One grid of MapProxy by each of the protocols that it speaks.
@Suite(.onMapServers) struct TileProtocolTests {
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case wmsc, wmtsByParameters, wmtsByPath, tms, tmsService

        var testDescription: String { rawValue }

        func layer(_ name: String, crs: CRS) async throws -> MapLayer {
            let servers = try MapServers.running(), client = ServiceClient.shared
            let service = servers.mapProxyService
            switch self {
            case .wmsc:
                return try await client.wmscLayer(
                    named: rawValue, url: service, options: .init(layers: [name], crsName: crs.name), mapCRS: crs
                ).layer
            case .wmtsByParameters:
                return try await client.wmtsLayer(
                    named: rawValue, url: service, options: WMTSOptions(layer: name), mapCRS: crs
                ).layer
            case .wmtsByPath:
                return try await client.wmtsLayer(
                    named: rawValue, url: servers.mapProxy + "wmts/1.0.0/WMTSCapabilities.xml",
                    options: WMTSOptions(layer: name), mapCRS: crs
                ).layer
            case .tms:
                let grid = crs == .webMercator ? "webmercator" : "utm30"
                return try await client.tmsLayer(
                    named: rawValue, url: servers.mapProxy + "tms/1.0.0/\(name)/\(grid)", mapCRS: crs
                ).layer
            case .tmsService:
                return try await client.tmsLayer(
                    named: rawValue, url: servers.mapProxy + "tms/", map: name, mapCRS: crs
                ).layer
            }
        }
    }

    private static let view = TileLayers.viewport(level:x:y:width:height:rotation:)

    /// The bodies of the tiles of a view, row by row from the top.
    private static func bodies(of layer: MapLayer, in viewport: Viewport) async throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        for planned in MapPlanner(viewport: viewport).plan([layer]).layers {
            let resources = Dictionary(planned.plan.resources.map { ($0.id, $0) }) { first, _ in first }
            let images = planned.plan.nodes.flatMap(\.mosaics).flatMap(\.images)
            for image in images.sorted(by: { ($0.y, $0.x) < ($1.y, $1.x) }) {
                let url = try #require(resources[image.resource]).location.description
                let response = try await MapServers.transport.send(HTTPRequest(to: url))
                try #require(response.isSuccessful, "\(url)")
                bodies.append(response.body)
            }
        }
        return bodies
    }

    /// WMS-C is not among them: MapProxy reads its own tile and writes another for a GetMap.
    @Test(.serialized, arguments: [Way.wmtsByParameters, .wmtsByPath, .tms, .tmsService], ["political", "relief"])
    func `each protocol delivers the XYZ tiles byte for byte, and the same picture`(
        by wanted: Way, layer name: String
    ) async throws {
        let viewport = try Self.view(5, 15 * 256 + 77, 11 * 256 + 50, 480, 410, 0)
        let type = name == "relief" ? "jpeg" : "png"
        let xyz = try TileLayers.xyz(name, type: type), layer = try await wanted.layer(name, crs: .webMercator)
        // MapProxy writes a tile that it has just made otherwise than one from its cache.
        _ = try await Self.bodies(of: xyz, in: viewport)
        let tiles = try await Self.bodies(of: layer, in: viewport)
        #expect(tiles.count == 6)
        let others = try await Self.bodies(of: xyz, in: viewport)
        #expect(tiles == others)
        let renderer = MapRenderer.fresh()
        let drawn = try await renderer.picture(of: layer, in: viewport)
        #expect(!drawn.isBlank)
        expectSame(drawn, try await renderer.picture(of: xyz, in: viewport))
    }

    @Test func `WMS-C tiles have the same pixels as WMTS tiles`() async throws {
        let viewport = try Self.view(5, 15 * 256 + 77, 11 * 256 + 50, 480, 410, 0), renderer = MapRenderer.fresh()
        let wmsc = try await renderer.picture(of: Way.wmsc.layer("political", crs: .webMercator), in: viewport)
        expectSame(
            wmsc,
            try await renderer.picture(of: Way.wmtsByPath.layer("political", crs: .webMercator), in: viewport))
    }

    @Test(arguments: Way.allCases) func `all protocols agree up to rounding between levels and in rotated views`(
        by wanted: Way
    ) async throws {
        let place = Place(.webMercator, -300_000, 4_900_000, 3000, width: 400, height: 300)
        let viewport = try place.viewport(rotation: 20), renderer = MapRenderer.fresh()
        let layer = try await wanted.layer("political", crs: .webMercator)
        let drawn = try await renderer.picture(of: layer, in: viewport)
        #expect(!drawn.isBlank)
        expectNear(drawn, try await renderer.picture(of: TileLayers.xyz(), in: viewport), by: 1)
    }

    @Test(arguments: [Way.tms, .tmsService]) func `a UTM grid of TMS, counted from the bottom, equals that of WMS-C`(
        by wanted: Way
    ) async throws {
        let viewport = try TileLayers.utmViewport(resolution: 450, x: 300, yFromBelow: 200, width: 400, height: 300)
        let layer = try await wanted.layer("political", crs: viewport.crs)
        let wmsc = try await Way.wmsc.layer("political", crs: viewport.crs)
        let tiles = try await Self.bodies(of: layer, in: viewport)
        // WMS-C's tiles are of the same pixels without alpha.
        let others = try await Self.bodies(of: wmsc, in: viewport)
        #expect(!tiles.isEmpty)
        #expect(tiles.count == others.count)
        let renderer = MapRenderer.fresh()
        expectSame(
            try await renderer.picture(of: layer, in: viewport), try await renderer.picture(of: wmsc, in: viewport))
    }

    /// Quirk 13: degrees, the corner written north first.
    @Test(arguments: [Way.wmtsByParameters, .wmtsByPath], ["EPSG:4326", "EPSG:25830"])
    func `tiles in other CRSs agree with the service's WMS map`(by wanted: Way, crs: String) async throws {
        let crs = try CRS(crs)
        let viewport =
            try crs.isGeographic
            ? Place(crs, -5, 40, 0.02197265625, width: 400, height: 300).viewport()
            : Place(crs, 400_000, 4_400_000, 450, width: 400, height: 300).viewport()
        let layer = try await wanted.layer("relief", crs: crs)
        guard let source = layer.tiles else {
            Issue.record("these are no tiles")
            return
        }
        #expect(source.grid.crs == crs)
        let service = try await ServiceClient.shared.wmsLayer(
            named: "map", url: MapServers.running().mapServer,
            options: WMSOptions(layers: ["relief"], crsName: crs.name, format: "image/jpeg"), mapCRS: crs
        ).layer
        let renderer = MapRenderer.fresh()
        let drawn = try await renderer.picture(of: layer, in: viewport)
        #expect(!drawn.isBlank)
        let difference = drawn.meanDifference(from: try await renderer.picture(of: service, in: viewport))
        #expect(try #require(difference) < 3)
    }

    @Test func `tiles in degrees are reprojected to web mercator`() async throws {
        let place = Place(.webMercator, -100_000, 5_000_000, 1800, width: 400, height: 300),
            renderer = MapRenderer.fresh()
        let native = try await renderer.picture(of: TileLayers.xyz("relief", type: "jpeg"), in: place.viewport())
        let bent = try await ServiceClient.shared.wmtsLayer(
            named: "bent", url: MapServers.running().mapProxyService,
            options: WMTSOptions(layer: "relief", matrixSet: "geodetic_nw")
        ).layer
        let difference = try await renderer.picture(of: bent, in: place.viewport()).meanDifference(from: native)
        #expect(try #require(difference) < 3)
    }

    @Test func `beyond the finest level its tiles are enlarged`() async throws {
        // EPSG:4326 of the WMTS ends at 0.0055 degrees a pixel; the view is eight times as fine.
        let crs = try CRS("EPSG:4326")
        let viewport = try Place(crs, -5.35, 36.14, 0.0054931640625 / 8, width: 400, height: 300).viewport()
        let layer = try await Way.wmtsByPath.layer("relief", crs: crs)
        let urls = MapPlanner(viewport: viewport).plan([layer]).resources.map(\.location.description)
        #expect(urls.allSatisfy { $0.contains("/geodetic_nw/07/") })
        #expect((1...2).contains(urls.count))
        let drawn = try await MapRenderer.fresh().picture(of: layer, in: viewport)
        #expect(!drawn.isBlank)
    }

    @Test func `the server's message about a refused tile is in the report`() async throws {
        // A matrix set by hand that says more than there is.
        var offered = try await ServiceClient.shared.wmtsCapabilities(of: MapServers.running().mapProxyService)
        offered.layers[0].links[0].matrixSet = "m"
        offered.matrixSets[0].identifier = "m"
        let request = try WMTSNegotiation.request(
            for: WMTSOptions(layer: "relief", matrixSet: "m"), of: offered,
            baseURL: BaseURL(MapServers.running().mapProxyService),
            mapCRS: .webMercator)
        let layer = MapLayer(name: "x", source: TileSource(request))
        let viewport = try Self.view(2, 300, 300, 100, 100, 0)
        let error = await #expect(throws: MapError.self) {
            try await MapRenderer.fresh().render([layer], in: viewport)
        }
        #expect(error?.description.contains("unknown tilematrixset: m") == true)
    }
}
