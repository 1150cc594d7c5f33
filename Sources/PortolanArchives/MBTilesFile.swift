import PortolanSQLite
import Synchronization

/// A tile pyramid in an SQLite file (MBTiles 1.3), read only.
///
/// Tile indexes are those of XYZ here, with rows from the top; the file counts rows from the bottom. Whatever the file
/// contains, reading returns a tile, `nil`, or throws an ``ArchiveError``.
package final class MBTilesFile: Sendable {
    /// The metadata of the file; missing levels are determined from its tiles.
    package let metadata: MBTilesMetadata

    private let path: String
    private let connection: Mutex<SQLiteConnection>

    /// The maximum length of a tile in bytes.
    package static let maximumTileByteCount = 64 << 20
    private static let maximumMetadataCount = 1000

    /// Opens a file.
    ///
    /// - Complexity: O(tiles) if the file states no levels and has no index.
    package init(path: String) throws(ArchiveError) {
        self.path = path
        var metadata: MBTilesMetadata
        let opened: SQLiteConnection
        do throws(SQLiteError) {
            opened = try SQLiteConnection(path: path, access: .reading)
            metadata = try Self.metadata(in: opened)
        } catch {
            throw ArchiveError(error, at: path, expected: .mbtiles)
        }
        guard metadata.levels != nil else {
            throw ArchiveError(.wrongFormat, place: path, detail: "no tiles at the levels 0 to 30")
        }
        self.metadata = metadata
        connection = Mutex(opened)
    }

    private static func metadata(in connection: SQLiteConnection) throws(SQLiteError) -> MBTilesMetadata {
        var rows: [String: String] = [:]
        try connection.run("SELECT name, value FROM metadata LIMIT \(maximumMetadataCount)") { row in
            let name = row.text(0)
            // The row `json` describes the layers of vector tiles.
            rows[name] = String(row.text(1).prefix(name == "json" ? 1 << 22 : 10_000))
        }
        // Also verifies that the table exists with these columns.
        _ = try connection.integer("SELECT count(*) FROM (SELECT tile_column, tile_row, tile_data FROM tiles LIMIT 1)")
        var metadata = MBTilesMetadata(rows: rows)
        if metadata.levels == nil {
            let first = try connection.integer("SELECT min(zoom_level) FROM tiles WHERE zoom_level BETWEEN 0 AND 30")
            let last = try connection.integer("SELECT max(zoom_level) FROM tiles WHERE zoom_level BETWEEN 0 AND 30")
            let isEmpty = try connection.integer("SELECT 1 FROM tiles WHERE zoom_level BETWEEN 0 AND 30 LIMIT 1") == nil
            if !isEmpty, let first, let last, first <= last { metadata.levels = first...last }
        }
        return metadata
    }

    /// Returns the bytes of a tile as stored in the file, or `nil` if it does not exist.
    package func tile(level: Int, column: Int, row: Int) throws(ArchiveError) -> [UInt8]? {
        guard (0...30).contains(level), column >= 0, column < 1 << level, row >= 0, row < 1 << level else { return nil }
        return try first(
            "FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1",
            [.int(level), .int(column), .int((1 << level) - 1 - row)])
    }

    /// Returns the bytes of any tile, or `nil` if the file is empty.
    package func anyTile() throws(ArchiveError) -> [UInt8]? {
        try first("FROM tiles WHERE zoom_level BETWEEN 0 AND 30 AND length(tile_data) > 0 LIMIT 1", [])
    }

    /// Returns the levels with tiles, from the coarsest.
    ///
    /// - Complexity: O(tiles).
    package func levels() throws(ArchiveError) -> [MBTilesLevel] {
        do throws(SQLiteError) {
            return try connection.withLock { connection throws(SQLiteError) in
                var levels: [MBTilesLevel] = []
                try connection.run(
                    """
                    SELECT zoom_level, count(*), min(tile_column), max(tile_column), min(tile_row), max(tile_row) \
                    FROM tiles WHERE typeof(zoom_level) = 'integer' AND zoom_level BETWEEN 0 AND 30 \
                    AND tile_column BETWEEN 0 AND (1 << zoom_level) - 1 AND tile_row BETWEEN 0 AND (1 << zoom_level) - 1 \
                    GROUP BY zoom_level ORDER BY zoom_level LIMIT 31
                    """
                ) { row in
                    let level = row.integer(0), ends = (2...5).map { row.integer($0) }
                    guard (0...30).contains(level), 0 <= ends[0], ends[0] <= ends[1], 0 <= ends[2], ends[2] <= ends[3],
                        max(ends[1], ends[3]) < 1 << level
                    else { return }
                    let last = (1 << level) - 1
                    levels.append(
                        MBTilesLevel(
                            level: level, tileCount: row.integer(1), columns: ends[0]...ends[1],
                            rows: last - ends[3]...last - ends[2]))
                }
                return levels
            }
        } catch { throw ArchiveError(error, at: path) }
    }

    /// Some tiles of a level, from all over it, rows from the top.
    ///
    /// - Complexity: O(tiles · count).
    package func places(ofLevel level: Int, count: Int) throws(ArchiveError) -> [(column: Int, row: Int)] {
        guard (0...30).contains(level) else { return [] }
        do throws(SQLiteError) {
            return try connection.withLock { connection throws(SQLiteError) in
                let all = try connection.integer("SELECT count(*) FROM tiles WHERE zoom_level = ?", [.int(level)]) ?? 0
                var places: [(column: Int, row: Int)] = []
                for number in 0..<min(count, all) {
                    try connection.run(
                        "SELECT tile_column, tile_row FROM tiles WHERE zoom_level = ? LIMIT 1 OFFSET ?",
                        [.int(level), .int(all / min(count, all) * number)]
                    ) { row in
                        let fromBottom = row.integer(1)
                        guard (0..<(1 << level)).contains(fromBottom) else { return }
                        places.append((row.integer(0), (1 << level) - 1 - fromBottom))
                    }
                }
                return places
            }
        } catch { throw ArchiveError(error, at: path) }
    }

    private func first(_ selection: String, _ values: [SQLiteValue]) throws(ArchiveError) -> [UInt8]? {
        do throws(SQLiteError) {
            return try connection.withLock { connection throws(SQLiteError) in
                try connection.blob("tile_data", selection, values, limit: Self.maximumTileByteCount)
            }
        } catch { throw ArchiveError(error, at: path) }
    }
}

/// The tiles of one level of an MBTiles file; rows are counted from the top, as in XYZ.
package struct MBTilesLevel: Hashable, Sendable {
    /// The level.
    package var level: Int
    /// The number of tiles.
    package var tileCount: Int
    /// The range of columns with tiles.
    package var columns: ClosedRange<Int>
    /// The range of rows with tiles.
    package var rows: ClosedRange<Int>

    /// Creates a level.
    package init(level: Int, tileCount: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        self.level = level
        self.tileCount = tileCount
        self.columns = columns
        self.rows = rows
    }
}
