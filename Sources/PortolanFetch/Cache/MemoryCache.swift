import Synchronization

/// A memory cache with a budget of bytes and entries that evicts the least recently used entries first.
///
/// Entries that the current view needs are pinned (``pin(_:for:)``) and never evicted. If the pinned entries alone
/// exceed the budget, they stay, and no unpinned entries are kept. The cache is safe to use from many tasks.
///
/// - Complexity: O(1) for each entry accessed, unless stated otherwise.
package final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var entries: LeastRecentlyUsed<Key, Value>
        var pins: [PinOwner: Set<Key>] = [:]
        var statistics = CacheStatistics()
    }

    private let state: Mutex<State>

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - byteBudget: the maximum total cost; 64 MiB by default.
    ///   - maximumCount: the maximum number of entries, or `nil` for no limit; 50 by default.
    package init(byteBudget: Int = 64 << 20, maximumCount: Int? = 50) {
        state = Mutex(State(entries: LeastRecentlyUsed(maximumCost: byteBudget, maximumCount: maximumCount)))
    }

    /// Returns the entry of `key`, counts a hit or miss, and marks it as the most recently used.
    package func value(for key: Key) -> Value? {
        state.withLock { state in
            let value = state.entries.value(for: key)
            if value == nil { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
            return value
        }
    }

    /// Inserts an entry, replacing an older one with the same key.
    ///
    /// An unpinned entry is not kept if it alone exceeds the budget, or pinned entries fill the budget.
    ///
    /// - Parameter cost: the cost in bytes, not negative.
    package func insert(_ value: Value, for key: Key, cost: Int) {
        // Evicted values are released by the caller of `withLock`, not under the lock, because a `deinit` may run any
        // code.
        _ = state.withLock { state in
            let gone = state.entries.insert(value, for: key, cost: cost)
            state.statistics.evictions += gone.evicted.count
            return gone
        }
    }

    /// Pins `keys` for `owner`, replacing the pins of that owner.
    ///
    /// Entries may be inserted later.
    ///
    /// A key pinned by several owners stays pinned until the last one unpins it.
    ///
    /// - Complexity: O(number of keys, old and new).
    package func pin(_ keys: Set<Key>, for owner: PinOwner) {
        _ = state.withLock { state in
            // Adds the new pins first, so that a key in both sets keeps its position.
            let old = state.pins.removeValue(forKey: owner) ?? []
            if !keys.isEmpty { state.pins[owner] = keys }
            for key in keys { state.entries.pin(key) }
            for key in old { state.entries.unpin(key) }
            let evicted = state.entries.evict()
            state.statistics.evictions += evicted.count
            return evicted
        }
    }

    /// Removes all pins of `owner`.
    package func unpin(_ owner: PinOwner) {
        pin([], for: owner)
    }

    /// Removes and returns an entry; pins of the key stay.
    @discardableResult
    package func remove(_ key: Key) -> Value? {
        state.withLock { $0.entries.remove(key) }
    }

    /// Removes the entries whose keys satisfy the condition, including pinned ones.
    ///
    /// - Complexity: O(*n*).
    package func remove(where condition: (Key) -> Bool) {
        // The condition runs without the lock, so it may use the cache.
        let keys = state.withLock { Array($0.entries.keys) }.filter(condition)
        _ = state.withLock { state in keys.map { state.entries.remove($0) } }
    }

    /// Removes the entries of the given keys unless they are pinned.
    package func remove(unpinned keys: some Sequence<Key>) {
        _ = state.withLock { state in
            keys.filter { key in !state.pins.values.contains { $0.contains(key) } }.map { state.entries.remove($0) }
        }
    }

    /// Removes all unpinned entries.
    ///
    /// - Complexity: O(*n*).
    package func removeUnpinned() {
        let pinned = state.withLock { $0.pins.values.reduce(into: Set<Key>()) { $0.formUnion($1) } }
        remove { !pinned.contains($0) }
    }

    /// Removes all entries, including pinned ones; pins and the hit and miss counts stay.
    ///
    /// - Complexity: O(*n*).
    package func removeAll() {
        remove { _ in true }
    }

    /// Evicts unpinned entries, least recently used first, until the total cost is at most this many bytes.
    package func trim(to byteCount: Int) {
        _ = state.withLock { state in
            let gone = state.entries.trim(toCost: byteCount)
            state.statistics.evictions += gone.count
            return gone
        }
    }

    /// The total cost.
    package var byteCount: Int { state.withLock(\.entries.cost) }

    /// The content, and the hits and misses since its creation.
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

/// The content of a memory cache, and its counters since its creation.
public struct CacheStatistics: Hashable, Sendable {
    /// The number of lookups that found an entry.
    public var hits = 0
    /// The number of lookups that found no entry.
    public var misses = 0
    /// The number of entries evicted or not inserted for lack of space, without replaced and removed ones.
    public var evictions = 0
    /// The current number of entries.
    public var count = 0
    /// The current total cost.
    public var cost = 0
    /// The part of `cost` that is pinned.
    public var pinnedCost = 0
}

/// An owner of pins in a ``MemoryCache``: a view, or a running render.
///
/// Each new owner is distinct; copies are equal.
package struct PinOwner: Hashable, Sendable {
    private static let lastNumber = Atomic<UInt64>(0)
    private let number: UInt64

    /// Creates an owner that is distinct from all others in the process.
    package init() {
        number = PinOwner.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
