public import PortolanFetch
import PortolanSQLite
public import PortolanWeb
import Synchronization

/// A response store in an SQLite file with a byte budget, shared by all processes that use the same folder.
///
/// - The least recently used entries are evicted first. Times of use are collected in memory and written with the next
///   responses; an update rewrites only a short row, at most once a minute.
/// - A background task writes changes in batches soon after they are made, and they are visible to readers immediately.
///   ``flush()`` waits for it. If the process is killed, pending changes are lost, but the file stays intact: it has a
///   write-ahead log, a transaction per batch, and a checksum per entry.
/// - A file that is damaged or in another format is renamed, and a new one is started, with a warning.
/// - If the folder is unusable or the disk is full, nothing is stored, and ``warnings`` contains the reason. Reading
///   continues if possible.
///
/// Keys and URL prefixes are stored as hashes. Bodies are stored unencrypted, and only the owner of the file can read
/// them.
public final class SQLiteStore: ResponseStore {
    struct Pending {
        var changes: [StoreKey: StoreChange] = [:]
        /// The changes in the order of their arrival; entries replaced by a later change of the same key are skipped.
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

    /// The maximum size of the folder in bytes.
    public let byteBudget: Int

    let room: StoreRoom

    private let reader = Mutex(Connection())
    let writer = Mutex(Connection())
    let pending = Mutex(Pending())
    let now: @Sendable () -> Int

    /// The minimum interval between updates of an entry's time of use, in milliseconds.
    private static let useInterval = 60_000

    /// Creates a store in a folder.
    ///
    /// The folder is created at the first use, accessible only to its owner.
    ///
    /// - Parameters:
    ///   - byteBudget: the maximum size of the folder in bytes; at least 1 MiB.
    public convenience init(folder: String, byteBudget: Int = 512 << 20) {
        self.init(folder: folder, byteBudget: byteBudget, now: WallClock.milliseconds)
    }

    /// Creates a store with a custom clock in milliseconds since 1970.
    package init(folder: String, byteBudget: Int, now: @escaping @Sendable () -> Int) {
        self.folder = folder
        self.byteBudget = max(byteBudget, 1 << 20)
        room = StoreRoom(byteBudget: self.byteBudget)
        self.now = now
    }

    deinit { try? flush() }

    /// The path of the database file.
    public var path: String { folder + "/answers.sqlite3" }

    /// The maximum length of a stored body: one response must not evict all others.
    var maximumBodyByteCount: Int { room.batch }

    /// Messages about its state, one sentence each.
    public var warnings: [MapWarning] {
        pending.withLock { $0.warnings }.map { MapWarning(.cache, message: $0) }
    }

    /// Returns the entry of a key; a damaged one is removed and treated as missing.
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
        // The revalidated entry may have been replaced in the meantime.
        if let confirmed, confirmed.body == found.entry.body { return confirmed }
        return found.entry
    }

    /// Stores an entry, unless its body is longer than an eighth of the budget or 32 MiB.
    public func put(_ entry: StoredResponse, for key: StoreKey, place: StoredResponse.Location) {
        guard entry.body.count <= maximumBodyByteCount else {
            remove(key)
            return
        }
        schedule(StoreChange(key: key, kind: .put(entry, place: place), moment: now()))
    }

    /// Replaces an entry except for its body.
    public func confirm(_ entry: StoredResponse, for key: StoreKey) {
        // A pending entry is written with the new header.
        var kind = StoreChange.Kind.confirm(entry)
        if case .put(let waiting, let place)? = pending.withLock({ $0.changes[key]?.kind }) {
            // Another response was stored after the server was contacted about this one.
            guard waiting.body == entry.body else { return }
            kind = .put(entry, place: place)
        }
        schedule(StoreChange(key: key, kind: kind, moment: now()))
    }

    /// Removes an entry.
    public func remove(_ key: StoreKey) { schedule(StoreChange(key: key, kind: .remove, moment: now())) }

    /// Removes the entries of a selection, and returns their space to the file system.
    ///
    /// - Complexity: O(entries).
    public func removeAll(_ selection: StoreSelection = StoreSelection()) throws(StoreError) -> Int {
        try flush()
        return try use(writer) { database throws(SQLiteError) in try database.removeAll(selection) }
    }

    /// Returns the number of entries and bytes.
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
