/// The unit a coordinate reference system measures in.
public enum CoordinateUnit: Hashable, Sendable {
    /// Degrees of arc.
    case degree
    /// A length, with how many metres it is.
    case length(meters: Double)

    /// One metre.
    public static let meter = CoordinateUnit.length(meters: 1)

    /// Metres a unit; a degree counts as one of the equator, 111 319.49 m, as OGC 06-042 (WMS 1.3.0) 7.2.4.6.9 has it.
    public var metersPerUnit: Double {
        switch self {
        case .degree: Ellipsoid.wgs84.semiMajorAxis * .pi / 180
        case .length(let meters): meters
        }
    }
}
