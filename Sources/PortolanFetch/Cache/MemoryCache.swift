import Synchronization

/// A cache in memory with a budget of bytes, and of entries, that forgets the least recently used first.
///
/// What the current view needs is pinned (``pin(_:for:)``) and never forgotten for want of room. When the pinned
/// entries alone exceed the budget they stay, over the budget; unpinned entries are then forgotten first, new ones at
/// once. Safe to use from many tasks.
///
/// - Complexity: O(1) for each entry touched, unless said otherwise.
package final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var entries: LeastRecentlyUsed<Key, Value>
        var pins: [PinOwner: Set<Key>] = [:]
        var statistics = CacheStatistics()
    }

    private let state: Mutex<State>

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteBudget: the most that the costs may sum up to; 64 MiB by default.
    ///   - maximumCount: the most entries; 50 by default, nil for no bound.
    package init(byteBudget: Int = 64 << 20, maximumCount: Int? = 50) {
        state = Mutex(State(entries: LeastRecentlyUsed(maximumCost: byteBudget, maximumCount: maximumCount)))
    }

    /// The entry of `key`, counted as a hit or a miss; it becomes the most recently used.
    package func value(for key: Key) -> Value? {
        state.withLock { state in
            let value = state.entries.value(for: key)
            if value == nil { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
            return value
        }
    }

    /// Puts an entry in, in place of an older one of the same key.
    ///
    /// An unpinned entry that alone is over the budget, or finds it full of pinned ones, is not kept.
    ///
    /// - Parameter cost: in bytes, not negative.
    package func insert(_ value: Value, for key: Key, cost: Int) {
        // What gives way is released by the caller of withLock, not under the lock: its deinit may do anything.
        _ = state.withLock { state in
            let gone = state.entries.insert(value, for: key, cost: cost)
            state.statistics.evictions += gone.evicted.count
            return gone
        }
    }

    /// Pins `keys` for `owner`, in place of those it had pinned before; entries may come later.
    ///
    /// A key pinned by several owners stays pinned until the last lets go.
    ///
    /// - Complexity: O(number of keys, old and new).
    package func pin(_ keys: Set<Key>, for owner: PinOwner) {
        _ = state.withLock { state in
            // New pins first, so that a key in both sets keeps its place.
            let old = state.pins.removeValue(forKey: owner) ?? []
            if !keys.isEmpty { state.pins[owner] = keys }
            for key in keys { state.entries.pin(key) }
            for key in old { state.entries.unpin(key) }
            let evicted = state.entries.evict()
            state.statistics.evictions += evicted.count
            return evicted
        }
    }

    /// Takes all pins of `owner` off.
    package func unpin(_ owner: PinOwner) {
        pin([], for: owner)
    }

    /// Removes an entry and returns it; pins of the key stay.
    @discardableResult
    package func remove(_ key: Key) -> Value? {
        state.withLock { $0.entries.remove(key) }
    }

    /// Removes the entries whose keys satisfy the condition, pinned ones too.
    ///
    /// O(n).
    package func remove(where condition: (Key) -> Bool) {
        // The condition runs without the lock, so it may use the cache.
        let keys = state.withLock { Array($0.entries.keys) }.filter(condition)
        _ = state.withLock { state in keys.map { state.entries.remove($0) } }
    }

    /// Removes those of some entries that are not pinned.
    package func remove(unpinned keys: some Sequence<Key>) {
        _ = state.withLock { state in
            keys.filter { key in !state.pins.values.contains { $0.contains(key) } }.map { state.entries.remove($0) }
        }
    }

    /// Removes all entries that are not pinned.
    ///
    /// O(n).
    package func removeUnpinned() {
        let pinned = state.withLock { $0.pins.values.reduce(into: Set<Key>()) { $0.formUnion($1) } }
        remove { !pinned.contains($0) }
    }

    /// Removes all entries, pinned ones too; the pins of keys stay, and so do the counts of hits and misses.
    ///
    /// O(n).
    package func removeAll() {
        remove { _ in true }
    }

    /// Removes entries that are not pinned, least recently used first, until the others cost at most so many bytes.
    package func trim(to byteCount: Int) {
        _ = state.withLock { state in
            let gone = state.entries.trim(toCost: byteCount)
            state.statistics.evictions += gone.count
            return gone
        }
    }

    /// The sum of the costs.
    package var byteCount: Int { state.withLock(\.entries.cost) }

    /// Its content and its hits so far.
    package var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.count = state.entries.count
            statistics.cost = state.entries.cost
            statistics.pinnedCost = state.entries.pinnedCost
            return statistics
        }
    }
}

/// The entries of a cache in memory, and how it has served since it was made.
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

/// An owner of pins in a ``MemoryCache``: a view, or a render under way.
///
/// Every owner made is a different one; copies are the same.
package struct PinOwner: Hashable, Sendable {
    private static let lastNumber = Atomic<UInt64>(0)
    private let number: UInt64

    /// Makes an owner unlike all others of the process.
    package init() {
        number = PinOwner.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
