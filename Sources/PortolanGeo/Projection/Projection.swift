/// The maths between longitude and latitude in degrees, on the datum of a system, and the coordinates of that system.
public enum Projection: Hashable, Sendable {
    /// Longitude and latitude themselves, in degrees.
    case geographic
    /// Spherical Mercator of EPSG:3857 (EPSG method 1024).
    case webMercator
    /// Mercator on an ellipsoid (EPSG method 9804).
    case mercator(Mercator)
    /// Transverse Mercator, UTM among them (EPSG method 9807).
    case transverseMercator(TransverseMercator)
    /// Lambert's conformal conic (EPSG methods 9801 and 9802).
    case lambertConformalConic(LambertConformalConic)
    /// Lambert's azimuthal equal-area (EPSG methods 9820 and 1027).
    case lambertAzimuthalEqualArea(LambertAzimuthalEqualArea)
    /// Albers' equal-area conic (EPSG method 9822).
    case albersEqualArea(AlbersEqualArea)
    /// Stereographic about a pole (EPSG methods 9810 and 9829).
    case polarStereographic(PolarStereographic)
    /// Oblique stereographic (EPSG method 9809).
    case obliqueStereographic(ObliqueStereographic)
    /// Oblique Mercator of Switzerland and Hungary (EPSG method 9815 with an azimuth of 90°).
    case swissObliqueMercator(SwissObliqueMercator)
    /// Krovak, x east and y north (EPSG method 1041).
    case krovak(Krovak)

    /// The projected place of `geographic` (degrees), or `nil` outside the projection's domain.
    public func project(_ geographic: Coordinate) -> Coordinate? {
        guard geographic.isFinite, abs(geographic.y) <= 90 else { return nil }
        switch self {
        case .geographic: return geographic
        case .webMercator: return WebMercator.project(geographic)
        case .mercator(let projection): return projection.project(geographic)
        case .transverseMercator(let projection): return projection.project(geographic)
        case .lambertConformalConic(let projection): return projection.project(geographic)
        case .lambertAzimuthalEqualArea(let projection): return projection.project(geographic)
        case .albersEqualArea(let projection): return projection.project(geographic)
        case .polarStereographic(let projection): return projection.project(geographic)
        case .obliqueStereographic(let projection): return projection.project(geographic)
        case .swissObliqueMercator(let projection): return projection.project(geographic)
        case .krovak(let projection): return projection.project(geographic)
        }
    }

    /// The longitude and latitude (degrees) of a projected place, or `nil` outside the projection's domain.
    public func unproject(_ projected: Coordinate) -> Coordinate? {
        guard projected.isFinite else { return nil }
        let place: Coordinate?
        switch self {
        case .geographic: return abs(projected.y) <= 90 ? projected : nil
        case .webMercator: return WebMercator.unproject(projected)
        case .mercator(let projection): place = projection.unproject(projected)
        case .transverseMercator(let projection): place = projection.unproject(projected)
        case .lambertConformalConic(let projection): place = projection.unproject(projected)
        case .lambertAzimuthalEqualArea(let projection): place = projection.unproject(projected)
        case .albersEqualArea(let projection): place = projection.unproject(projected)
        case .polarStereographic(let projection): place = projection.unproject(projected)
        case .obliqueStereographic(let projection): place = projection.unproject(projected)
        case .swissObliqueMercator(let projection): place = projection.unproject(projected)
        case .krovak(let projection): place = projection.unproject(projected)
        }
        // Huge coordinates overflow on the way.
        guard let place, place.isFinite else { return nil }
        return place
    }
}
