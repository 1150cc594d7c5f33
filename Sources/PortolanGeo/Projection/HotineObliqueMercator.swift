/// The Hotine oblique Mercator projection, rectified to the north of its grid: Alaska's panhandle, Michigan.
///
/// Coordinates more than 60° from the centre are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG methods 9812 (variant A) and 9815 (variant B); Snyder, *Map Projections: A Working
/// Manual*, 9.
package struct HotineObliqueMercator: MapProjection, DescribedProjection {
    /// An angle by its sine and cosine.
    private struct Turn: Hashable, Sendable {
        var sine: Double
        var cosine: Double
    }

    let parameters: ProjectionParameters?
    private let circle: SphereCircle
    private let center: Coordinate
    private let falseOrigin: Coordinate
    private let eccentricity: Double
    /// The ratio of longitudes on the aposphere to those on the ellipsoid.
    private let exponent: Double
    /// The radius of the aposphere times the scale factor, over `exponent`.
    private let radius: Double
    /// The isometric latitude of the aposphere minus `exponent` times that of the ellipsoid.
    private let isometricOffset: Double
    /// The longitude where the central line crosses the aposphere's equator, in degrees.
    private let meridian: Double
    /// The azimuth of the central line there.
    private let azimuth: Turn
    /// The angle from the grid's north to the central line.
    private let gridAngle: Turn
    /// The distances of the false origin and the centre along the central line.
    private let start: Double
    private let centerAlong: Double

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - center: a point on the central line, in degrees, not at a pole.
    ///   - azimuth: the azimuth of the central line there, in degrees.
    ///   - gridAngle: the angle from the north of the grid to the central line, in degrees.
    ///   - scaleFactor: the scale factor on the central line.
    ///   - falseOrigin: the false origin in the unit of the ellipsoid.
    ///   - isOriginAtCenter: whether the false origin is at the centre (variant B), or on the aposphere's equator
    ///     (variant A).
    package init(
        ellipsoid: Ellipsoid, center: Coordinate, azimuth: Double, gridAngle: Double, scaleFactor: Double,
        falseOrigin: Coordinate, isOriginAtCenter: Bool
    ) {
        let method: ProjectionParameters.Method =
            azimuth == gridAngle
            ? isOriginAtCenter ? .obliqueMercatorAtCenter : .obliqueMercatorAtNaturalOrigin
            : isOriginAtCenter ? .skewOrthomorphicAtCenter : .skewOrthomorphicAtNaturalOrigin
        parameters = ProjectionParameters(
            method: method, ellipsoid: ellipsoid, origin: center, scaleFactor: scaleFactor, azimuth: azimuth,
            gridAngle: gridAngle, falseOrigin: falseOrigin)
        circle = SphereCircle(center: center, radius: 60)
        self.center = center
        self.falseOrigin = falseOrigin
        let e2 = ellipsoid.eccentricitySquared, e = e2.squareRoot()
        eccentricity = e
        let latitude = center.y * Angle.radiansPerDegree
        let sine = Libm.sine(latitude), cosine = Libm.cosine(latitude)
        let exponent = (1 + e2 * cosine * cosine * cosine * cosine / (1 - e2)).squareRoot()
        self.exponent = exponent
        radius =
            ellipsoid.semiMajorAxis * scaleFactor * (1 - e2).squareRoot() / (1 - e2 * sine * sine)
        // D in the sources is the ratio of the aposphere's and the ellipsoid's parallel through the centre.
        let d = max(exponent * (1 - e2).squareRoot() / (cosine * (1 - e2 * sine * sine).squareRoot()), 1)
        let rise = (d * d - 1).squareRoot() * (sine < 0 ? -1 : 1)
        isometricOffset =
            Libm.inverseHyperbolicSine(rise) - exponent * Ellipsoid.isometricLatitude(latitude, eccentricity: e)
        let direction = azimuth * Angle.radiansPerDegree
        let sineAtEquator = Libm.sine(direction) / d
        let cosineAtEquator = (1 - sineAtEquator * sineAtEquator).squareRoot()
        self.azimuth = Turn(sine: sineAtEquator, cosine: cosineAtEquator)
        let turn = Libm.arcTangent(y: rise * sineAtEquator, x: abs(Libm.cosine(direction)))
        meridian = center.x - turn / exponent / Angle.radiansPerDegree
        let angle = gridAngle * Angle.radiansPerDegree
        self.gridAngle = Turn(sine: Libm.sine(angle), cosine: Libm.cosine(angle))
        let along = Libm.arcTangent(y: abs(rise), x: Libm.cosine(direction)) * (sine < 0 ? -1 : 1)
        centerAlong = along
        start = isOriginAtCenter ? along : 0
    }

    package var domain: ProjectionDomain { .cap(center: center, radius: circle.radius) }

    package func forward(_ geographic: Coordinate) -> Coordinate? {
        guard circle.cosine(of: geographic) >= circle.cosineOfRadius - 1e-9 else { return nil }
        let isometric =
            isometricOffset
            + exponent
            * Ellipsoid.isometricLatitude(geographic.y * Angle.radiansPerDegree, eccentricity: eccentricity)
        let northward = Libm.hyperbolicTangent(isometric), parallel = 1 / Libm.hyperbolicCosine(isometric)
        let turn = exponent * Angle.difference(geographic.x, from: meridian) * Angle.radiansPerDegree
        let eastward = parallel * Libm.sine(turn), outward = parallel * Libm.cosine(turn)
        let across = -Libm.inverseHyperbolicTangent(northward * azimuth.sine - eastward * azimuth.cosine)
        let along = Libm.arcTangent(y: northward * azimuth.cosine + eastward * azimuth.sine, x: outward) - start
        return Coordinate(
            x: falseOrigin.x + radius * (across * gridAngle.cosine + along * gridAngle.sine),
            y: falseOrigin.y + radius * (along * gridAngle.cosine - across * gridAngle.sine))
    }

    package func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = (projected.x - falseOrigin.x) / radius, y = (projected.y - falseOrigin.y) / radius
        let across = x * gridAngle.cosine - y * gridAngle.sine
        let along = y * gridAngle.cosine + x * gridAngle.sine + start
        guard abs(along - centerAlong) <= .pi / 2, abs(across) <= 3 else { return nil }
        let parallel = 1 / Libm.hyperbolicCosine(across), sideward = Libm.hyperbolicTangent(across)
        let forward = parallel * Libm.sine(along), outward = parallel * Libm.cosine(along)
        let northward = forward * azimuth.cosine - sideward * azimuth.sine
        let eastward = forward * azimuth.sine + sideward * azimuth.cosine
        let turn = Libm.arcTangent(y: eastward, x: outward) / exponent / Angle.radiansPerDegree
        let isometric = (Libm.inverseHyperbolicTangent(min(max(northward, -1), 1)) - isometricOffset) / exponent
        let place = Coordinate(
            longitude: Angle.wrapped(meridian + turn),
            latitude: Ellipsoid.latitude(isometric: isometric, eccentricity: eccentricity) / Angle.radiansPerDegree)
        return circle.cosine(of: place) >= circle.cosineOfRadius - 2e-9 ? place : nil
    }
}
