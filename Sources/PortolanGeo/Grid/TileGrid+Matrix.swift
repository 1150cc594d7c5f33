extension TileGrid {
    /// A level of a tile grid: tiles of one pixel size and one resolution, counted from a corner.
    ///
    /// The term is that of OGC 17-083r4 (Two Dimensional Tile Matrix Set), clause 6.
    public struct Matrix: Hashable, Sendable {
        /// The service's identifier of the level; it need not be a number.
        public let id: String
        /// The units of the CRS per pixel from west to east.
        public let resolution: Resolution
        /// The units of the CRS per pixel from north to south; equal to ``resolution`` except in some files.
        public let verticalResolution: Resolution
        /// The width of a tile in pixels.
        public let tileWidth: Int
        /// The height of a tile in pixels.
        public let tileHeight: Int
        /// The corner from which columns and rows are counted, in units of the CRS.
        public let origin: Coordinate
        /// The number of columns.
        public let columnCount: Int
        /// The number of rows.
        public let rowCount: Int
        /// The columns with tiles; all of them unless limited.
        public let columns: ClosedRange<Int>
        /// The rows with tiles; all of them unless limited.
        public let rows: ClosedRange<Int>

        /// Creates a level, or returns `nil` if a count is not in `1...2^31`, a size not in `1...2^14`, the origin not
        /// finite, or no tile is within the limits.
        ///
        /// - Parameters:
        ///   - verticalResolution: the units of the CRS per pixel from north to south, or `nil` for the same as from west
        ///     to east.
        ///   - columns: the columns with tiles, or `nil` for all; those outside of the level are ignored.
        ///   - rows: the rows with tiles, or `nil` for all; those outside of the level are ignored.
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

        /// Returns the level limited to columns and rows, or `nil` if it has none of them.
        package func limited(to columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> TileGrid.Matrix? {
            TileGrid.Matrix(
                id: id, resolution: resolution, verticalResolution: verticalResolution, tileWidth: tileWidth,
                tileHeight: tileHeight, origin: origin, columnCount: columnCount, rowCount: rowCount, columns: columns,
                rows: rows)
        }

        /// Whether all columns have tiles.
        package var hasAllColumns: Bool { columns.count == columnCount }
    }
}

/// The index of a tile in a ``TileGrid``: level, column and row.
public struct TileIndex: Hashable, Sendable, CustomStringConvertible {
    /// The index of the tile's matrix in ``TileGrid/matrices``.
    public let level: Int
    /// The column, counted eastward from 0.
    public let column: Int
    /// The row, counted from 0 away from the grid's origin corner.
    public let row: Int

    /// Creates an index.
    ///
    /// Only a grid creates indexes, so that each one is valid.
    init(level: Int, column: Int, row: Int) {
        self.level = level
        self.column = column
        self.row = row
    }

    /// The index as `level/column/row`.
    public var description: String { "\(level)/\(column)/\(row)" }
}

extension TileGrid {
    /// A rectangle of tiles of one level; never empty.
    public struct TileRange: Hashable, Sendable {
        /// The index of the matrix in ``TileGrid/matrices``.
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

        /// Returns the tiles in both ranges of a level, or `nil` if there are none.
        package func intersection(_ other: TileRange) -> TileRange? {
            guard columns.overlaps(other.columns), rows.overlaps(other.rows) else { return nil }
            return TileRange(
                level: level, columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
        }

        /// The number of tiles.
        public var count: Int { columns.count * rows.count }

        /// The tiles, row by row.
        ///
        /// - Complexity: O(`count`).
        public var indexes: [TileIndex] {
            rows.flatMap { row in columns.map { TileIndex(level: level, column: $0, row: row) } }
        }
    }
}
