/// A tile to be written into an MBTiles file.
public struct MBTile: Hashable, Sendable {
    /// The level.
    public let level: Int
    /// The column, from the west.
    public let column: Int
    /// The row, from the north.
    public let row: Int
    /// The bytes of the image, or nil when the server has said that there is none.
    public let bytes: [UInt8]?

    /// Makes a tile.
    public init(level: Int, column: Int, row: Int, bytes: [UInt8]?) {
        self.level = level
        self.column = column
        self.row = row
        self.bytes = bytes
    }
}
