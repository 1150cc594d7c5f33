/// One level of a tile grid: tiles of one pixel size and one resolution, counted from a corner.
///
/// The word is that of OGC 17-083r4 (Two Dimensional Tile Matrix Set), clause 6.
public struct TileMatrix: Hashable, Sendable {
    /// The level's name as the service writes it; it need not be a number.
    public let id: String
    /// Units of the CRS a pixel.
    public let resolution: Resolution
    /// Pixels in a row of a tile.
    public let tileWidth: Int
    /// Rows of a tile.
    public let tileHeight: Int
    /// The corner that column 0 and row 0 are counted from, in units of the CRS.
    public let origin: Coordinate
    /// How many columns there are.
    public let columnCount: Int
    /// How many rows there are.
    public let rowCount: Int

    /// Makes a level, or `nil` when a count is not in `1...2^31`, a size not in `1...2^14`, or the origin not finite.
    public init?(
        id: String, resolution: Resolution, tileWidth: Int, tileHeight: Int, origin: Coordinate, columnCount: Int,
        rowCount: Int
    ) {
        let counts = 1...(1 << 31)
        guard counts.contains(columnCount), counts.contains(rowCount), (1...(1 << 14)).contains(tileWidth),
            (1...(1 << 14)).contains(tileHeight), origin.isFinite
        else { return nil }
        self.id = id
        self.resolution = resolution
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.origin = origin
        self.columnCount = columnCount
        self.rowCount = rowCount
    }

    /// The width of a tile on the map, in units of the CRS.
    public var tileSpanX: Double { Double(tileWidth) * resolution.unitsPerPixel }

    /// The height of a tile on the map, in units of the CRS.
    public var tileSpanY: Double { Double(tileHeight) * resolution.unitsPerPixel }
}
