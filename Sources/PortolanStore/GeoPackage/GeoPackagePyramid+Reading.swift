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
