/// The latitudes that conformal projections are computed with.
///
/// Source: C. Karney, *Transverse Mercator with an accuracy of a few nanometers* (2011), equations 7–9 and 19–21.
extension Ellipsoid {
    /// The square of the first eccentricity.
    var eccentricitySquared: Double { flattening * (2 - flattening) }

    /// The tangent of the conformal latitude from that of the geodetic one.
    static func conformalTangent(_ tau: Double, eccentricity: Double) -> Double {
        let secant = Libm.hypotenuse(1, tau)
        let sigma = Libm.hyperbolicSine(
            eccentricity * Libm.inverseHyperbolicTangent(eccentricity * tau / secant))
        return tau * Libm.hypotenuse(1, sigma) - sigma * secant
    }

    /// The tangent of the geodetic latitude from that of the conformal one, by Newton's method.
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

    /// The isometric latitude of a latitude in radians: the northing of Mercator's projection on an equator of radius 1.
    static func isometricLatitude(_ latitude: Double, eccentricity: Double) -> Double {
        Libm.inverseHyperbolicSine(conformalTangent(Libm.tangent(latitude), eccentricity: eccentricity))
    }

    /// The latitude in radians of an isometric one.
    static func latitude(isometric: Double, eccentricity: Double) -> Double {
        Libm.arcTangent(geodeticTangent(Libm.hyperbolicSine(isometric), eccentricity: eccentricity))
    }

    /// The radius of a parallel over the semi-major axis: *m* in IOGP 373-7-2.
    func parallelRadius(_ latitude: Double) -> Double {
        let sine = Libm.sine(latitude)
        return Libm.cosine(latitude) / (1 - eccentricitySquared * sine * sine).squareRoot()
    }
}
