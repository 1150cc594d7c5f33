/// Which tile of a ``TileGrid``: level, column and row.
public struct TileIndex: Hashable, Sendable, CustomStringConvertible {
    /// The place of the tile's matrix in ``TileGrid/matrices``.
    public let level: Int
    /// The column, counted eastward from 0.
    public let column: Int
    /// The row, counted from 0 away from the grid's origin corner.
    public let row: Int

    /// Only a grid makes indexes, so that each one is known to lie in it.
    init(level: Int, column: Int, row: Int) {
        self.level = level
        self.column = column
        self.row = row
    }

    /// The index as `level/column/row`.
    public var description: String { "\(level)/\(column)/\(row)" }
}
