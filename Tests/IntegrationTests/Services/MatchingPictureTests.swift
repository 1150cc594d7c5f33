import Portolan
import Testing

/// A layer on a view that matches its request is the server's own picture, bit for bit.
@Suite(.onMapServers) struct MatchingPictureTests {
    @Test(arguments: WMSOffer.all) func `a WMS layer equals the server's own picture`(offer: WMSOffer) async throws {
        let place = try Place.spain(in: offer.crs)
        let request = try DirectRequest(
            service: offer.service(of: .running()), layers: offer.layers, version: offer.version.rawValue,
            crs: offer.crs, place: place)
        // While MapProxy fills its cache for several at once, its first picture may differ from the later ones.
        if offer.server == .mapProxy { _ = try await request.picture() }
        let direct = try await request.picture()
        try #require(!direct.isBlank)
        let layer = try await offer.layer(mapCRS: place.crs)
        let drawn = try await MapRenderer.fresh().picture(of: layer, in: place.viewport())
        expectSame(drawn, direct.onWhite)
    }

    @Test(arguments: WMSCapabilities.Version.allCases) func `an opaque WMS layer equals the server's own picture`(
        version: WMSCapabilities.Version
    ) async throws {
        let offer = WMSOffer(server: .mapServer, layers: "countries,lakes", version: version, crs: "EPSG:3857")
        let direct = try await DirectRequest(
            service: offer.service(of: .running()), layers: offer.layers, version: version.rawValue,
            isTransparent: false
        ).picture()
        let layer = try await offer.layer(mapCRS: .webMercator, isTransparent: false)
        expectSame(try await MapRenderer.fresh().picture(of: layer, in: Place.spain3857.viewport()), direct)
    }

    @Test func `styles and vendor parameters reach the server`() async throws {
        let servers = try MapServers.running()
        let place = Place.spain3857
        var options = WMSOptions(layers: ["countries", "lakes"], styles: ["outline"])
        let outlined = try await ServiceClient.shared.wmsLayer(named: "map", url: servers.mapServer, options: options)
            .layer
        let drawn = try await MapRenderer.fresh().picture(of: outlined, in: place.viewport())
        let url = DirectRequest(service: servers.mapServer, layers: "countries,lakes").url
        let direct = try await PixelBuffer(at: url.replacing("STYLES=,", with: "STYLES=outline,"))
        expectSame(drawn, direct.onWhite)
        let filled = try await PixelBuffer(at: url)
        #expect(filled != direct)

        // MapServer turns the picture by a vendor parameter.
        options = WMSOptions(layers: ["countries", "lakes"], extraParameters: [.init("ANGLE", "90")])
        let turned = try await ServiceClient.shared.wmsLayer(named: "map", url: servers.mapServer, options: options)
            .layer
        let url90 = url + "&ANGLE=90"
        let direct90 = try await PixelBuffer(at: url90)
        expectSame(try await MapRenderer.fresh().picture(of: turned, in: place.viewport()), direct90.onWhite)
        #expect(filled != direct90)
    }

    @Test func `the query of a service URL is kept`() async throws {
        let servers = try MapServers.running()
        let options = WMSOptions(layers: ["countries", "lakes"])
        let layer = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapServer + "map=main&", options: options
        ).layer
        guard let source = layer.source as? WMSSource else { throw WMSOffer.NotAWMS() }
        #expect(source.request.url.contains("map=main&"))
        let direct = try await DirectRequest(service: servers.mapServer, layers: "countries,lakes").picture()
        expectSame(try await MapRenderer.fresh().picture(of: layer, in: Place.spain3857.viewport()), direct.onWhite)
    }

    @Test func `a map in CRS84 requests EPSG:4326 from WMS 1_1_1`() async throws {
        let servers = try MapServers.running()
        let (layer, _) = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapServer,
            options: WMSOptions(layers: ["countries", "lakes"], version: .v1_1_1),
            mapCRS: .crs84)
        let direct = try await DirectRequest(
            service: servers.mapServer, layers: "countries,lakes", crs: "CRS:84", place: .spain84
        ).picture()
        expectSame(try await MapRenderer.fresh().picture(of: layer, in: Place.spain84.viewport()), direct.onWhite)
    }

    @Test func `a high-density view requests more pixels, with lines of the same apparent width`() async throws {
        let servers = try MapServers.running()
        let (layer, _) = try await ServiceClient.shared.wmsLayer(
            named: "map", url: servers.mapServer, options: WMSOptions(layers: ["countries", "lakes"]))
        let place = Place(.webMercator, -300_000, 4_900_000, 4096, width: 320, height: 240)
        let size = try #require(ImageSize(width: 160, height: 120))
        let viewport = try Viewport(
            center: place.center, resolution: try #require(Resolution(unitsPerPixel: 8192)), size: size, pixelRatio: 2)
        let url = DirectRequest(service: servers.mapServer, layers: "countries,lakes", place: place).url
        let direct = try await PixelBuffer(at: url + "&MAP_RESOLUTION=144")
        expectSame(try await MapRenderer.fresh().picture(of: layer, in: viewport), direct.onWhite)
        #expect(try await PixelBuffer(at: url) != direct)
    }
}
