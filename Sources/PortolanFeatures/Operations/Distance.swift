public import PortolanRaster

/// Distances on a picture, in pixels.
public enum Distance {
    /// The square of the distance from a point to a straight segment, its ends included.
    public static func squared(from point: Point, toSegment start: Point, _ end: Point) -> Double {
        let dx = end.x - start.x, dy = end.y - start.y
        let px = point.x - start.x, py = point.y - start.y
        let length = dx * dx + dy * dy
        var along = length > 0 ? (px * dx + py * dy) / length : 0
        along = along > 0 ? min(along, 1) : 0
        let x = px - along * dx, y = py - along * dy
        return x * x + y * y
    }

    /// The distance from a point to the nearest place of a line, or `nil` when the line has no points.
    ///
    /// - Complexity: O(*n*) in the points of the line.
    public static func from(_ point: Point, toLine line: [Point]) -> Double? {
        guard let first = line.first else { return nil }
        var least = squared(from: point, toSegment: first, first)
        var previous = first
        for next in line.dropFirst() {
            least = min(least, squared(from: point, toSegment: previous, next))
            previous = next
        }
        return least.squareRoot()
    }
}
