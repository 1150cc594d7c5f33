import Portolan
import PortolanServices
import PortolanWeb
import TestHelpers
import Testing

/// A refusal of a server becomes a line in the report with the server's message.
@Suite(.onMapServers) struct ServiceExceptionTests {
    struct Refusal: CustomTestStringConvertible {
        var testDescription: String
        var server = WMSOffer.Server.mapServer
        var version = WMSCapabilities.Version.v1_1_1
        var layers = ["countries"]
        var styles: [String] = []
        var crs = "EPSG:3857"
        var format = "image/png"
        var width = 300
        /// The expected content of the line.
        var words: [String]
    }

    static let refusals: [Refusal] = [
        Refusal(
            testDescription: "unknown layer, 1.0.0", version: .v1_0_0, layers: ["nope"],
            words: ["error from the server: ", "Invalid layer(s) given in the LAYERS parameter"]),
        Refusal(
            testDescription: "unknown layer, 1.1.1", layers: ["nope"],
            words: ["error from the server: LayerNotDefined: ", "Invalid layer(s) given in the LAYERS parameter"]),
        Refusal(
            testDescription: "unknown layer, 1.3.0", version: .v1_3_0, layers: ["countries", "nope"],
            words: ["error from the server: LayerNotDefined: ", "Invalid layer(s) given in the LAYERS parameter"]),
        Refusal(
            testDescription: "unknown style", styles: ["nope"],
            words: ["error from the server: StyleNotDefined: ", "Style (nope) not defined on layer"]),
        Refusal(
            testDescription: "CRS not offered, 1.1.1", crs: "EPSG:32760",
            words: ["error from the server: InvalidSRS: ", "SRS must be valid for all requested layers"]),
        Refusal(
            testDescription: "CRS not offered, 1.3.0", version: .v1_3_0, crs: "EPSG:32760",
            words: [
                "error from the server: InvalidSRS: ", "Invalid CRS given : CRS must be valid for all requested layers",
            ]),
        Refusal(
            testDescription: "CRS:84 in 1.1.1, which lists it", crs: "CRS:84",
            words: ["error from the server: InvalidSRS: ", "Unsupported SRS namespace"]),
        Refusal(
            testDescription: "too wide", width: 2100,
            words: ["error from the server: ", "WIDTH and HEIGHT must be between 1 and 2048 pixels"]),
        Refusal(
            testDescription: "status 200, type image/gif, body XML", format: "image/gif",
            words: ["error from the server: ", "Failed to create output GIF file"]),
        Refusal(
            testDescription: "unknown layer, MapProxy 1.0.0", server: .mapProxy, version: .v1_0_0, layers: ["nope"],
            words: ["error from the server (HTTP 500): ", "unknown layer: nope"]),
        Refusal(
            testDescription: "unknown layer, MapProxy 1.1.1", server: .mapProxy, layers: ["nope"],
            words: ["error from the server (HTTP 500): LayerNotDefined: unknown layer: nope"]),
        Refusal(
            testDescription: "unknown layer, MapProxy 1.3.0", server: .mapProxy, version: .v1_3_0, layers: ["nope"],
            words: ["error from the server (HTTP 500): LayerNotDefined: unknown layer: nope"]),
        Refusal(
            testDescription: "CRS not offered, MapProxy", server: .mapProxy, layers: ["political"],
            crs: "EPSG:32760", words: ["error from the server (HTTP 500): InvalidSRS: unsupported srs: EPSG:32760"]),
        Refusal(
            testDescription: "format, MapProxy", server: .mapProxy, layers: ["political"], format: "image/gif",
            words: ["error from the server (HTTP 500): InvalidFormat: unsupported image format: image/gif"]),
        Refusal(
            testDescription: "plain text, MapProxy", server: .mapProxy, layers: ["relief"], crs: "EPSG:900913",
            words: ["error from the server (HTTP 500): internal error"]),
        Refusal(
            testDescription: "the source behind MapProxy", server: .mapProxy, layers: ["cities"], width: 2100,
            words: ["error from the server (HTTP 500): ", "no image returned from source WMS"]),
    ]

