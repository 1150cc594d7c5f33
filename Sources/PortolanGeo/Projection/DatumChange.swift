/// The way between longitudes and latitudes of two datums, over geocentric coordinates.
struct DatumChange: Hashable, Sendable {
    /// `nil` is WGS 84 itself, and what counts as it.
    let source: DatumShift?
    let target: DatumShift?

    /// The change, or `nil` when the datums are one and nothing is to be done.
    init?(from source: DatumShift?, to target: DatumShift?) {
        guard source != target else { return nil }
        self.source = source
        self.target = target
    }

    /// Moves a longitude and latitude in degrees; longitudes beyond 180° stay in their copy of the world.
    func callAsFunction(_ place: Coordinate) -> Coordinate {
        var geocentric = Self.geocentric(place, source?.ellipsoid ?? .wgs84)
        if let source { geocentric = source.forward(geocentric) }
        if let target { geocentric = target.backward(geocentric) }
        let moved = Self.geographic(geocentric, target?.ellipsoid ?? .wgs84)
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
