/// The Lambert conformal conic projection, with one or two standard parallels.
///
/// Coordinates more than 150° of longitude from the central meridian, or another angle, and those more than 90° of latitude from the
/// parallel where the cone touches the earth, are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG methods 9801 (1SP) and 9802 (2SP); Snyder, *Map Projections: A Working Manual*, 15.
public struct LambertConformalConic: MapProjection, DescribedProjection {
    /// The maximum longitude difference from the central meridian in degrees.
    private let halfWidth: Double

    /// Implements ``MapProjection/domain``.
    public var domain: ProjectionDomain {
        .box(meridian: centralMeridian, halfWidth: halfWidth, latitudes: latitudes)
    }

    let parameters: ProjectionParameters?
    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let eccentricity: Double
    /// The sine of the latitude where the cone touches, negative in the south.
    private let cone: Double
    /// The radius of the equator's arc, in metres, negative in the south.
    private let equatorRadius: Double
    private let originRadius: Double
    private let latitudes: ClosedRange<Double>

    /// Creates a projection with two standard parallels.
    ///
    /// - Parameters:
    ///   - origin: the central meridian and the latitude of the false origin, in degrees.
    ///   - standardParallels: the two latitudes of true scale, in degrees; they must not be symmetric about the
    ///     equator, because that would not be a cone.
    ///   - falseOrigin: the easting and northing of `origin`, in metres.
    ///   - scaleFactor: a factor of the scale on the standard parallels.
    ///   - halfWidth: the maximum longitude difference from the central meridian, in degrees, at most 180.
    public init(
        ellipsoid: Ellipsoid, origin: Coordinate, standardParallels: (Double, Double), falseOrigin: Coordinate,
        scaleFactor: Double = 1, halfWidth: Double = 150
    ) {
        let e = ellipsoid.eccentricitySquared.squareRoot()
        let first = standardParallels.0 * Angle.radiansPerDegree, second = standardParallels.1 * Angle.radiansPerDegree
        let m1 = ellipsoid.parallelRadius(first), m2 = ellipsoid.parallelRadius(second)
        let q1 = Ellipsoid.isometricLatitude(first, eccentricity: e)
        let q2 = Ellipsoid.isometricLatitude(second, eccentricity: e)
        // If they are equal, the cone touches there.
        let cone = q1 == q2 ? Libm.sine(first) : (Libm.logarithm(m1) - Libm.logarithm(m2)) / (q2 - q1)
        self.init(
            eccentricity: e, cone: cone,
            radius: scaleFactor * ellipsoid.semiMajorAxis * m1 / cone * Libm.exponential(cone * q1),
            ProjectionParameters(
                method: .lambertConformalConic, ellipsoid: ellipsoid, origin: origin,
                firstParallel: standardParallels.0, secondParallel: standardParallels.1,
                scaleFactor: scaleFactor == 1 ? nil : scaleFactor, falseOrigin: falseOrigin), halfWidth: halfWidth)
    }

    /// Creates a projection with one standard parallel, the latitude of `origin`, and a scale factor on it.
    public init(
        ellipsoid: Ellipsoid, origin: Coordinate, scaleFactor: Double, falseOrigin: Coordinate, halfWidth: Double = 150
    ) {
        let e = ellipsoid.eccentricitySquared.squareRoot()
        let latitude = origin.y * Angle.radiansPerDegree
        let cone = Libm.sine(latitude)
        let isometric = Ellipsoid.isometricLatitude(latitude, eccentricity: e)
        self.init(
            eccentricity: e, cone: cone,
            radius: scaleFactor * ellipsoid.semiMajorAxis * ellipsoid.parallelRadius(latitude) / cone
                * Libm.exponential(cone * isometric),
            ProjectionParameters(
                method: .lambertConformalConic, ellipsoid: ellipsoid, origin: origin, firstParallel: origin.y,
                scaleFactor: scaleFactor, falseOrigin: falseOrigin), halfWidth: halfWidth)
    }

    private init(
        eccentricity: Double, cone: Double, radius: Double, _ parameters: ProjectionParameters, halfWidth: Double
    ) {
        self.parameters = parameters
        let origin = parameters.origin
        self.halfWidth = halfWidth
        self.eccentricity = eccentricity
        self.cone = cone
        equatorRadius = radius
        centralMeridian = origin.x
        falseOrigin = parameters.falseOrigin
        let isometric = Ellipsoid.isometricLatitude(origin.y * Angle.radiansPerDegree, eccentricity: eccentricity)
        originRadius = radius * Libm.exponential(-cone * isometric)
        let touching = Libm.arcSine(min(max(cone, -1), 1)) / Angle.radiansPerDegree
        latitudes = max(touching - 90, -90)...min(touching + 90, 90)
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= halfWidth, latitudes.contains(geographic.y) else { return nil }
        let isometric = Ellipsoid.isometricLatitude(
            geographic.y * Angle.radiansPerDegree, eccentricity: eccentricity)
        let radius = equatorRadius * Libm.exponential(-cone * isometric)
        let angle = cone * difference * Angle.radiansPerDegree
        return Coordinate(
            x: falseOrigin.x + radius * Libm.sine(angle),
            y: falseOrigin.y + originRadius - radius * Libm.cosine(angle)
        )
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let sign: Double = cone < 0 ? -1 : 1
        let x = sign * (projected.x - falseOrigin.x), y = sign * (originRadius - (projected.y - falseOrigin.y))
        let longitude = Libm.arcTangent(y: x, x: y) / cone / Angle.radiansPerDegree
        guard abs(longitude) <= halfWidth + 1e-9 else { return nil }
        let isometric = -Libm.logarithm(Libm.hypotenuse(x, y) / abs(equatorRadius)) / cone
        let latitude =
            Ellipsoid.latitude(isometric: isometric, eccentricity: eccentricity) / Angle.radiansPerDegree
        guard latitude >= latitudes.lowerBound - 1e-9, latitude <= latitudes.upperBound + 1e-9 else { return nil }
        return Coordinate(longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude)
    }
}
