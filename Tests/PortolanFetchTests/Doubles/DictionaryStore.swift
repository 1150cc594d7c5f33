import PortolanFetch
import PortolanWeb
import Synchronization

/// A store in memory that can be made to fail.
final class DictionaryStore: ResponseStore {
    private let entries = Mutex<[StoreKey: StoredResponse]>([:])
    let failure = Mutex<StoreError?>(nil)
    /// Called before a lease is granted; `nil` for no action.
    let leasing = Mutex<(@Sendable (StoreKey, DictionaryStore) -> Void)?>(nil)
    let openLeases = Mutex(0)
    var warnings: [MapWarning] { told.withLock { $0 }.map { MapWarning(.cache, message: $0) } }
    let told = Mutex<[String]>([])

    var all: [StoredResponse] { entries.withLock { Array($0.values) } }

    func change(_ work: (inout StoredResponse) -> Void) {
        entries.withLock { entries in
            entries = entries.mapValues { entry in
                var entry = entry
                work(&entry)
                return entry
            }
        }
    }

    private func check() throws(StoreError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    func entry(for key: StoreKey) throws(StoreError) -> StoredResponse? {
        try check()
        return entries.withLock { $0[key] }
    }

    func put(_ entry: StoredResponse, for key: StoreKey, place: StoredResponse.Location) throws(StoreError) {
        try check()
        entries.withLock { $0[key] = entry }
    }

    func confirm(_ entry: StoredResponse, for key: StoreKey) throws(StoreError) {
        try check()
        entries.withLock { $0[key] = $0[key] == nil ? nil : entry }
    }

    func remove(_ key: StoreKey) throws(StoreError) {
        try check()
        entries.withLock { $0[key] = nil }
    }

    func removeAll(_ selection: StoreSelection) throws(StoreError) -> Int {
        try check()
        return entries.withLock { entries in
            defer { entries = [:] }
            return entries.count
        }
    }

    func statistics() throws(StoreError) -> StoreStatistics {
        StoreStatistics(count: all.count, byteCount: 0, byteBudget: 0)
    }

    func flush() throws(StoreError) { try check() }

    func lease(for key: StoreKey) -> StoreLease? {
        guard let leasing = leasing.withLock({ $0 }) else { return nil }
        leasing(key, self)
        openLeases.withLock { $0 += 1 }
        return StoreLease { self.openLeases.withLock { $0 -= 1 } }
    }
}
