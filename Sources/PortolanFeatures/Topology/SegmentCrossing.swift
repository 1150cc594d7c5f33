import PortolanGeo

/// Tests whether segments meet elsewhere than at a common end.
enum SegmentCrossing {
    /// Returns whether two segments have a common position other than an end that both have.
    ///
    /// Segments that meet within the rounding error of the coordinates count as crossing.
    static func exists(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate) -> Bool {
        if a == c { return b == d || isFolded(a, b, d) }
        if a == d { return b == c || isFolded(a, b, c) }
        if b == c { return isFolded(b, a, d) }
        if b == d { return isFolded(b, a, c) }
        if max(a.x, b.x) < min(c.x, d.x) || max(c.x, d.x) < min(a.x, b.x) || max(a.y, b.y) < min(c.y, d.y)
            || max(c.y, d.y) < min(a.y, b.y)
        {
            return false
        }
        return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0
    }

    /// Returns whether two segments from one position have the same direction.
    private static func isFolded(_ start: Coordinate, _ one: Coordinate, _ other: Coordinate) -> Bool {
        let along = (one.x - start.x) * (other.x - start.x) + (one.y - start.y) * (other.y - start.y)
        return along > 0 && side(start, one, other) == 0
    }

    /// Returns 1 for a position to the left of a line, -1 to its right, and 0 if rounding errors leave it open.
    private static func side(_ from: Coordinate, _ to: Coordinate, _ place: Coordinate) -> Int {
        let left = (to.x - from.x) * (place.y - from.y), right = (to.y - from.y) * (place.x - from.x)
        let turn = left - right, error = (abs(left) + abs(right)) * 4e-16
        return turn > error ? 1 : turn < -error ? -1 : 0
    }

    /// Returns whether segments of closed rings meet elsewhere than at common vertices.
    ///
    /// - Complexity: O(*n* log *n*) as a rule.
    static func exists(inRings rings: [[Coordinate]]) -> Bool {
        let segments = rings.flatMap { ring in zip(ring, ring.dropFirst()).map { ($0, $1) } }
        let boxes = segments.map { BoundingBox([$0.0, $0.1]) }, index = SpatialIndex(boxes)
        for (number, segment) in segments.enumerated() {
            guard let box = boxes[number] else { continue }
            for other in index.items(touching: box) where other > number {
                if exists(segment.0, segment.1, segments[other].0, segments[other].1) { return true }
            }
        }
        return false
    }
}
