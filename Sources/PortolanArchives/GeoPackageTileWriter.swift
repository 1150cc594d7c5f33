package import PortolanGeo
import PortolanSQLite
import Synchronization

/// Writes a tile pyramid of any grid into a GeoPackage (OGC 12-128r18, clause 2.2).
///
/// The work can be interrupted and resumed.
///
/// While the file is incomplete, an additional table identifies the job; ``finish(_:)`` makes it a plain GeoPackage.
/// The description of the tiles keeps a mark by which the job is recognised when it runs again.
package final class GeoPackageTileWriter: TileFileWriter {
    private let path: String
    private let table: String
    private let job: String
    private let state: Mutex<State>

    private struct State {
        let connection: SQLiteConnection
        /// Held until the file is complete, so that two jobs cannot write the same file.
        var lease: FileLease?
    }

    /// Whether the same job has completed the file before.
    package let isFinished: Bool

    private static let mark = "portolan:"

    /// Creates a file, or resumes one that the same job has begun.
    ///
    /// - Parameters:
    ///   - pyramid: the levels, with the columns and rows to write, and the name of the table.
    ///   - crs: the CRS of the tiles.
    ///   - job: the identity of the job.
    /// - Throws: ``ArchiveError`` with code `otherJob` if the file exists and does not belong to this job, or `busy`
    ///   while another process writes it.
    package init(path: String, pyramid: GeoPackagePyramid, crs: CRS, job: String) throws(ArchiveError) {
        self.path = path
        self.job = job
        let name = GeoPackageSchema.tableName(pyramid.table, otherwise: "tiles_")
        let lease = try FileLease.taken(of: path)
        let opened: SQLiteConnection, found: Finding
        do throws(SQLiteError) {
            opened = try SQLiteConnection(path: path, access: .writing)
            if try opened.integer("SELECT count(*) FROM sqlite_schema") == 0 {
                try GeoPackageSchema.mark(opened)
                try Self.layOut(opened, pyramid, table: name, crs, job: job)
            }
            found = try Self.finding(of: job, in: opened)
        } catch { throw ArchiveError(error, at: path) }
        switch found {
        case .begun(let table):
            self.table = table
            isFinished = false
        case .finished:
            table = name
            isFinished = true
        case .otherwise(let fault):
            throw ArchiveError(.otherJob, place: path, detail: "\(fault); remove it or choose another name")
        }
        state = Mutex(State(connection: opened, lease: isFinished ? nil : lease))
    }

    /// Returns whether a file can represent a CRS.
    package static func holds(_ crs: CRS) -> Bool {
        crs == .crs84 || crs == .epsg4326 || crs.epsgCode != nil
    }

    /// The relation of a file to a job.
    private enum Finding {
        case begun(table: String)
        case finished
        case otherwise(String)
    }

    private static func finding(of job: String, in connection: SQLiteConnection) throws(SQLiteError) -> Finding {
        func has(_ table: String) throws(SQLiteError) -> Bool {
            try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = ?", [.text(table)]) ?? 0 > 0
        }
        if try has("portolan_job") {
            guard try connection.text("SELECT job FROM portolan_job") == job,
                let table = try connection.text("SELECT tiles FROM portolan_job")
            else { return .otherwise("it was begun with another layer, other levels or another extent") }
            return .begun(table: table)
        }
        guard try has("gpkg_contents") else { return .otherwise("it exists and has other contents") }
        let marks = try connection.integer(
            "SELECT count(*) FROM gpkg_contents WHERE instr(description, ?) > 0", [.text(mark)])
        guard marks ?? 0 > 0 else { return .otherwise("it exists and has other contents") }
        let own = try connection.integer(
            "SELECT count(*) FROM gpkg_contents WHERE instr(description, ?) > 0", [.text(mark + job)])
        return own ?? 0 > 0
            ? .finished : .otherwise("it is complete, and has another layer, other levels or another extent")
    }

    private static func layOut(
        _ connection: SQLiteConnection, _ pyramid: GeoPackagePyramid, table: String, _ crs: CRS, job: String
    ) throws(SQLiteError) {
        let quoted = SQLiteConnection.quoted(table)
        try connection.transaction { () throws(SQLiteError) in
            let system = try GeoPackageSchema.layOut(connection, in: crs)
            try connection.run(
                """
                CREATE TABLE gpkg_tile_matrix_set (table_name TEXT NOT NULL PRIMARY KEY, srs_id INTEGER NOT NULL, \
                min_x DOUBLE NOT NULL, min_y DOUBLE NOT NULL, max_x DOUBLE NOT NULL, max_y DOUBLE NOT NULL, \
                CONSTRAINT fk_gtms_table_name FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name), \
                CONSTRAINT fk_gtms_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))
                """)
            try connection.run(
                """
                CREATE TABLE gpkg_tile_matrix (table_name TEXT NOT NULL, zoom_level INTEGER NOT NULL, \
                matrix_width INTEGER NOT NULL, matrix_height INTEGER NOT NULL, tile_width INTEGER NOT NULL, \
                tile_height INTEGER NOT NULL, pixel_x_size DOUBLE NOT NULL, pixel_y_size DOUBLE NOT NULL, \
                CONSTRAINT pk_ttm PRIMARY KEY (table_name, zoom_level), \
                CONSTRAINT fk_tmm_table_name FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name))
                """)
            try connection.run(
                """
                CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY AUTOINCREMENT, zoom_level INTEGER NOT NULL, \
                tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_data BLOB NOT NULL, \
                UNIQUE (zoom_level, tile_column, tile_row))
                """)
            // The tiles that the server has reported as missing.
            try connection.run(
                """
                CREATE TABLE portolan_absent (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, \
                UNIQUE (zoom_level, tile_column, tile_row))
                """)
            try connection.run("CREATE TABLE portolan_job (job TEXT, tiles TEXT)")
            try connection.run("INSERT INTO portolan_job VALUES (?, ?)", [.text(job), .text(table)])
            guard let last = pyramid.matrices.last, let first = pyramid.matrices.first else { return }
            let spanX = last.pixelWidth * Double(last.tileWidth), spanY = last.pixelHeight * Double(last.tileHeight)
            try connection.run(
                """
                INSERT INTO gpkg_contents (table_name, data_type, identifier, min_x, min_y, max_x, max_y, srs_id) \
                VALUES (?, 'tiles', ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(table), .text(table), .real(pyramid.minX + Double(last.columns.lowerBound) * spanX),
                    .real(pyramid.maxY - Double(last.rows.upperBound + 1) * spanY),
                    .real(pyramid.minX + Double(last.columns.upperBound + 1) * spanX),
                    .real(pyramid.maxY - Double(last.rows.lowerBound) * spanY), .int(system),
                ])
            // The extent of the coarsest level is that of all levels, whose tiles start at the same corner.
            try connection.run(
                "INSERT INTO gpkg_tile_matrix_set VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .text(table), .int(system), .real(pyramid.minX),
                    .real(pyramid.maxY - Double(first.rowCount * first.tileHeight) * first.pixelHeight),
                    .real(pyramid.minX + Double(first.columnCount * first.tileWidth) * first.pixelWidth),
                    .real(pyramid.maxY),
                ])
            for matrix in pyramid.matrices {
                try connection.run(
                    "INSERT INTO gpkg_tile_matrix VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        .text(table), .int(matrix.level), .int(matrix.columnCount), .int(matrix.rowCount),
                        .int(matrix.tileWidth), .int(matrix.tileHeight), .real(matrix.pixelWidth),
                        .real(matrix.pixelHeight),
                    ])
            }
            try layOutExtensions(connection, pyramid, table: table)
        }
    }

    /// Adds the extension for levels that do not halve the pixel size of the previous one (clause F.7).
    private static func layOutExtensions(
        _ connection: SQLiteConnection, _ pyramid: GeoPackagePyramid, table: String
    ) throws(SQLiteError) {
        try connection.run(
            """
            CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, \
            definition TEXT NOT NULL, scope TEXT NOT NULL, \
            CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))
            """)
        let halves = zip(pyramid.matrices, pyramid.matrices.dropFirst()).allSatisfy { coarse, fine in
            abs(coarse.pixelWidth / fine.pixelWidth - Double(1 << min(max(fine.level - coarse.level, 0), 60))) < 1e-6
        }
        if !halves { try register("gpkg_zoom_other", "zoom_other_intervals", connection, table) }
    }

    private static func register(
        _ name: String, _ place: String, _ connection: SQLiteConnection, _ table: String
    ) throws(SQLiteError) {
        try connection.run(
            "INSERT OR IGNORE INTO gpkg_extensions VALUES (?, 'tile_data', ?, ?, 'read-write')",
            [.text(table), .text(name), .text("http://www.geopackage.org/spec130/#extension_\(place)")])
    }

    package func columnsDone(level: Int, row: Int) throws(ArchiveError) -> Set<Int> {
        let tables = [SQLiteConnection.quoted(table), "portolan_absent"]
        return try work { connection throws(SQLiteError) in
            var columns: Set<Int> = []
            for table in tables {
                try connection.run(
                    "SELECT tile_column FROM \(table) WHERE zoom_level = ? AND tile_row = ?", [.int(level), .int(row)]
                ) { columns.insert($0.integer(0)) }
            }
            return columns
        }
    }

    package func write(_ tiles: [MBTile]) throws(ArchiveError) {
        let table = SQLiteConnection.quoted(table)
        try work { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for tile in tiles {
                    let place: [SQLiteValue] = [.int(tile.level), .int(tile.column), .int(tile.row)]
                    if let bytes = tile.bytes {
                        try connection.run(
                            "INSERT OR REPLACE INTO \(table) (zoom_level, tile_column, tile_row, tile_data) "
                                + "VALUES (?, ?, ?, ?)", place + [.blob(bytes)])
                    } else {
                        try connection.run("INSERT OR REPLACE INTO portolan_absent VALUES (?, ?, ?)", place)
                    }
                }
            }
        }
    }

    package func anyTile() throws(ArchiveError) -> [UInt8]? {
        let table = SQLiteConnection.quoted(table)
        return try work { connection throws(SQLiteError) in
            try connection.blob("tile_data", "FROM \(table) LIMIT 1", [], limit: GeoPackageFile.maximumTileByteCount)
        }
    }

    package func finish(_ metadata: MBTilesMetadata) throws(ArchiveError) {
        let table = table, job = job
        try work { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let words = [metadata.attribution, Self.mark + job].compactMap(\.self).joined(separator: "\n")
                try connection.run(
                    "UPDATE gpkg_contents SET identifier = ?, description = ? WHERE table_name = ?",
                    [.text(metadata.name.isEmpty ? table : metadata.name), .text(words), .text(table)])
                if metadata.format == "webp" { try Self.register("gpkg_webp", "tiles_webp", connection, table) }
                try connection.run("DROP TABLE portolan_absent")
                try connection.run("DROP TABLE portolan_job")
            }
        }
        state.withLock { $0.lease = nil }
    }

    private func work<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(ArchiveError) -> Result {
        do throws(SQLiteError) {
            return try state.withLock { state throws(SQLiteError) in try body(state.connection) }
        } catch { throw ArchiveError(error, at: path) }
    }
}
