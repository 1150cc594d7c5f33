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
