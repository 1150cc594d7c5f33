import PortolanFetch
import PortolanSQLite

/// The SQLite file of a ``SQLiteStore``: its schema and transactions.
///
/// Bodies have a separate table, so that updating the time of use rewrites a short row, not an image.
final class ResponseDatabase {
    private let connection: SQLiteConnection
    private let room: StoreRoom
    private var isExamined = false

    /// The schema version, stored in `user_version`.
    private static let version = 1

    /// Opens the file, and creates the schema if it is new.
    ///
    /// - Throws: ``SQLiteError``. The error for a file that is not a database is also thrown for a foreign schema, and
    ///   another version has its own code.
    init(path: String, room: StoreRoom) throws(SQLiteError) {
        self.room = room
        connection = try SQLiteConnection(path: path, access: .writing)
        // This takes effect only before the first table is created. It allows the file to shrink.
        try connection.run("PRAGMA auto_vacuum=INCREMENTAL")
        try connection.run("PRAGMA journal_mode=WAL")
        try connection.run("PRAGMA synchronous=NORMAL")
        // Above this size the log is checkpointed and restarts with the next write.
        try connection.run("PRAGMA wal_autocheckpoint=\(room.log / 4096)")
        try connection.run("PRAGMA journal_size_limit=\(room.log)")
        switch try connection.integer("PRAGMA user_version") {
        case Self.version: break
        case 0: try layOut()
        default: throw SQLiteError(kind: .otherVersion, message: "another version of the layout")
        }
        // Detects a damaged schema here instead of at the first tile.
        _ = try connection.integer("SELECT count(*) FROM (SELECT 1 FROM entry JOIN body USING (id) LIMIT 1)")
    }

    /// Opens a file for reading, including its write-ahead log if possible.
    convenience init(reading path: String, room: StoreRoom) throws(SQLiteError) {
        do { try self.init(path, .reading, room) } catch { try self.init(path, .readingUnchanging, room) }
    }

    private init(_ path: String, _ access: SQLiteConnection.Access, _ room: StoreRoom) throws(SQLiteError) {
        self.room = room
        connection = try SQLiteConnection(path: path, access: access, endsWithTask: false)
        guard try connection.integer("PRAGMA user_version") == Self.version else {
            throw SQLiteError(kind: .otherVersion, message: "another version of the layout")
        }
    }

