/// The polygons of a geometry, each as its rings: the outer one first, then those of the holes.
public struct GeometryPolygons: RandomAccessCollection, Sendable {
    private let geometry: Geometry

    init(geometry: Geometry) { self.geometry = geometry }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many polygons there are.
    public var endIndex: Int {
        switch geometry.kind {
        case .polygon: geometry.isEmpty ? 0 : 1
        case .multiPolygon: geometry.polygonEnds.count
        default: 0
        }
    }

    /// The rings of one polygon.
    public subscript(position: Int) -> GeometryParts {
        precondition(position >= 0 && position < endIndex, "polygon out of range")
        guard geometry.kind == .multiPolygon else { return geometry.parts }
        let start = position == 0 ? 0 : geometry.polygonEnds[position - 1]
        return GeometryParts(geometry: geometry, range: start..<geometry.polygonEnds[position])
    }
}
