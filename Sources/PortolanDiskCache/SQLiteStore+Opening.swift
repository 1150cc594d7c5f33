import PortolanFetch
import PortolanSQLite
import Synchronization

extension SQLiteStore {
    /// One of the store's two connections, by which reads do not wait for writes.
    struct Connection {
        var database: ResponseDatabase?
        /// The identity of the open file, to detect that the file at the path was replaced.
        var identity: FileIdentity?
        /// The error of the last attempt to open it.
        var failure: StoreError?
        /// The time until which no attempt is made after a failure, in milliseconds since 1970.
        var pausedUntil = 0
    }

    private static var fileName: String { "answers.sqlite3" }

    /// The pause after a failure in milliseconds.
    static var pause: Int { 30_000 }

    /// The maximum number of attempts: repeated after the file was set aside, by this store or by another one.
    private static var attempts: Int { 3 }

    /// Returns the result of `work` with a connection, which is opened if necessary.
    ///
    /// A damaged file is set aside, and `work` is repeated with a new file.
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

    /// Returns whether the error is caused by the file itself.
    ///
    /// A file of a later SQLite version according to its header is not writable either, although the system permits it.
    private func isDamage(_ error: SQLiteError) -> Bool {
        error.isDamage || error.kind == .notWritable && StoreFolder(path: folder).permitsWriting(to: Self.fileName)
    }

    /// Returns the database that is now at the path.
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
                warn("the cache is read-only: \(error)")
                connection.database = database
                connection.identity = StoreFolder.identity(of: path)
                return database
            }
            connection.failure = error
            connection.pausedUntil = now() + Self.pause
            warn("the cache is disabled: \(error)")
            throw error
        }
    }

    /// Sets the file aside unless it has already been replaced.
    private func setAside(_ identity: FileIdentity?, why: SQLiteError) throws(StoreError) {
        let folder = StoreFolder(path: folder)
        try folder.locked { () throws(StoreError) in
            guard StoreFolder.identity(of: path) == identity else { return }
            folder.setAside(Self.fileName, as: why.suffix)
            tellAside(why)
        }
    }

    private func tellAside(_ error: SQLiteError) {
        let reason = error.kind == .otherVersion ? "has the format of another version" : "was damaged"
        let detail = error.kind == .otherVersion ? "" : " (\(error.message))"
        warn("the cache \(reason) and was recreated; the old file is \(path)\(error.suffix)\(detail)")
    }
}

extension SQLiteError {
    /// The suffix for the name of a file that is set aside.
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
