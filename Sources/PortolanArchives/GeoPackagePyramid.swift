import PortolanSQLite

/// The description of a table of tiles in a GeoPackage (OGC 12-128r18, clauses 1.1.2, 1.1.3, 2.2.6 and 2.2.7).
///
/// Numbers are as they are in the file, however odd; x is east and y is north whatever the coordinate system says.
package struct GeoPackagePyramid: Hashable, Sendable {
    /// The name of the table.
    package var table: String
    /// The title of the tiles, or nil when there is none.
    package var title: String?
    /// The number of the coordinate system in this file; -1 and 0 are undefined ones.
    package var systemID: Int
    /// The authority of the coordinate system, such as `EPSG`; nil when the file does not describe it.
    package var organization: String?
    /// The number of the coordinate system with who defines it.
    package var organizationCode: Int
    /// The x that columns are counted from.
    package var minX: Double
    /// The y that rows are counted from, downwards.
    package var maxY: Double
    /// The levels that have tiles, by number.
    package var matrices: [GeoPackageMatrix]

    /// Makes a description.
    package init(
        table: String, title: String? = nil, systemID: Int, organization: String?, organizationCode: Int, minX: Double,
        maxY: Double, matrices: [GeoPackageMatrix]
    ) {
        self.table = table
        self.title = title
        self.systemID = systemID
        self.organization = organization
        self.organizationCode = organizationCode
        self.minX = minX
        self.maxY = maxY
        self.matrices = matrices
    }
}

/// A level of a pyramid in a GeoPackage (OGC 12-128r18, clause 2.2.7), with the part of it that has tiles.
package struct GeoPackageMatrix: Hashable, Sendable {
    /// The number of the level (`zoom_level`).
    package var level: Int
    /// The number of columns.
    package var columnCount: Int
    /// The number of rows.
    package var rowCount: Int
    /// Pixels in a row of a tile.
    package var tileWidth: Int
    /// Rows of a tile.
    package var tileHeight: Int
    /// The width of a pixel, in units of the coordinate system.
    package var pixelWidth: Double
    /// The height of a pixel, in units of the coordinate system.
    package var pixelHeight: Double
    /// The columns from the first to the last tile, from the west.
    package var columns: ClosedRange<Int>
    /// The rows from the first to the last tile, from the top.
    package var rows: ClosedRange<Int>

    /// Makes a level.
    package init(
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

extension GeoPackagePyramid {
    private static let maximumMatrixCount = 100

    /// Reads the description of a table; nil when the file has none.
    ///
    /// - Complexity: O(tiles): the first and last row of each level are looked for, in its index where it has one.
    init?(of table: String, in connection: SQLiteConnection) throws(SQLiteError) {
        var found: GeoPackagePyramid?
        // Tables are named without regard to case by SQL, so they may be by the file.
        try connection.run(
            """
            SELECT m.srs_id, m.min_x, m.max_y, substr(c.identifier, 1, 1000), substr(s.organization, 1, 100), \
            s.organization_coordsys_id FROM gpkg_tile_matrix_set AS m \
            LEFT JOIN gpkg_contents AS c ON c.table_name = ?1 LEFT JOIN gpkg_spatial_ref_sys AS s ON s.srs_id = m.srs_id \
            WHERE m.table_name = ?1 COLLATE NOCASE ORDER BY m.table_name = ?1 DESC LIMIT 1
            """, [.text(table)]
        ) { row in
            found = GeoPackagePyramid(
                table: table, title: row.text(3).isEmpty ? nil : row.text(3), systemID: row.integer(0),
                organization: row.isNull(4) ? nil : row.text(4), organizationCode: row.integer(5), minX: row.real(1),
                maxY: row.real(2), matrices: [])
        }
        guard var found else { return nil }
        found.matrices = try Self.matrices(of: table, in: connection)
        self = found
    }

    private static func matrices(
        of table: String, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [GeoPackageMatrix] {
        var described: [GeoPackageMatrix] = []
        try connection.run(
            """
            SELECT zoom_level, matrix_width, matrix_height, tile_width, tile_height, pixel_x_size, pixel_y_size \
            FROM gpkg_tile_matrix WHERE table_name = ? COLLATE NOCASE AND zoom_level >= 0 \
            GROUP BY zoom_level ORDER BY zoom_level LIMIT \(maximumMatrixCount)
            """, [.text(table)]
        ) { row in
            described.append(
                GeoPackageMatrix(
                    level: row.integer(0), columnCount: row.integer(1), rowCount: row.integer(2),
                    tileWidth: row.integer(3), tileHeight: row.integer(4), pixelWidth: row.real(5),
                    pixelHeight: row.real(6), columns: 0...0, rows: 0...0))
        }
        // A level may be described and have no tiles; none is drawn from it.
        let sql =
            "SELECT min(tile_column), max(tile_column), min(tile_row), max(tile_row) "
            + "FROM \(SQLiteConnection.quoted(table)) WHERE zoom_level = ?"
        var levels: [GeoPackageMatrix] = []
        for var matrix in described {
            var ends = [0, -1, 0, -1]
            try connection.run(sql, [.int(matrix.level)]) { row in
                if !row.isNull(0) { ends = (0..<4).map { row.integer($0) } }
            }
            guard ends[0] <= ends[1], ends[2] <= ends[3] else { continue }
            matrix.columns = ends[0]...ends[1]
            matrix.rows = ends[2]...ends[3]
            levels.append(matrix)
        }
        return levels
    }
}
