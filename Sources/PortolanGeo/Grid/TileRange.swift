/// A rectangle of tiles of one level; never empty.
public struct TileRange: Hashable, Sendable {
    /// The place of the matrix in ``TileGrid/matrices``.
    public let level: Int
    /// The columns.
    public let columns: ClosedRange<Int>
    /// The rows.
    public let rows: ClosedRange<Int>

    init(level: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        self.level = level
        self.columns = columns
        self.rows = rows
    }

    /// How many tiles there are.
    public var count: Int { columns.count * rows.count }

    /// The tiles, row by row.
    ///
    /// - Complexity: O(`count`).
    public var indexes: [TileIndex] {
        rows.flatMap { row in columns.map { TileIndex(level: level, column: $0, row: row) } }
    }
}
