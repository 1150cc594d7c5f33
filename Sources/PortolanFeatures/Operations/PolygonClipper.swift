package import PortolanRaster

/// Clips rings to a rectangle by the Sutherland–Hodgman algorithm.
package enum PolygonClipper {
    /// Returns the part of a ring inside a box as one closed ring, or an empty array if they share no significant area.
    ///
    /// Where the ring leaves and enters the box, the result runs along the sides of the box, possibly back and forth.
    /// This changes no filled area by either fill rule, but must not be stroked: clip the border as a line instead.
    /// Rings may be open or closed. Points that are not finite, or more than 10¹⁵ pixels away, are removed.
    ///
    /// - Complexity: O(*n*) in the points.
    package static func clip(_ ring: [Point], to box: Rectangle) -> [Point] {
        var result = ClippedRing()
        result.clip(ring, ring.indices, to: box)
        return result.points
    }
}

/// The part of a ring inside a box, with buffers that can be reused for the next.
package struct ClippedRing: Sendable {
    /// The part of the last ring as one closed ring; empty without a significant area.
    package private(set) var points: [Point] = []
    private var other: [Point] = []

    /// Creates an empty ring.
    package init() {}

    /// Clips a range of points as one ring; see ``PolygonClipper``.
    package mutating func clip(_ ring: [Point], _ range: Range<Int>, to box: Rectangle) {
        points.removeAll(keepingCapacity: true)
        var isInside = true
        for index in range where ring[index].isInRange {
            points.append(ring[index])
            isInside = isInside && box.contains(ring[index])
        }
        if points.count > 1, points.first == points.last { points.removeLast() }
        if !isInside {
            cut(isInside: { $0.x >= box.minX }, at: { Self.crossX($0, $1, box.minX) })
            cut(isInside: { $0.x <= box.maxX }, at: { Self.crossX($0, $1, box.maxX) })
            cut(isInside: { $0.y >= box.minY }, at: { Self.crossY($0, $1, box.minY) })
            cut(isInside: { $0.y <= box.maxY }, at: { Self.crossY($0, $1, box.maxY) })
        }
        guard points.count >= 3 else { return points.removeAll(keepingCapacity: true) }
        points.append(points[0])
    }

    @inline(__always)
    private mutating func cut(isInside: (Point) -> Bool, at crossing: (Point, Point) -> Point) {
        guard var previous = points.last else { return }
        other.removeAll(keepingCapacity: true)
        var wasInside = isInside(previous)
        for next in points {
            let isNextInside = isInside(next)
            if isNextInside != wasInside { other.append(crossing(previous, next)) }
            if isNextInside { other.append(next) }
            previous = next
            wasInside = isNextInside
        }
        swap(&points, &other)
    }

    /// Returns the intersection of a segment with a vertical line, independent of the segment's direction.
    private static func crossX(_ a: Point, _ b: Point, _ x: Double) -> Point {
        let (low, high) = a.x < b.x ? (a, b) : (b, a)
        return Point(x: x, y: low.y + (high.y - low.y) * ((x - low.x) / (high.x - low.x)))
    }

    private static func crossY(_ a: Point, _ b: Point, _ y: Double) -> Point {
        let (low, high) = a.y < b.y ? (a, b) : (b, a)
        return Point(x: low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y)), y: y)
    }
}
