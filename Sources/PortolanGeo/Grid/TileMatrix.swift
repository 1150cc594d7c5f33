/// One level of a tile grid: tiles of one pixel size and one resolution, counted from a corner.
///
/// The word is that of OGC 17-083r4 (Two Dimensional Tile Matrix Set), clause 6.
public struct TileMatrix: Hashable, Sendable {
    /// The level's name as the service writes it; it need not be a number.
    public let id: String
    /// Units of the CRS a pixel, from west to east.
    public let resolution: Resolution
    /// Units of the CRS a pixel, from north to south; pixels are square but in some files.
    public let verticalResolution: Resolution
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
    /// The columns that have tiles; all of them unless limits were given.
    public let columns: ClosedRange<Int>
    /// The rows that have tiles; all of them unless limits were given.
    public let rows: ClosedRange<Int>

    /// Makes a level, or `nil` when a count is not in `1...2^31`, a size not in `1...2^14`, the origin not finite, or
    /// nothing of the level lies within the limits.
    ///
    /// - Parameters:
    ///   - verticalResolution: units of the CRS a pixel from north to south, `nil` for those from west to east.
    ///   - columns: the columns that have tiles, `nil` for all; what lies beside the level is left out.
    ///   - rows: the rows that have tiles, in the same way.
    public init?(
        id: String, resolution: Resolution, verticalResolution: Resolution? = nil, tileWidth: Int, tileHeight: Int,
        origin: Coordinate, columnCount: Int, rowCount: Int, columns: ClosedRange<Int>? = nil,
        rows: ClosedRange<Int>? = nil
    ) {
        let counts = 1...(1 << 31)
        guard counts.contains(columnCount), counts.contains(rowCount), (1...(1 << 14)).contains(tileWidth),
            (1...(1 << 14)).contains(tileHeight), origin.isFinite
        else { return nil }
        let allColumns = 0...(columnCount - 1), allRows = 0...(rowCount - 1)
        guard columns?.overlaps(allColumns) != false, rows?.overlaps(allRows) != false else { return nil }
        self.columns = columns?.clamped(to: allColumns) ?? allColumns
        self.rows = rows?.clamped(to: allRows) ?? allRows
        self.id = id
        self.resolution = resolution
        self.verticalResolution = verticalResolution ?? resolution
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.origin = origin
        self.columnCount = columnCount
        self.rowCount = rowCount
    }

    /// The width of a tile on the map, in units of the CRS.
    public var tileSpanX: Double { Double(tileWidth) * resolution.unitsPerPixel }

    /// The height of a tile on the map, in units of the CRS.
    public var tileSpanY: Double { Double(tileHeight) * verticalResolution.unitsPerPixel }

    /// The level with tiles in these columns and rows alone, or `nil` when the level has none of them.
    package func limited(to columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> TileMatrix? {
        TileMatrix(
            id: id, resolution: resolution, verticalResolution: verticalResolution, tileWidth: tileWidth,
            tileHeight: tileHeight, origin: origin, columnCount: columnCount, rowCount: rowCount, columns: columns,
            rows: rows)
    }

    /// Whether each column has tiles.
    package var hasAllColumns: Bool { columns.count == columnCount }
}

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
