/// Mercator's projection of Gauss's sphere along the great circle that runs due east at the origin: the system of
/// Switzerland, and Hungary's.
///
/// Places more than 80° from the origin are outside the domain.
///
/// Source: swisstopo, *Formulas and constants for the calculation of the Swiss conformal cylindrical projection*, 3; the
/// same as IOGP 373-7-2, EPSG method 9815 (Hotine oblique Mercator variant B) with an azimuth of 90°.
public struct SwissObliqueMercator: MapProjection {
    /// The cosine of the greatest distance from the origin.
    private static let domain = Libm.cosine(80 * Angle.radiansPerDegree)

    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let sphere: GaussSphere
    private let radius: Double

    /// Makes a projection.
    ///
    /// - Parameters:
    ///   - origin: the centre, in degrees.
    ///   - falseOrigin: its easting and northing, in metres.
    public init(ellipsoid: Ellipsoid, origin: Coordinate, scaleFactor: Double, falseOrigin: Coordinate) {
        centralMeridian = origin.x
        self.falseOrigin = falseOrigin
        sphere = GaussSphere(ellipsoid, latitude: origin.y)
        radius = sphere.radius * scaleFactor
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= 90 else { return nil }
        let (s, c) = sphere.sineAndCosine(geographic.y)
        let angle = sphere.exponent * difference * Angle.radiansPerDegree
        let eastward = c * Libm.sine(angle), inward = c * Libm.cosine(angle)
        let distance = sphere.sine * s + sphere.cosine * inward
        guard distance >= Self.domain - 1e-9 else { return nil }
        return Coordinate(
            x: falseOrigin.x + radius * Libm.arcTangent(y: eastward, x: distance),
            y: falseOrigin.y + radius * Libm.inverseHyperbolicTangent(sphere.cosine * s - sphere.sine * inward))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let along = (projected.x - falseOrigin.x) / radius, across = (projected.y - falseOrigin.y) / radius
        guard abs(along) <= .pi / 2 else { return nil }
        let c = 1 / Libm.hyperbolicCosine(across), northward = Libm.hyperbolicTangent(across)
        let eastward = c * Libm.sine(along), distance = c * Libm.cosine(along)
        guard distance >= Self.domain - 2e-9 else { return nil }
        let inward = sphere.cosine * distance - sphere.sine * northward
        let outward = Libm.hypotenuse(eastward, inward)
        guard let longitude = sphere.longitude(eastward: eastward, inward: inward, within: 90) else { return nil }
        let latitude = sphere.latitude(
            northward: sphere.sine * distance + sphere.cosine * northward,
            outward: outward)
        return Coordinate(longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude)
    }
}
