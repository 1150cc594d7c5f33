/// The shortest closed tour, found by looking at every set of nodes (Held and Karp, 1962).
///
/// Time is O(2ⁿ n²), memory O(2ⁿ n): 2 MB for 16 nodes.
enum ExactTour {
    /// The most nodes it takes.
    static let greatestCount = 16

    /// The shortest closed tour, from node 0 on; of several of one length the same one each time.
    static func shortest(_ matrix: CostMatrix) -> [Int] {
        let count = matrix.count
        precondition(count <= greatestCount, "too many nodes to look at every set")
        guard count > 2 else { return Array(0..<count) }
        // Node 0 is where every tour begins; the sets are of the others.
        let others = count - 1
        let sets = 1 << others
        var best = [Int32](repeating: .max, count: sets * others)
        for node in 0..<others { best[(1 << node) * others + node] = matrix[0, node + 1] }
        for set in 1..<sets where set & (set - 1) != 0 {
            for last in 0..<others where set & (1 << last) != 0 {
                let before = set & ~(1 << last)
                var least = Int32.max
                var rest = before
                while rest != 0 {
                    let node = rest.trailingZeroBitCount
                    rest &= rest - 1
                    least = min(least, best[before * others + node] + matrix[node + 1, last + 1])
                }
                best[set * others + last] = least
            }
        }
        var set = sets - 1
        var tour: [Int] = []
        var next = 0
        while set != 0 {
            var last = -1
            var least = Int32.max
            for node in 0..<others where set & (1 << node) != 0 {
                let cost = best[set * others + node] + matrix[node + 1, next]
                if cost < least { (last, least) = (node, cost) }
            }
            tour.append(last + 1)
            next = last + 1
            set &= ~(1 << last)
        }
        return [0] + tour.reversed()
    }
}
