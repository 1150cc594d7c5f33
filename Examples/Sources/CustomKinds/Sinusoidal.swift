import Foundation
import Portolan
import PortolanGeo

/// A projection of our own: the sinusoidal one, equal in area, on a sphere.
///
/// Snyder, Map Projections: A Working Manual (1987), page 243.
public struct Sinusoidal: MapProjection {
    /// The radius of the sphere with the area of WGS 84, in metres.
    public static let radius = 6_371_007.181

    /// Makes the projection.
    public init() {}

    /// Metres of longitude and latitude in degrees.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let latitude = geographic.y * .pi / 180
        return Coordinate(x: Self.radius * geographic.x * .pi / 180 * cos(latitude), y: Self.radius * latitude)
    }

    /// Longitude and latitude in degrees of metres, or `nil` beside the world.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let latitude = projected.y / Self.radius
        guard abs(latitude) < .pi / 2 else { return nil }
        let longitude = projected.x / (Self.radius * cos(latitude))
        // Beside the world there is nothing.
        guard abs(longitude) <= .pi else { return nil }
        return Coordinate(x: longitude * 180 / .pi, y: latitude * 180 / .pi)
    }
}

extension CRS {
    /// The whole world in the sinusoidal projection, in metres.
    public static let sinusoidal = CRS(
        name: "SINUSOIDAL", axisOrder: .eastNorth, unit: .meter, projection: Sinusoidal())
}
