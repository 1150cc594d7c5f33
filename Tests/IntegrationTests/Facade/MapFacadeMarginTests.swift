import Portolan
import Testing

/// The margin around the view is fetched with it, and is available when the view moves.
@Suite(.onMapServers) struct MapFacadeMarginTests {
    private func facade(_ layer: MapLayer, margin: Int) throws -> MapFacade {
        let map = try MapFacade(size: #require(ImageSize(width: 300, height: 200)), renderer: .fresh())
        let view = try TileLayers.viewport(level: 6, x: 30 * 256 + 100, y: 23 * 256 + 30, width: 300, height: 200)
        try map.setExtent(view.extent)
        map.options.attribution = .none
        map.options.offScreenMargin = margin
        try map.add(layer)
        return map
    }

    @Test func `margin tiles are cached when the map is dragged`() async throws {
        let map = try facade(TileLayers.xyz(), margin: 128)
        let first = try await map.refresh()
        #expect(first.report.layers.first?.fetched == 2)
        await map.waitForMargin()
        try map.pan(x: -100, y: -100)
        let second = try await map.refresh()
        let report = try #require(second.report.layers.first)
        #expect(report.requested == 4)
        #expect(report.cached == 4)
        #expect(report.fetched == 0)
        let bare = try facade(TileLayers.xyz(), margin: 0)
        #expect(try await bare.refresh().image == first.image)
        try bare.pan(x: -100, y: -100)
        let third = try await bare.refresh()
        #expect(third.report.layers.first?.cached == 2)
        #expect(third.report.layers.first?.fetched == 2)
        expectSame(third.image, second.image)
    }

    @Test func `a WMS renders the margin and the picture shows its middle`() async throws {
        let servers = try MapServers.running()
        let layer = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapServer, options: WMSOptions(layers: ["countries", "lakes"])
        ).layer
        let map = try facade(layer, margin: 64)
        let viewport = map.viewport
        let edge = try #require(ImageSize(width: 300 + 128, height: 200 + 128))
        let extent = viewport.extent(margin: 64)
        let direct = try await PixelBuffer(
            at: servers.mapServer + "SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=countries,lakes&STYLES=,"
                + "&CRS=EPSG:3857&BBOX=\(extent)&WIDTH=\(edge.width)&HEIGHT=\(edge.height)&FORMAT=image/png"
                + "&TRANSPARENT=TRUE&EXCEPTIONS=XML")
        expectSame(
            try await map.refresh().image, direct.onWhite.part(x: 64, y: 64, size: viewport.size))
    }
}
