import PortolanSQLite
import Synchronization

/// Writes a pyramid of tiles into an MBTiles file, so that the work can end at any moment and go on later.
///
/// While it is written the file says so, and for what job; ``finish(_:)`` makes it a plain MBTiles file without anything
/// beside it. Tiles are named as XYZ names them, rows from the top.
package final class MBTilesWriter: Sendable {
    private let path: String
    private let state: Mutex<State>

    private struct State {
        let connection: SQLiteConnection
        /// Held until the file is whole, so that two jobs do not write one file.
        var lease: FileLease?
        /// Tiles that wait for the others of their transaction.
        var waiting: [MBTile] = []
        var waitingByteCount = 0
    }

    /// Whether the same job has made the file whole before: there is nothing left to write.
    package let isFinished: Bool

    /// The row of the metadata that says which job is under way.
    private static let jobRow = "portolan:job"
    /// The row of the metadata that says which job has made the file, by which it is known when it is run again.
    private static let finishedRow = "portolan:finished"

    /// The tiles of one transaction, and their bytes, at most.
    private static let batch = (count: 64, byteCount: 8 << 20)

    /// Begins a file, or goes on with one that the same job has begun.
    ///
    /// - Parameter job: the identity of the job.
    /// - Throws: with code `otherJob` when the file is there and is of something else than this job, `busy` while another
    ///   process writes it.
    package init(path: String, job: String) throws(ArchiveError) {
        self.path = path
        let lease = try FileLease.taken(of: path)
        let opened: SQLiteConnection, found: Progress
        do throws(SQLiteError) {
            opened = try SQLiteConnection(path: path, access: .writing)
            if try opened.integer("SELECT count(*) FROM sqlite_schema") == 0 { try Self.layOut(opened, job: job) }
            found = try Self.progress(of: job, in: opened)
            // Only of this job: it changes the file, which must not happen to one of something else.
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

    /// The progress of a job in a file.
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
            // What the server has said it does not have.
            try connection.run(
                "CREATE TABLE portolan_absent (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER)")
            try connection.run(
                "CREATE UNIQUE INDEX portolan_absent_index ON portolan_absent (zoom_level, tile_column, tile_row)")
            // "MPBX", by which `file` knows it.
            try connection.run("PRAGMA application_id=1297105496")
            try connection.run("INSERT INTO metadata VALUES (?, ?)", [.text(jobRow), .text(job)])
        }
    }

    /// The columns of a row that are done: their tiles are there, or known to be absent.
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

    /// Adds a tile, which is written with those that follow, in one transaction for 64 tiles or 8 MiB.
    ///
    /// What waits is written by ``flush()``, by every call that reads, by ``finish(_:)``, and when the writer goes. A process
    /// that is killed loses what waits.
    package func add(_ tile: MBTile) throws(ArchiveError) {
        let isFull = state.withLock { state in
            state.waiting.append(tile)
            state.waitingByteCount += tile.bytes?.count ?? 0
            return state.waiting.count >= Self.batch.count || state.waitingByteCount >= Self.batch.byteCount
        }
        if isFull { try flush() }
    }

    /// Writes tiles in one transaction, those that wait among them; one without bytes is known to be absent.
    package func write(_ tiles: [MBTile]) throws(ArchiveError) {
        state.withLock { $0.waiting += tiles }
        try flush()
    }

    /// Writes the tiles that wait.
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

    /// The bytes of some tile; nil when there is none.
    package func anyTile() throws(ArchiveError) -> [UInt8]? {
        try work { connection throws(SQLiteError) in
            var bytes: [UInt8]?
            try connection.run("SELECT tile_data FROM tiles LIMIT 1") { bytes = $0.bytes(0) }
            return bytes
        }
    }

    /// The number of tiles and of their bytes, and of places known to have none.
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

    /// Writes the metadata and makes the file whole: nothing is left beside it, and in it one row of metadata that tells the
    /// job.
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

    /// Does `body` with the file as it is when what waits is written.
    private func work<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(ArchiveError) -> Result {
        do throws(SQLiteError) {
            return try state.withLock { state throws(SQLiteError) in
                if !state.waiting.isEmpty {
                    // What cannot be written is not tried again.
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

/// A tile to be written into an MBTiles file.
package struct MBTile: Hashable, Sendable {
    /// The level.
    package let level: Int
    /// The column, from the west.
    package let column: Int
    /// The row, from the north.
    package let row: Int
    /// The bytes of the image, or nil when the server has said that there is none.
    package let bytes: [UInt8]?

    /// Makes a tile.
    package init(level: Int, column: Int, row: Int, bytes: [UInt8]?) {
        self.level = level
        self.column = column
        self.row = row
        self.bytes = bytes
    }
}
