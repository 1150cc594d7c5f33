/// A cache with bounded cost that evicts entries unused for a long time.
///
/// It has two generations. Used entries move to the younger one; when that reaches half of the limit, the older one is
/// discarded.
package struct BoundedCache<Key: Hashable, Value> {
    private let limit: Int
    private var young: [Key: (value: Value, cost: Int)] = [:]
    private var old: [Key: (value: Value, cost: Int)] = [:]
    private var youngCost = 0
    private var oldCost = 0

    /// Creates a cache for values with a total cost of at most `limit`.
    package init(limit: Int) { self.limit = limit }

    /// The total cost of the entries.
    package var cost: Int { youngCost + oldCost }

    /// Evicts the entries unused for the longest time until the total cost is at most `cost`.
    package mutating func trim(to cost: Int) {
        if self.cost > cost {
            old = [:]
            oldCost = 0
        }
        if self.cost > cost {
            young = [:]
            youngCost = 0
        }
    }

    /// Returns the value of a key, or `nil` if it is not cached.
    package mutating func value(for key: Key) -> Value? {
        if let found = young[key] { return found.value }
        guard let found = old.removeValue(forKey: key) else { return nil }
        oldCost -= found.cost
        insert(found.value, for: key, cost: found.cost)
        return found.value
    }

    /// Stores a value, unless it costs more than half of the limit.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        guard cost <= limit / 2 else { return }
        if youngCost + cost > limit / 2 {
            old = young
            oldCost = youngCost
            young = [:]
            youngCost = 0
        }
        if let replaced = young.updateValue((value, cost), forKey: key) { youngCost -= replaced.cost }
        youngCost += cost
    }
}
