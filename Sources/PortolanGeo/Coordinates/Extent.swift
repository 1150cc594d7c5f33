/// A rectangle of a map with finite coordinates and positive area, x east and y north.
public struct Extent: Hashable, Sendable, CustomStringConvertible {
    /// The west edge.
    public let minX: Double
    /// The south edge.
    public let minY: Double
    /// The east edge.
    public let maxX: Double
    /// The north edge.
    public let maxY: Double

    /// Creates an extent, or returns `nil` if a number is not finite or a side is not positive.
    public init?(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        guard minX.isFinite, minY.isFinite, maxX.isFinite, maxY.isFinite, minX < maxX, minY < maxY,
            (maxX - minX).isFinite, (maxY - minY).isFinite
        else { return nil }
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Creates an extent around a centre, or returns `nil` if it is not finite with positive sides.
    public init?(center: Coordinate, width: Double, height: Double) {
        self.init(
            minX: center.x - width / 2, minY: center.y - height / 2,
            maxX: center.x + width / 2, maxY: center.y + height / 2)
    }

    /// The distance between the west and east edges.
    public var width: Double { maxX - minX }

    /// The distance between the south and north edges.
    public var height: Double { maxY - minY }

    /// The centre.
    public var center: Coordinate { Coordinate(x: minX + width / 2, y: minY + height / 2) }

    /// The four corners, counter-clockwise from the south-west.
    public var corners: [Coordinate] {
        [
            Coordinate(x: minX, y: minY), Coordinate(x: maxX, y: minY),
            Coordinate(x: maxX, y: maxY), Coordinate(x: minX, y: maxY),
        ]
    }

    /// Returns whether `coordinate` is inside or on the border.
    public func contains(_ coordinate: Coordinate) -> Bool {
        coordinate.x >= minX && coordinate.x <= maxX && coordinate.y >= minY && coordinate.y <= maxY
    }

    /// Returns whether `other` is entirely inside.
    public func contains(_ other: Extent) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    /// Returns the intersection, or `nil` if they share no area.
    public func intersection(_ other: Extent) -> Extent? {
        Extent(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// Returns whether the extents share some area; touching edges do not count.
    public func intersects(_ other: Extent) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// Returns the smallest extent that contains both.
    public func union(_ other: Extent) -> Extent {
        Extent(
            minX: min(minX, other.minX), minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY)) ?? self
    }

    /// Returns the extent expanded (or shrunk, if negative) on all sides, or `nil` if nothing is left.
    public func grown(by amount: Double) -> Extent? {
        Extent(minX: minX - amount, minY: minY - amount, maxX: maxX + amount, maxY: maxY + amount)
    }

    /// Returns the extent shifted by an offset, or `nil` if it is not finite.
    public func shifted(x: Double, y: Double) -> Extent? {
        Extent(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// The four edges as `minX,minY,maxX,maxY`.
    public var description: String { "\(minX),\(minY),\(maxX),\(maxY)" }
}

extension Extent {
    /// Creates an extent from four numbers.
    ///
    /// In degrees, a west greater than the east means a box across the antimeridian (RFC 7946, section 5.2).
    package init?(sides: [Double]) {
        guard sides.count == 4 else { return nil }
        let isOver =
            sides[0] > sides[2] && sides[0] <= 180 && sides[2] >= -180 && max(abs(sides[1]), abs(sides[3])) <= 90
        self.init(minX: sides[0], minY: sides[1], maxX: sides[2] + (isOver ? 360 : 0), maxY: sides[3])
    }
}
