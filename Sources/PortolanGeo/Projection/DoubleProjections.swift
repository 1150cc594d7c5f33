/// The Gauss sphere: the conformal image of the ellipsoid with the least distortion near a latitude.
///
/// It is the intermediate step of double projections: oblique stereographic, Swiss oblique Mercator, Krovak.
///
/// Source: IOGP 373-7-2, EPSG methods 9809 and 9819, where it is the first half of the formulas.
struct GaussSphere: Hashable, Sendable {
    /// The radius in metres.
    let radius: Double
    /// The sine and cosine of the sphere's latitude at the origin.
    let sine: Double
    let cosine: Double
    private let eccentricity: Double
    /// The ratio of a longitude on the sphere to that on the ellipsoid.
    let exponent: Double
    private let constant: Double

    /// Creates the sphere for an origin at `latitude` degrees.
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

    /// Returns the sine and cosine of the sphere's latitude at `latitude` degrees of the ellipsoid.
    func sineAndCosine(_ latitude: Double) -> (sine: Double, cosine: Double) {
        let isometric =
            exponent * Ellipsoid.isometricLatitude(latitude * Angle.radiansPerDegree, eccentricity: eccentricity)
            + constant
        return (Libm.hyperbolicTangent(isometric), 1 / Libm.hyperbolicCosine(isometric))
    }

    /// Returns the latitude on the ellipsoid in degrees of a point on the sphere, given by its coordinates along and
    /// away from the axis.
    func latitude(northward: Double, outward: Double) -> Double {
        let isometric = (Libm.inverseHyperbolicSine(northward / outward) - constant) / exponent
        return Ellipsoid.latitude(isometric: isometric, eccentricity: eccentricity) / Angle.radiansPerDegree
    }

    /// Returns the longitude on the ellipsoid relative to the central meridian in degrees, or `nil` beyond a limit.
    ///
    /// For a pole it returns the central meridian.
    func longitude(eastward: Double, inward: Double, within limit: Double) -> Double? {
        let longitude = Libm.arcTangent(y: eastward, x: inward) / exponent / Angle.radiansPerDegree
        if abs(longitude) <= limit + 1e-9 { return longitude }
        return Libm.hypotenuse(eastward, inward) < 1e-12 ? 0 : nil
    }
}

/// The oblique stereographic projection of the Gauss sphere, used in the Netherlands and Romania.
///
/// Coordinates more than 90° from the origin are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG method 9809.
package struct ObliqueStereographic: MapProjection, DescribedProjection {
    let parameters: ProjectionParameters?
    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let sphere: GaussSphere
    private let radius: Double

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - origin: the centre, in degrees.
    ///   - falseOrigin: its easting and northing, in metres.
    package init(ellipsoid: Ellipsoid, origin: Coordinate, scaleFactor: Double, falseOrigin: Coordinate) {
        parameters = ProjectionParameters(
            method: .doubleStereographic, ellipsoid: ellipsoid, origin: origin, scaleFactor: scaleFactor,
            falseOrigin: falseOrigin)
        centralMeridian = origin.x
        self.falseOrigin = falseOrigin
        sphere = GaussSphere(ellipsoid, latitude: origin.y)
        radius = 2 * sphere.radius * scaleFactor
    }

    package func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= 90 else { return nil }
        let (s, c) = sphere.sineAndCosine(geographic.y)
        let angle = sphere.exponent * difference * Angle.radiansPerDegree
        let inward = c * Libm.cosine(angle)
        let distance = s * sphere.sine + inward * sphere.cosine
        guard distance >= -1e-9 else { return nil }
        let scale = radius / (1 + distance)
        return Coordinate(
            x: falseOrigin.x + scale * c * Libm.sine(angle),
            y: falseOrigin.y + scale * (s * sphere.cosine - inward * sphere.sine))
    }

    package func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = (projected.x - falseOrigin.x) / radius, y = (projected.y - falseOrigin.y) / radius
        let squared = x * x + y * y
        guard squared <= 1 + 1e-8 else { return nil }
        let eastward = 2 * x / (1 + squared), northward = 2 * y / (1 + squared)
        let distance = (1 - squared) / (1 + squared)
        let inward = distance * sphere.cosine - northward * sphere.sine
        let outward = Libm.hypotenuse(eastward, inward)
        guard let longitude = sphere.longitude(eastward: eastward, inward: inward, within: 90) else { return nil }
        let latitude = sphere.latitude(
            northward: distance * sphere.sine + northward * sphere.cosine,
            outward: outward)
        return Coordinate(longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude)
    }
}

