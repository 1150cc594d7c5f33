public import PortolanWeb

/// Stores responses beyond the lifetime of a process: on disk, or on another machine.
///
/// This is the extension point for stores; `SQLiteStore` of the module PortolanDiskCache is the standard one.
/// Requirements for conforming types:
/// - It returns an entry as it was stored, or none. Damaged entries are detected (by a checksum) and not returned.
/// - It limits its size by evicting the least recently used entries.
/// - It may evict any entry at any time, and may complete a write after `put` returns.
/// - It can be used by many tasks, and if possible by many processes.
/// - It throws when it fails; callers continue without the store.
public protocol ResponseStore: Sendable {
    /// Returns the entry of a key and marks it as used, or `nil` if not found.
    func entry(for key: StoreKey) async throws(StoreError) -> StoredResponse?

    /// Stores an entry, replacing an older one.
    func put(_ entry: StoredResponse, for key: StoreKey, place: StoredResponse.Location) async throws(StoreError)

    /// Replaces an entry except for its body, after the server has revalidated it.
    ///
    /// Does nothing if there is no entry.
    func confirm(_ entry: StoredResponse, for key: StoreKey) async throws(StoreError)

    /// Requests the right to fetch a missing or stale entry, so that only one of many workers does it.
    ///
    /// It returns immediately if no other worker holds the lease; otherwise when that worker has ended it, or has
    /// exceeded a time limit. In both cases the caller looks the entry up again, fetches it if necessary, and ends the
    /// lease.
    ///
    /// - Returns: `nil` if the store supports no leases, or has none now; the caller then fetches. This is the default.
    func lease(for key: StoreKey) async -> StoreLease?

    /// Removes an entry.
    func remove(_ key: StoreKey) async throws(StoreError)

    /// Removes the entries of a selection.
    ///
    /// - Returns: the number of removed entries.
    func removeAll(_ selection: StoreSelection) async throws(StoreError) -> Int

    /// Returns the number of entries and bytes.
    func statistics() async throws(StoreError) -> StoreStatistics

    /// Returns when all previous entries are written.
    func flush() async throws(StoreError)

    /// Warnings about its state; empty if it works normally.
    var warnings: [MapWarning] { get }
}

extension ResponseStore {
    /// Returns `nil`: for stores whose users accept duplicate fetches.
    public func lease(for key: StoreKey) async -> StoreLease? { nil }
}

/// The right to fetch a missing entry of a store, while other workers wait for it.
public struct StoreLease: Sendable {
    private let ending: @Sendable () async -> Void

    /// Creates a lease.
    ///
    /// - Parameter ending: releases the lease.
    public init(ending: @escaping @Sendable () async -> Void = {}) { self.ending = ending }

    /// Releases the lease, after the entry was stored or the fetch failed.
    ///
    /// Each lease must be ended exactly once.
    public func end() async { await ending() }
}

extension StoredResponse {
    /// The location of a response, by which entries can be selected for removal.
    public struct Location: Hashable, Sendable {
        /// The URL.
        ///
        /// A store may keep hashes of its prefixes, but not the URL itself.
        public var url: String
        /// West, south, east and north of the content in degrees, or `nil` if unknown.
        public var bounds: [Double]?

        /// Creates a location.
        public init(url: String, bounds: [Double]? = nil) {
            self.url = url
            self.bounds = bounds?.count == 4 ? bounds : nil
        }
    }
}

/// A selection of entries of a ``ResponseStore``: those that satisfy all given conditions, or all entries without
/// conditions.
public struct StoreSelection: Hashable, Sendable {
    /// Selects entries whose URL is this one or begins with it, up to a `/`, `?` or `&`, for example a scheme and host.
    public var prefix: String?
    /// Selects entries whose content intersects west, south, east and north in degrees; entries without known bounds
    /// are excluded.
    public var bounds: [Double]?
    /// Selects entries received or last revalidated before this time, in seconds since 1970.
    public var before: Int?

    /// Creates a selection.
    public init(prefix: String? = nil, bounds: [Double]? = nil, before: Int? = nil) {
        self.prefix = prefix
        self.bounds = bounds
        self.before = before
    }
}

/// The number of entries and bytes in a ``ResponseStore``.
public struct StoreStatistics: Hashable, Sendable {
    /// The number of entries.
    public var count: Int
    /// Their size on disk in bytes, including overhead.
    public var byteCount: Int
    /// The maximum size in bytes.
    public var byteBudget: Int

    /// Creates statistics.
    public init(count: Int, byteCount: Int, byteBudget: Int) {
        self.count = count
        self.byteCount = byteCount
        self.byteBudget = byteBudget
    }
}
