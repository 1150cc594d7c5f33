import Foundation
import Portolan
import PortolanRouteBook

/// A walk through central Helsinki: tiles and a map from recorded services, streets and rails from files, the route.
public enum HelsinkiWalk {
    /// The project's fixtures.
    public static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fixtures").standardizedFileURL

    /// Returns the map, ready to be drawn; the WMS response was recorded for 640 × 1100.
    public static func map(width: Int = 640, height: Int = 1100) async throws -> MapFacade {
        let map = try await city(width: width, height: height)
        try await map.addWMS(RecordedServices.mapService, layers: ["transit"])
        map.options.infoBar = try await map.addRoute(from: route.path).facts?.infoBar
        try show(all: map)
        return map
    }

    /// Shows all data above the bar of facts: the extent of the recorded map, at 3.16 m per pixel with a width of 640.
    public static func show(all map: MapFacade) throws {
        guard let extent = Extent(minX: 2_775_775, minY: 8_436_239, maxX: 2_777_797.4, maxY: 8_439_715) else { return }
        try map.setExtent(extent)
    }

    /// The file of the walk.
    public static var route: URL { fixtures.appending(path: "routes/helsinki-walk.geojson") }

    /// Returns the city alone: tiles from a recorded service, streets and rails from files, in any size and view.
    public static func city(width: Int, height: Int) async throws -> MapFacade {
        let map = try empty(width: width, height: height)
        try await map.addWMSC(RecordedServices.tileService, layers: ["base"])
        for layer in CityLayers.streets(try await features("streets", by: map)) { try map.add(layer) }
        try map.add(CityLayers.railways(try await features("rail", by: map)))
        return map
    }

    /// Returns a map without layers, with the recorded services and bundled fonts, the same on every machine.
    public static func empty(
        width: Int, height: Int, pixelRatio: Double = 1, crs: CRS = .webMercator
    ) throws -> MapFacade {
        try MapFacade(width: width, height: height, pixelRatio: pixelRatio, crs: crs, renderer: renderer())
    }

    /// Returns a renderer with the recorded services and bundled fonts.
    public static func renderer() -> MapRenderer {
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map {
            fixtures.appending(path: "fonts/\($0)").path
        }
        configuration.usesSystemFonts = false
        let services = RecordedServices(folder: fixtures.appending(path: "helsinki"))
        return MapRenderer(configuration: configuration, transport: services)
    }

    private static func features(_ name: String, by map: MapFacade) async throws -> FeatureCollection {
        let url = fixtures.appending(path: "helsinki/\(name).geojson").absoluteString
        return try GeoJSONReader.read(await map.services.data(from: url))
    }
}
