import Portolan
import PortolanPlan
import PortolanServices
import PortolanWeb
import Testing

/// Pictures beyond what MapServer draws at once: 2048 x 2048 pixels and 4 layers.
@Suite(.onMapServers) struct RequestLimitTests {
    static func layer(
        _ options: WMSOptions, limits change: (inout WMSRequestLimits) -> Void = { _ in }, gutter: Int = 64
    ) async throws -> MapLayer {
        var layer = try await ServiceClient.shared.wmsLayer(
            named: "map", url: MapServers.running().mapServer, options: options
        ).layer
        guard let source = layer.source as? WMSSource else { throw WMSOffer.NotAWMS() }
        var limits = source.limits
        change(&limits)
        layer.source = WMSSource(request: source.request, limits: limits, gutter: gutter)
        return layer
    }

    /// With a gutter vectors are equal to the bit.
    ///
    /// Without one, MapServer clips lines at the edge of a piece, and reprojects rasters with an approximation that
    /// differs between requests.
    @Test(arguments: [("countries,lakes", 64, 0), ("countries,lakes", 0, 4), ("relief", 64, 1), ("relief", 0, 1)])
    func `a picture requested in pieces equals the picture of one request`(
        layers: String, gutter: Int, limit: Int
    ) async throws {
        let place = Place(.webMercator, -300_000, 4_900_000, 4096, width: 700, height: 530)
        let options = WMSOptions(layers: layers.split(separator: ",").map(String.init))
        let whole = try await MapRenderer.fresh().picture(of: Self.layer(options), in: place.viewport())
        let cut = try await Self.layer(options, limits: { ($0.maxWidth, $0.maxHeight) = (300, 256) }, gutter: gutter)
        let plan = MapPlanner(viewport: try place.viewport()).plan([cut])
        #expect(plan.resources.map(\.location.description).count >= 9)
        #expect(plan.warnings.isEmpty)
        #expect(!whole.isBlank)
        expectNear(try await MapRenderer.fresh().picture(of: cut, in: place.viewport()), whole, by: limit)
    }

    @Test func `labels are not cut at the borders of pieces`() async throws {
        let place = Place(.webMercator, 300_000, 5_900_000, 2048, width: 700, height: 530)
        let options = WMSOptions(layers: ["cities"])
        let whole = try await MapRenderer.fresh().picture(of: Self.layer(options), in: place.viewport())
        func difference(gutter: Int) async throws -> Double {
            let cut = try await Self.layer(
                options, limits: { ($0.maxWidth, $0.maxHeight) = (400, 400) }, gutter: gutter)
            let picture = try await MapRenderer.fresh().picture(of: cut, in: place.viewport())
            return try #require(picture.meanDifference(from: whole))
        }
        let bare = try await difference(gutter: 0), guarded = try await difference(gutter: 50)
        #expect(guarded < bare / 2, "\(guarded) against \(bare)")
    }

    @Test(arguments: [WMSCapabilities.Version.v1_3_0, .v1_1_1])
    func `a picture wider than the service's limit is whole, whether the limit is stated or learned`(
        version: WMSCapabilities.Version
    ) async throws {
        // Version 1.1.1 cannot state the limit; the exception reveals it.
        let viewport = try Place(.webMercator, -300_000, 4_900_000, 1000, width: 2100, height: 100).viewport()
        let layer = try await Self.layer(WMSOptions(layers: ["countries"], version: version))
        let result = try await MapRenderer.fresh().whole([layer], in: viewport)
        #expect(result.image.size == viewport.size)
        #expect(!result.image.isBlank)
        #expect(result.report.layers.map(\.requested) == [2])
        let learnt = result.report.warnings.contains { $0.message.contains("between 1 and 2048 pixels") }
        #expect(learnt == (version == .v1_1_1))
        for x in [0, 900, 1500] {
            // The same ground, from a picture that needs no cutting.
            let part = try #require(ImageSize(width: 600, height: 100))
            let small = Place(
                .webMercator, -300_000 + (Double(x) + 300 - 1050) * 1000, 4_900_000, 1000, width: 600, height: 100)
            let picture = try await MapRenderer.fresh().picture(of: layer, in: small.viewport())
            expectSame(result.image.part(x: x, y: 0, size: part), picture)
        }
    }

    @Test func `more layers than a request may have are split into several requests`() async throws {
        let names = ["relief", "countries", "lakes", "cities", "countries"]
        let options = WMSOptions(layers: names, styles: ["", "", "", "", "outline"])
        let place = Place.spain3857
        let result = try await MapRenderer.fresh().whole([Self.layer(options)], in: place.viewport())
        #expect(result.report.layers.map(\.requested) == [2])
        let below = try await MapRenderer.fresh().picture(
            of: Self.layer(WMSOptions(layers: Array(names.prefix(4)))), in: place.viewport())
        #expect(below != result.image)
        let top = try await Self.layer(WMSOptions(layers: ["countries"], styles: ["outline"]))
        let stacked = try await MapRenderer.fresh().whole(
            [Self.layer(WMSOptions(layers: Array(names.prefix(4)))), top].renamed, in: place.viewport())
        expectSame(result.image, stacked.image)
    }
}

extension [MapLayer] {
    /// The named layers.
    fileprivate var renamed: [MapLayer] {
        enumerated().map { number, layer in
            var copy = layer
            copy.name = "\(number)"
            return copy
        }
    }
}