    private func layer(_ refusal: Refusal) throws -> (MapLayer, Viewport) {
        let servers = try MapServers.running()
        // No negotiation: it would find most of these first.
        let crs = try CRS(refusal.crs)
        let center = Coordinate(x: crs.unit == .degree ? -3 : 500_000, y: crs.unit == .degree ? 40 : 4_000_000)
        let place = Place(
            crs, center.x, center.y, crs.unit == .degree ? 0.03125 : 1000, width: refusal.width, height: 100)
        let request = GetMapRequest(
            version: refusal.version,
            baseURL: .user(refusal.server == .mapServer ? servers.mapServer : servers.mapProxyService),
            layers: refusal.layers, styles: refusal.styles, crs: crs, crsName: refusal.crs, extent: place.extent,
            width: 1, height: 1, format: refusal.format)
        // With a limit that is stated, nothing smaller is asked for.
        let source = WMSSource(request: request, maximumWidth: 4096, maximumHeight: 4096)
        return (MapLayer(name: "refused", source: source), try place.viewport())
    }

    @Test(arguments: refusals) func `the error contains the message of the server's exception`(
        refusal: Refusal
    ) async throws {
        let (layer, viewport) = try layer(refusal)
        let error = await #expect(throws: MapError.self) {
            try await MapRenderer.fresh().render([layer], in: viewport)
        }
        #expect(error?.code == .nothingDrawn)
        let failure = try #require(error?.report?.layers.first?.failed.first)
        for words in refusal.words {
            #expect(failure.error.contains(words))
            #expect(error?.description.contains(words) == true)
        }
        // The service's whole sentence, and no markup or line ends with it.
        #expect(!failure.error.contains { $0.isNewline || $0 == "<" })
    }

    @Test func `other layers are drawn if one is rejected by its service`() async throws {
        let servers = try MapServers.running()
        let (refused, viewport) = try layer(Self.refusals[1])
        let good = try await ServiceClient.shared.wmsLayer(
            named: "good", url: servers.mapServer, options: WMSOptions(layers: ["relief"])
        ).layer
        let renderer = MapRenderer.fresh()
        var options = RenderOptions()
        options.attribution = .none
        let result = try await renderer.render([good, refused], in: viewport, options: options)
        #expect(!result.report.complete)
        #expect(result.report.failedCount == 1)
        #expect(result.report.layers.map { $0.failed.count } == [0, 1])
        expectSame(result.image, try await renderer.picture(of: good, in: viewport))
        options.maximumMissing = 0.4
        let error = await #expect(throws: MapError.self) {
            try await renderer.render([good, refused], in: viewport, options: options)
        }
        #expect(error?.code == .incomplete)
        #expect(error?.description.contains("1 of 2 resources missing; refused: error from the server") == true)
    }

    @Test func `a grid with its origin at the top left is drawn`() async throws {
        // MapProxy lists this grid, counted from above, and refuses the boxes of the recommendation.
        let (layer, warnings) = try await ServiceClient.shared.wmscLayer(
            named: "tiles", url: MapServers.running().mapProxyService,
            options: .init(layers: ["relief"], crsName: "EPSG:25830"), mapCRS: CRS("EPSG:25830"))
        #expect(warnings.contains { $0.description.contains("from the top left") })
        guard let source = layer.tiles else { throw WMSOffer.NotAWMS() }
        #expect(source.grid.originCorner == .topLeft)
        let viewport = try TileLayers.utmViewport(resolution: 900, x: 100, yFromBelow: 100, width: 400, height: 300)
        let drawn = try await MapRenderer.fresh().picture(of: layer, in: viewport)
        let plain = try await ServiceClient.shared.wmsLayer(
            named: "map", url: MapServers.running().mapProxyService,
            options: WMSOptions(layers: ["relief"], crsName: "EPSG:25830"), mapCRS: CRS("EPSG:25830")
        ).layer
        #expect(!drawn.isBlank)
        let other = try await MapRenderer.fresh().picture(of: plain, in: viewport)
        #expect(try #require(drawn.meanDifference(from: other)) < 1.5)
    }
}
