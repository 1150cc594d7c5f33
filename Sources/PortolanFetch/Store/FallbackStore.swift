public import PortolanWeb

/// A store with a fallback that is used while the first one fails, such as a shared store with a local fallback.
///
/// Lookups use the second store only while the first one fails; removals apply to both. The ``warnings`` of the stores
/// describe failures.
public struct FallbackStore: ResponseStore {
    private let first: any ResponseStore
    private let second: any ResponseStore

    /// Creates a store with a fallback.
    public init(_ first: any ResponseStore, else second: any ResponseStore) {
        self.first = first
        self.second = second
    }

    /// Returns the entry of the first store, or of the second one while the first fails.
    public func entry(for key: StoreKey) async throws(StoreError) -> StoredResponse? {
        do throws(StoreError) { return try await first.entry(for: key) } catch {
            return try await second.entry(for: key)
        }
    }

    /// Stores an entry in the first store, or in the second one while the first fails.
    public func put(_ entry: StoredResponse, for key: StoreKey, place: StoredResponse.Location) async throws(StoreError)
    {
        do throws(StoreError) { try await first.put(entry, for: key, place: place) } catch {
            try await second.put(entry, for: key, place: place)
        }
    }

    /// Updates an entry in the first store, or in the second one while the first fails.
    public func confirm(_ entry: StoredResponse, for key: StoreKey) async throws(StoreError) {
        do throws(StoreError) { try await first.confirm(entry, for: key) } catch {
            try await second.confirm(entry, for: key)
        }
    }

    /// Returns a lease of the first store, or `nil` while it fails.
    public func lease(for key: StoreKey) async -> StoreLease? { await first.lease(for: key) }

    /// Removes an entry from both stores.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        try await both { store throws(StoreError) in try await store.remove(key) }
    }

    /// Removes the entries of a selection from both stores, and returns their total number.
    public func removeAll(_ selection: StoreSelection) async throws(StoreError) -> Int {
        var count = 0
        try await both { store throws(StoreError) in count += try await store.removeAll(selection) }
        return count
    }

    /// Returns the statistics of the first store, or of the second one while the first fails.
    public func statistics() async throws(StoreError) -> StoreStatistics {
        do throws(StoreError) { return try await first.statistics() } catch { return try await second.statistics() }
    }

    /// Returns when all entries of both stores are written.
    public func flush() async throws(StoreError) {
        try await both { store throws(StoreError) in try await store.flush() }
    }

    /// The warnings of both stores.
    public var warnings: [MapWarning] { first.warnings + second.warnings.filter { !first.warnings.contains($0) } }

    /// Calls a function for both stores, even if it fails for the first.
    private func both(_ work: (any ResponseStore) async throws(StoreError) -> Void) async throws(StoreError) {
        var failure: StoreError?
        for store in [first, second] {
            do throws(StoreError) { try await work(store) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
