public import PortolanGeo

/// What shapes measure on the earth, in metres and square metres on the ellipsoid of WGS 84.
///
/// Edges are shortest lines between their ends (``/PortolanGeo/Geodesic``), however straight they are on a map.
public struct GroundMeasure: Hashable, Sendable {
    /// How long the lines are.
    public private(set) var length = 0.0
    /// How long the rings of the polygons are, those of their holes too.
    public private(set) var perimeter = 0.0
    /// What the polygons enclose, without their holes.
    ///
    /// Polygons that lie over one another count twice; a ring that crosses
    /// itself counts what it goes round in one sense less what it goes round in the other.
    public private(set) var area = 0.0

    /// Nothing.
    public init() {}

    /// Measures a shape.
    ///
    /// - Parameter crs: the system of its coordinates.
    /// - Throws: ``/PortolanGeo/CRSError/noProjection(_:)`` for a system whose coordinates cannot be turned into degrees.
    ///   A shape with a coordinate that is nowhere on the earth is measured as not a number.
    /// - Complexity: linear in the coordinates, about a microsecond each.
    public init(_ geometry: Geometry, in crs: CRS = .crs84) throws(CRSError) {
        let transform = try CoordinateTransform(from: crs, to: .crs84)
        add(
            transform.isIdentity
                ? geometry
                : geometry.mapCoordinates { transform($0) ?? Coordinate(x: .nan, y: .nan) })
    }

    /// Adds what another measures.
    public static func + (left: GroundMeasure, right: GroundMeasure) -> GroundMeasure {
        var sum = left
        sum.length += right.length
        sum.perimeter += right.perimeter
        sum.area += right.area
        return sum
    }

    private mutating func add(_ geometry: Geometry) {
        switch geometry.kind {
        case .point, .multiPoint: break
        case .lineString, .multiLineString:
            for part in geometry.parts {
                for (one, other) in zip(part, part.dropFirst()) { length += Geodesic.line(from: one, to: other).meters }
            }
        case .polygon, .multiPolygon:
            for polygon in geometry.polygons {
                for (place, ring) in polygon.enumerated() {
                    let measure = Geodesic.ring(ring)
                    perimeter += measure.meters
                    area += place == 0 ? abs(measure.area) : -abs(measure.area)
                }
            }
        case .collection: geometry.children.forEach { add($0) }
        }
    }
}
