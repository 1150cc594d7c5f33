import Foundation
import Portolan
import PortolanRaster

/// The cities of the world with a custom layer kind, a custom projection and a custom feature format.
public enum CityMap {
    /// Draws dots read in the custom format over hexagons that count them, in the custom CRS.
    public static func draw() async throws -> RenderResult {
        var configuration = RendererConfiguration()
        configuration.featureFormats.formats.insert(PlaceListFormat(), at: 0)
        configuration.layerKinds.kinds.append(.hexagons)
        configuration.fontFiles = [fixtures.appending(path: "fonts/DejaVuSans.ttf").path]
        configuration.usesSystemFonts = false
        guard let size = ImageSize(width: 960, height: 520) else { throw CRSError.noProjection("SINUSOIDAL") }
        let map = try MapFacade(
            size: size, crs: .sinusoidal, renderer: MapRenderer(configuration: configuration))
        let collection = try configuration.featureFormats.read(
            [UInt8](Data(contentsOf: fixtures.appending(path: "world/cities.csv"))))
        let dot = Style(
            marker: .shape(
                ShapeMarker(
                    shape: .circle, radius: 1.2, fill: FillSymbol(color: MapColor(red: 30, green: 60, blue: 90)))))
        var dots = FeatureSource(features: [])
        for feature in collection.features { dots.append(feature, style: dot) }
        try map.add(MapLayer(name: "cities", source: dots, attribution: "places © GeoNames"))
        // As a specification, like in a map document or on the command line.
        let cities = fixtures.appending(path: "world/cities.csv").path
        let hexagons = try LayerSpecification(
            "hexagons:\(cities);name=cities by hexagon;opacity=0.85", kinds: configuration.layerKinds)
        let builder = LayerBuilder(client: map.services, mapCRS: .sinusoidal)
        for layer in try await builder.build([hexagons]).compactMap(\.layer) { try map.add(layer) }
        map.options.background = MapColor(red: 236, green: 242, blue: 246)
        map.options.graticule = .automatic
        map.options.title = "Large cities, counted"
        try map.setExtent(world)
        return try await map.refresh()
    }

    private static var fixtures: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures")
    }

    private static var world: Extent {
        let half = Sinusoidal.radius * Double.pi
        guard let extent = Extent(minX: -half, minY: -half / 2, maxX: half, maxY: half / 2) else {
            preconditionFailure("the world has an extent")
        }
        return extent
    }
}
