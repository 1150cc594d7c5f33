/// A rectangle of a map: finite, with sides longer than zero, x east and y north.
public struct Extent: Hashable, Sendable, CustomStringConvertible {
    /// The west side.
    public let minX: Double
    /// The south side.
    public let minY: Double
    /// The east side.
    public let maxX: Double
    /// The north side.
    public let maxY: Double

    /// Makes an extent, or `nil` when a number is not finite or a side is not longer than zero.
    public init?(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        guard minX.isFinite, minY.isFinite, maxX.isFinite, maxY.isFinite, minX < maxX, minY < maxY,
            (maxX - minX).isFinite, (maxY - minY).isFinite
        else { return nil }
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Makes an extent about a centre, or `nil` when it would not be finite with positive sides.
    public init?(center: Coordinate, width: Double, height: Double) {
        self.init(
            minX: center.x - width / 2, minY: center.y - height / 2,
            maxX: center.x + width / 2, maxY: center.y + height / 2)
    }

    /// East side minus west side.
    public var width: Double { maxX - minX }

    /// North side minus south side.
    public var height: Double { maxY - minY }

    /// The middle.
    public var center: Coordinate { Coordinate(x: minX + width / 2, y: minY + height / 2) }

    /// The four corners, from the south-west counter-clockwise.
    public var corners: [Coordinate] {
        [
            Coordinate(x: minX, y: minY), Coordinate(x: maxX, y: minY),
            Coordinate(x: maxX, y: maxY), Coordinate(x: minX, y: maxY),
        ]
    }

    /// Whether `coordinate` lies inside or on the border.
    public func contains(_ coordinate: Coordinate) -> Bool {
        coordinate.x >= minX && coordinate.x <= maxX && coordinate.y >= minY && coordinate.y <= maxY
    }

    /// Whether `other` lies wholly inside.
    public func contains(_ other: Extent) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    /// The part that both cover, or `nil` when they share no area.
    public func intersection(_ other: Extent) -> Extent? {
        Extent(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// Whether both share some area; touching sides do not count.
    public func intersects(_ other: Extent) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// The smallest extent that holds both.
    public func union(_ other: Extent) -> Extent {
        Extent(
            minX: min(minX, other.minX), minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY)) ?? self
    }

    /// The extent grown (or, with a negative amount, shrunk) on all sides, or `nil` when nothing is left.
    public func grown(by amount: Double) -> Extent? {
        Extent(minX: minX - amount, minY: minY - amount, maxX: maxX + amount, maxY: maxY + amount)
    }

    /// The extent moved by an offset, or `nil` when that is not finite.
    public func shifted(x: Double, y: Double) -> Extent? {
        Extent(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// The four sides as `minX,minY,maxX,maxY`.
    public var description: String { "\(minX),\(minY),\(maxX),\(maxY)" }
}

extension Extent {
    /// Makes an extent of numbers as people and standards write boxes: of degrees with a west larger than the east, those from
    /// there over the antimeridian (RFC 7946 section 5.2).
    package init?(sides: [Double]) {
        guard sides.count == 4 else { return nil }
        let isOver =
            sides[0] > sides[2] && sides[0] <= 180 && sides[2] >= -180 && max(abs(sides[1]), abs(sides[3])) <= 90
        self.init(minX: sides[0], minY: sides[1], maxX: sides[2] + (isOver ? 360 : 0), maxY: sides[3])
    }
}
