import PortolanSQLite

/// The description of a tile table in a GeoPackage (OGC 12-128r18, clauses 1.1.2, 1.1.3, 2.2.6 and 2.2.7).
///
/// Numbers are not validated; x is east and y is north regardless of the axis order of the CRS.
package struct GeoPackagePyramid: Hashable, Sendable {
    /// The name of the table.
    package var table: String
    /// The title of the tiles, or `nil` without one.
    package var title: String?
    /// The ID of the CRS in this file; -1 and 0 are undefined.
    package var systemID: Int
    /// The authority of the CRS, such as `EPSG`, or `nil` if the file does not describe it.
    package var organization: String?
    /// The code of the CRS at its authority.
    package var organizationCode: Int
    /// The x from which columns are counted.
    package var minX: Double
    /// The y from which rows are counted, downwards.
    package var maxY: Double
    /// The levels with tiles, by number.
    package var matrices: [GeoPackageMatrix]

    /// Creates a description.
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

/// A level of a pyramid in a GeoPackage (OGC 12-128r18, clause 2.2.7), with the range of its tiles.
package struct GeoPackageMatrix: Hashable, Sendable {
    /// The number of the level (`zoom_level`).
    package var level: Int
    /// The number of columns.
    package var columnCount: Int
    /// The number of rows.
    package var rowCount: Int
    /// The width of a tile in pixels.
    package var tileWidth: Int
    /// The height of a tile in pixels.
    package var tileHeight: Int
    /// The width of a pixel, in units of the CRS.
    package var pixelWidth: Double
    /// The height of a pixel, in units of the CRS.
    package var pixelHeight: Double
    /// The range of columns with tiles, from the west.
    package var columns: ClosedRange<Int>
    /// The range of rows with tiles, from the top.
    package var rows: ClosedRange<Int>

    /// Creates a level.
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

    /// Reads the description of a table, or returns `nil` if the file has none.
    ///
    /// - Complexity: O(tiles): the first and last row of each level are looked up, by an index if available.
    init?(of table: String, in connection: SQLiteConnection) throws(SQLiteError) {
        var found: GeoPackagePyramid?
        // SQL names ignore case, so the file's may differ in case.
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
        // A level may be described without having tiles; it is not drawn.
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
