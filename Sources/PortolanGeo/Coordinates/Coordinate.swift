/// A coordinate in some coordinate reference system: x is east, y is north, regardless of the axis order of the CRS.
public struct Coordinate: Hashable, Sendable {
    /// Easting or longitude, in the unit of the CRS.
    public var x: Double
    /// Northing or latitude, in the unit of the CRS.
    public var y: Double

    /// Creates a coordinate from its easting and northing.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Creates a geographic coordinate in degrees.
    public init(longitude: Double, latitude: Double) {
        x = longitude
        y = latitude
    }

    /// Whether both numbers are finite.
    public var isFinite: Bool { x.isFinite && y.isFinite }

    /// Returns the same coordinate in degrees with a longitude at most half a turn from another one.
    package func nearest(to other: Coordinate) -> Coordinate {
        let turns = ((other.x - x) / 360).rounded()
        return turns == 0 || !turns.isFinite ? self : Coordinate(x: x + turns * 360, y: y)
    }
}

/// The bounding box of coordinates; unlike an ``Extent`` it may be flat, such as the box of a point.
public struct BoundingBox: Hashable, Sendable {
    /// The west edge.
    public private(set) var minX: Double
    /// The south edge.
    public private(set) var minY: Double
    /// The east edge.
    public private(set) var maxX: Double
    /// The north edge.
    public private(set) var maxY: Double

    /// Creates the box of one coordinate, or returns `nil` if it is not finite.
    public init?(_ coordinate: Coordinate) {
        guard coordinate.isFinite else { return nil }
        minX = coordinate.x
        maxX = coordinate.x
        minY = coordinate.y
        maxY = coordinate.y
    }

    /// Creates the box of coordinates, ignoring those that are not finite, or returns `nil` if none is finite.
    public init?(_ coordinates: some Sequence<Coordinate>) {
        var box: BoundingBox?
        for coordinate in coordinates where coordinate.isFinite {
            box?.add(coordinate)
            if box == nil { box = BoundingBox(coordinate) }
        }
        guard let box else { return nil }
        self = box
    }

    /// Creates a box from its edges, or returns `nil` if they are not finite or out of order.
    public init?(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        guard minX.isFinite, minY.isFinite, maxX.isFinite, maxY.isFinite, minX <= maxX, minY <= maxY else { return nil }
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Creates the box of an extent.
    public init(_ extent: Extent) {
        minX = extent.minX
        minY = extent.minY
        maxX = extent.maxX
        maxY = extent.maxY
    }

    /// Extends the box to contain `coordinate`; one that is not finite has no effect.
    public mutating func add(_ coordinate: Coordinate) {
        guard coordinate.isFinite else { return }
        minX = min(minX, coordinate.x)
        maxX = max(maxX, coordinate.x)
        minY = min(minY, coordinate.y)
        maxY = max(maxY, coordinate.y)
    }

    /// Returns the smallest box that contains both.
    public func union(_ other: BoundingBox) -> BoundingBox {
        var copy = self
        copy.add(Coordinate(x: other.minX, y: other.minY))
        copy.add(Coordinate(x: other.maxX, y: other.maxY))
        return copy
    }

    /// Returns whether the box and the extent intersect, including their borders.
    public func touches(_ extent: Extent) -> Bool {
        minX <= extent.maxX && maxX >= extent.minX && minY <= extent.maxY && maxY >= extent.minY
    }

    /// The centre.
    public var center: Coordinate { Coordinate(x: minX + (maxX - minX) / 2, y: minY + (maxY - minY) / 2) }

    /// The box as an extent, or `nil` if it is flat.
    public var extent: Extent? { Extent(minX: minX, minY: minY, maxX: maxX, maxY: maxY) }
}
