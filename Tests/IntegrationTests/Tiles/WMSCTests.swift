import Portolan
import PortolanPlan
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

@Suite(.onMapServers) struct WMSCTests {
    @Test func `a web mercator view at a native level equals the tiles side by side`() async throws {
        let servers = try MapServers.running()
        let viewport = try TileLayers.viewport(level: 5, x: 15 * 256 + 100, y: 11 * 256 + 30, width: 500, height: 400)
        let drawn = try await MapRenderer.fresh().picture(of: TileLayers.wmsc("EPSG:3857"), in: viewport)
        let direct = try await DirectTiles.xyz(servers, layer: "political", level: 5)
            .picture(columns: 15...17, rows: 11...12)
        try #require(!direct.isBlank)
        expectSame(drawn, direct.part(x: 100, y: 30, size: viewport.size).onWhite)
    }

    @Test(arguments: [1800, 900, 225, 50]) func `a UTM view at a native level equals the tiles side by side`(
        resolution: Int
    ) async throws {
        let servers = try MapServers.running()
        // Around Gibraltar, at 288 km east and 4001 km north.
        let column = 388_000 / resolution / 256, row = 101_000 / resolution / 256
        let viewport = try TileLayers.utmViewport(
            resolution: resolution, x: column * 256 + 40, yFromBelow: row * 256 + 25, width: 300, height: 280)
        let drawn = try await MapRenderer.fresh().picture(
            of: TileLayers.wmsc("EPSG:25830", mapCRS: viewport.crs), in: viewport)
        let direct = try await DirectTiles.utm(servers, resolution: resolution)
            .picture(columns: column...(column + 1), rows: row...(row + 1))
        try #require(!direct.isBlank)
        expectSame(drawn, direct.part(x: 40, y: 512 - 25 - 280, size: viewport.size).onWhite)
    }

    @Test(arguments: ["EPSG:3857", "EPSG:25830"]) func `WMS-C tiles equal the service's picture on the same grid`(
        crs: String
    ) async throws {
        let servers = try MapServers.running()
        let viewport =
            try crs == "EPSG:3857"
            ? TileLayers.viewport(level: 5, x: 15 * 256 + 77, y: 11 * 256 + 50, width: 480, height: 410)
            : TileLayers.utmViewport(resolution: 900, x: 90, yFromBelow: 60, width: 480, height: 410)
        let tiles = try await TileLayers.wmsc(crs, mapCRS: viewport.crs)
        let service = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapProxyService, options: WMSOptions(layers: ["political"], crsName: crs),
            mapCRS: viewport.crs
        ).layer
        let renderer = MapRenderer.fresh()
        let drawn = try await renderer.picture(of: tiles, in: viewport)
        #expect(!drawn.isBlank)
        expectSame(drawn, try await renderer.picture(of: service, in: viewport))

        // MapServer draws each of the tiles independently: lines end at their seams, and nothing else differs.
        let source = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapServer,
            options: WMSOptions(layers: ["countries", "lakes"], crsName: crs), mapCRS: viewport.crs
        ).layer
        let difference = try #require(
            drawn.meanDifference(from: try await renderer.picture(of: source, in: viewport)))
        #expect(difference < 0.05)
    }

    @Test func `a manually defined tile set equals the advertised one`() async throws {
        let servers = try MapServers.running()
        let resolutions = [1800.0, 900, 450, 225, 120, 50, 25, 10, 5, 2, 1].compactMap(Resolution.init(unitsPerPixel:))
        let set = WMSCTileSet(
            crsName: "EPSG:25830", extent: Extent(minX: -100_000, minY: 3_900_000, maxX: 1_200_000, maxY: 4_900_000),
            resolutions: resolutions, layers: ["political"])
        let request = try WMSCTileSet.TileRequest(tileSet: set, baseURL: .user(servers.mapProxyService))
        let byHand = MapLayer(name: "tiles", source: TileSource(request))
        let viewport = try TileLayers.utmViewport(resolution: 450, x: 300, yFromBelow: 200, width: 400, height: 300)
        let advertised = try await TileLayers.wmsc("EPSG:25830", mapCRS: viewport.crs)
        let urls = MapPlanner(viewport: viewport).plan([byHand]).resources.map(\.location.description)
        #expect(
            !urls.isEmpty
                && urls == MapPlanner(viewport: viewport).plan([advertised]).resources.map(\.location.description))
        let renderer = MapRenderer.fresh()
        expectSame(
            try await renderer.picture(of: byHand, in: viewport),
            try await renderer.picture(of: advertised, in: viewport))
    }

    @Test func `the tile set in the map's CRS is chosen`() async throws {
        for name in ["EPSG:25830", "EPSG:4326", "EPSG:3857"] {
            guard let source = try await TileLayers.wmsc(nil, mapCRS: CRS(name)).tiles,
                case .wmsc(let request) = source.address
            else { throw WMSOffer.NotAWMS() }
            #expect(request.tileSet.crsName == name)
        }
    }

    @Test func `tiles in one CRS are reprojected to a map in another`() async throws {
        let place = Place(.webMercator, -100_000, 5_000_000, 1800, width: 400, height: 300)
        let renderer = MapRenderer.fresh()
        let native = try await renderer.picture(of: TileLayers.xyz(), in: place.viewport())
        #expect(!native.isBlank)
        for crs in ["EPSG:25830", "EPSG:4326"] {
            let bent = try await renderer.picture(of: TileLayers.wmsc(crs), in: place.viewport())
            let difference = try #require(bent.meanDifference(from: native))
            #expect(difference < 2)
        }
    }
}
