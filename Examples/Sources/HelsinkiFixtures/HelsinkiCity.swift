import Foundation
import Portolan

/// Central Helsinki in a full style: streets by class with casings, buildings, parks, water, rails, names in two scripts.
public enum HelsinkiCity {
    /// The style; its data and images are next to it.
    public static var style: URL { HelsinkiWalk.fixtures.appending(path: "helsinki/city-style.json") }

    /// Returns the map, ready to be drawn.
    ///
    /// - Parameter zoom: the zoom level for tiles of 256 pixels.
    public static func map(width: Int = 800, height: Int = 600, zoom: Double = 17) async throws -> MapFacade {
        let map = try HelsinkiWalk.empty(width: width, height: height)
        try map.center(on: Coordinate(longitude: 24.944, latitude: 60.1716), zoom: zoom)
        try await map.addStyle(from: style.path, named: "city")
        return map
    }
}
