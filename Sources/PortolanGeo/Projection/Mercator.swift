/// Spherical Mercator on the semi-major axis of WGS 84, as EPSG:3857 defines it.
///
/// Source: IOGP 373-7-2, EPSG method 1024 (Popular Visualisation Pseudo Mercator).
package struct WebMercator: MapProjection, DescribedProjection {
    static let radius = 6_378_137.0

    var parameters: ProjectionParameters? {
        ProjectionParameters(method: .webMercator, ellipsoid: .wgs84, firstParallel: 0)
    }

    /// The length of the equator in metres, after which the world repeats.
    static let worldWidth = 2 * Double.pi * radius

    package var worldWidth: Double? { Self.worldWidth }

    package var worldExtent: Extent? {
        Extent(center: Coordinate(x: 0, y: 0), width: Self.worldWidth, height: Self.worldWidth)
    }

    package var domain: ProjectionDomain { .mercator }

    package func forward(_ geographic: Coordinate) -> Coordinate? {
        guard abs(geographic.y) < 90 else { return nil }
        let latitude = geographic.y * .pi / 180
        return Coordinate(
            x: Self.radius * (geographic.x * .pi / 180),
            y: Self.radius * Libm.inverseHyperbolicSine(Libm.tangent(latitude)))
    }

    package func inverse(_ projected: Coordinate) -> Coordinate? {
        let latitude = Libm.arcTangent(Libm.hyperbolicSine(projected.y / Self.radius))
        return Coordinate(x: projected.x / Self.radius * 180 / .pi, y: latitude * 180 / .pi)
    }
}

/// Mercator on an ellipsoid, with true scale on the equator.
///
/// Source: IOGP 373-7-2, EPSG method 9804 (Mercator variant A); Snyder, *Map Projections: A Working Manual*, 7.
package struct Mercator: MapProjection, DescribedProjection {
    let parameters: ProjectionParameters?
    private let semiMajorAxis: Double
    private let eccentricity: Double

    /// Creates the projection centred on Greenwich.
    package init(ellipsoid: Ellipsoid) {
        parameters = ProjectionParameters(method: .mercator, ellipsoid: ellipsoid, firstParallel: 0)
        semiMajorAxis = ellipsoid.semiMajorAxis
        eccentricity = ellipsoid.eccentricitySquared.squareRoot()
    }

    /// The length of the equator in metres, after which the world repeats.
    package var worldWidth: Double? { 2 * .pi * semiMajorAxis }

    package var worldExtent: Extent? {
        worldWidth.flatMap { Extent(center: Coordinate(x: 0, y: 0), width: $0, height: $0) }
    }

    package var domain: ProjectionDomain { .mercator }

    package func forward(_ geographic: Coordinate) -> Coordinate? {
        guard abs(geographic.y) < 90 else { return nil }
        let latitude = geographic.y * Angle.radiansPerDegree
        return Coordinate(
            x: semiMajorAxis * (geographic.x * Angle.radiansPerDegree),
            y: semiMajorAxis * Ellipsoid.isometricLatitude(latitude, eccentricity: eccentricity))
    }

    package func inverse(_ projected: Coordinate) -> Coordinate? {
        let latitude = Ellipsoid.latitude(isometric: projected.y / semiMajorAxis, eccentricity: eccentricity)
        return Coordinate(
            x: projected.x / semiMajorAxis / Angle.radiansPerDegree, y: latitude / Angle.radiansPerDegree)
    }
}

extension ProjectionDomain {
    /// All longitudes, and latitudes up to where the northing is a few times the largest easting.
    fileprivate static let mercator = ProjectionDomain.box(meridian: nil, halfWidth: 180, latitudes: -89.99...89.99)
}
