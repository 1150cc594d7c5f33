/// Spherical Mercator on the semi-major axis of WGS 84, as EPSG:3857 defines it.
///
/// Source: IOGP 373-7-2, EPSG method 1024 (Popular Visualisation Pseudo Mercator).
public struct WebMercator: MapProjection {
    static let radius = 6_378_137.0

    /// The length of the equator, in metres: the x after which the world repeats.
    static let worldWidth = 2 * Double.pi * radius

    /// Makes the projection; it has no parameters.
    public init() {}

    /// Implements ``MapProjection/worldWidth``.
    public var worldWidth: Double? { Self.worldWidth }

    /// Implements ``MapProjection/worldExtent``.
    public var worldExtent: Extent? {
        Extent(center: Coordinate(x: 0, y: 0), width: Self.worldWidth, height: Self.worldWidth)
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        guard abs(geographic.y) < 90 else { return nil }
        let latitude = geographic.y * .pi / 180
        return Coordinate(
            x: Self.radius * (geographic.x * .pi / 180),
            y: Self.radius * Libm.inverseHyperbolicSine(Libm.tangent(latitude)))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let latitude = Libm.arcTangent(Libm.hyperbolicSine(projected.y / Self.radius))
        return Coordinate(x: projected.x / Self.radius * 180 / .pi, y: latitude * 180 / .pi)
    }
}
