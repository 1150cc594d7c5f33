import PortolanFetch
import PortolanSQLite

/// The SQLite file of a ``SQLiteStore``: its layout, and what is done to it in one transaction.
///
/// Bodies lie in a table of their own, so that a use or a confirmation rewrites a short row and never a picture.
final class ResponseDatabase {
    private let connection: SQLiteConnection
    private let room: StoreRoom
    private var isExamined = false

    /// The version of the layout, in `user_version`.
    private static let version = 1

    /// Opens the file, and lays it out when it is new.
    ///
    /// - Throws: ``SQLiteError``; with the code of a file that is no database or of another version, also when the layout is a foreign one.
    init(path: String, room: StoreRoom) throws(SQLiteError) {
        self.room = room
        connection = try SQLiteConnection(path: path, access: .writing)
        // Only before the first table is made does this have an effect; it lets the file shrink again.
        try connection.run("PRAGMA auto_vacuum=INCREMENTAL")
        try connection.run("PRAGMA journal_mode=WAL")
        try connection.run("PRAGMA synchronous=NORMAL")
        // The log begins anew with what is written next after it has grown to this.
        try connection.run("PRAGMA wal_autocheckpoint=\(room.log / 4096)")
        try connection.run("PRAGMA journal_size_limit=\(room.log)")
        switch try connection.integer("PRAGMA user_version") {
        case Self.version: break
        case 0: try layOut()
        default: throw SQLiteError(kind: .otherVersion, message: "another version of the layout")
        }
        // Damage to the layout shows here rather than at the first tile.
        _ = try connection.integer("SELECT count(*) FROM (SELECT 1 FROM entry JOIN body USING (id) LIMIT 1)")
    }

    /// Opens a file to read it, with its log where that can be.
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
            // Another process may have been faster.
            guard try connection.integer("PRAGMA user_version") == 0 else { return }
            guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw SQLiteError(kind: .notADatabase, message: "a database of something else")
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

    /// Reads an entry; one that is damaged is reported as such.
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

    /// Throws when the file as a whole is not sound; the first time only, since all of it is read.
    func examine() throws(SQLiteError) {
        guard !isExamined else { return }
        isExamined = true
        guard try connection.text("PRAGMA integrity_check(1)") == "ok" else {
            throw SQLiteError(kind: .damaged, message: "its indexes are damaged")
        }
    }

    /// Writes a batch in one transaction, after making room for it.
    ///
    /// Each transaction is so small that the log has room for it: notes of uses and what is forgotten are several.
    ///
    /// - Parameter now: in milliseconds since 1970.
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
        // Some room more than is needed, so that not each write has to forget something.
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
                    // Another body may have come meanwhile, from another process.
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

    /// Forgets the least recently used until `limit` bytes are in use at the most.
    private func shrink(to limit: Int, slack: Int, now: Int) throws(SQLiteError) {
        guard try byteCount() > limit else { return }
        while try byteCount() > limit - slack {
            var isEmpty = false
            try connection.transaction { () throws(SQLiteError) in
                // Uses from the future come of a clock that was set back: nothing is known of their age.
                try remove("id IN (SELECT id FROM entry WHERE used > ? LIMIT \(room.rows))", [.int(now + 86_400_000)])
                if connection.changeCount > 0 { return }
                try remove("id IN (SELECT id FROM entry ORDER BY used, id LIMIT \(room.rows))", [])
                isEmpty = connection.changeCount == 0
            }
            if isEmpty { return }
        }
    }

    /// Bytes in use: pages of the file but for those that are free.
    func byteCount() throws(SQLiteError) -> Int {
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let free = try connection.integer("PRAGMA freelist_count") ?? 0
        return (pages - free) * (try connection.integer("PRAGMA page_size") ?? 4096)
    }

    /// The number of entries.
    func count() throws(SQLiteError) -> Int { try connection.integer("SELECT count(*) FROM entry") ?? 0 }

    /// Removes what a selection names, and gives the room back to the system.
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

/// An entry as columns, with checksums by which damage is found.
struct StoredRow: Sendable {
    let id: Int64
    let used: Int
    let entry: StoredResponse

    /// The sum of all but the body; it holds the key, so that no entry passes for another.
    static func headSum(_ entry: StoredResponse, text: String, key: StoreKey) -> Int64 {
        let head = "\(entry.status) \(entry.responseTime) \(entry.delay)\n" + text
        return Int64(bitPattern: Checksum.of(key.bytes + Array(head.utf8), seed: 1))
    }

    static let columns = "entry.id, used, status, headers, time, delay, head_sum, body_sum, bytes"

    /// Reads a row of ``columns``; nil when it is damaged.
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
