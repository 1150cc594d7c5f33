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
}
