/// A cache that can be trimmed when several caches together use too much memory.
package protocol TrimmableCache: AnyObject, Sendable {
    /// The approximate memory in bytes.
    var byteCount: Int { get }

    /// Evicts the entries unused for the longest time until at most this many bytes remain.
    func trim(to byteCount: Int)
}

/// Distinct caches by the kind of their content.
package struct MemoryCaches: Sendable {
    /// The caches with the kind of their content, as named in metrics.
    package private(set) var all: [(kind: String, cache: any TrimmableCache)] = []
    private var known: Set<ObjectIdentifier> = []

    /// Creates an empty list.
    package init() {}

    /// Adds a cache unless it is in the list.
    package mutating func add(_ kind: String, _ cache: any TrimmableCache) {
        if known.insert(ObjectIdentifier(cache)).inserted { all.append((kind, cache)) }
    }

    /// The bytes of all caches by kind.
    package var byteCounts: [String: Int] {
        all.reduce(into: [:]) { $0[$1.kind, default: 0] += $1.cache.byteCount }
    }

    /// Trims the caches in proportion to their size if they exceed a limit together.
    ///
    /// Afterwards an eighth of the limit is free. A cache in use quickly fills again and an unused one shrinks each
    /// time, so that memory moves to the caches in use.
    ///
    /// - Complexity: O(caches + evicted entries).
    package func settle(within limit: Int) {
        let counts = all.map(\.cache.byteCount), total = counts.reduce(0, +)
        guard total > limit else { return }
        let share = Double(max(limit - limit / 8, 0)) / Double(total)
        for (member, count) in zip(all, counts) { member.cache.trim(to: Int(Double(count) * share)) }
    }
}