    private func layOut() throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            // Another process may have created the schema first.
            guard try connection.integer("PRAGMA user_version") == 0 else { return }
            guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw SQLiteError(kind: .notADatabase, message: "another database")
            }
            try connection.run(
                """
                CREATE TABLE entry (
                    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, status INTEGER NOT NULL, headers TEXT NOT NULL,
                    time INTEGER NOT NULL, delay INTEGER NOT NULL, head_sum INTEGER NOT NULL,
                    body_sum INTEGER NOT NULL, used INTEGER NOT NULL, prefixes BLOB NOT NULL,
                    west REAL, south REAL, east REAL, north REAL)
                """)
            try connection.run("CREATE INDEX entry_used ON entry (used)")
            try connection.run("CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
            try connection.run("PRAGMA user_version=\(Self.version)")
        }
    }

    /// Reads an entry, and reports whether it is damaged.
    func row(_ key: StoreKey) throws(SQLiteError) -> (row: StoredRow?, isDamaged: Bool) {
        var found: StoredRow?, count = 0
        try connection.run(
            "SELECT \(StoredRow.columns) FROM entry LEFT JOIN body USING (id) WHERE key = ?", [.blob(key.bytes)]
        ) { row in
            count += 1
            found = StoredRow(row, key: key)
        }
        return (found, count > 0 && found == nil)
    }

    /// Throws if the integrity check of the file fails.
    ///
    /// Later calls do nothing, because the check reads the whole file.
    func examine() throws(SQLiteError) {
        guard !isExamined else { return }
        isExamined = true
        guard try connection.text("PRAGMA integrity_check(1)") == "ok" else {
            throw SQLiteError(kind: .damaged, message: "damaged indexes")
        }
    }

    /// Writes a batch in one transaction, after making room for it.
    ///
    /// Each transaction is small enough for the log: times of use and evictions are split into several.
    ///
    /// - Parameter now: the time in milliseconds since 1970.
    func write(_ changes: [StoreChange], uses: [Int64: Int], now: Int) throws(SQLiteError) {
        var uses = uses.sorted { $0.key < $1.key }[...]
        while !uses.isEmpty {
            try connection.transaction { () throws(SQLiteError) in
                for (id, moment) in uses.prefix(room.rows) {
                    try connection.run("UPDATE entry SET used = ? WHERE id = ?", [.int(moment), .integer(id)])
                }
            }
            uses = uses.dropFirst(room.rows)
        }
        guard !changes.isEmpty else { return }
        let needed = changes.reduce(0) { $0 + $1.diskByteCount }
        // Makes some more room than necessary, so that not every write has to evict entries.
        try shrink(to: room.database - needed, slack: room.database / 32, now: now)
        try connection.transaction { () throws(SQLiteError) in for change in changes { try apply(change) } }
    }

    private func apply(_ change: StoreChange) throws(SQLiteError) {
        let key = SQLiteValue.blob(change.key.bytes)
        switch change.kind {
        case .remove: try remove("key = ?", [key])
        case .confirm(let entry):
            let text = entry.headerText
            try connection.run(
                "UPDATE entry SET headers = ?, time = ?, delay = ?, head_sum = ? WHERE key = ? AND body_sum = ?",
                [
                    .text(text), .int(entry.responseTime), .int(entry.delay),
                    .integer(StoredRow.headSum(entry, text: text, key: change.key)), key,
                    // Another process may have replaced the body in the meantime.
                    .integer(Int64(bitPattern: entry.bodySum(for: change.key))),
                ])
        case .put(let entry, let place):
            try remove("key = ?", [key])
            let text = entry.headerText
            let bounds = place.bounds
            try connection.run(
                """
                INSERT INTO entry
                (key, status, headers, time, delay, head_sum, body_sum, used, prefixes, west, south, east, north)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    key, .int(entry.status), .text(text), .int(entry.responseTime), .int(entry.delay),
                    .integer(StoredRow.headSum(entry, text: text, key: change.key)),
                    .integer(Int64(bitPattern: entry.bodySum(for: change.key))), .int(change.moment),
                    .blob(StoreKey.prefixHashes(of: place.url)), .real(orNull: bounds?[0]), .real(orNull: bounds?[1]),
                    .real(orNull: bounds?[2]), .real(orNull: bounds?[3]),
                ])
            let id = connection.lastInsertedID
            try connection.run("INSERT INTO body (id, bytes) VALUES (?, ?)", [.integer(id), .blob(entry.body)])
        }
    }

    private func remove(_ condition: String, _ values: [SQLiteValue]) throws(SQLiteError) {
        try connection.run("DELETE FROM body WHERE id IN (SELECT id FROM entry WHERE \(condition))", values)
        try connection.run("DELETE FROM entry WHERE \(condition)", values)
    }

    /// Evicts the least recently used entries until at most `limit` bytes are in use.
    private func shrink(to limit: Int, slack: Int, now: Int) throws(SQLiteError) {
        guard try byteCount() > limit else { return }
        while try byteCount() > limit - slack {
            var isEmpty = false
            try connection.transaction { () throws(SQLiteError) in
                // Times of use in the future were written before the clock was set back, so their true age is unknown.
                try remove("id IN (SELECT id FROM entry WHERE used > ? LIMIT \(room.rows))", [.int(now + 86_400_000)])
                if connection.changeCount > 0 { return }
                try remove("id IN (SELECT id FROM entry ORDER BY used, id LIMIT \(room.rows))", [])
                isEmpty = connection.changeCount == 0
            }
            if isEmpty { return }
        }
    }

    /// Returns the bytes in use: all pages of the file except free ones.
    func byteCount() throws(SQLiteError) -> Int {
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let free = try connection.integer("PRAGMA freelist_count") ?? 0
        return (pages - free) * (try connection.integer("PRAGMA page_size") ?? 4096)
    }

    /// Returns the number of entries.
    func count() throws(SQLiteError) -> Int { try connection.integer("SELECT count(*) FROM entry") ?? 0 }

    /// Removes the entries of a selection, and returns their space to the file system.
    func removeAll(_ selection: StoreSelection) throws(SQLiteError) -> Int {
        var doomed: [Int64] = []
        try connection.transaction { () throws(SQLiteError) in
            var conditions = ["1"], values: [SQLiteValue] = []
            if let before = selection.before {
                conditions.append("time < ?")
                values.append(.int(before))
            }
            if let bounds = selection.bounds, bounds.count == 4 {
                conditions.append("west < ? AND east > ? AND south < ? AND north > ?")
                values += [.real(bounds[2]), .real(bounds[0]), .real(bounds[3]), .real(bounds[1])]
            }
            let wanted = selection.prefix.map { StoreKey.prefixHash($0) ?? [] }
            try connection.run("SELECT id, prefixes FROM entry WHERE " + conditions.joined(separator: " AND "), values)
            { row in
                if let wanted, !Self.contains(row.bytes(1), wanted) { return }
                doomed.append(Int64(row.integer(0)))
            }
            for id in doomed { try remove("id = ?", [.integer(id)]) }
        }
        try connection.run("PRAGMA incremental_vacuum")
        return doomed.count
    }

    private static func contains(_ hashes: [UInt8], _ wanted: [UInt8]) -> Bool {
        wanted.count == 8
            && stride(from: 0, to: hashes.count, by: 8).contains {
                hashes[$0..<min($0 + 8, hashes.count)].elementsEqual(wanted)
            }
    }
}

/// An entry as columns, with checksums to detect damage.
struct StoredRow: Sendable {
    let id: Int64
    let used: Int
    let entry: StoredResponse

    /// Returns the checksum of all but the body.
    ///
    /// It depends on the key, so that entries cannot be confused.
    static func headSum(_ entry: StoredResponse, text: String, key: StoreKey) -> Int64 {
        let head = "\(entry.status) \(entry.responseTime) \(entry.delay)\n" + text
        return Int64(bitPattern: Checksum.of(key.bytes + Array(head.utf8), seed: 1))
    }

    static let columns = "entry.id, used, status, headers, time, delay, head_sum, body_sum, bytes"

    /// Reads a row of ``columns``, or returns `nil` if it is damaged.
    init?(_ row: borrowing SQLiteRow, key: StoreKey) {
        let text = row.text(3)
        let entry = StoredResponse(
            status: row.integer(2), headers: StoredResponse.headers(in: text), body: row.bytes(8),
            responseTime: row.integer(4), delay: row.integer(5))
        guard Self.headSum(entry, text: text, key: key) == Int64(row.integer(6)),
            Int64(bitPattern: entry.bodySum(for: key)) == Int64(row.integer(7))
        else { return nil }
        id = Int64(row.integer(0))
        used = row.integer(1)
        self.entry = entry
    }
}
