import PortolanSQLite

/// Writes an MBTiles file in which equal tiles are stored once.
///
/// The tiles are in the table `images`, their positions in `map`; the view `tiles` joins them. The file takes its name
/// when it is complete; another file at its path stays until then.
package final class MBTilesOutput: TileArchiveOutput {
    private let path: String
    private let beside: String
    private let connection: SQLiteConnection
    private var contents = PMTilesLayout()
    private var numbers: [UInt64: Int] = [:]
    private var waiting: [(tile: PMTilesTileID, number: Int, bytes: [UInt8]?)] = []
    private var waitingByteCount = 0
    private var isFinished = false

    /// The largest number of tiles in a transaction, and their largest size.
    private static let batch = (count: 4096, byteCount: 16 << 20)

    /// Begins a file.
    package init(path: String) throws(ArchiveError) {
        self.path = path
        beside = path + ".new"
        Self.removeFiles(beside)
        do throws(SQLiteError) {
            connection = try SQLiteConnection(path: beside, access: .writing)
            // A file that is not complete is removed, so that it needs no journal.
            for statement in [
                "PRAGMA journal_mode=OFF", "PRAGMA synchronous=OFF", "PRAGMA application_id=1297105496",
                "CREATE TABLE metadata (name TEXT, value TEXT)",
                "CREATE UNIQUE INDEX metadata_name ON metadata (name)",
                "CREATE TABLE images (tile_id INTEGER PRIMARY KEY, tile_data BLOB)",
                "CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id INTEGER)",
                "CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, "
                    + "map.tile_row AS tile_row, images.tile_data AS tile_data FROM map "
                    + "JOIN images ON images.tile_id = map.tile_id",
            ] { try connection.run(statement) }
        } catch { throw ArchiveError(error, at: path) }
    }

    deinit { if !isFinished { Self.removeFiles(beside) } }

    package func add(_ tile: PMTilesTileID, _ bytes: [UInt8]) throws(ArchiveError) {
        let start = contents.byteCount, isNew = contents.add(tile, bytes)
        let position = isNew ? start : contents.entries.last?.range.lowerBound ?? start
        let number = numbers[position] ?? numbers.count + 1
        numbers[position] = number
        waiting.append((tile, number, isNew ? bytes : nil))
        waitingByteCount += isNew ? bytes.count : 0
        if waiting.count >= Self.batch.count || waitingByteCount >= Self.batch.byteCount { try flush() }
    }

    private func flush() throws(ArchiveError) {
        let tiles = waiting
        waiting = []
        waitingByteCount = 0
        do throws(SQLiteError) {
            try connection.transaction { () throws(SQLiteError) in
                for (tile, number, bytes) in tiles {
                    guard let index = tile.index else { continue }
                    if let bytes {
                        try connection.run("INSERT INTO images VALUES (?, ?)", [.int(number), .blob(bytes)])
                    }
                    try connection.run(
                        "INSERT INTO map VALUES (?, ?, ?, ?)",
                        [
                            .int(index.level), .int(index.column), .int((1 << index.level) - 1 - index.row),
                            .int(number),
                        ])
                }
            }
        } catch { throw ArchiveError(error, at: path) }
    }

    package func finish(_ metadata: MBTilesMetadata) throws(ArchiveError) {
        try flush()
        guard !numbers.isEmpty else {
            throw ArchiveError(.invalid, place: path, detail: "there are no tiles to write")
        }
        do throws(SQLiteError) {
            try connection.run("CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)")
            for row in metadata.rows {
                try connection.run("INSERT INTO metadata VALUES (?, ?)", [.text(row.name), .text(row.value)])
            }
        } catch { throw ArchiveError(error, at: path) }
        try ArchiveOutput.replace(path, by: beside)
        isFinished = true
    }

    private static func removeFiles(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { ArchiveOutput.remove(path + suffix) }
    }
}
