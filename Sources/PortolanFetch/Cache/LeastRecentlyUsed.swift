/// A map with bounded cost and count that evicts the least recently used entries: the core of a cache.
///
/// Pinned keys are never evicted. Pins belong to keys, not entries: a key may be pinned before its entry is inserted.
/// Pinned entries stay even if they alone exceed the bounds; then no unpinned entry is kept.
///
/// - Complexity: O(1) for each entry accessed.
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A node of a doubly linked ring; index 0 heads the unpinned entries, 1 the pinned ones.
    private struct Node {
        var key: Key?
        var value: Value?
        var cost = 0
        var previous: Int
        var next: Int
    }

    private static var unpinnedRing: Int { 0 }
    private static var pinnedRing: Int { 1 }

    package let maximumCost: Int
    package let maximumCount: Int?
    package private(set) var cost = 0
    package private(set) var pinnedCost = 0
    package private(set) var pinnedCount = 0
    private var nodes = [Node(previous: 0, next: 0), Node(previous: 1, next: 1)]
    private var freeNodes: [Int] = []
    private var indices: [Key: Int] = [:]
    private var pinCounts: [Key: Int] = [:]

    package init(maximumCost: Int, maximumCount: Int?) {
        precondition(maximumCost >= 0 && maximumCount ?? 0 >= 0, "a bound cannot be negative")
        self.maximumCost = maximumCost
        self.maximumCount = maximumCount
    }

    package var count: Int { indices.count }

    /// All keys, in no particular order.
    package var keys: some Collection<Key> { indices.keys }

    /// The unpinned keys, most recently used first, for tests and diagnostics.
    ///
    /// - Complexity: O(*n*).
    package var unpinnedKeysByRecency: [Key] {
        var keys: [Key] = []
        var index = nodes[Self.unpinnedRing].next
        while let key = nodes[index].key {
            keys.append(key)
            index = nodes[index].next
        }
        return keys
    }

    /// Returns the entry of `key`, and marks it as the most recently used.
    package mutating func value(for key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        unlink(index)
        link(index, into: ring(of: key))
        return nodes[index].value
    }

    /// Inserts an entry, replacing an older one with the same key.
    ///
    /// - Returns: the replaced value of the key, and the evicted values; these include the new value if it cannot be
    ///   kept.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) -> (replaced: Value?, evicted: [Value]) {
        precondition(cost >= 0, "a cost cannot be negative")
        let replaced = remove(key)
        let isPinned = pinCounts[key] != nil
        // An entry that cannot be kept beside the pinned ones must not evict others first.
        if !isPinned {
            let (needed, overflow) = pinnedCost.addingReportingOverflow(cost)
            if overflow || needed > maximumCost || pinnedCount + 1 > maximumCount ?? .max { return (replaced, [value]) }
        }
        let index = freeNodes.popLast() ?? nodes.count
        let node = Node(key: key, value: value, cost: cost, previous: index, next: index)
        if index == nodes.count { nodes.append(node) } else { nodes[index] = node }
        indices[key] = index
        self.cost += cost
        if isPinned { count(pinned: 1, cost: cost) }
        link(index, into: ring(of: key))
        return (replaced, evict())
    }

    /// Removes an entry; its pins stay.
    package mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        let value = nodes[index].value
        cost -= nodes[index].cost
        if pinCounts[key] != nil { count(pinned: -1, cost: -nodes[index].cost) }
        unlink(index)
        nodes[index] = Node(previous: index, next: index)
        freeNodes.append(index)
        return value
    }

    /// Pins a key once more.
    ///
    /// It stays pinned until as many calls of ``unpin(_:)``.
    package mutating func pin(_ key: Key) {
        let pins = pinCounts[key, default: 0] + 1
        pinCounts[key] = pins
        guard pins == 1, let index = indices[key] else { return }
        count(pinned: 1, cost: nodes[index].cost)
        unlink(index)
        link(index, into: Self.pinnedRing)
    }

    /// Removes one pin of a key.
    ///
    /// With its last pin removed, the entry counts as just used, and may exceed the bounds; see ``evict()``.
    package mutating func unpin(_ key: Key) {
        guard let pins = pinCounts[key] else { return }
        pinCounts[key] = pins > 1 ? pins - 1 : nil
        guard pins == 1, let index = indices[key] else { return }
        count(pinned: -1, cost: -nodes[index].cost)
        unlink(index)
        link(index, into: Self.unpinnedRing)
    }

    /// Evicts unpinned entries, least recently used first, until the bounds hold or none remains.
    package mutating func evict() -> [Value] {
        var evicted: [Value] = []
        while cost > maximumCost || count > maximumCount ?? .max {
            guard let key = nodes[nodes[Self.unpinnedRing].previous].key, let value = remove(key) else { break }
            evicted.append(value)
        }
        return evicted
    }

    /// Evicts unpinned entries, least recently used first, until the total cost is at most `limit` or none remains.
    package mutating func trim(toCost limit: Int) -> [Value] {
        var evicted: [Value] = []
        while cost > limit, let key = nodes[nodes[Self.unpinnedRing].previous].key, let value = remove(key) {
            evicted.append(value)
        }
        return evicted
    }

    private func ring(of key: Key) -> Int { pinCounts[key] == nil ? Self.unpinnedRing : Self.pinnedRing }

    private mutating func count(pinned: Int, cost: Int) {
        pinnedCount += pinned
        pinnedCost += cost
    }

    private mutating func unlink(_ index: Int) {
        let previous = nodes[index].previous
        let next = nodes[index].next
        nodes[previous].next = next
        nodes[next].previous = previous
    }

    /// Links a free node at the front of a ring.
    private mutating func link(_ index: Int, into ring: Int) {
        let next = nodes[ring].next
        nodes[index].previous = ring
        nodes[index].next = next
        nodes[next].previous = index
        nodes[ring].next = index
    }
}
