/// The geometries of the features of a layer, in tile coordinates: x to the right, y downwards, from the upper left corner.
///
/// A feature has parts: lines, rings, or one part for its points. Rings do not repeat their first vertex at the end.
package struct VectorTileGeometry: Sendable {
    /// The types of geometry.
    ///
    /// Features of the type `unknown` have no parts.
    package enum Kind: UInt8, Sendable { case unknown, points, lines, polygons }

    /// The type of each feature.
    package internal(set) var types: [Kind] = []
    /// The index of the first part of each feature, and the number of all parts.
    package internal(set) var partOffsets: [UInt32] = [0]
    /// The index of the first vertex of each part, and the number of all vertices.
    package internal(set) var vertexOffsets: [UInt32] = [0]
    /// The coordinates x and y of all vertices by turns.
    package internal(set) var coordinates: [Int32] = []
    /// Whether each part is the outer ring of a polygon, if the format states it; otherwise empty, and the winding decides.
    var isOuterRing: [Bool] = []

    /// The parts of a feature.
    package func parts(of feature: Int) -> Range<Int> { Int(partOffsets[feature])..<Int(partOffsets[feature + 1]) }

    /// The vertices of a part.
    package func vertices(of part: Int) -> Range<Int> { Int(vertexOffsets[part])..<Int(vertexOffsets[part + 1]) }

    /// The coordinates of a vertex.
    package func vertex(_ index: Int) -> (x: Int32, y: Int32) {
        (coordinates[2 * index], coordinates[2 * index + 1])
    }

    /// Twice the area of a ring, positive if it runs clockwise on a screen, as outer rings do in version 2.
    package func doubleArea(of ring: Int) -> Double {
        let range = vertices(of: ring)
        guard range.count > 2 else { return 0 }
        var sum = 0.0
        var last = vertex(range.upperBound - 1)
        for index in range {
            let next = vertex(index)
            sum += Double(last.x) * Double(next.y) - Double(next.x) * Double(last.y)
            last = next
        }
        return sum
    }
}
