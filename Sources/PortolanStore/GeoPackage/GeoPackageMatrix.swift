/// A level of a pyramid in a GeoPackage (OGC 12-128r18, clause 2.2.7), with the part of it that has tiles.
public struct GeoPackageMatrix: Hashable, Sendable {
    /// The number of the level (`zoom_level`).
    public var level: Int
    /// How many columns there are.
    public var columnCount: Int
    /// How many rows there are.
    public var rowCount: Int
    /// Pixels in a row of a tile.
    public var tileWidth: Int
    /// Rows of a tile.
    public var tileHeight: Int
    /// The width of a pixel, in units of the coordinate system.
    public var pixelWidth: Double
    /// The height of a pixel, in units of the coordinate system.
    public var pixelHeight: Double
    /// The columns from the first to the last tile, from the west.
    public var columns: ClosedRange<Int>
    /// The rows from the first to the last tile, from the top.
    public var rows: ClosedRange<Int>

    /// Makes a level.
    public init(
        level: Int, columnCount: Int, rowCount: Int, tileWidth: Int, tileHeight: Int, pixelWidth: Double,
        pixelHeight: Double, columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) {
        self.level = level
        self.columnCount = columnCount
        self.rowCount = rowCount
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.columns = columns
        self.rows = rows
    }
}
