/// What was made once, kept within a bound: what has not been used for long goes first.
///
/// Two generations are kept. What is used moves to the younger one; when that has filled half of the bound, the older
/// one is forgotten.
package struct BoundedCache<Key: Hashable, Value> {
    private let limit: Int
    private var young: [Key: (value: Value, cost: Int)] = [:]
    private var old: [Key: (value: Value, cost: Int)] = [:]
    private var youngCost = 0
    private var oldCost = 0

    /// Makes a cache for values whose costs sum up to `limit` at the most.
    package init(limit: Int) { self.limit = limit }

    /// What all that is kept costs.
    package var cost: Int { youngCost + oldCost }

    /// Forgets what was used longest ago until the rest costs at most so much.
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

    /// The value of a key, or `nil` when it is not kept.
    package mutating func value(for key: Key) -> Value? {
        if let found = young[key] { return found.value }
        guard let found = old.removeValue(forKey: key) else { return nil }
        oldCost -= found.cost
        insert(found.value, for: key, cost: found.cost)
        return found.value
    }

    /// Keeps a value; one that costs more than half of the bound is not kept.
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
