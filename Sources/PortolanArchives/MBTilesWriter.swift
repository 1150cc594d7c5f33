import PortolanSQLite
import Synchronization

/// Writes a tile pyramid into an MBTiles file.
///
/// The work can be interrupted and resumed.
///
/// An incomplete file is marked with the identity of its job; ``finish(_:)`` makes it a plain MBTiles file without
/// auxiliary files. Tile indexes are those of XYZ, with rows from the top.
package final class MBTilesWriter: Sendable {
    private let path: String
    private let state: Mutex<State>

    private struct State {
        let connection: SQLiteConnection
        /// Held until the file is complete, so that two jobs cannot write the same file.
        var lease: FileLease?
        /// The tiles that wait for the others of their transaction.
        var waiting: [MBTile] = []
        var waitingByteCount = 0
    }

    /// Whether the same job has completed the file before, so that there is nothing left to write.
    package let isFinished: Bool

    /// The metadata row that identifies the running job.
    private static let jobRow = "portolan:job"
    /// The metadata row that identifies the job that completed the file, by which it is recognised when it runs again.
    private static let finishedRow = "portolan:finished"

    /// The maximum number of tiles in a transaction, and their maximum size.
    private static let batch = (count: 64, byteCount: 8 << 20)

    /// Creates a file, or resumes one that the same job has begun.
    ///
    /// - Parameter job: the identity of the job.
    /// - Throws: ``ArchiveError`` with code `otherJob` if the file exists and does not belong to this job, or `busy`
    ///   while another process writes it.
    package init(path: String, job: String) throws(ArchiveError) {
        self.path = path
        let lease = try FileLease.taken(of: path)
        let opened: SQLiteConnection, found: Progress
        do throws(SQLiteError) {
            opened = try SQLiteConnection(path: path, access: .writing)
            if try opened.integer("SELECT count(*) FROM sqlite_schema") == 0 { try Self.layOut(opened, job: job) }
            found = try Self.progress(of: job, in: opened)
            // Only for a file of this job, because this changes the file.
            if found == .begun {
                try opened.run("PRAGMA journal_mode=WAL")
                try opened.run("PRAGMA synchronous=NORMAL")
            }
        } catch { throw ArchiveError(error, at: path) }
        let fault: String? =
            switch found {
            case .begun, .finished: nil
            case .foreign: "it exists and has other contents"
            case .otherFinished: "it is complete, and has another layer, other levels or another extent"
            case .otherBegun: "it was begun with another layer, other levels or another extent"
            }
        if let fault {
            throw ArchiveError(.otherJob, place: path, detail: "\(fault); remove it or choose another name")
        }
        isFinished = found == .finished
        state = Mutex(State(connection: opened, lease: isFinished ? nil : lease))
    }

    deinit { try? flush() }

    /// The state of a job in a file.
    private enum Progress { case begun, finished, foreign, otherBegun, otherFinished }

    private static func progress(of job: String, in connection: SQLiteConnection) throws(SQLiteError) -> Progress {
        guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'metadata'") ?? 0 > 0 else {
            return .foreign
        }
        func row(_ name: String) throws(SQLiteError) -> String? {
            try connection.text("SELECT value FROM metadata WHERE name = ?", [.text(name)])
        }
        let finished = try row(finishedRow)
        if finished == job { return .finished }
        guard let begun = try row(jobRow) else { return finished == nil ? .foreign : .otherFinished }
        return begun == job ? .begun : .otherBegun
    }

    private static func layOut(_ connection: SQLiteConnection, job: String) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            try connection.run("CREATE TABLE metadata (name TEXT, value TEXT)")
            try connection.run("CREATE UNIQUE INDEX metadata_name ON metadata (name)")
            try connection.run(
                "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
            try connection.run(
                "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
            // The tiles that the server has reported as missing.
            try connection.run(
                "CREATE TABLE portolan_absent (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER)")
            try connection.run(
                "CREATE UNIQUE INDEX portolan_absent_index ON portolan_absent (zoom_level, tile_column, tile_row)")
            // "MPBX", by which `file` recognises it.
            try connection.run("PRAGMA application_id=1297105496")
            try connection.run("INSERT INTO metadata VALUES (?, ?)", [.text(jobRow), .text(job)])
        }
    }

    /// Returns the finished columns of a row: their tiles exist, or are known to be missing.
    package func columnsDone(level: Int, row: Int) throws(ArchiveError) -> Set<Int> {
        let tables = isFinished ? ["tiles"] : ["tiles", "portolan_absent"]
        return try work { connection throws(SQLiteError) in
            var columns: Set<Int> = []
            for table in tables {
                try connection.run(
                    "SELECT tile_column FROM \(table) WHERE zoom_level = ? AND tile_row = ?",
                    [.int(level), .int((1 << level) - 1 - row)]
                ) { columns.insert($0.integer(0)) }
            }
            return columns
        }
    }

    /// Adds a tile, which is written together with the following ones, in one transaction for 64 tiles or 8 MiB.
    ///
    /// Pending tiles are written by ``flush()``, by every method that reads, by ``finish(_:)``, and when the writer is
    /// deallocated. If the process is killed, they are lost.
    package func add(_ tile: MBTile) throws(ArchiveError) {
        let isFull = state.withLock { state in
            state.waiting.append(tile)
            state.waitingByteCount += tile.bytes?.count ?? 0
            return state.waiting.count >= Self.batch.count || state.waitingByteCount >= Self.batch.byteCount
        }
        if isFull { try flush() }
    }

    /// Writes tiles in one transaction, including pending ones; a tile without bytes is known to be missing.
    package func write(_ tiles: [MBTile]) throws(ArchiveError) {
        state.withLock { $0.waiting += tiles }
        try flush()
    }

    /// Writes the pending tiles.
    package func flush() throws(ArchiveError) { try work { _ throws(SQLiteError) in } }

    private static func write(_ tiles: [MBTile], to connection: SQLiteConnection) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            for tile in tiles {
                let place: [SQLiteValue] = [
                    .int(tile.level), .int(tile.column), .int((1 << tile.level) - 1 - tile.row),
                ]
                if let bytes = tile.bytes {
                    try connection.run("INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?)", place + [.blob(bytes)])
                } else {
                    try connection.run("INSERT OR REPLACE INTO portolan_absent VALUES (?, ?, ?)", place)
                }
            }
        }
    }

    /// Returns the bytes of any tile, or `nil` if the file is empty.
    package func anyTile() throws(ArchiveError) -> [UInt8]? {
        try work { connection throws(SQLiteError) in
            var bytes: [UInt8]?
            try connection.run("SELECT tile_data FROM tiles LIMIT 1") { bytes = $0.bytes(0) }
            return bytes
        }
    }

    /// The tiles in the order of their numbers in PMTiles, each with its row in the table.
    ///
    /// - Complexity: O(*n* log *n*) in the tiles; 16 bytes of memory for each.
    func places() throws(ArchiveError) -> [(tile: PMTilesTileID, row: Int)] {
        try work { connection throws(SQLiteError) in
            var places: [(tile: PMTilesTileID, row: Int)] = []
            try connection.run("SELECT rowid, zoom_level, tile_column, tile_row FROM tiles") { row in
                let level = row.integer(1)
                guard PMTilesTileID.levels.contains(level),
                    let tile = PMTilesTileID(
                        level: level, column: row.integer(2), row: (1 << level) - 1 - row.integer(3))
                else { return }
                places.append((tile, row.integer(0)))
            }
            return places.sorted { $0.tile < $1.tile }
        }
    }

    /// The bytes of the tile in a row of the table.
    func tile(at row: Int) throws(ArchiveError) -> [UInt8]? {
        try work { connection throws(SQLiteError) in
            try connection.blob(
                "tile_data", "FROM tiles WHERE rowid = ?", [.int(row)], limit: MBTilesFile.maximumTileByteCount)
        }
    }

    /// Returns the number of tiles, their size in bytes, and the number of tiles known to be missing.
    package func totals() throws(ArchiveError) -> (count: Int, byteCount: Int, absent: Int) {
        let isFinished = isFinished
        return try work { connection throws(SQLiteError) in
            (
                try connection.integer("SELECT count(*) FROM tiles") ?? 0,
                try connection.integer("SELECT sum(length(tile_data)) FROM tiles") ?? 0,
                isFinished ? 0 : try connection.integer("SELECT count(*) FROM portolan_absent") ?? 0
            )
        }
    }

    /// Writes the metadata and completes the file, without auxiliary files.
    ///
    /// One metadata row identifies the job.
    package func finish(_ metadata: MBTilesMetadata) throws(ArchiveError) {
        try work { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for row in metadata.rows {
                    try connection.run(
                        "INSERT OR REPLACE INTO metadata VALUES (?, ?)", [.text(row.name), .text(row.value)])
                }
                try connection.run("DROP TABLE portolan_absent")
                try connection.run(
                    "UPDATE metadata SET name = ? WHERE name = ?", [.text(Self.finishedRow), .text(Self.jobRow)])
            }
            try connection.run("PRAGMA journal_mode=DELETE")
        }
        state.withLock { $0.lease = nil }
    }

    /// Calls `body` with the file after writing the pending tiles.
    private func work<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(ArchiveError) -> Result {
        do throws(SQLiteError) {
            return try state.withLock { state throws(SQLiteError) in
                if !state.waiting.isEmpty {
                    // Tiles that cannot be written are not retried.
                    let tiles = state.waiting
                    state.waiting = []
                    state.waitingByteCount = 0
                    try Self.write(tiles, to: state.connection)
                }
                return try body(state.connection)
            }
        } catch { throw ArchiveError(error, at: path) }
    }
}

/// A tile to write into an MBTiles file.
package struct MBTile: Hashable, Sendable {
    /// The level.
    package let level: Int
    /// The column, from the west.
    package let column: Int
    /// The row, from the north.
    package let row: Int
    /// The bytes of the image, or `nil` if the server has reported that it is missing.
    package let bytes: [UInt8]?

    /// Creates a tile.
    package init(level: Int, column: Int, row: Int, bytes: [UInt8]?) {
        self.level = level
        self.column = column
        self.row = row
        self.bytes = bytes
    }
}
