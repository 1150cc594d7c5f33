/// Gauss's sphere: the conformal picture of the ellipsoid that has the least distortion about a latitude.
///
/// Double projections go over it: oblique stereographic, the Swiss oblique Mercator, Krovak's cone.
///
/// Source: IOGP 373-7-2, EPSG methods 9809 and 9819, where it is the first half of the formulas.
struct GaussSphere: Hashable, Sendable {
    /// Metres.
    let radius: Double
    /// The sine and cosine of the sphere's latitude at the origin.
    let sine: Double
    let cosine: Double
    private let eccentricity: Double
    /// A longitude on the sphere over that on the ellipsoid.
    let exponent: Double
    private let constant: Double

    /// Makes the sphere for an origin at `latitude` degrees.
    init(_ ellipsoid: Ellipsoid, latitude: Double) {
        let e2 = ellipsoid.eccentricitySquared
        eccentricity = e2.squareRoot()
        let origin = latitude * Angle.radiansPerDegree
        let s = Libm.sine(origin), c2 = Libm.cosine(origin) * Libm.cosine(origin)
        radius = ellipsoid.semiMajorAxis * (1 - e2).squareRoot() / (1 - e2 * s * s)
        exponent = (1 + e2 / (1 - e2) * c2 * c2).squareRoot()
        sine = s / exponent
        cosine = (1 - sine * sine).squareRoot()
        constant =
            Libm.inverseHyperbolicTangent(sine)
            - exponent * Ellipsoid.isometricLatitude(origin, eccentricity: eccentricity)
    }

    /// Sine and cosine of the sphere's latitude at `latitude` degrees of the ellipsoid.
    func sineAndCosine(_ latitude: Double) -> (sine: Double, cosine: Double) {
        let isometric =
            exponent * Ellipsoid.isometricLatitude(latitude * Angle.radiansPerDegree, eccentricity: eccentricity)
            + constant
        return (Libm.hyperbolicTangent(isometric), 1 / Libm.hyperbolicCosine(isometric))
    }

    /// The latitude on the ellipsoid, in degrees, of a place on the sphere given by its coordinates northward and
    /// outward from the axis.
    func latitude(northward: Double, outward: Double) -> Double {
        let isometric = (Libm.inverseHyperbolicSine(northward / outward) - constant) / exponent
        return Ellipsoid.latitude(isometric: isometric, eccentricity: eccentricity) / Angle.radiansPerDegree
    }

    /// The longitude on the ellipsoid from the central meridian, in degrees, of a place on the sphere, or `nil` beyond a
    /// limit; a pole has every longitude, and gets that of the central meridian.
    func longitude(eastward: Double, inward: Double, within limit: Double) -> Double? {
        let longitude = Libm.arcTangent(y: eastward, x: inward) / exponent / Angle.radiansPerDegree
        if abs(longitude) <= limit + 1e-9 { return longitude }
        return Libm.hypotenuse(eastward, inward) < 1e-12 ? 0 : nil
    }
}
