/// A cache that gives memory back when several together hold too much.
package protocol TrimmableCache: AnyObject, Sendable {
    /// About how many bytes it holds.
    var byteCount: Int { get }

    /// Forgets what was used longest ago until it holds at most so many bytes.
    func trim(to byteCount: Int)
}

/// Caches by the kind of what they keep, each once.
package struct MemoryCaches: Sendable {
    /// The caches, and what they keep, as figures name it.
    package private(set) var all: [(kind: String, cache: any TrimmableCache)] = []
    private var known: Set<ObjectIdentifier> = []

    /// Makes an empty list.
    package init() {}

    /// Adds a cache, if it is not in the list.
    package mutating func add(_ kind: String, _ cache: any TrimmableCache) {
        if known.insert(ObjectIdentifier(cache)).inserted { all.append((kind, cache)) }
    }

    /// The bytes of all caches of a kind.
    package var byteCounts: [String: Int] {
        all.reduce(into: [:]) { $0[$1.kind, default: 0] += $1.cache.byteCount }
    }

    /// Has the caches give memory back if they hold more than a limit together, each in proportion to what it holds.
    ///
    /// An eighth of the limit is then free. A cache that is used fills again at once and one that is not grows smaller each time,
    /// so that the memory goes to those that are used.
    ///
    /// - Complexity: O(caches + entries that are forgotten).
    package func settle(within limit: Int) {
        let counts = all.map(\.cache.byteCount), total = counts.reduce(0, +)
        guard total > limit else { return }
        let share = Double(max(limit - limit / 8, 0)) / Double(total)
        for (member, count) in zip(all, counts) { member.cache.trim(to: Int(Double(count) * share)) }
    }
}
