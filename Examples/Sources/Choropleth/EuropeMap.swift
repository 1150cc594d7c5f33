import Foundation
import Portolan
import PortolanPaint
import PortolanRaster

/// The borders and figures that both maps show.
enum EuropeMap {
    /// Returns a map of Europe without layers, in an equal-area projection.
    static func empty(width: Int, height: Int) throws -> MapFacade {
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map {
            fixtures.appending(path: "fonts/\($0)").path
        }
        configuration.usesSystemFonts = false
        let map = try MapFacade(
            width: width, height: height, crs: CRS("EPSG:3035"), renderer: MapRenderer(configuration: configuration))
        map.options.background = MapColor(red: 235, green: 241, blue: 246)
        map.options.attribution = RenderOptions.Attribution.none
        map.options.page = PrintPage(source: "Borders: Natural Earth. Figures: GeoNames, CC BY 4.0.")
        if let extent { try map.setExtent(extent) }
        return map
    }

    /// Returns the layer of the countries, with the figures of a table by their names.
    static func countries(_ keys: [String: String]) throws -> LayerSpecification {
        let table = ["join": fixtures.appending(path: "world/figures.csv").path, "on": "NAME"]
        return try LayerSpecification(
            kind: .features, source: fixtures.appending(path: "world/countries.shp").path,
            values: keys.merging(table) { $1 })
    }

    /// The extent of the map, in metres of its projection.
    static let extent = Extent(minX: 2_450_000, minY: 1_250_000, maxX: 6_600_000, maxY: 5_450_000)

    /// The extent of the locator, in degrees.
    static let surroundings = Extent(minX: -30, minY: 0, maxX: 90, maxY: 75)

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fixtures").standardizedFileURL
}
