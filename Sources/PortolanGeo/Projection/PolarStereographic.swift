/// The polar stereographic projection.
///
/// Coordinates more than 120° from the pole are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG methods 9810 (variant A) and 9829 (variant B); Snyder, *Map Projections: A Working
/// Manual*, 21.
public struct PolarStereographic: MapProjection, DescribedProjection {
    /// The minimum latitude, positive on the pole's side of the equator, in degrees.
    private static let leastLatitude = -30.0

    /// Implements ``MapProjection/domain``.
    public var domain: ProjectionDomain {
        .cap(center: Coordinate(x: centralMeridian, y: isSouth ? -90 : 90), radius: 90 - Self.leastLatitude - 1e-6)
    }

    let parameters: ProjectionParameters?
    private let isSouth: Bool
    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let eccentricity: Double
    /// The radius of the equator, in metres.
    private let equatorRadius: Double

    /// Creates a projection with a scale factor at the pole (variant A).
    ///
    /// - Parameters:
    ///   - centralMeridian: the meridian that runs down from the north pole, or up from the south pole, in degrees.
    ///   - falseOrigin: the easting and northing of the pole, in metres.
    public init(
        ellipsoid: Ellipsoid, isSouth: Bool, centralMeridian: Double, scaleFactor: Double, falseOrigin: Coordinate
    ) {
        let e = ellipsoid.eccentricitySquared.squareRoot()
        let pole = ((1 + e) * (1 - e)).squareRoot() * Libm.exponential(e * Libm.inverseHyperbolicTangent(e))
        self.init(
            eccentricity: e, radius: 2 * ellipsoid.semiMajorAxis * scaleFactor / pole, isSouth: isSouth,
            ProjectionParameters(
                method: .stereographic, ellipsoid: ellipsoid,
                origin: Coordinate(x: centralMeridian, y: isSouth ? -90 : 90), scaleFactor: scaleFactor,
                falseOrigin: falseOrigin))
    }

    /// Creates a projection with a parallel of true scale (variant B) in degrees, whose sign selects the pole.
    public init(ellipsoid: Ellipsoid, standardParallel: Double, centralMeridian: Double, falseOrigin: Coordinate) {
        let e = ellipsoid.eccentricitySquared.squareRoot()
        let latitude = abs(standardParallel) * Angle.radiansPerDegree
        let isometric = Ellipsoid.isometricLatitude(latitude, eccentricity: e)
        self.init(
            eccentricity: e,
            radius: ellipsoid.semiMajorAxis * ellipsoid.parallelRadius(latitude) * Libm.exponential(isometric),
            isSouth: standardParallel < 0,
            ProjectionParameters(
                method: standardParallel < 0 ? .southPoleStereographic : .northPoleStereographic, ellipsoid: ellipsoid,
                origin: Coordinate(x: centralMeridian, y: standardParallel < 0 ? -90 : 90),
                firstParallel: standardParallel, falseOrigin: falseOrigin))
    }

    private init(eccentricity: Double, radius: Double, isSouth: Bool, _ parameters: ProjectionParameters) {
        self.parameters = parameters
        self.eccentricity = eccentricity
        equatorRadius = radius
        self.isSouth = isSouth
        centralMeridian = parameters.origin.x
        falseOrigin = parameters.falseOrigin
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let latitude = isSouth ? -geographic.y : geographic.y
        guard latitude >= Self.leastLatitude else { return nil }
        let angle = Angle.difference(geographic.x, from: centralMeridian) * Angle.radiansPerDegree
        let radius =
            equatorRadius
            * Libm.exponential(
                -Ellipsoid.isometricLatitude(latitude * Angle.radiansPerDegree, eccentricity: eccentricity))
        let down = radius * Libm.cosine(angle)
        return Coordinate(x: falseOrigin.x + radius * Libm.sine(angle), y: falseOrigin.y + (isSouth ? down : -down))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = projected.x - falseOrigin.x, up = projected.y - falseOrigin.y
        let isometric = -Libm.logarithm(Libm.hypotenuse(x, up) / equatorRadius)
        let latitude =
            Ellipsoid.latitude(isometric: isometric, eccentricity: eccentricity) / Angle.radiansPerDegree
        guard latitude >= Self.leastLatitude - 1e-9 else { return nil }
        let longitude = Libm.arcTangent(y: x, x: isSouth ? up : -up) / Angle.radiansPerDegree
        return Coordinate(
            longitude: Angle.wrapped(centralMeridian + longitude), latitude: isSouth ? -latitude : latitude)
    }
}
