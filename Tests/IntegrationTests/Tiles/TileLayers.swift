import Portolan
import Testing

/// The tile layers of MapProxy as the library makes them.
enum TileLayers {
    static func wmsc(_ crsName: String?, mapCRS: CRS = .webMercator) async throws -> MapLayer {
        try await ServiceClient.shared.wmscLayer(
            named: "tiles", url: MapServers.running().mapProxyService,
            options: .init(layers: ["political"], crsName: crsName), mapCRS: mapCRS
        ).layer
    }

    static func xyz(_ layer: String = "political", type: String = "png") throws -> MapLayer {
        let template = try XYZTemplate(
            MapServers.running().mapProxy + "tiles/\(layer)/webmercator/{z}/{x}/{y}.\(type)")
        let grid = try #require(TileGrid.webMercator(levels: 0...18))
        return MapLayer(name: "tiles", source: TileSource(grid: grid, address: .xyz(template)))
    }

    /// The view at a level of web mercator whose top left pixel is pixel (x, y) of the level.
    static func viewport(
        level: Int, x: Int, y: Int, width: Int, height: Int, rotation: Double = 0
    ) throws -> Viewport {
        let unit = 40_075_016.685578488 / 256 / Double(1 << level), edge = 20_037_508.342789244
        return try Viewport(
            center: Coordinate(
                x: (Double(x) + Double(width) / 2) * unit - edge, y: edge - (Double(y) + Double(height) / 2) * unit),
            resolution: try #require(Resolution(unitsPerPixel: unit)), rotation: rotation,
            size: try #require(ImageSize(width: width, height: height)))
    }

    /// The view of EPSG:25830 whose left and lower edges are at a distance in pixels from the corner of MapProxy's
    /// grid.
    static func utmViewport(resolution: Int, x: Int, yFromBelow: Int, width: Int, height: Int) throws -> Viewport {
        let unit = Double(resolution)
        return try Viewport(
            center: Coordinate(
                x: -100_000 + (Double(x) + Double(width) / 2) * unit,
                y: 3_900_000 + (Double(yFromBelow) + Double(height) / 2) * unit),
            resolution: try #require(Resolution(unitsPerPixel: unit)),
            size: try #require(ImageSize(width: width, height: height)), crs: try CRS("EPSG:25830"))
    }
}
