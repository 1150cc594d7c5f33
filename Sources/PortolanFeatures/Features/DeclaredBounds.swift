public import PortolanGeo

/// The `bbox` that a file states for a feature or a collection (RFC 7946 section 5).
///
/// It is kept as written and not compared with the coordinates. Where the box crosses the antimeridian, west is greater
/// than east.
public struct DeclaredBounds: Hashable, Sendable {
    /// The west side.
    public var west: Double
    /// The south side.
    public var south: Double
    /// The east side.
    public var east: Double
    /// The north side.
    public var north: Double
    /// The lowest and highest altitude, or `nil` when the box is flat.
    public var altitudes: ClosedRange<Double>?

    /// Makes bounds from their sides.
    public init(west: Double, south: Double, east: Double, north: Double, altitudes: ClosedRange<Double>? = nil) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
        self.altitudes = altitudes
    }

    /// The same as a box, or `nil` when it crosses the antimeridian or its sides are out of order.
    public var boundingBox: BoundingBox? { BoundingBox(minX: west, minY: south, maxX: east, maxY: north) }

    /// Makes bounds from the list of 4 or 6 numbers that a file holds, or `nil` when it holds something else.
    init?(_ value: PropertyValue) {
        guard let list = value.arrayValue, list.count == 4 || list.count == 6 else { return nil }
        var numbers: [Double] = []
        for item in list {
            guard let number = item.doubleValue else { return nil }
            numbers.append(number)
        }
        if numbers.count == 4 {
            self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        } else {
            guard numbers[2] <= numbers[5] else { return nil }
            self.init(
                west: numbers[0], south: numbers[1], east: numbers[3], north: numbers[4],
                altitudes: numbers[2]...numbers[5])
        }
    }
}
