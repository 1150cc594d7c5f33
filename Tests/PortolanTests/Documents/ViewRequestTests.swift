import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import Testing

@Suite struct ViewRequestTests {
    private func request(_ values: (ViewRequest.Key, String)...) throws(ViewRequestError) -> ViewRequest {
        var request = ViewRequest()
        for (key, text) in values { try request.set(key, to: text) }
        return request
    }

    @Test func `a centre and a zoom level give a view`() throws {
        let view = try request((.center, "180, 0"), (.zoom, "0"), (.rotation, "30")).viewport(for: [])
        #expect("\(view.size)" == "1024x768")
        // Half the equator of the sphere of 6 378 137 m; all of it in 256 pixels.
        #expect(abs(view.center.x - 20_037_508.342789244) < 1e-6)
        #expect(abs(view.resolution.unitsPerPixel - 156_543.03392804097) < 1e-6)
        #expect(view.rotation == 30)
    }

    @Test(arguments: [("1:1000", 0.28), ("2000", 0.56), ("1:25.000", 7), ("1:25,000", 7), ("1:2500.5", 0.70014)])
    func `a scale assumes the OGC pixel size of 280 micrometres`(
        text: String, metres: Double
    ) throws {
        let view = try request((.center, "-3,40"), (.scale, text), (.crs, "EPSG:25830")).viewport(for: [])
        #expect(abs(view.resolution.unitsPerPixel - metres) < 1e-12)
        // The central meridian of zone 30 is 3 degrees west, at 500 km.
        #expect(abs(view.center.x - 500_000) < 1e-6)
    }

