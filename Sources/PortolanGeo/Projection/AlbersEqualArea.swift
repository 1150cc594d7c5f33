/// Albers' equal-area conic projection.
///
/// Places more than 150° of longitude from the central meridian are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG method 9822; Snyder, *Map Projections: A Working Manual*, 14.
public struct AlbersEqualArea: MapProjection {
    /// How far from the central meridian the projection is offered, in degrees.
    static let domain = 150.0

    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let authalic: AuthalicLatitude
    private let semiMajorAxis: Double
    private let cone: Double
    private let constant: Double
    private var originRadius = 0.0

    /// Makes a projection; the parameters are those of
    /// ``LambertConformalConic/init(ellipsoid:origin:standardParallels:falseOrigin:)``.
    public init(
        ellipsoid: Ellipsoid, origin: Coordinate, standardParallels: (Double, Double), falseOrigin: Coordinate
    ) {
        centralMeridian = origin.x
        self.falseOrigin = falseOrigin
        authalic = AuthalicLatitude(ellipsoid)
        semiMajorAxis = ellipsoid.semiMajorAxis
        let first = standardParallels.0 * Angle.radiansPerDegree, second = standardParallels.1 * Angle.radiansPerDegree
        let m1 = ellipsoid.parallelRadius(first), m2 = ellipsoid.parallelRadius(second)
        let q1 = authalic.polarArea * authalic.sineAndCosine(first).sine
        let q2 = authalic.polarArea * authalic.sineAndCosine(second).sine
        cone = (m1 * m1 - m2 * m2) / (q2 - q1)
        constant = m1 * m1 + cone * q1
        originRadius = radius(origin.y * Angle.radiansPerDegree)
    }

    /// The radius of a parallel's arc, in metres, negative in the south.
    private func radius(_ latitude: Double) -> Double {
        let q = authalic.polarArea * authalic.sineAndCosine(latitude).sine
        return semiMajorAxis * max(constant - cone * q, 0).squareRoot() / cone
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= Self.domain else { return nil }
        let radius = radius(geographic.y * Angle.radiansPerDegree)
        let angle = cone * difference * Angle.radiansPerDegree
        return Coordinate(
            x: falseOrigin.x + radius * Libm.sine(angle),
            y: falseOrigin.y + originRadius - radius * Libm.cosine(angle))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let sign: Double = cone < 0 ? -1 : 1
        let x = sign * (projected.x - falseOrigin.x), y = sign * (originRadius - (projected.y - falseOrigin.y))
        let longitude = Libm.arcTangent(y: x, x: y) / cone / Angle.radiansPerDegree
        guard abs(longitude) <= Self.domain + 1e-9 else { return nil }
        let radius = Libm.hypotenuse(x, y) * cone / semiMajorAxis
        let sine = (constant - radius * radius) / cone / authalic.polarArea
        // Past the arc of a pole there is nothing.
        guard abs(sine) <= 1 + 1e-12 else { return nil }
        let latitude = authalic.latitude(Libm.arcSine(min(max(sine, -1), 1)))
        return Coordinate(
            longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude / Angle.radiansPerDegree)
    }
}
