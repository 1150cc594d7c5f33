/// A place in some coordinate reference system: x is east, y is north, whatever order the CRS writes its axes in.
public struct Coordinate: Hashable, Sendable {
    /// Easting or longitude, in the unit of the CRS.
    public var x: Double
    /// Northing or latitude, in the unit of the CRS.
    public var y: Double

    /// Makes a coordinate from its easting and northing.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Makes a geographic coordinate in degrees.
    public init(longitude: Double, latitude: Double) {
        x = longitude
        y = latitude
    }

    /// Whether both numbers are finite.
    public var isFinite: Bool { x.isFinite && y.isFinite }

    /// The same place in degrees with a longitude that is at most half a turn from another's.
    package func nearest(to other: Coordinate) -> Coordinate {
        let turns = ((other.x - x) / 360).rounded()
        return turns == 0 || !turns.isFinite ? self : Coordinate(x: x + turns * 360, y: y)
    }
}

/// The smallest box around some coordinates; unlike an ``Extent`` it may be flat, as the box of a point is.
public struct BoundingBox: Hashable, Sendable {
    /// The west side.
    public private(set) var minX: Double
    /// The south side.
    public private(set) var minY: Double
    /// The east side.
    public private(set) var maxX: Double
    /// The north side.
    public private(set) var maxY: Double

    /// The box of one coordinate, or `nil` when it is not finite.
    public init?(_ coordinate: Coordinate) {
        guard coordinate.isFinite else { return nil }
        minX = coordinate.x
        maxX = coordinate.x
        minY = coordinate.y
        maxY = coordinate.y
    }

    /// The box of some coordinates, or `nil` when none of them is finite; those that are not finite are passed over.
    public init?(_ coordinates: some Sequence<Coordinate>) {
        var box: BoundingBox?
        for coordinate in coordinates where coordinate.isFinite {
            box?.add(coordinate)
            if box == nil { box = BoundingBox(coordinate) }
        }
        guard let box else { return nil }
        self = box
    }

    /// Makes a box from its sides, or `nil` when they are not finite or out of order.
    public init?(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        guard minX.isFinite, minY.isFinite, maxX.isFinite, maxY.isFinite, minX <= maxX, minY <= maxY else { return nil }
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The box of an extent.
    public init(_ extent: Extent) {
        minX = extent.minX
        minY = extent.minY
        maxX = extent.maxX
        maxY = extent.maxY
    }

    /// Grows the box to hold `coordinate`; one that is not finite changes nothing.
    public mutating func add(_ coordinate: Coordinate) {
        guard coordinate.isFinite else { return }
        minX = min(minX, coordinate.x)
        maxX = max(maxX, coordinate.x)
        minY = min(minY, coordinate.y)
        maxY = max(maxY, coordinate.y)
    }

    /// The smallest box that holds both.
    public func union(_ other: BoundingBox) -> BoundingBox {
        var copy = self
        copy.add(Coordinate(x: other.minX, y: other.minY))
        copy.add(Coordinate(x: other.maxX, y: other.maxY))
        return copy
    }

    /// Whether the box and the extent share a place, borders included.
    public func touches(_ extent: Extent) -> Bool {
        minX <= extent.maxX && maxX >= extent.minX && minY <= extent.maxY && maxY >= extent.minY
    }

    /// The middle.
    public var center: Coordinate { Coordinate(x: minX + (maxX - minX) / 2, y: minY + (maxY - minY) / 2) }

    /// The box as an extent, or `nil` when it is flat.
    public var extent: Extent? { Extent(minX: minX, minY: minY, maxX: maxX, maxY: maxY) }
}
