public import PortolanWeb

/// A store with another that takes its place while it fails: one that many machines share, say, with one of this machine.
///
/// What is in the second store is looked up only while the first fails; removals go to both. What is wrong the stores'
/// own ``warnings`` tell.
public struct FallbackStore: ResponseStore {
    private let first: any ResponseStore
    private let second: any ResponseStore

    /// Makes a store of two.
    public init(_ first: any ResponseStore, else second: any ResponseStore) {
        self.first = first
        self.second = second
    }

    /// The entry of the first store, or while that fails of the second.
    public func entry(for key: StoreKey) async throws(StoreError) -> StoredResponse? {
        do throws(StoreError) { return try await first.entry(for: key) } catch {
            return try await second.entry(for: key)
        }
    }

    /// Puts an entry into the first store, or while that fails into the second.
    public func put(_ entry: StoredResponse, for key: StoreKey, place: StorePlace) async throws(StoreError) {
        do throws(StoreError) { try await first.put(entry, for: key, place: place) } catch {
            try await second.put(entry, for: key, place: place)
        }
    }

    /// Confirms an entry in the first store, or while that fails in the second.
    public func confirm(_ entry: StoredResponse, for key: StoreKey) async throws(StoreError) {
        do throws(StoreError) { try await first.confirm(entry, for: key) } catch {
            try await second.confirm(entry, for: key)
        }
    }

    /// The first store's lease; none while it fails.
    public func lease(for key: StoreKey) async -> StoreLease? { await first.lease(for: key) }

    /// Removes an entry from both.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await both { store throws(StoreError) in try await store.remove(key) }
    }

    /// Removes what a selection names from both, and says how many entries that were in sum.
    public func removeAll(_ selection: StoreSelection) async throws(StoreError) -> Int {
        var count = 0
        try await both { store throws(StoreError) in count += try await store.removeAll(selection) }
        return count
    }

    /// The statistics of the first store, or while that fails of the second.
    public func statistics() async throws(StoreError) -> StoreStatistics {
        do throws(StoreError) { return try await first.statistics() } catch { return try await second.statistics() }
    }

    /// Returns when all that was put into both is safe.
    public func flush() async throws(StoreError) {
        try await both { store throws(StoreError) in try await store.flush() }
    }

    /// The messages of both stores.
    public var warnings: [MapWarning] { first.warnings + second.warnings.filter { !first.warnings.contains($0) } }

    /// Does the same to both; when one fails the other is not spared.
    private func both(_ work: (any ResponseStore) async throws(StoreError) -> Void) async throws(StoreError) {
        var failure: StoreError?
        for store in [first, second] {
            do throws(StoreError) { try await work(store) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
