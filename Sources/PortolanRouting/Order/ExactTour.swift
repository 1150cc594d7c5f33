/// The shortest closed tour, found by looking at every set of nodes (Held and Karp, 1962).
///
/// Time is O(2ⁿ n²), memory O(2ⁿ n): 4 MB for 16 nodes. Sums are those of the costs themselves, not of rounded ones.
enum ExactTour {
    /// The most nodes it takes.
    static let greatestCount = 16

    /// The shortest closed tour, from node 0 on; of several of one length the same one each time.
    ///
    /// - Parameters:
    ///   - count: how many nodes there are.
    ///   - cost: of the way from one to another; infinite where there is none.
    static func shortest(count: Int, cost: (Int, Int) -> Double) -> [Int] {
        precondition(count <= greatestCount, "too many nodes to look at every set")
        guard count > 2 else { return Array(0..<count) }
        var costs = [Double](repeating: 0, count: count * count)
        for from in 0..<count {
            for to in 0..<count where to != from { costs[from * count + to] = cost(from, to) }
        }
        // Node 0 is where every tour begins; the sets are of the others.
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
