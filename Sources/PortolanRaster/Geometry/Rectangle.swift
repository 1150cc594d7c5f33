/// An axis-aligned rectangle in pixel coordinates, x to the right and y down.
public struct Rectangle: Hashable, Sendable {
    /// The left edge.
    public var minX: Double
    /// The top edge.
    public var minY: Double
    /// The right edge.
    public var maxX: Double
    /// The bottom edge.
    public var maxY: Double

    /// Creates a rectangle from its edges.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The horizontal distance between its edges.
    public var width: Double { maxX - minX }

    /// The vertical distance between its edges.
    public var height: Double { maxY - minY }

    /// Returns whether a point is inside or on an edge.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    /// Returns whether another rectangle is inside, including its edges.
    func contains(_ other: Rectangle) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    /// Extends the rectangle to contain the point.
    mutating func include(_ point: Point) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    /// Returns the part of the segment from `a` to `b` inside the rectangle, or `nil` if they do not intersect.
    ///
    /// A clipped end is exactly on the clipping edge, however far away the segment's end is.
    @inline(__always)
    func clip(_ a: Point, _ b: Point) -> (Point, Point)? {
        contains(a) && contains(b) ? (a, b) : cut(a, b)
    }

    private func cut(_ a: Point, _ b: Point) -> (Point, Point)? {
        guard max(a.x, b.x) >= minX, min(a.x, b.x) <= maxX else { return nil }
        let c = Self.cut(a, b, minX, maxX), d = Self.cut(b, a, minX, maxX)
        guard max(c.y, d.y) >= minY, min(c.y, d.y) <= maxY else { return nil }
        let swappedC = Point(x: c.y, y: c.x), swappedD = Point(x: d.y, y: d.x)
        let e = Self.cut(swappedC, swappedD, minY, maxY), f = Self.cut(swappedD, swappedC, minY, maxY)
        return (Point(x: e.y, y: e.x), Point(x: f.y, y: f.x))
    }

    /// Returns `point`, or where the segment from it to `other` enters the range of x from `low` to `high`.
    private static func cut(_ point: Point, _ other: Point, _ low: Double, _ high: Double) -> Point {
        let bound = min(max(point.x, low), high)
        guard bound != point.x else { return point }
        return Point(
            x: bound, y: Interpolation.value(at: bound, from: point.x, point.y, to: other.x, other.y))
    }
}

extension Rectangle {
    /// Creates the rectangle of a picture extended by a margin on all sides; a negative margin counts as 0.
    public init(_ size: ImageSize, margin: Double = 0) {
        let margin = margin > 0 ? min(margin, 1e6) : 0
        self.init(
            minX: -margin, minY: -margin, maxX: Double(size.width) + margin, maxY: Double(size.height) + margin)
    }
}

/// Linear interpolation that stays finite and between its ends for all finite numbers.
enum Interpolation {
    /// Returns the value at `position` on the line through (`position0`, `value0`) and (`position1`, `value1`), clamped
    /// to the two values.
    ///
    /// `position` must be between the two positions, which must differ.
    static func value(
        at position: Double, from position0: Double, _ value0: Double, to position1: Double, _ value1: Double
    ) -> Double {
        let span = position1 - position0, rise = value1 - value0
        let result: Double
        if span.isFinite, rise.isFinite {
            result = value0 + rise * ((position - position0) / span)
        } else {
            // Halves keep differences of the largest finite numbers finite.
            let t = (position / 2 - position0 / 2) / (position1 / 2 - position0 / 2)
            result = value0 * (1 - t) + value1 * t
        }
        return min(max(result, min(value0, value1)), max(value0, value1))
    }
}
