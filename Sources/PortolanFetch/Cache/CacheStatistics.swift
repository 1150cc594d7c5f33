/// What a ``MemoryCache`` holds and how it served, since it was made.
public struct CacheStatistics: Hashable, Sendable {
    /// Look-ups that found an entry.
    public var hits = 0
    /// Look-ups that found none.
    public var misses = 0
    /// Entries forgotten, or not taken in, for want of room; replaced and removed ones are not counted.
    public var evictions = 0
    /// Entries held now.
    public var count = 0
    /// Cost of the entries held now.
    public var cost = 0
    /// Part of `cost` that is pinned.
    public var pinnedCost = 0
}
