import Portolan
import PortolanPlan
import PortolanWeb
import Testing

@Suite(.onMapServers) struct TiledWMSTests {
    static func layer(
        _ url: String, _ layers: [String], crs: CRS = .webMercator, tiling: WMSOptions.Tiling?
    ) async throws -> (layer: MapLayer, warnings: [MapWarning]) {
        try await ServiceClient.shared.wmsLayer(
            named: "map", url: url, options: WMSOptions(layers: layers, crsName: crs.name, tiling: tiling), mapCRS: crs)
    }

    /// Tile sides are not short decimals, so lines deviate slightly from those of a single picture.
    @Test(arguments: [(16, 128, 8), (64, 512, 8), (0, 128, 20)])
    func `at a level of the grid, a tiled WMS equals the picture of one request`(
        gutter: Int, size: Int, limit: Int
    ) async throws {
        let servers = try MapServers.running()
        let viewport = try TileLayers.viewport(level: 5, x: 15 * 256 + 100, y: 11 * 256 + 30, width: 500, height: 400)
        let layers = ["relief", "countries"]
        let tiled = try await Self.layer(
            servers.mapServer, layers, tiling: WMSOptions.Tiling(tileSize: size, gutter: gutter)
        ).layer
        let plain = try await Self.layer(servers.mapServer, layers, tiling: nil).layer
        #expect(MapPlanner(viewport: viewport).plan([tiled]).resources.map(\.location.description).count > 1)
        #expect(
            MapPlanner(viewport: viewport).plan([tiled]).resources.map(\.location.description).allSatisfy {
                !$0.contains("TILED")
            })
        let one = try await MapRenderer.fresh().picture(of: tiled, in: viewport)
        let other = try await MapRenderer.fresh().picture(of: plain, in: viewport)
        #expect(!one.isBlank)
        expectNear(one, other, by: limit)
        #expect(try #require(one.meanDifference(from: other)) < 0.01)
    }

    @Test(arguments: ["EPSG:4326", "EPSG:25830"]) func `a tiled WMS works in other CRSs`(name: String) async throws {
        let servers = try MapServers.running(), place = try Place.spain(in: name)
        let tiled = try await Self.layer(servers.mapServer, ["relief"], crs: place.crs, tiling: WMSOptions.Tiling())
            .layer
        let plain = try await Self.layer(servers.mapServer, ["relief"], crs: place.crs, tiling: nil).layer
        let one = try await MapRenderer.fresh().picture(of: tiled, in: place.viewport())
        let other = try await MapRenderer.fresh().picture(of: plain, in: place.viewport())
        #expect(try #require(one.meanDifference(from: other)) < 3)
    }

    @Test func `an advertised tile set is used unless the options exclude it`() async throws {
        let servers = try MapServers.running()
        let (ready, warnings) = try await Self.layer(
            servers.mapProxyService, ["political"], tiling: WMSOptions.Tiling())
        #expect(ready.source.kind == "wmsc" && warnings.isEmpty, "\(warnings)")
        let own = try await Self.layer(
            servers.mapProxyService, ["political"], tiling: WMSOptions.Tiling(usesTileSets: false))
        #expect(own.layer.source.kind == "wms")
        #expect(own.warnings.isEmpty)
        let none = try await Self.layer(servers.mapProxyService, ["cities"], tiling: WMSOptions.Tiling())
        #expect(none.layer.source.kind == "wms")
        #expect(
            none.warnings.contains {
                $0.description.contains("no usable tile set of these layers in EPSG:3857")
            })
        let viewport = try TileLayers.viewport(level: 5, x: 15 * 256 + 100, y: 11 * 256 + 30, width: 500, height: 400)
        let one = try await MapRenderer.fresh().picture(of: ready, in: viewport)
        let other = try await MapRenderer.fresh().picture(of: own.layer, in: viewport)
        #expect(try #require(one.meanDifference(from: other)) < 0.1)
    }
}
