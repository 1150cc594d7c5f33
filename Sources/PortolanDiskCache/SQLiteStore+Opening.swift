import PortolanFetch
import PortolanSQLite
import Synchronization

extension SQLiteStore {
    /// One of the store's two connections: what is read does not wait for what is written.
    struct Connection {
        var database: ResponseDatabase?
        /// The identity of the file, among those that have been at this path.
        var identity: FileIdentity?
        /// The failure of opening it.
        var failure: StoreError?
        /// After a failure nothing is tried before this moment, in milliseconds since 1970.
        var pausedUntil = 0
    }

    private static var fileName: String { "answers.sqlite3" }

    /// Milliseconds in which nothing is tried after a failure.
    static var pause: Int { 30_000 }

    /// How often work is begun: once, and again after the file at the path was set aside, by this store or by another one.
    private static var attempts: Int { 3 }

    /// Does `work` with a connection, which is opened when it is not open; returns what came of it.
    ///
    /// A damaged file is set aside, and the work is done again with the new one.
    func use<Result: Sendable>(
        _ connection: inout Connection, _ work: @Sendable (ResponseDatabase) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        for _ in 1..<Self.attempts {
            let database = try opened(&connection)
            do throws(SQLiteError) { return try work(database) } catch {
                guard isDamage(error) else { throw StoreError(error, at: path) }
                connection.database = nil
                try setAside(connection.identity, why: error)
            }
        }
        let database = try opened(&connection)
        do throws(SQLiteError) { return try work(database) } catch { throw StoreError(error, at: path) }
    }

    /// Whether the file itself is at fault.
    ///
    /// A file whose header says that it is of a later version of SQLite cannot be written, although the system permits it.
    private func isDamage(_ error: SQLiteError) -> Bool {
        error.isDamage || error.kind == .notWritable && StoreFolder(path: folder).permitsWriting(to: Self.fileName)
    }

    /// The database at the path, as it is there now.
    private func opened(_ connection: inout Connection) throws(StoreError) -> ResponseDatabase {
        if let database = connection.database, StoreFolder.identity(of: path) == connection.identity {
            return database
        }
        connection.database = nil
        if let failure = connection.failure, now() < connection.pausedUntil { throw failure }
        do throws(StoreError) {
            let folder = StoreFolder(path: folder)
            try folder.make()
            let database = try folder.locked { () throws(StoreError) in
                folder.makeFile(Self.fileName)
                do throws(SQLiteError) { return try ResponseDatabase(path: path, room: room) } catch {
                    guard isDamage(error) else { throw StoreError(error, at: path) }
                    folder.setAside(Self.fileName, as: error.suffix)
                    tellAside(error)
                }
                folder.makeFile(Self.fileName)
                do throws(SQLiteError) { return try ResponseDatabase(path: path, room: room) } catch {
                    throw StoreError(error, at: path)
                }
            }
            connection.database = database
            connection.identity = StoreFolder.identity(of: path)
            connection.failure = nil
            return database
        } catch {
            if error.code == .notWritable, let database = try? ResponseDatabase(reading: path, room: room) {
                warn("the cache is used as it is, and keeps nothing new: \(error)")
                connection.database = database
                connection.identity = StoreFolder.identity(of: path)
                return database
            }
            connection.failure = error
            connection.pausedUntil = now() + Self.pause
            warn("the cache is not used: \(error)")
            throw error
        }
    }

    /// Sets the file aside, unless another has already taken its place.
    private func setAside(_ identity: FileIdentity?, why: SQLiteError) throws(StoreError) {
        let folder = StoreFolder(path: folder)
        try folder.locked { () throws(StoreError) in
            guard StoreFolder.identity(of: path) == identity else { return }
            folder.setAside(Self.fileName, as: why.suffix)
            tellAside(why)
        }
    }

    private func tellAside(_ error: SQLiteError) {
        let reason = error.kind == .otherVersion ? "is of another version of this program" : "was damaged"
        let detail = error.kind == .otherVersion ? "" : " (\(error.message))"
        warn("the cache \(reason) and begins anew; the old file is \(path)\(error.suffix)\(detail)")
    }
}

extension SQLiteError {
    /// What is put after the name of a file that is set aside.
    fileprivate var suffix: String { kind == .otherVersion ? ".other-version" : ".damaged" }
}

extension StoreError {
    fileprivate init(_ error: SQLiteError, at path: String) {
        let code: Code =
            switch error.kind {
            case .damaged: .damaged
            case .notADatabase, .otherVersion: .wrongFormat
            case .full: .full
            case .notWritable, .moved: .notWritable
            case .busy: .busy
            case .cannotOpen: .cannotOpen
            case .notBuiltIn: .notBuiltIn
            case .schema, .constraint, .inputOutput, .tooLong, .memory, .endless, .cancelled, .other: .unavailable
            }
        self.init(code, place: path, detail: error.description)
    }
}
