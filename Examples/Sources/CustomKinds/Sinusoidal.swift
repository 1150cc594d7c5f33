import Foundation
import Portolan
import PortolanGeo

/// A custom projection: the sinusoidal equal-area projection on a sphere.
///
/// Snyder, Map Projections: A Working Manual (1987), page 243.
public struct Sinusoidal: MapProjection {
    /// The radius of the sphere with the area of WGS 84, in metres.
    public static let radius = 6_371_007.181

    /// Creates the projection.
    public init() {}

    /// Returns metres from longitude and latitude in degrees.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let latitude = geographic.y * .pi / 180
        return Coordinate(x: Self.radius * geographic.x * .pi / 180 * cos(latitude), y: Self.radius * latitude)
    }

    /// Returns longitude and latitude in degrees from metres, or `nil` outside of the world.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let latitude = projected.y / Self.radius
        guard abs(latitude) < .pi / 2 else { return nil }
        let longitude = projected.x / (Self.radius * cos(latitude))
        // Outside of the world.
        guard abs(longitude) <= .pi else { return nil }
        return Coordinate(x: longitude * 180 / .pi, y: latitude * 180 / .pi)
    }
}

extension CRS {
    /// The sinusoidal projection of the whole world, in metres.
    public static let sinusoidal = CRS(
        name: "SINUSOIDAL", axisOrder: .eastNorth, unit: .meter, projection: Sinusoidal())
}
