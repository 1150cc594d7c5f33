public import PortolanFetch
import PortolanSQLite
public import PortolanWeb
import Synchronization

/// Keeps answers in an SQLite file, within a budget of bytes, shared by all processes that name the same folder.
///
/// - The least recently used goes first. A use is noted in memory and written with the next answers; it rewrites nothing
///   but a short row, and that once a minute at the most.
/// - What is put in is written soon after, several at a time, by a task of its own; readers see it at once. ``flush()``
///   waits for it. A process that is killed loses what was not written; what is there stays whole (write-ahead log, a
///   transaction for each batch, a checksum for each entry).
/// - A file that is damaged, or of something else, is set aside beside the new one that is begun, with a warning.
/// - Where the folder cannot be used or is full nothing is kept, and ``warnings`` says why; reading goes on where it can.
///
/// Keys and beginnings of addresses are hashes; bodies lie in the file as they came, readable for its owner alone.
public final class SQLiteStore: ResponseStore {
    struct Pending {
        var changes: [StoreKey: StoreChange] = [:]
        /// In the order in which they came; one that a later one of its key has replaced is passed over.
        var order: [(key: StoreKey, number: Int)] = []
        var lastNumber = 0
        var byteCount = 0
        var uses: [Int64: Int] = [:]
        var isDraining = false
        /// Whether a damaged entry was found.
        var isSuspect = false
        var warnings: [String] = []
    }

    /// The folder.
    public let folder: String

    /// The most bytes of the folder.
    public let byteBudget: Int

    let room: StoreRoom

    private let reader = Mutex(Connection())
    let writer = Mutex(Connection())
    let pending = Mutex(Pending())
    let now: @Sendable () -> Int

    /// Milliseconds between two notes of the use of one entry.
    private static let useInterval = 60_000

    /// Makes a store in a folder, which is made with the first use, for its owner alone.
    ///
    /// - Parameters:
    ///   - byteBudget: the most bytes of the folder; 1 MiB at the least.
    public convenience init(folder: String, byteBudget: Int = 512 << 20) {
        self.init(folder: folder, byteBudget: byteBudget, now: WallClock.milliseconds)
    }

    /// Makes a store with a clock of its own, in milliseconds since 1970.
    package init(folder: String, byteBudget: Int, now: @escaping @Sendable () -> Int) {
        self.folder = folder
        self.byteBudget = max(byteBudget, 1 << 20)
        room = StoreRoom(byteBudget: self.byteBudget)
        self.now = now
    }

    deinit { try? flush() }

    /// The file.
    public var path: String { folder + "/answers.sqlite3" }

    /// The longest body that is kept: one answer must not drive out all others.
    var maximumBodyByteCount: Int { room.batch }

    /// Messages about its state for a person, a sentence each.
    public var warnings: [MapWarning] {
        pending.withLock { $0.warnings }.map { MapWarning(.cache, message: $0) }
    }

    /// The entry of a key; a damaged one is removed and counts as absent.
    public func entry(for key: StoreKey) throws(StoreError) -> StoredResponse? {
        var confirmed: StoredResponse?
        switch pending.withLock({ $0.changes[key]?.kind }) {
        case .put(let entry, _): return entry
        case .remove: return nil
        case .confirm(let entry): confirmed = entry
        case nil: break
        }
        let (found, isDamaged) = try use(reader) { database throws(SQLiteError) in try database.row(key) }
        if isDamaged {
            pending.withLock { $0.isSuspect = true }
            schedule(StoreChange(key: key, kind: .remove, moment: now()))
        }
        guard let found else { return nil }
        let moment = now()
        if abs(moment - found.used) >= Self.useInterval { note(use: found.id, at: moment) }
        // What was confirmed may have been replaced meanwhile.
        if let confirmed, confirmed.body == found.entry.body { return confirmed }
        return found.entry
    }

    /// Puts an entry in; one with a body longer than an eighth of the budget, or than 32 MiB, is not kept.
    public func put(_ entry: StoredResponse, for key: StoreKey, place: StorePlace) {
        guard entry.body.count <= maximumBodyByteCount else {
            remove(key)
            return
        }
        schedule(StoreChange(key: key, kind: .put(entry, place: place), moment: now()))
    }

    /// Replaces all of an entry but its body.
    public func confirm(_ entry: StoredResponse, for key: StoreKey) {
        // What is not written yet is written as it is now.
        var kind = StoreChange.Kind.confirm(entry)
        if case .put(let waiting, let place)? = pending.withLock({ $0.changes[key]?.kind }) {
            // Another answer has come since the server was asked about this one.
            guard waiting.body == entry.body else { return }
            kind = .put(entry, place: place)
        }
        schedule(StoreChange(key: key, kind: kind, moment: now()))
    }

    /// Removes an entry.
    public func remove(_ key: StoreKey) { schedule(StoreChange(key: key, kind: .remove, moment: now())) }

    /// Removes the entries that a selection names, and gives their room back to the system.
    ///
    /// O(entries).
    public func removeAll(_ selection: StoreSelection = StoreSelection()) throws(StoreError) -> Int {
        try flush()
        return try use(writer) { database throws(SQLiteError) in try database.removeAll(selection) }
    }

    /// The number of entries and bytes it holds.
    public func statistics() throws(StoreError) -> StoreStatistics {
        try flush()
        let (count, byteCount) = try use(reader) { database throws(SQLiteError) in
            (try database.count(), try database.byteCount())
        }
        return StoreStatistics(count: count, byteCount: byteCount, byteBudget: byteBudget)
    }

    private func use<Result: Sendable>(
        _ connection: borrowing Mutex<Connection>, _ work: @Sendable (ResponseDatabase) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try connection.withLock { connection throws(StoreError) in try use(&connection, work) }
    }
}
