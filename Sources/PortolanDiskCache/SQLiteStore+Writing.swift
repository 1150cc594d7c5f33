public import PortolanFetch
import PortolanSQLite
import Synchronization

extension SQLiteStore {
    /// The maximum number of changes in a transaction.
    private static var batchCount: Int { 64 }
    /// The maximum size of pending changes in bytes; beyond it, the task that adds a change writes them.
    private static var pendingByteLimit: Int { 32 << 20 }
    /// The maximum number of pending times of use.
    private static var pendingUseLimit: Int { 512 }

    /// Writes all pending changes, and returns when they survive the end of the process.
    public func flush() throws(StoreError) {
        while try writeBatch() {}
    }

    func note(use id: Int64, at moment: Int) {
        let isFull = pending.withLock { pending in
            pending.uses[id] = moment
            return pending.uses.count >= Self.pendingUseLimit
        }
        if isFull { drainSoon() }
    }

    func schedule(_ change: StoreChange) {
        let isFull = pending.withLock { pending in
            pending.lastNumber += 1
            var change = change
            change.number = pending.lastNumber
            pending.order.append((change.key, change.number))
            let old = pending.changes.updateValue(change, forKey: change.key)
            pending.byteCount -= old?.byteCount ?? 0
            pending.byteCount += change.byteCount
            return pending.byteCount > Self.pendingByteLimit
        }
        if isFull { _ = try? writeBatch() } else { drainSoon() }
    }

    /// Starts a task that writes pending changes, unless one is running.
    private func drainSoon() {
        let starts = pending.withLock { pending in
            defer { pending.isDraining = true }
            return !pending.isDraining
        }
        guard starts else { return }
        Task.detached(priority: .utility) { [weak self] in
            while let self, (try? self.writeBatch()) == true {}
            self?.endDraining()
        }
    }

    private func endDraining() {
        let hasMore = pending.withLock { pending in
            pending.isDraining = false
            return !pending.order.isEmpty
        }
        if hasMore { drainSoon() }
    }

    /// Writes one batch, and returns whether there are more changes.
    ///
    /// A batch that cannot be written is discarded, because this is only a cache.
    private func writeBatch() throws(StoreError) -> Bool {
        let result = writer.withLock { connection -> Result<Bool, StoreError> in
            let (changes, uses, hasMore, isSuspect) = taken()
            guard !changes.isEmpty || !uses.isEmpty else { return .success(hasMore) }
            defer { written(changes) }
            guard now() >= connection.pausedUntil else { return .success(hasMore) }
            do throws(StoreError) {
                try use(&connection) { database throws(SQLiteError) in
                    // If an entry is damaged, the indexes may be damaged as well and lose later writes.
                    if isSuspect { try database.examine() }
                    try database.write(changes, uses: uses, now: now())
                }
                return .success(hasMore)
            } catch {
                connection.pausedUntil = now() + Self.pause
                return .failure(error)
            }
        }
        if case .failure(let error) = result, ![.cannotOpen, .notWritable].contains(error.code) {
            warn("the cache stores nothing new: \(error)")
        }
        return try result.get()
    }

    /// Takes the next batch, which stays visible to readers until it is written.
    private func taken() -> (changes: [StoreChange], uses: [Int64: Int], hasMore: Bool, isSuspect: Bool) {
        pending.withLock { pending in
            var changes: [StoreChange] = [], count = 0, byteCount = 0
            for (key, number) in pending.order.prefix(Self.batchCount) {
                let change = pending.changes[key]?.number == number ? pending.changes[key] : nil
                // The batch must not exceed the room reserved for it.
                byteCount += change?.diskByteCount ?? 0
                guard count == 0 || byteCount <= room.batch else { break }
                count += 1
                if let change { changes.append(change) }
            }
            pending.order.removeFirst(count)
            defer {
                pending.uses = [:]
                pending.isSuspect = false
            }
            return (changes, pending.uses, !pending.order.isEmpty, pending.isSuspect)
        }
    }

    private func written(_ changes: [StoreChange]) {
        pending.withLock { pending in
            for change in changes {
                // A newer change of the same key stays pending.
                guard pending.changes[change.key]?.number == change.number else { continue }
                pending.changes[change.key] = nil
                pending.byteCount -= change.byteCount
            }
        }
    }

    func warn(_ words: String) {
        pending.withLock { pending in
            if !pending.warnings.contains(words), pending.warnings.count < 10 { pending.warnings.append(words) }
        }
    }
}

/// A pending change.
struct StoreChange: Sendable {
    enum Kind: Sendable {
        case put(StoredResponse, place: StoredResponse.Location)
        case confirm(StoredResponse)
        case remove
    }

    let key: StoreKey
    let kind: Kind
    /// The time of the request in milliseconds since 1970.
    let moment: Int
    /// The sequence number of the change in its store.
    var number = 0

    init(key: StoreKey, kind: Kind, moment: Int) {
        self.key = key
        self.kind = kind
        self.moment = moment
    }

    /// The memory of the change in bytes.
    var byteCount: Int {
        switch kind {
        case .put(let entry, _), .confirm(let entry): 1000 + entry.body.count
        case .remove: 1000
        }
    }

    /// Its size on disk in bytes: the pages of the body, and the table and index pages that change with it.
    var diskByteCount: Int {
        guard case .put(let entry, _) = kind else { return 0 }
        return (entry.body.count / 4092 + 2) * 4096
    }
}

/// The division of a folder's byte budget.
///
/// The budget must hold at the worst moment: a full database, a log that has reached its limit, and one more
/// transaction.
struct StoreRoom: Sendable {
    /// The size in bytes at which the log is checkpointed and restarted.
    let log: Int
    /// The maximum size of a transaction in bytes, and of a body.
    let batch: Int
    /// The maximum number of entries that a transaction evicts, or whose time of use it updates; each is on different
    /// pages.
    let rows: Int
    /// The maximum size of the database in bytes.
    let database: Int

    init(byteBudget: Int) {
        log = min(byteBudget / 16, 4 << 20)
        batch = min(byteBudget / 8, 32 << 20)
        rows = min(max(batch / (8 * 4096), 4), 256)
        // The log's index, its frame headers, and the lock file.
        database = byteBudget - log - batch - max(byteBudget / 16, 64 << 10)
    }
}
