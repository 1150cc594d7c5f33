/// The tiles of one level of an MBTiles file; rows are counted from the top, as XYZ does.
public struct MBTilesLevel: Hashable, Sendable {
    /// The level.
    public var level: Int
    /// How many tiles there are.
    public var tileCount: Int
    /// The columns from the first to the last tile.
    public var columns: ClosedRange<Int>
    /// The rows from the first to the last tile.
    public var rows: ClosedRange<Int>

    /// Makes a level.
    public init(level: Int, tileCount: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        self.level = level
        self.tileCount = tileCount
        self.columns = columns
        self.rows = rows
    }
}
