public import PortolanFetch
import PortolanSQLite
import Synchronization

extension SQLiteStore {
    /// Changes of one transaction, at the most.
    private static var batchCount: Int { 64 }
    /// Bytes that may wait to be written; beyond them whoever puts something in does the writing.
    private static var pendingByteLimit: Int { 32 << 20 }
    /// Uses that may wait to be written.
    private static var pendingUseLimit: Int { 512 }

    /// Writes what has been put in so far; returns when it is safe against the end of the process.
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

    /// Starts a task that writes what waits, unless one is at it.
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

    /// Writes one batch, and says whether there is more.
    ///
    /// A batch that cannot be written is given up: it is a cache.
    private func writeBatch() throws(StoreError) -> Bool {
        let result = writer.withLock { connection -> Result<Bool, StoreError> in
            let (changes, uses, hasMore, isSuspect) = taken()
            guard !changes.isEmpty || !uses.isEmpty else { return .success(hasMore) }
            defer { written(changes) }
            guard now() >= connection.pausedUntil else { return .success(hasMore) }
            do throws(StoreError) {
                try use(&connection) { database throws(SQLiteError) in
                    // Where one entry is damaged the indexes may be, too, and lose what is written from now on.
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
            warn("the cache keeps nothing new: \(error)")
        }
        return try result.get()
    }

    /// The next batch; it stays visible to readers until it is written.
    private func taken() -> (changes: [StoreChange], uses: [Int64: Int], hasMore: Bool, isSuspect: Bool) {
        pending.withLock { pending in
            var changes: [StoreChange] = [], count = 0, byteCount = 0
            for (key, number) in pending.order.prefix(Self.batchCount) {
                let change = pending.changes[key]?.number == number ? pending.changes[key] : nil
                // A batch must not be larger than the room it is made for.
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
                // One that has come meanwhile for the same key waits on.
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

/// Something that is still to be written.
struct StoreChange: Sendable {
    enum Kind: Sendable {
        case put(StoredResponse, place: StorePlace)
        case confirm(StoredResponse)
        case remove
    }

    let key: StoreKey
    let kind: Kind
    /// The time of the request, in milliseconds since 1970.
    let moment: Int
    /// The number of the change in its store.
    var number = 0

    init(key: StoreKey, kind: Kind, moment: Int) {
        self.key = key
        self.kind = kind
        self.moment = moment
    }

    /// Bytes that it holds in memory.
    var byteCount: Int {
        switch kind {
        case .put(let entry, _), .confirm(let entry): 1000 + entry.body.count
        case .remove: 1000
        }
    }

    /// Bytes that it takes on disk: the pages of the body, and those of tables and indexes that change with it.
    var diskByteCount: Int {
        guard case .put(let entry, _) = kind else { return 0 }
        return (entry.body.count / 4092 + 2) * 4096
    }
}

/// How the bytes of a folder are shared, so that it is within its budget when it holds most: a log that has grown to where it
/// is written back, and the transaction that comes on top of it, stand beside a full database.
struct StoreRoom: Sendable {
    /// Bytes from which on the log is written back and begins anew.
    let log: Int
    /// Bytes of a transaction, at the most; those of the longest body, too.
    let batch: Int
    /// Entries that a transaction forgets, or notes the use of: each lies in pages of its own.
    let rows: Int
    /// Bytes of the database.
    let database: Int

    init(byteBudget: Int) {
        log = min(byteBudget / 16, 4 << 20)
        batch = min(byteBudget / 8, 32 << 20)
        rows = min(max(batch / (8 * 4096), 4), 256)
        // The log's index, its frames' heads, and the lock.
        database = byteBudget - log - batch - max(byteBudget / 16, 64 << 10)
    }
}
