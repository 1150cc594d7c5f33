/// The azimuthal equidistant projection of an ellipsoid: distances and directions from the centre are those of geodesics.
///
/// Coordinates more than 179° from the centre are outside the domain, because geodesics to the antipode are not unique.
///
/// Source: C. Karney, *Algorithms for geodesics* (2013), section 8; Snyder, *Map Projections: A Working Manual*, 25.
struct AzimuthalEquidistant: MapProjection, DescribedProjection {
    private let ellipsoid: Ellipsoid
    private let center: Coordinate
    private let falseOrigin: Coordinate
    private let circle: SphereCircle

    /// Creates a projection with a centre in degrees, and its easting and northing in metres.
    init(ellipsoid: Ellipsoid, center: Coordinate, falseOrigin: Coordinate) {
        self.ellipsoid = ellipsoid
        self.center = center
        self.falseOrigin = falseOrigin
        circle = SphereCircle(center: center, radius: 179)
    }

    var parameters: ProjectionParameters? {
        ProjectionParameters(
            method: .azimuthalEquidistant, ellipsoid: ellipsoid, origin: center, falseOrigin: falseOrigin)
    }

    var domain: ProjectionDomain { .cap(center: center, radius: circle.radius) }

    func forward(_ geographic: Coordinate) -> Coordinate? {
        // Edges of shapes along the circle may bulge beyond it.
        guard circle.cosine(of: geographic) >= circle.cosineOfRadius - 2e-5 else { return nil }
        let place = Coordinate(x: center.x + Angle.difference(geographic.x, from: center.x), y: geographic.y)
        let line = Geodesic.line(from: center, to: place, on: ellipsoid)
        let bearing = line.bearing * Angle.radiansPerDegree
        return Coordinate(
            x: falseOrigin.x + line.meters * Libm.sine(bearing), y: falseOrigin.y + line.meters * Libm.cosine(bearing))
    }

    func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = projected.x - falseOrigin.x, y = projected.y - falseOrigin.y, meters = Libm.hypotenuse(x, y)
        // Longer geodesics are not the shortest ones in all directions.
        guard meters <= .pi * ellipsoid.semiMajorAxis * (1 - ellipsoid.flattening) else { return nil }
        let bearing = Libm.arcTangent(y: x, x: y) / Angle.radiansPerDegree
        let end = Geodesic.place(from: center, bearing: bearing, meters: meters, on: ellipsoid)
        guard circle.cosine(of: end) >= circle.cosineOfRadius - 2e-9 else { return nil }
        return Coordinate(
            longitude: Angle.wrapped(center.x + Angle.difference(end.x, from: center.x)), latitude: end.y)
    }
}
