/// An upright rectangle in pixel coordinates, x to the right and y down.
public struct Rectangle: Hashable, Sendable {
    /// The left side.
    public var minX: Double
    /// The top side.
    public var minY: Double
    /// The right side.
    public var maxX: Double
    /// The bottom side.
    public var maxY: Double

    /// Makes a rectangle from its sides.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The distance from the left to the right side.
    public var width: Double { maxX - minX }

    /// The distance from the top to the bottom side.
    public var height: Double { maxY - minY }

    /// Whether the point is inside or on a side.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    /// Whether another rectangle is inside, its sides included.
    func contains(_ other: Rectangle) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    /// Widens the rectangle so that it contains the point.
    mutating func include(_ point: Point) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    /// The part of the segment from `a` to `b` inside the rectangle, or `nil` when there is none.
    ///
    /// A cut end lies exactly on the side that cuts it, however far away the segment's own end is.
    func clip(_ a: Point, _ b: Point) -> (Point, Point)? {
        if contains(a), contains(b) { return (a, b) }
        guard max(a.x, b.x) >= minX, min(a.x, b.x) <= maxX else { return nil }
        let c = Self.cut(a, b, minX, maxX), d = Self.cut(b, a, minX, maxX)
        guard max(c.y, d.y) >= minY, min(c.y, d.y) <= maxY else { return nil }
        let swappedC = Point(x: c.y, y: c.x), swappedD = Point(x: d.y, y: d.x)
        let e = Self.cut(swappedC, swappedD, minY, maxY), f = Self.cut(swappedD, swappedC, minY, maxY)
        return (Point(x: e.y, y: e.x), Point(x: f.y, y: f.x))
    }

    /// `point`, or where the segment from it to `other` comes into the strip from `low` to `high` of x.
    private static func cut(_ point: Point, _ other: Point, _ low: Double, _ high: Double) -> Point {
        let bound = min(max(point.x, low), high)
        guard bound != point.x else { return point }
        return Point(
            x: bound, y: Interpolation.value(at: bound, from: point.x, point.y, to: other.x, other.y))
    }
}

extension Rectangle {
    /// The rectangle of a picture grown by a margin on all sides; a margin below zero counts as none.
    public init(_ size: ImageSize, margin: Double = 0) {
        let margin = margin > 0 ? min(margin, 1e6) : 0
        self.init(
            minX: -margin, minY: -margin, maxX: Double(size.width) + margin, maxY: Double(size.height) + margin)
    }
}

/// Straight-line interpolation that stays finite and inside its ends for all finite numbers.
enum Interpolation {
    /// The value at `position` on the line through (`position0`, `value0`) and (`position1`, `value1`), kept between
    /// the two values; `position` lies between the two positions, which differ.
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
