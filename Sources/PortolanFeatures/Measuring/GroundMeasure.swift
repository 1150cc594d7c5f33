public import PortolanGeo

/// The length, perimeter and area of geometries on the WGS 84 ellipsoid, in metres and square metres.
///
/// ```swift
/// let measure = try GroundMeasure(geometry)
/// print(measure.length, measure.area)
/// ```
///
/// Edges are geodesics between their ends (``/PortolanGeo/Geodesic``), even if they are straight on a map.
public struct GroundMeasure: Hashable, Sendable {
    /// The total length of lines.
    public private(set) var length = 0.0
    /// The total length of polygon rings, including those of holes.
    public private(set) var perimeter = 0.0
    /// The total area of polygons, without their holes.
    ///
    /// Overlapping polygons count twice. For a ring that crosses itself, areas of opposite orientation are subtracted.
    public private(set) var area = 0.0

    /// Creates a measure of zero.
    public init() {}

    /// Measures a geometry.
    ///
    /// - Parameter crs: the CRS of its coordinates.
    /// - Throws: ``/PortolanGeo/CRSError/noProjection(_:)`` if the coordinates cannot be transformed to degrees. With
    ///   an invalid coordinate the measures are NaN.
    /// - Complexity: linear in the coordinates, about a microsecond each.
    public init(_ geometry: Geometry, in crs: CRS = .crs84) throws(CRSError) {
        let transform = try CoordinateTransform(from: crs, to: .crs84)
        add(
            transform.isIdentity
                ? geometry
                : geometry.mapCoordinates { transform($0) ?? Coordinate(x: .nan, y: .nan) })
    }

    /// Returns the sum of two measures.
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
