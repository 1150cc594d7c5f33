import PortolanSQLite
package import PortolanWeb
import Synchronization

/// The tile pyramids in a GeoPackage (OGC 12-128r18, clause 2.2), read only.
///
/// Tables of features and coverages are ignored. Tables may be views. Whatever the file contains, reading returns a
/// tile, `nil`, or throws an ``ArchiveError``.
package final class GeoPackageFile: Sendable {
    /// The tile tables in alphabetical order.
    package let tileTables: [String]

    /// The other tables, of features or coverages, in alphabetical order.
    package let otherTables: [String]

    /// Warnings about the whole file.
    package let warnings: [MapWarning]

    /// The maximum length of a tile in bytes.
    package static let maximumTileByteCount = 64 << 20
    static let maximumTableCount = 1000
    static let maximumNameLength = 1000

    private let path: String
    private let connection: Mutex<SQLiteConnection>

    /// Opens a file.
    package init(path: String) throws(ArchiveError) {
        self.path = path
        let opened: SQLiteConnection
        var tables: [String] = [], others: [String] = []
        do throws(SQLiteError) {
            opened = try SQLiteConnection(path: path, access: .reading)
            try opened.run(
                """
                SELECT table_name, data_type FROM gpkg_contents \
                WHERE length(table_name) BETWEEN 1 AND \(Self.maximumNameLength) AND instr(table_name, char(0)) = 0 \
                ORDER BY table_name LIMIT \(Self.maximumTableCount)
                """
            ) { row in
                let name = row.text(0)
                if row.text(1).lowercased() == "tiles" { tables.append(name) } else { others.append(name) }
            }
            warnings = try Self.warnings(of: opened).map { MapWarning(.data, message: $0) }
        } catch { throw ArchiveError(error, at: path, expected: .geoPackage) }
        guard !tables.isEmpty else {
            let held = others.isEmpty ? "" : "; it has \(Self.list(others)), which are not tiles"
            throw ArchiveError(.wrongFormat, place: path, detail: "no tile table\(held)")
        }
        tileTables = tables
        otherTables = others
        connection = Mutex(opened)
    }

    /// Checks requirement 2: the application IDs of versions 1.0, 1.1, and 1.2 and later.
    private static func warnings(of connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        let mark = try connection.integer("PRAGMA application_id") ?? 0
        switch UInt32(truncatingIfNeeded: mark) {
        case 0x4750_3130, 0x4750_3131: return []
        case 0x4750_4B47:
            let version = try connection.integer("PRAGMA user_version") ?? 0
            guard version >= 20000 else { return [] }
            return ["its version is \(version / 10000).\(version / 100 % 100); read as version 1"]
        default: return ["it is not marked as a GeoPackage (application_id \(mark)); read as one anyway"]
        }
    }

    /// Returns the description of a tile table.
    ///
    /// - Parameter table: the table's name, whose case matters only if two names differ by it; `nil` for the only
    ///   table.
    /// - Throws: ``ArchiveError`` that lists the tables if there is no table with the name, or several to choose from.
    /// - Complexity: O(tiles) in the worst case.
    package func pyramid(of table: String? = nil) throws(ArchiveError) -> GeoPackagePyramid {
        let name = try name(of: table)
        let found: GeoPackagePyramid?
        do {
            found = try connection.withLock { connection throws(SQLiteError) in
                try GeoPackagePyramid(of: name, in: connection)
            }
        } catch { throw ArchiveError(error, at: path, expected: .geoPackage) }
        guard let found else {
            throw ArchiveError(
                .wrongFormat, place: path, detail: "no row for the table '\(name)' in gpkg_tile_matrix_set")
        }
        guard !found.matrices.isEmpty else {
            throw ArchiveError(
                .wrongFormat, place: path, detail: "no level with tiles for the table '\(name)' in gpkg_tile_matrix")
        }
        return found
    }

    private func name(of wanted: String?) throws(ArchiveError) -> String {
        guard let wanted else {
            if tileTables.count == 1 { return tileTables[0] }
            throw ArchiveError(
                .invalid, place: path, detail: "several tile tables; choose one of \(Self.list(tileTables))")
        }
        if tileTables.contains(wanted) { return wanted }
        let near = tileTables.filter { $0.lowercased() == wanted.lowercased() }
        if near.count == 1 { return near[0] }
        throw ArchiveError(
            .invalid, place: path, detail: "unknown tile table '\(wanted)'; available: \(Self.list(tileTables))")
    }

    /// Returns the bytes of a tile as stored in the file, or `nil` if it does not exist.
    ///
    /// - Parameters:
    ///   - table: one of ``tileTables``.
    ///   - row: the row, counted from the top.
    package func tile(of table: String, level: Int, column: Int, row: Int) throws(ArchiveError) -> [UInt8]? {
        try first(
            of: table, "WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1",
            [.int(level), .int(column), .int(row)])
    }

    /// Returns the bytes of any tile of a table, or `nil` if it is empty.
    package func anyTile(of table: String) throws(ArchiveError) -> [UInt8]? {
        try first(of: table, "WHERE length(tile_data) > 0 LIMIT 1", [])
    }

    /// Returns the number of tiles in a level of a table.
    ///
    /// - Complexity: O(tiles of the level).
    package func tileCount(of table: String, level: Int) throws(ArchiveError) -> Int {
        guard tileTables.contains(table) else {
            throw ArchiveError(.invalid, place: path, detail: "unknown tile table '\(table)'")
        }
        do {
            return try connection.withLock { connection throws(SQLiteError) in
                try connection.integer(
                    "SELECT count(*) FROM \(SQLiteConnection.quoted(table)) WHERE zoom_level = ?", [.int(level)]) ?? 0
            }
        } catch { throw ArchiveError(error, at: path, expected: .geoPackage) }
    }

    private func first(of table: String, _ condition: String, _ values: [SQLiteValue]) throws(ArchiveError) -> [UInt8]?
    {
        guard tileTables.contains(table) else {
            throw ArchiveError(.invalid, place: path, detail: "unknown tile table '\(table)'")
        }
        do {
            return try connection.withLock { connection throws(SQLiteError) in
                try connection.blob(
                    "tile_data", "FROM \(SQLiteConnection.quoted(table)) \(condition)", values,
                    limit: Self.maximumTileByteCount)
            }
        } catch { throw ArchiveError(error, at: path, expected: .geoPackage) }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(10).map { "'\($0.prefix(100))'" }.joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    }
}
