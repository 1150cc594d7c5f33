public import PortolanFetch
import Synchronization

/// Writes a pyramid of tiles into an MBTiles file, so that the work can end at any moment and go on later.
///
/// While it is written the file says so, and for what job; ``finish(_:)`` makes it a plain MBTiles file without anything
/// beside it. Tiles are named as XYZ names them, rows from the top.
public final class MBTilesWriter: Sendable {
    private let path: String
    private let connection: Mutex<SQLiteConnection>

    /// Whether the same job has made the file whole before: there is nothing left to write.
    public let isFinished: Bool

    /// The row of the metadata that says which job is under way.
    private static let jobRow = "portolan:job"
    /// The row of the metadata that says which job has made the file, by which it is known when it is run again.
    private static let finishedRow = "portolan:finished"

    /// Begins a file, or goes on with one that the same job has begun.
    ///
    /// - Parameter job: what tells this job from others.
    /// - Throws: with code `invalid` when the file is there and is of something else than this job.
    public init(path: String, job: String) throws(StoreError) {
        self.path = path
        do throws(SQLiteError) {
            let opened = try SQLiteConnection(path: path, access: .writing)
            if try opened.integer("SELECT count(*) FROM sqlite_schema") == 0 { try Self.layOut(opened, job: job) }
            let hasMetadata =
                try opened.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'metadata'") ?? 0 > 0
            func row(_ name: String) throws(SQLiteError) -> String? {
                hasMetadata ? try opened.text("SELECT value FROM metadata WHERE name = ?", [.text(name)]) : nil
            }
            let finished = try row(Self.finishedRow)
            isFinished = finished == job
            guard !isFinished else {
                connection = Mutex(opened)
                return
            }
            guard let begun = try row(Self.jobRow) else {
                throw SQLiteError(
                    code: 19,
                    words: finished == nil
                        ? "it exists, and is of something else"
                        : "it is complete, and has another layer, other levels or another extent")
            }
            guard begun == job else {
                throw SQLiteError(code: 19, words: "it was begun for another layer, other levels or another extent")
            }
            // Only now: it changes the file, which must not happen to one of something else.
            try opened.run("PRAGMA journal_mode=WAL")
            try opened.run("PRAGMA synchronous=NORMAL")
            connection = Mutex(opened)
        } catch {
            guard error.code == 19 else { throw error.storeError(at: path) }
            throw StoreError(.invalid, place: path, detail: "\(error.words); remove it or choose another name")
        }
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

    /// Which columns of a row are done: their tiles are there, or known to be absent.
    public func columnsDone(level: Int, row: Int) throws(StoreError) -> Set<Int> {
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

    /// Writes tiles in one transaction; one without bytes is known to be absent.
    public func write(_ tiles: [MBTile]) throws(StoreError) {
        try work { connection throws(SQLiteError) in
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
    }

    /// The bytes of some tile; nil when there is none.
    public func anyTile() throws(StoreError) -> [UInt8]? {
        try work { connection throws(SQLiteError) in
            var bytes: [UInt8]?
            try connection.run("SELECT tile_data FROM tiles LIMIT 1") { bytes = $0.bytes(0) }
            return bytes
        }
    }

    /// How many tiles there are, and their bytes.
    public func totals() throws(StoreError) -> (count: Int, byteCount: Int, absent: Int) {
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
    public func finish(_ metadata: MBTilesMetadata) throws(StoreError) {
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
    }

    private func work<Result: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLiteError) {
            return try connection.withLock { connection throws(SQLiteError) in try body(connection) }
        } catch { throw error.storeError(at: path) }
    }
}
