/// Krovak's oblique conic projection of Czechia and Slovakia, with x east and y north, both negative there.
///
/// Places more than 60° from the axis of the cone, and those more than 90° of longitude from the central meridian, are
/// outside the domain.
///
/// Source: IOGP 373-7-2, EPSG method 1041 (Krovak North Orientated).
public struct Krovak: MapProjection {
    /// The sine of the least latitude about the axis of the cone.
    private static let domain = 0.5

    private let centralMeridian: Double
    private let sphere: GaussSphere
    /// The sine and cosine of the angle between the axis of the cone and that of the earth.
    private let axisSine: Double
    private let axisCosine: Double
    private let cone: Double
    /// The radius of the arc of the equator about the axis, in metres.
    private let equatorRadius: Double

    /// Makes a projection.
    ///
    /// - Parameters:
    ///   - origin: the central meridian and the latitude of the projection's centre, in degrees.
    ///   - axisColatitude: the angle between the axis of the cone and that of the earth, in degrees.
    ///   - pseudoParallel: the standard parallel about the axis of the cone, in degrees.
    ///   - scaleFactor: on that parallel.
    public init(
        ellipsoid: Ellipsoid, origin: Coordinate, axisColatitude: Double, pseudoParallel: Double, scaleFactor: Double
    ) {
        centralMeridian = origin.x
        sphere = GaussSphere(ellipsoid, latitude: origin.y)
        axisSine = Libm.sine(axisColatitude * Angle.radiansPerDegree)
        axisCosine = Libm.cosine(axisColatitude * Angle.radiansPerDegree)
        let parallel = pseudoParallel * Angle.radiansPerDegree
        cone = Libm.sine(parallel)
        equatorRadius =
            scaleFactor * sphere.radius / Libm.tangent(parallel)
            * Libm.exponential(cone * Libm.inverseHyperbolicTangent(cone))
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= 90 else { return nil }
        let (s, c) = sphere.sineAndCosine(geographic.y)
        let angle = sphere.exponent * difference * Angle.radiansPerDegree
        let eastward = c * Libm.sine(angle), inward = c * Libm.cosine(angle)
        let axial = axisCosine * s + axisSine * inward
        guard axial >= Self.domain - 1e-9 else { return nil }
        let radius = equatorRadius * Libm.exponential(-cone * Libm.inverseHyperbolicTangent(min(axial, 1)))
        let turn = cone * Libm.arcTangent(y: eastward, x: axisCosine * inward - axisSine * s)
        return Coordinate(x: radius * Libm.sine(turn), y: -radius * Libm.cosine(turn))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let isometric = -Libm.logarithm(Libm.hypotenuse(projected.x, projected.y) / equatorRadius) / cone
        let turn = Libm.arcTangent(y: projected.x, x: -projected.y) / cone
        let axial = Libm.hyperbolicTangent(isometric), across = 1 / Libm.hyperbolicCosine(isometric)
        guard axial >= Self.domain - 2e-9, abs(turn) <= .pi else { return nil }
        let eastward = across * Libm.sine(turn), along = across * Libm.cosine(turn)
        let inward = axisCosine * along + axisSine * axial
        let outward = Libm.hypotenuse(eastward, inward)
        guard let longitude = sphere.longitude(eastward: eastward, inward: inward, within: 90) else { return nil }
        let latitude = sphere.latitude(
            northward: axisCosine * axial - axisSine * along, outward: outward)
        return Coordinate(longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude)
    }
}
