import Foundation
import Portolan

/// The walk through central Helsinki: tiles and a map from recorded services, streets and rails from files, the route.
public enum HelsinkiWalk {
    /// The project's fixtures.
    public static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fixtures").standardizedFileURL

    /// The map, ready to be drawn; 640 × 1100 is the size whose WMS answer was recorded.
    public static func map(width: Int = 640, height: Int = 1100) async throws -> MapFacade {
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map {
            fixtures.appending(path: "fonts/\($0)").path
        }
        // With its own fonts the picture is the same on every machine.
        configuration.usesSystemFonts = false
        let services = RecordedServices(folder: fixtures.appending(path: "helsinki"))
        let renderer = MapRenderer(configuration: configuration, transport: services)
        let map = try MapFacade(width: width, height: height, renderer: renderer)

        try await map.addTileSet(RecordedServices.tileService, layers: ["base"])
        for layer in CityLayers.streets(try await features("streets", by: map)) { try map.add(layer) }
        try map.add(CityLayers.railways(try await features("rail", by: map)))
        try await map.addWMS(RecordedServices.mapService, layers: ["transit"])
        let facts = try await map.addRoute(at: fixtures.appending(path: "routes/helsinki-walk.geojson").path)
        map.options.infoBar = facts.infoBar
        // The extent whose map was recorded, at 3.16 m a pixel: all of the data, down to the bar of facts.
        if let extent = Extent(minX: 2_775_775, minY: 8_436_239, maxX: 2_777_797.4, maxY: 8_439_715) {
            try map.setExtent(extent)
        }
        return map
    }

    private static func features(_ name: String, by map: MapFacade) async throws -> FeatureCollection {
        let url = fixtures.appending(path: "helsinki/\(name).geojson").absoluteString
        return try GeoJSONReader.read(bytes: await map.services.data(at: url))
    }
}
