/// The way between longitudes and latitudes of two datums, over geocentric coordinates.
///
/// An object, since its numbers would otherwise be copied for each place.
final class DatumChange: Sendable {
    private let forward: GeocentricMap?
    private let backward: GeocentricMap?
    private let sourceEllipsoid: Ellipsoid
    private let targetEllipsoid: Ellipsoid

    /// The change between two datums given by their shifts, `nil` being WGS 84 itself and what counts as it; or `nil` when
    /// the datums are one and nothing changes.
    init?(from source: DatumShift?, to target: DatumShift?) {
        guard source != target else { return nil }
        forward = source?.forward
        backward = target?.backward
        sourceEllipsoid = source?.ellipsoid ?? .wgs84
        targetEllipsoid = target?.ellipsoid ?? .wgs84
    }

    /// Moves a longitude and latitude in degrees; longitudes beyond 180° stay in their copy of the world.
    func callAsFunction(_ place: Coordinate) -> Coordinate {
        var geocentric = Self.geocentric(place, sourceEllipsoid)
        if let forward { geocentric = forward(geocentric) }
        if let backward { geocentric = backward(geocentric) }
        let moved = Self.geographic(geocentric, targetEllipsoid)
        return Coordinate(x: moved.x + ((place.x - moved.x) / 360).rounded() * 360, y: moved.y)
    }

    private static func geocentric(_ place: Coordinate, _ ellipsoid: Ellipsoid) -> GeocentricVector {
        let latitude = place.y * Angle.radiansPerDegree, longitude = place.x * Angle.radiansPerDegree
        let sine = Libm.sine(latitude), e2 = ellipsoid.eccentricitySquared
        let radius = ellipsoid.semiMajorAxis / (1 - e2 * sine * sine).squareRoot()
        let outward = radius * Libm.cosine(latitude)
        return GeocentricVector(
            outward * Libm.cosine(longitude), outward * Libm.sine(longitude), radius * (1 - e2) * sine)
    }

    /// By Bowring's formula, which is exact to 1e-12° within tens of kilometres of the ellipsoid.
    private static func geographic(_ place: GeocentricVector, _ ellipsoid: Ellipsoid) -> Coordinate {
        let a = ellipsoid.semiMajorAxis, e2 = ellipsoid.eccentricitySquared, b = a * (1 - e2).squareRoot()
        let outward = Libm.hypotenuse(place.x, place.y)
        // The parametric latitude, as sine and cosine.
        let length = Libm.hypotenuse(place.z * a, outward * b)
        let sine = place.z * a / length, cosine = outward * b / length
        let latitude = Libm.arcTangent(
            y: place.z + e2 / (1 - e2) * b * sine * sine * sine, x: outward - e2 * a * cosine * cosine * cosine)
        return Coordinate(
            longitude: Libm.arcTangent(y: place.y, x: place.x) / Angle.radiansPerDegree,
            latitude: latitude / Angle.radiansPerDegree)
    }
}