    @Test(arguments: [(150.0, true), (60, false)])
    func `a fitted map of most of the world shows its sphere, if that is drawn`(reach: Double, isShown: Bool) throws {
        let ring = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)].map {
            Coordinate(longitude: $0.0 * reach, latitude: $0.1 * reach / 2)
        }
        let layer = MapLayer(name: "area", source: FeatureSource(features: [Feature(geometry: .polygon([ring]))]))
        var request = try request((.size, "600x600"), (.crs, "equal-earth"))
        let area = try request.viewport(for: [layer]).extent
        request.showsSphere = true
        let view = try request.viewport(for: [layer]).extent
        let sphere = try #require(request.mapCRS.outlineExtent)
        #expect((view.minX <= sphere.minX && view.maxX >= sphere.maxX) == isShown)
        #expect((view == area) == !isShown)
    }

    #if Text
    @Test func `a fitted map is as large as without a legend if it leaves a corner free`() throws {
        func resolution(
            _ places: [(Double, Double)], showsLegend: Bool, corner: RenderOptions.Inset.Corner
        ) throws
            -> Double
        {
            let ring = (places + [places[0]]).map { Coordinate(longitude: $0.0, latitude: $0.1) }
            let layer = MapLayer(
                name: "area",
                source: FeatureSource(features: [Feature(geometry: .polygon([ring]), properties: [:])]))
            let request = try request((.size, "600x400"), (.crs, "EPSG:3857"), (.padding, "20"))
            var options = RenderOptions()
            (options.showsLegend, options.legendCorner) = (showsLegend, corner)
            return try request.viewport(
                for: [layer], in: request.view(of: [layer]), clearOf: options, configuration: RendererConfiguration()
            ).resolution.unitsPerPixel
        }
        let diamond = [(0.0, 60.0), (130, 0), (0, -60), (-130, 0)]
        let square = [(-130.0, 60.0), (130, 60), (130, -60), (-130, -60)]
        for corner in [RenderOptions.Inset.Corner.automatic, .bottomLeft] {
            #expect(
                try resolution(diamond, showsLegend: true, corner: corner)
                    == resolution(diamond, showsLegend: false, corner: corner))
            #expect(
                try resolution(square, showsLegend: true, corner: corner)
                    > resolution(square, showsLegend: false, corner: corner))
        }
    }
    #endif

    @Test func `a box in another CRS is transformed`() throws {
        let view = try request((.bbox, "-180,-1,180,1"), (.boxCRS, "EPSG:4326"), (.size, "1000x500")).viewport(for: [])
        #expect(abs(view.extent.minX + 20_037_508.342789244) < 1e-3)
        #expect(abs(view.extent.minX / view.extent.minY - 2) < 1e-9)
    }

    @Test func `options override the document's view, each kind of placement as a whole`() throws {
        let document = try request((.size, "1x1"), (.crs, "EPSG:25830"), (.center, "1,2"), (.zoom, "3"))
        #expect(ViewRequest().over(document) == document)
        let box = try request((.bbox, "1,2,3,4")).over(document)
        #expect(try box == request((.bbox, "1,2,3,4"), (.size, "1x1"), (.crs, "EPSG:25830")))
        let zoom = try request((.scale, "1:5")).over(document)
        #expect(zoom.center == document.center && zoom.zoom == nil && zoom.scaleDenominator == 5)
        let center = try request((.center, "5,6")).over(document)
        #expect(center.center == Coordinate(longitude: 5, latitude: 6) && center.zoom == 3)
        let fit = try request((.fit, "true")).over(document)
        #expect(fit.center == nil && fit.zoom == nil && fit.isFitting)
    }

    @Test func `a centre option replaces the document's box`() throws {
        let document = try request((.bbox, "1,2,3,4"), (.crs, "EPSG:4326"))
        let center = try request((.center, "5,6")).over(document)
        #expect(center.box == nil && center.boxCRS == nil)
        // Its box keeps its CRS when the map gets another.
        #expect(try request((.crs, "EPSG:3857")).over(document).boxCRS == .epsg4326)
    }

    @Test(
        arguments: [
            (.size, ""), (.size, "1x2x3"), (.size, "1e3x5"), (.crs, ""), (.bbox, ""), (.bbox, "1,2,3,1e400"),
            (.center, "1e300,0"), (.zoom, "3"), (.rotation, "nan"), (.padding, "inf"), (.maximumZoom, "99"),
            (.pixelRatio, "-1"), (.bbox, "3,2,1,0"), (.boxCRS, "EPSG:4326"), (.scale, "1:x"),
        ] as [(ViewRequest.Key, String)])
    func `invalid values are found before any request`(key: ViewRequest.Key, text: String) {
        #expect(throws: ViewRequestError.self) { try request((key, text)).checkAll() }
    }

    @Test func `an empty request is valid, and an overlong list is refused`() {
        #expect(throws: Never.self) { try ViewRequest().check() }
        let list = String(repeating: "1,", count: 1 << 20)
        #expect(throws: ViewRequestError.malformed(.bbox, list)) { try request((.bbox, list)) }
    }

    @Test func `a request without view and features is an error`() {
        #expect(throws: ViewRequestError.nothingToFit(hasFeatureLayers: false, isAskedFor: false)) {
            try ViewRequest().view(of: [])
        }
    }

    private static func layer(_ name: String, _ points: [(Double, Double)]) -> MapLayer {
        let features = points.map { Feature(geometry: .point(Coordinate(x: $0.0, y: $0.1))) }
        return MapLayer(name: name, source: FeatureSource(features: features))
    }

    /// Points around the world, as far apart as in a map of countries.
    private static let world = layer("world", stride(from: -180, through: 180, by: 10).map { ($0, -60) } + [(0, 80)])

    @Test func `without a view, a map of the world shows it once`() throws {
        let view = try ViewRequest().view(of: [Self.world]), width = try #require(CRS.webMercator.worldWidth)
        #expect(abs(view.extent.width - width) < 1)
        var asked = ViewRequest()
        asked.isFitting = true
        #expect(try asked.view(of: [Self.world]).extent.width > width)
    }

    @Test func `a layer of the whole world does not decide what a map of other features shows`() throws {
        let towns = Self.layer("towns", [(10, 47), (12, 48)])
        #expect(try ViewRequest().view(of: [Self.world, towns]) == ViewRequest().view(of: [towns]))
    }

    @Test func `the values of a request are listed by key`() throws {
        let texts: [(ViewRequest.Key, String)] = [
            (.size, "640x480"), (.pixelRatio, "2"), (.crs, "EPSG:25830"), (.bbox, "-0.5,41,1,42.25"),
            (.boxCRS, "CRS:84"), (.padding, "12.5"), (.maximumZoom, "17"), (.rotation, "30"),
        ]
        var request = ViewRequest()
        for (key, text) in texts { try request.set(key, to: text) }
        #expect(request.values.map(\.key) == texts.map(\.0))
        #expect(request.values.map(\.text) == texts.map(\.1))
        request.rotation = .nan
        #expect(!request.values.contains { $0.key == .rotation })
    }
}
