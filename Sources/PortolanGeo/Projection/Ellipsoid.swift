/// An ellipsoid of revolution that models the shape of the earth.
public struct Ellipsoid: Hashable, Sendable {
    /// The equatorial radius in metres.
    public let semiMajorAxis: Double
    /// The flattening.
    public let flattening: Double

    /// Creates an ellipsoid from its semi-major axis in metres and its inverse flattening.
    public init(semiMajorAxis: Double, inverseFlattening: Double) {
        self.semiMajorAxis = semiMajorAxis
        flattening = 1 / inverseFlattening
    }

    /// Creates an ellipsoid from its two semi-axes in metres.
    public init(semiMajorAxis: Double, semiMinorAxis: Double) {
        self.semiMajorAxis = semiMajorAxis
        flattening = (semiMajorAxis - semiMinorAxis) / semiMajorAxis
    }

    /// The ellipsoid of WGS 84 (EPSG:7030).
    public static let wgs84 = Ellipsoid(semiMajorAxis: 6_378_137, inverseFlattening: 298.257223563)

    /// The ellipsoid of ETRS89 (EPSG:7019).
    public static let grs80 = Ellipsoid(semiMajorAxis: 6_378_137, inverseFlattening: 298.257222101)
}

/// The auxiliary latitudes of conformal projections.
///
/// Source: C. Karney, *Transverse Mercator with an accuracy of a few nanometers* (2011), equations 7–9 and 19–21.
extension Ellipsoid {
    /// The square of the first eccentricity.
    var eccentricitySquared: Double { flattening * (2 - flattening) }

    /// Returns the tangent of the conformal latitude from that of the geodetic one.
    static func conformalTangent(_ tau: Double, eccentricity: Double) -> Double {
        let secant = Libm.hypotenuse(1, tau)
        let sigma = Libm.hyperbolicSine(
            eccentricity * Libm.inverseHyperbolicTangent(eccentricity * tau / secant))
        return tau * Libm.hypotenuse(1, sigma) - sigma * secant
    }

    /// Returns the tangent of the geodetic latitude from that of the conformal one, by Newton's method.
    static func geodeticTangent(_ conformal: Double, eccentricity: Double) -> Double {
        let e2 = eccentricity * eccentricity
        var tau = conformal / (1 - e2)
        guard abs(tau) < 1e70 else { return tau }
        for _ in 0..<6 {
            let estimate = conformalTangent(tau, eccentricity: eccentricity)
            let step =
                (conformal - estimate) / Libm.hypotenuse(1, estimate) * (1 + (1 - e2) * tau * tau)
                / ((1 - e2) * Libm.hypotenuse(1, tau))
            tau += step
            if abs(step) <= 1e-15 * max(1, abs(tau)) { break }
        }
        return tau
    }

    /// Returns the isometric latitude of a latitude in radians: the northing of the Mercator projection on a unit
    /// sphere.
    static func isometricLatitude(_ latitude: Double, eccentricity: Double) -> Double {
        Libm.inverseHyperbolicSine(conformalTangent(Libm.tangent(latitude), eccentricity: eccentricity))
    }

    /// Returns the latitude in radians of an isometric one.
    static func latitude(isometric: Double, eccentricity: Double) -> Double {
        Libm.arcTangent(geodeticTangent(Libm.hyperbolicSine(isometric), eccentricity: eccentricity))
    }

    /// Returns the radius of a parallel over the semi-major axis: *m* in IOGP 373-7-2.
    func parallelRadius(_ latitude: Double) -> Double {
        let sine = Libm.sine(latitude)
        return Libm.cosine(latitude) / (1 - eccentricitySquared * sine * sine).squareRoot()
    }
}

/// Ground distances between nearby points.
package enum GroundDistance {
    /// Returns the distance in metres on WGS 84 between two points given by longitude and latitude in degrees.
    ///
    /// It uses the radii of curvature at the middle latitude; the error is below a thousandth up to 100 km.
    ///
    /// Source: IOGP 373-7-2, 4.1 (radii of curvature).
    package static func meters(from one: Coordinate, to other: Coordinate) -> Double {
        let ellipsoid = Ellipsoid.wgs84, f = ellipsoid.flattening, e2 = f * (2 - f)
        let latitude = (one.y + other.y) / 2 * .pi / 180
        let sine = Libm.sine(latitude), w = (1 - e2 * sine * sine).squareRoot()
        let meridian = ellipsoid.semiMajorAxis * (1 - e2) / (w * w * w), normal = ellipsoid.semiMajorAxis / w
        var turn = (other.x - one.x).truncatingRemainder(dividingBy: 360)
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        return Libm.hypotenuse(
            turn * .pi / 180 * normal * Libm.cosine(latitude), (other.y - one.y) * .pi / 180 * meridian)
    }
}
