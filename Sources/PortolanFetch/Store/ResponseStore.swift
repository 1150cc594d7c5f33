public import PortolanWeb

/// Keeps answers beyond the life of a process: on disk, or on another machine.
///
/// The seam for stores: `SQLiteStore` of the module PortolanDiskCache is the one that comes along. What every conformer keeps to:
/// - It gives back an entry as it was put in, or none; damage is found (by a checksum) and not passed on.
/// - It keeps to its budget by forgetting what was used least recently.
/// - It may forget anything at any time, and may take an entry in later than `put` returns.
/// - It may be used by many tasks, and where it can, by many processes.
/// - A store that fails throws; nobody else's work fails for it.
public protocol ResponseStore: Sendable {
    /// The entry of a key, which counts as used now; nil when there is none.
    func entry(for key: StoreKey) async throws(StoreError) -> StoredResponse?

    /// Puts an entry in, in place of an older one.
    func put(_ entry: StoredResponse, for key: StoreKey, place: StorePlace) async throws(StoreError)

    /// Replaces all of an entry but its body: after the server has confirmed it.
    ///
    /// Does nothing when there is none.
    func confirm(_ entry: StoredResponse, for key: StoreKey) async throws(StoreError)

    /// Asks for the right to fetch what is missing or out of date, so that of many workers one does it.
    ///
    /// Returns at once when nobody else is at it; otherwise when whoever is has ended, or has taken too long. Either way
    /// the caller looks the entry up again, fetches if it has to, and ends the lease.
    ///
    /// - Returns: nil when the store has no leases, or none now: the caller fetches. That is what it does by default.
    func lease(for key: StoreKey) async -> StoreLease?

    /// Removes an entry.
    func remove(_ key: StoreKey) async throws(StoreError)

    /// Removes the entries that a selection names.
    ///
    /// - Returns: how many they were.
    func removeAll(_ selection: StoreSelection) async throws(StoreError) -> Int

    /// The number of entries and bytes it holds.
    func statistics() async throws(StoreError) -> StoreStatistics

    /// Returns when all that was put in before is safe.
    func flush() async throws(StoreError)

    /// Warnings about its state; empty when all is well.
    var warnings: [MapWarning] { get }
}

extension ResponseStore {
    /// None: for a store whose users do not mind fetching the same thing twice.
    public func lease(for key: StoreKey) async -> StoreLease? { nil }
}

/// The right to fetch what a store does not have, while others who want the same wait for it.
public struct StoreLease: Sendable {
    private let ending: @Sendable () async -> Void

    /// Makes a lease.
    ///
    /// - Parameter ending: gives the right back.
    public init(ending: @escaping @Sendable () async -> Void = {}) { self.ending = ending }

    /// Gives the right back: after the entry has been put in, or when there will be none.
    ///
    /// Whoever gets a lease ends it, once.
    public func end() async { await ending() }
}

/// The place of an answer, by which it can be found without its address.
public struct StorePlace: Hashable, Sendable {
    /// The address; a store keeps hashes of its beginnings at the most.
    public var url: String
    /// West, south, east and north of what it shows, in degrees, or nil where that is not known.
    public var bounds: [Double]?

    /// Makes a place.
    public init(url: String, bounds: [Double]? = nil) {
        self.url = url
        self.bounds = bounds?.count == 4 ? bounds : nil
    }
}

/// A selection of entries of a ``ResponseStore``: those that satisfy all that is given; all of them when nothing is.
public struct StoreSelection: Hashable, Sendable {
    /// Entries whose address is this one or begins with it, up to a `/`, `?` or `&`; a host with its scheme, for example.
    public var prefix: String?
    /// Entries that show something within west, south, east and north, in degrees; those of unknown place are not meant.
    public var bounds: [Double]?
    /// Entries that came, or were last confirmed, before this moment, in seconds since 1970.
    public var before: Int?

    /// Makes a selection.
    public init(prefix: String? = nil, bounds: [Double]? = nil, before: Int? = nil) {
        self.prefix = prefix
        self.bounds = bounds
        self.before = before
    }
}

/// The number of entries and bytes that a ``ResponseStore`` holds.
public struct StoreStatistics: Hashable, Sendable {
    /// Entries.
    public var count: Int
    /// Bytes that they take on disk, with all that belongs to them.
    public var byteCount: Int
    /// The most bytes that they may take.
    public var byteBudget: Int

    /// Makes statistics.
    public init(count: Int, byteCount: Int, byteBudget: Int) {
        self.count = count
        self.byteCount = byteCount
        self.byteBudget = byteBudget
    }
}
