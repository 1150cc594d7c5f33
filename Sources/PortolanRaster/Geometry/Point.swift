/// A point of a picture: x to the right and y down, in pixels, with (0, 0) at the top-left corner of the first pixel.
public struct Point: Hashable, Sendable {
    /// The distance from the picture's left edge in pixels.
    public var x: Double
    /// The distance from the picture's top edge in pixels.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

extension Point {
    /// Whether both coordinates are finite.
    var isFinite: Bool { x.isFinite && y.isFinite }

    /// Returns the point at a distance along `direction`.
    func moved(along direction: Point, by distance: Double) -> Point {
        Point(x: x + direction.x * distance, y: y + direction.y * distance)
    }

    /// Returns the distance to another point; it does not overflow unless the coordinate differences do.
    func distance(to other: Point) -> Double {
        let dx = abs(other.x - x), dy = abs(other.y - y)
        let larger = max(dx, dy), smaller = min(dx, dy)
        if larger < 1e100 {
            // Below this the squares may underflow, and the larger difference is precise enough.
            return larger < 1e-100 ? larger : (dx * dx + dy * dy).squareRoot()
        }
        guard larger.isFinite else { return .infinity }
        let ratio = smaller / larger
        return larger * (1 + ratio * ratio).squareRoot()
    }

    /// Returns the point at `fraction` of the distance to another point.
    func toward(_ other: Point, fraction: Double) -> Point {
        Point(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
    }

    /// The vector of length 1 in this vector's direction, or `nil` if it has no direction.
    var normalized: Point? {
        let length = Point(x: 0, y: 0).distance(to: self)
        guard length > 0, length.isFinite else { return nil }
        return Point(x: x / length, y: y / length)
    }
}
