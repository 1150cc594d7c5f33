/// The latitude on the sphere of the same area, which equal-area projections are computed with.
///
/// It is held by 1 − sin β, which keeps all its digits near the pole where sin β itself loses half of them.
///
/// Source: Snyder, *Map Projections: A Working Manual*, equations 3-11 and 3-12.
struct AuthalicLatitude: Hashable, Sendable {
    private let e2: Double
    private let eccentricity: Double
    /// Snyder's *q* at the pole: twice the square of the sphere's radius over the semi-major axis.
    let polarArea: Double

    init(_ ellipsoid: Ellipsoid) {
        e2 = ellipsoid.eccentricitySquared
        eccentricity = e2.squareRoot()
        polarArea = 1 + (1 - e2) * (eccentricity > 0 ? Libm.inverseHyperbolicTangent(eccentricity) / eccentricity : 1)
    }

    /// The radius of the sphere over the semi-major axis.
    var radius: Double { (polarArea / 2).squareRoot() }

    /// 1 − sin β for a latitude of 0 to π/2 radians.
    private func complement(_ latitude: Double) -> Double {
        let half = Libm.sine((.pi / 2 - latitude) / 2)
        return complement(sineComplement: 2 * half * half)
    }

    /// 1 − sin β from 1 − sin φ.
    private func complement(sineComplement delta: Double) -> Double {
        let sine = 1 - delta
        let argument = delta / (1 - e2 * sine)
        let second =
            eccentricity > 0 ? Libm.inverseHyperbolicTangent(eccentricity * argument) / eccentricity : argument
        return (delta * (1 + e2 * sine) / (1 - e2 * sine * sine) + (1 - e2) * second) / polarArea
    }

    /// Sine and cosine of the authalic latitude of a latitude in radians.
    func sineAndCosine(_ latitude: Double) -> (sine: Double, cosine: Double) {
        let c = complement(abs(latitude))
        return (latitude < 0 ? c - 1 : 1 - c, (c * (2 - c)).squareRoot())
    }

    /// The latitude in radians of an authalic one in radians, by Newton's method.
    func latitude(_ authalic: Double) -> Double {
        let half = Libm.sine((.pi / 2 - abs(authalic)) / 2)
        let wanted = 2 * half * half
        var delta = wanted
        for _ in 0..<8 {
            let sine = 1 - delta
            let slope = 1 - e2 * sine * sine
            let step = (wanted - complement(sineComplement: delta)) * polarArea * slope * slope / (2 * (1 - e2))
            delta = min(max(delta + step, 0), 1)
            if abs(step) <= 1e-16 * delta { break }
        }
        let latitude = .pi / 2 - 2 * Libm.arcSine((delta / 2).squareRoot())
        return authalic < 0 ? -latitude : latitude
    }
}