/// The Mercator projection of the Gauss sphere along the great circle that runs due east at the origin, used in
/// Switzerland and Hungary.
///
/// Coordinates more than 80° from the origin are outside the domain.
///
/// Source: swisstopo, *Formulas and constants for the calculation of the Swiss conformal cylindrical projection*, 3;
/// the same as IOGP 373-7-2, EPSG method 9815 (Hotine oblique Mercator variant B) with an azimuth of 90°.
package struct SwissObliqueMercator: MapProjection, DescribedProjection {
    /// The cosine of the maximum distance from the origin.
    private static let domain = Libm.cosine(80 * Angle.radiansPerDegree)

    let parameters: ProjectionParameters?
    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let sphere: GaussSphere
    private let radius: Double

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - origin: the centre, in degrees.
    ///   - falseOrigin: its easting and northing, in metres.
    package init(ellipsoid: Ellipsoid, origin: Coordinate, scaleFactor: Double, falseOrigin: Coordinate) {
        parameters = ProjectionParameters(
            method: .obliqueMercatorAtCenter, ellipsoid: ellipsoid, origin: origin, scaleFactor: scaleFactor,
            azimuth: 90, gridAngle: 90, falseOrigin: falseOrigin)
        centralMeridian = origin.x
        self.falseOrigin = falseOrigin
        sphere = GaussSphere(ellipsoid, latitude: origin.y)
        radius = sphere.radius * scaleFactor
    }

    package func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= 90 else { return nil }
        let (s, c) = sphere.sineAndCosine(geographic.y)
        let angle = sphere.exponent * difference * Angle.radiansPerDegree
        let eastward = c * Libm.sine(angle), inward = c * Libm.cosine(angle)
        let distance = sphere.sine * s + sphere.cosine * inward
        guard distance >= Self.domain - 1e-9 else { return nil }
        return Coordinate(
            x: falseOrigin.x + radius * Libm.arcTangent(y: eastward, x: distance),
            y: falseOrigin.y + radius * Libm.inverseHyperbolicTangent(sphere.cosine * s - sphere.sine * inward))
    }

    package func inverse(_ projected: Coordinate) -> Coordinate? {
        let along = (projected.x - falseOrigin.x) / radius, across = (projected.y - falseOrigin.y) / radius
        guard abs(along) <= .pi / 2 else { return nil }
        let c = 1 / Libm.hyperbolicCosine(across), northward = Libm.hyperbolicTangent(across)
        let eastward = c * Libm.sine(along), distance = c * Libm.cosine(along)
        guard distance >= Self.domain - 2e-9 else { return nil }
        let inward = sphere.cosine * distance - sphere.sine * northward
        let outward = Libm.hypotenuse(eastward, inward)
        guard let longitude = sphere.longitude(eastward: eastward, inward: inward, within: 90) else { return nil }
        let latitude = sphere.latitude(
            northward: sphere.sine * distance + sphere.cosine * northward,
            outward: outward)
        return Coordinate(longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude)
    }
}

/// The Krovak oblique conic projection of Czechia and Slovakia, with x east and y north, both negative there.
///
/// Coordinates more than 60° from the axis of the cone, and those more than 90° of longitude from the central meridian,
/// are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG method 1041 (Krovak North Orientated).
package struct Krovak: MapProjection, DescribedProjection {
    /// The sine of the minimum latitude relative to the axis of the cone.
    private static let domain = 0.5

    let parameters: ProjectionParameters?
    private let centralMeridian: Double
    private let sphere: GaussSphere
    /// The sine and cosine of the angle between the axis of the cone and that of the earth.
    private let axisSine: Double
    private let axisCosine: Double
    private let cone: Double
    /// The radius of the equator's arc about the axis, in metres.
    private let equatorRadius: Double

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - origin: the central meridian and the latitude of the projection's centre, in degrees.
    ///   - axisColatitude: the angle between the axis of the cone and that of the earth, in degrees.
    ///   - pseudoParallel: the standard parallel relative to the axis of the cone, in degrees.
    ///   - scaleFactor: the scale factor on that parallel.
    package init(
        ellipsoid: Ellipsoid, origin: Coordinate, axisColatitude: Double, pseudoParallel: Double, scaleFactor: Double
    ) {
        parameters = ProjectionParameters(
            method: .krovak, ellipsoid: ellipsoid, origin: origin, firstParallel: pseudoParallel,
            scaleFactor: scaleFactor, azimuth: axisColatitude)
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

    package func forward(_ geographic: Coordinate) -> Coordinate? {
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

    package func inverse(_ projected: Coordinate) -> Coordinate? {
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
