/// The order in which a coordinate reference system writes its two axes.
public enum AxisOrder: String, Hashable, Sendable {
    /// Easting or longitude first: x,y.
    case eastNorth
    /// Northing or latitude first: y,x.
    case northEast
}
