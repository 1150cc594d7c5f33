/// Lambert's azimuthal equal-area projection on an ellipsoid or a sphere, about any place, the poles among them.
///
/// Places more than 150° from the centre are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG methods 9820 and 1027 (spherical); Snyder, *Map Projections: A Working Manual*, 24.
public struct LambertAzimuthalEqualArea: MapProjection {
    /// The cosine of the greatest distance from the centre.
    private static let domain = -(0.75.squareRoot())

    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let authalic: AuthalicLatitude
    private let radius: Double
    private let sine: Double
    private let cosine: Double
    /// What eastings are stretched by, to have true scale at the centre.
    private let stretch: Double

    /// Makes a projection.
    ///
    /// - Parameters:
    ///   - origin: the centre, in degrees.
    ///   - falseOrigin: its easting and northing, in metres.
    public init(ellipsoid: Ellipsoid, origin: Coordinate, falseOrigin: Coordinate) {
        centralMeridian = origin.x
        self.falseOrigin = falseOrigin
        authalic = AuthalicLatitude(ellipsoid)
        radius = ellipsoid.semiMajorAxis * authalic.radius
        if abs(origin.y) >= 90 {
            (sine, cosine, stretch) = (origin.y < 0 ? -1 : 1, 0, 1)
        } else {
            let latitude = origin.y * Angle.radiansPerDegree
            (sine, cosine) = authalic.sineAndCosine(latitude)
            stretch = ellipsoid.parallelRadius(latitude) / (authalic.radius * cosine)
        }
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let (s, c) = authalic.sineAndCosine(geographic.y * Angle.radiansPerDegree)
        let angle = Angle.difference(geographic.x, from: centralMeridian) * Angle.radiansPerDegree
        let eastward = c * Libm.sine(angle), inward = c * Libm.cosine(angle)
        let distance = sine * s + cosine * inward
        guard distance >= Self.domain - 1e-9 else { return nil }
        let scale = radius * (2 / (1 + distance)).squareRoot()
        return Coordinate(
            x: falseOrigin.x + scale * stretch * eastward,
            y: falseOrigin.y + scale / stretch * (cosine * s - sine * inward))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = (projected.x - falseOrigin.x) / stretch / radius, y = (projected.y - falseOrigin.y) * stretch / radius
        // The chord from the centre, over the radius, is twice the sine of half the angle.
        let squared = x * x + y * y
        let cosineOfAngle = 1 - squared / 2
        guard cosineOfAngle >= Self.domain - 2e-9 else { return nil }
        let factor = (1 - squared / 4).squareRoot()
        let eastward = x * factor, northward = y * factor
        let inward = cosine * cosineOfAngle - sine * northward
        let latitude = Libm.arcTangent(
            y: sine * cosineOfAngle + cosine * northward, x: Libm.hypotenuse(eastward, inward))
        let longitude = Libm.arcTangent(y: eastward, x: inward) / Angle.radiansPerDegree
        return Coordinate(
            longitude: Angle.wrapped(centralMeridian + longitude),
            latitude: authalic.latitude(latitude) / Angle.radiansPerDegree)
    }
}
