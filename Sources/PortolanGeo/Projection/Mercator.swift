/// Mercator on an ellipsoid, with true scale on the equator.
///
/// Source: IOGP 373-7-2, EPSG method 9804 (Mercator variant A); Snyder, *Map Projections: A Working Manual*, 7.
public struct Mercator: Hashable, Sendable {
    private let semiMajorAxis: Double
    private let eccentricity: Double

    /// Makes the projection that has Greenwich in the middle.
    public init(ellipsoid: Ellipsoid) {
        semiMajorAxis = ellipsoid.semiMajorAxis
        eccentricity = ellipsoid.eccentricitySquared.squareRoot()
    }

    /// The length of the equator, in metres: the x after which the world repeats.
    var worldWidth: Double { 2 * .pi * semiMajorAxis }

    func project(_ geographic: Coordinate) -> Coordinate? {
        guard abs(geographic.y) < 90 else { return nil }
        let latitude = geographic.y * Angle.radiansPerDegree
        return Coordinate(
            x: semiMajorAxis * (geographic.x * Angle.radiansPerDegree),
            y: semiMajorAxis * Ellipsoid.isometricLatitude(latitude, eccentricity: eccentricity))
    }

    func unproject(_ projected: Coordinate) -> Coordinate? {
        let latitude = Ellipsoid.latitude(isometric: projected.y / semiMajorAxis, eccentricity: eccentricity)
        return Coordinate(
            x: projected.x / semiMajorAxis / Angle.radiansPerDegree, y: latitude / Angle.radiansPerDegree)
    }
}
