/// The Lambert azimuthal equal-area projection on an ellipsoid or sphere, with any centre including the poles.
///
/// Coordinates more than 150° from the centre, or another distance below 180°, are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG methods 9820 and 1027 (spherical); Snyder, *Map Projections: A Working Manual*, 24.
public struct LambertAzimuthalEqualArea: MapProjection, DescribedProjection {
    /// Implements ``MapProjection/domain``.
    ///
    /// It is slightly smaller than the projectable area, which is measured on the authalic sphere, whose latitudes
    /// differ by up to 0.13°.
    public var domain: ProjectionDomain {
        let latitude = Libm.arcTangent(y: sine, x: cosine) / Angle.radiansPerDegree
        return .cap(center: Coordinate(x: centralMeridian, y: latitude), radius: reach - 0.14)
    }

    /// The maximum distance from the centre in degrees, and its cosine.
    private let reach: Double
    private let leastCosine: Double
    let parameters: ProjectionParameters?
    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let authalic: AuthalicLatitude
    private let radius: Double
    private let sine: Double
    private let cosine: Double
    /// The stretch factor of eastings for true scale at the centre.
    private let stretch: Double

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - origin: the centre, in degrees.
    ///   - falseOrigin: its easting and northing, in metres.
    ///   - reach: the maximum distance from the centre, in degrees of the authalic sphere, below 180.
    public init(ellipsoid: Ellipsoid, origin: Coordinate, falseOrigin: Coordinate, reach: Double = 150) {
        self.reach = reach
        parameters = ProjectionParameters(
            method: .azimuthalEqualArea, ellipsoid: ellipsoid, origin: origin, falseOrigin: falseOrigin)
        leastCosine = Libm.cosine(reach * Angle.radiansPerDegree)
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
        guard distance >= leastCosine - 1e-9 else { return nil }
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
        guard cosineOfAngle >= leastCosine - 2e-9 else { return nil }
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

/// The Albers equal-area conic projection.
///
/// Coordinates more than 150° of longitude from the central meridian, or another angle, are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG method 9822; Snyder, *Map Projections: A Working Manual*, 14.
public struct AlbersEqualArea: MapProjection, DescribedProjection {
    /// The maximum longitude difference from the central meridian in degrees.
    private let halfWidth: Double

    /// Implements ``MapProjection/domain``.
    public var domain: ProjectionDomain {
        .box(meridian: centralMeridian, halfWidth: halfWidth, latitudes: -90...90)
    }

    let parameters: ProjectionParameters?
    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let authalic: AuthalicLatitude
    private let semiMajorAxis: Double
    private let cone: Double
    private let constant: Double
    private var originRadius = 0.0

    /// Creates a projection; the parameters are those of
    /// ``LambertConformalConic/init(ellipsoid:origin:standardParallels:falseOrigin:scaleFactor:halfWidth:)``.
    public init(
        ellipsoid: Ellipsoid, origin: Coordinate, standardParallels: (Double, Double), falseOrigin: Coordinate,
        halfWidth: Double = 150
    ) {
        self.halfWidth = halfWidth
        parameters = ProjectionParameters(
            method: .albers, ellipsoid: ellipsoid, origin: origin, firstParallel: standardParallels.0,
            secondParallel: standardParallels.1, falseOrigin: falseOrigin)
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

    /// Returns the radius of a parallel's arc in metres, negative in the south.
    private func radius(_ latitude: Double) -> Double {
        let q = authalic.polarArea * authalic.sineAndCosine(latitude).sine
        return semiMajorAxis * max(constant - cone * q, 0).squareRoot() / cone
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= halfWidth else { return nil }
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
        guard abs(longitude) <= halfWidth + 1e-9 else { return nil }
        let radius = Libm.hypotenuse(x, y) * cone / semiMajorAxis
        let sine = (constant - radius * radius) / cone / authalic.polarArea
        // Beyond the arc of a pole the projection is undefined.
        guard abs(sine) <= 1 + 1e-12 else { return nil }
        let latitude = authalic.latitude(Libm.arcSine(min(max(sine, -1), 1)))
        return Coordinate(
            longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude / Angle.radiansPerDegree)
    }
}

/// The authalic latitude: the latitude on the sphere of the same area, used by equal-area projections.
///
/// It is represented by 1 − sin β, which keeps all its digits near the pole where sin β itself loses half of them.
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

    /// Returns 1 − sin β for a latitude of 0 to π/2 radians.
    private func complement(_ latitude: Double) -> Double {
        let half = Libm.sine((.pi / 2 - latitude) / 2)
        return complement(sineComplement: 2 * half * half)
    }

    /// Returns 1 − sin β from 1 − sin φ.
    private func complement(sineComplement delta: Double) -> Double {
        let sine = 1 - delta
        let argument = delta / (1 - e2 * sine)
        let second =
            eccentricity > 0 ? Libm.inverseHyperbolicTangent(eccentricity * argument) / eccentricity : argument
        return (delta * (1 + e2 * sine) / (1 - e2 * sine * sine) + (1 - e2) * second) / polarArea
    }

    /// Returns the sine and cosine of the authalic latitude of a latitude in radians.
    func sineAndCosine(_ latitude: Double) -> (sine: Double, cosine: Double) {
        let c = complement(abs(latitude))
        return (latitude < 0 ? c - 1 : 1 - c, (c * (2 - c)).squareRoot())
    }

    /// Returns the latitude in radians of an authalic one in radians, by Newton's method.
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
