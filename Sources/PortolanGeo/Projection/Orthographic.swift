/// The orthographic projection of an ellipsoid or sphere: the earth from infinitely far away.
///
/// Coordinates whose vertical points away from the viewer cannot be projected. The domain ends a tenth of a degree, ten
/// metres on the map, before the horizon, because edges of shapes along the horizon may bulge beyond it.
///
/// Source: IOGP 373-7-2, EPSG method 9840; the inverse intersects the line of sight with the ellipsoid.
struct Orthographic: MapProjection, DescribedProjection {
    private let ellipsoid: Ellipsoid
    private let center: Coordinate
    private let falseOrigin: Coordinate
    private let sine: Double
    private let cosine: Double
    /// The distance of the centre of the earth from the line of sight to the centre of the map, northwards, in
    /// semi-major axes.
    private let offset: Double

    /// Creates a projection with a centre in degrees, and its easting and northing in metres.
    init(ellipsoid: Ellipsoid, center: Coordinate, falseOrigin: Coordinate) {
        self.ellipsoid = ellipsoid
        self.center = center
        self.falseOrigin = falseOrigin
        (sine, cosine) = Angle.sineAndCosine(center.y)
        let e2 = ellipsoid.eccentricitySquared
        offset = e2 * sine * cosine / (1 - e2 * sine * sine).squareRoot()
    }

    var parameters: ProjectionParameters? {
        ProjectionParameters(method: .orthographic, ellipsoid: ellipsoid, origin: center, falseOrigin: falseOrigin)
    }

    var domain: ProjectionDomain { .cap(center: center, radius: 89.9) }

    func forward(_ geographic: Coordinate) -> Coordinate? {
        let latitude = geographic.y * Angle.radiansPerDegree, (s, c) = (Libm.sine(latitude), Libm.cosine(latitude))
        let angle = Angle.difference(geographic.x, from: center.x) * Angle.radiansPerDegree
        let inward = c * Libm.cosine(angle)
        guard sine * s + cosine * inward >= -1e-10 else { return nil }
        let e2 = ellipsoid.eccentricitySquared, normal = 1 / (1 - e2 * s * s).squareRoot()
        let x = normal * c * Libm.sine(angle)
        let y = normal * ((1 - e2) * s * cosine - inward * sine) + offset
        return Coordinate(
            x: falseOrigin.x + ellipsoid.semiMajorAxis * x, y: falseOrigin.y + ellipsoid.semiMajorAxis * y)
    }

    func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = (projected.x - falseOrigin.x) / ellipsoid.semiMajorAxis
        let y = (projected.y - falseOrigin.y) / ellipsoid.semiMajorAxis - offset
        // On the line (−y·sin, x, y·cos) + t·(cos, 0, sin), where the polar axis is divided by 1 − e².
        let k = 1 / (1 - ellipsoid.eccentricitySquared)
        let a = cosine * cosine + k * sine * sine, b = (k - 1) * y * sine * cosine
        let c = x * x + y * y * (sine * sine + k * cosine * cosine) - 1
        let discriminant = b * b - a * c
        guard discriminant >= -1e-12 else { return nil }
        let t = (max(discriminant, 0).squareRoot() - b) / a
        let inward = t * cosine - y * sine, north = t * sine + y * cosine
        let longitude = Libm.arcTangent(y: x, x: inward) / Angle.radiansPerDegree
        let latitude = Libm.arcTangent(y: k * north, x: Libm.hypotenuse(x, inward)) / Angle.radiansPerDegree
        return Coordinate(longitude: Angle.wrapped(center.x + longitude), latitude: latitude)
    }
}
