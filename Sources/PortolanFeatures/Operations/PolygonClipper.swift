public import PortolanRaster

/// Cuts rings at the sides of a rectangle, after Sutherland and Hodgman.
public enum PolygonClipper {
    /// The part of a ring inside a box as one closed ring, or an empty array when they share no area to speak of.
    ///
    /// Where the ring leaves and enters the box, the result runs along the box's sides, and it may run there and back;
    /// that changes no filled area, by either fill rule, but must not be stroked: clip the border as a line instead.
    /// Rings may be closed or not; points that are not finite, or more than 10¹⁵ pixels away, are dropped.
    /// - Complexity: O(*n*) in the points.
    public static func clip(_ ring: [Point], to box: Rectangle) -> [Point] {
        var points = ring.filter(\.isInRange)
        if points.count > 1, points.first == points.last { points.removeLast() }
        if !points.allSatisfy(box.contains) {
            points = cut(points, isInside: { $0.x >= box.minX }, at: { crossX($0, $1, box.minX) })
            points = cut(points, isInside: { $0.x <= box.maxX }, at: { crossX($0, $1, box.maxX) })
            points = cut(points, isInside: { $0.y >= box.minY }, at: { crossY($0, $1, box.minY) })
            points = cut(points, isInside: { $0.y <= box.maxY }, at: { crossY($0, $1, box.maxY) })
        }
        guard points.count >= 3, let first = points.first else { return [] }
        points.append(first)
        return points
    }

    private static func cut(
        _ points: [Point], isInside: (Point) -> Bool, at crossing: (Point, Point) -> Point
    ) -> [Point] {
        guard var previous = points.last else { return [] }
        var result: [Point] = []
        result.reserveCapacity(points.count + 4)
        var wasInside = isInside(previous)
        for next in points {
            let isNextInside = isInside(next)
            if isNextInside != wasInside { result.append(crossing(previous, next)) }
            if isNextInside { result.append(next) }
            previous = next
            wasInside = isNextInside
        }
        return result
    }

    /// Where a segment with an end on either side crosses x; the same place whichever end comes first.
    private static func crossX(_ a: Point, _ b: Point, _ x: Double) -> Point {
        let (low, high) = a.x < b.x ? (a, b) : (b, a)
        return Point(x: x, y: low.y + (high.y - low.y) * ((x - low.x) / (high.x - low.x)))
    }

    private static func crossY(_ a: Point, _ b: Point, _ y: Double) -> Point {
        let (low, high) = a.y < b.y ? (a, b) : (b, a)
        return Point(x: low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y)), y: y)
    }
}
