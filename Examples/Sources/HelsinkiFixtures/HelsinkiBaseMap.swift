import Foundation
import Portolan

/// The centre of Helsinki from vector tiles.
public enum HelsinkiBaseMap {
    /// The vector tiles, in the OpenMapTiles schema.
    public static var tiles: URL { HelsinkiWalk.fixtures.appending(path: "vector-tiles/helsinki.mbtiles") }

    /// Returns the map, ready to be drawn.
    ///
    /// - Parameters:
    ///   - tiles: the path or URL of vector tiles.
    ///   - style: the name of a built-in style, or the path or URL of a style.
    ///   - zoom: the zoom level for tiles of 256 pixels.
    public static func map(
        tiles: String = tiles.path, style: String = "portolan-light", crs: CRS = .webMercator,
        center: Coordinate = Coordinate(longitude: 24.944, latitude: 60.1705), zoom: Double = 15.5,
        width: Int = 640, height: Int = 720
    ) async throws -> MapFacade {
        let map = try HelsinkiWalk.empty(width: width, height: height, crs: crs)
        try map.center(on: center, zoom: zoom)
        try await map.addStyle(from: style, sources: ["openmaptiles": tiles], named: "base map")
        return map
    }
}
