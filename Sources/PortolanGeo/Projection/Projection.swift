/// The maths between longitude and latitude in degrees and the coordinates of a system.
public enum Projection: Hashable, Sendable {
    /// Longitude and latitude themselves, in degrees.
    case geographic
    /// Spherical Mercator of EPSG:3857 (EPSG method 1024).
    case webMercator
    /// Transverse Mercator, UTM among them (EPSG method 9807).
    case transverseMercator(TransverseMercator)

    /// The projected place of `geographic` (degrees), or `nil` outside the projection's domain.
    public func project(_ geographic: Coordinate) -> Coordinate? {
        guard geographic.isFinite, abs(geographic.y) <= 90 else { return nil }
        switch self {
        case .geographic: return geographic
        case .webMercator: return WebMercator.project(geographic)
        case .transverseMercator(let projection): return projection.project(geographic)
        }
    }

    /// The longitude and latitude (degrees) of a projected place, or `nil` outside the projection's domain.
    public func unproject(_ projected: Coordinate) -> Coordinate? {
        guard projected.isFinite else { return nil }
        switch self {
        case .geographic: return abs(projected.y) <= 90 ? projected : nil
        case .webMercator: return WebMercator.unproject(projected)
        case .transverseMercator(let projection): return projection.unproject(projected)
        }
    }
}
