/// Mercator on an ellipsoid, with true scale on the equator.
///
/// Source: IOGP 373-7-2, EPSG method 9804 (Mercator variant A); Snyder, *Map Projections: A Working Manual*, 7.
public struct Mercator: MapProjection {
    private let semiMajorAxis: Double
    private let eccentricity: Double

    /// Makes the projection that has Greenwich in the middle.
    public init(ellipsoid: Ellipsoid) {
        semiMajorAxis = ellipsoid.semiMajorAxis
        eccentricity = ellipsoid.eccentricitySquared.squareRoot()
    }

    /// The length of the equator, in metres: the x after which the world repeats.
    public var worldWidth: Double? { 2 * .pi * semiMajorAxis }

    /// Implements ``MapProjection/worldExtent``.
    public var worldExtent: Extent? {
        worldWidth.flatMap { Extent(center: Coordinate(x: 0, y: 0), width: $0, height: $0) }
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        guard abs(geographic.y) < 90 else { return nil }
        let latitude = geographic.y * Angle.radiansPerDegree
        return Coordinate(
            x: semiMajorAxis * (geographic.x * Angle.radiansPerDegree),
            y: semiMajorAxis * Ellipsoid.isometricLatitude(latitude, eccentricity: eccentricity))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let latitude = Ellipsoid.latitude(isometric: projected.y / semiMajorAxis, eccentricity: eccentricity)
        return Coordinate(
            x: projected.x / semiMajorAxis / Angle.radiansPerDegree, y: latitude / Angle.radiansPerDegree)
    }
}
