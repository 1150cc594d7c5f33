import Foundation
import Portolan
import PortolanFeatures

/// The walk through Helsinki as a hike: its elevations are invented.
public enum HelsinkiHike {
    /// Returns the walk with elevations, and its places.
    public static func route() throws -> FeatureCollection {
        var route = try GeoJSONReader.read([UInt8](try Data(contentsOf: HelsinkiWalk.route)))
        for index in route.features.indices {
            guard let line = route.features[index].geometry, line.kind == .lineString else { continue }
            let flat = FeatureCollection(features: [route.features[index]])
            guard let whole = RouteLine(flat), whole.length > 0 else { continue }
            let points = line.coordinates.map { place -> String in
                let part = whole.nearest(to: place).distance / whole.length
                return "[\(place.x),\(place.y),\(altitude(at: part))]"
            }
            let json =
                #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[\#(points.joined(separator: ","))]}}"#
            route.features[index].geometry = try GeoJSONReader.read(Array(json.utf8)).features.first?.geometry
        }
        return route
    }

    /// Two hills of different height, in metres, by the part of the way done.
    private static func altitude(at part: Double) -> Int {
        let hills = [(0.3, 0.018, 62.0), (0.68, 0.01, 38.0), (0.9, 0.002, 14.0)]
        return 4 + Int(hills.reduce(0) { $0 + $1.2 * exp(-(part - $1.0) * (part - $1.0) / $1.1) }.rounded())
    }
}
