public import PortolanGeo

/// The lines or rings of a geometry, each a slice of its coordinates that shares their storage.
public struct GeometryParts: RandomAccessCollection, Sendable {
    private let geometry: Geometry
    private let range: Range<Int>

    init(geometry: Geometry, range: Range<Int>) {
        self.geometry = geometry
        self.range = range
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many parts there are.
    public var endIndex: Int { range.count }

    /// The coordinates of one part; the slice keeps the indices of ``Geometry/coordinates``.
    public subscript(position: Int) -> ArraySlice<Coordinate> {
        precondition(position >= 0 && position < range.count, "part out of range")
        return geometry.coordinates[geometry.partRange(range.lowerBound + position)]
    }
}
