/// The shortest closed tour by dynamic programming over sets of nodes (Held and Karp, 1962).
///
/// The time is O(2ⁿ n²) and the memory O(2ⁿ n): 4 MB for 16 nodes. Costs are not rounded.
enum ExactTour {
    /// The maximum number of nodes.
    static let greatestCount = 16

    /// Returns the shortest closed tour, starting with node 0.
    ///
    /// Ties are resolved reproducibly.
    ///
    /// - Parameters:
    ///   - count: the number of nodes.
    ///   - cost: the cost between two nodes, infinite if there is no route.
    static func shortest(count: Int, cost: (Int, Int) -> Double) -> [Int] {
        precondition(count <= greatestCount, "too many nodes to look at every set")
        guard count > 2 else { return Array(0..<count) }
        var costs = [Double](repeating: 0, count: count * count)
        for from in 0..<count {
            for to in 0..<count where to != from { costs[from * count + to] = cost(from, to) }
        }
        // Every tour begins with node 0, so the sets contain the other nodes.
        let others = count - 1
        let sets = 1 << others
        var best = [Double](repeating: .infinity, count: sets * others)
        for node in 0..<others { best[(1 << node) * others + node] = costs[node + 1] }
        for set in 1..<sets where set & (set - 1) != 0 {
            for last in 0..<others where set & (1 << last) != 0 {
                let before = set & ~(1 << last)
                var least = Double.infinity
                var rest = before
                while rest != 0 {
                    let node = rest.trailingZeroBitCount
                    rest &= rest - 1
                    least = min(least, best[before * others + node] + costs[(node + 1) * count + last + 1])
                }
                best[set * others + last] = least
            }
        }
        var set = sets - 1
        var tour: [Int] = []
        var next = 0
        while set != 0 {
            var last = -1
            var least = Double.infinity
            for node in 0..<others where set & (1 << node) != 0 {
                let whole = best[set * others + node] + costs[(node + 1) * count + next]
                if last < 0 || whole < least { (last, least) = (node, whole) }
            }
            tour.append(last + 1)
            next = last + 1
            set &= ~(1 << last)
        }
        return [0] + tour.reversed()
    }
}
