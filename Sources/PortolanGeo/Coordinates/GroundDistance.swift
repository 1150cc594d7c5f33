/// Distances on the ground between near places.
package enum GroundDistance {
    /// The distance between two places given by longitude and latitude in degrees, in metres on WGS 84.
    ///
    /// Measured along the radii of curvature at the middle latitude; the error is under a thousandth up to 100 km.
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
