/// A closed tour, and how short one can be at all.
struct SolvedTour: Sendable {
    /// The nodes in order, from node 0 on.
    var order: [Int]
    /// What it costs.
    var length: Int
    /// No tour costs less.
    var bound: Int
    /// Whether none is shorter.
    var isOptimal: Bool { bound == length }
}

/// Finds a short closed tour and says how near it is to the shortest.
enum TourSolver {
    /// The shortest tour of up to sixteen nodes, beyond that a short one with its bound.
    ///
    /// - Parameters:
    ///   - effort: shakes for each node; 400 finds the shortest in nearly all known examples of up to 105 nodes.
    ///   - goOn: asked from time to time; `false` ends the search with what it has.
    static func solve(
        _ matrix: CostMatrix, seed: UInt64 = 1, effort: Int = 400, goOn: () -> Bool = { true }
    ) -> SolvedTour {
        let count = matrix.count
        guard count > ExactTour.greatestCount else {
            let order = ExactTour.shortest(count: count) { Double(matrix[$0, $1]) }
            let length = matrix.length(of: order)
            return SolvedTour(order: order, length: length, bound: length)
        }
        var search = TourSearch(matrix, start: nearestNeighbours(matrix), seed: seed)
        // An exchange without turning looks at all places behind it: many of them have six shakes for seven.
        let shakes = min(effort * count, effort * 100)
        search.run(shakes: search.isSymmetric || count <= 64 ? shakes : shakes / 7 * 6, goOn: goOn)
        let order = search.tour.order(from: 0)
        let length = matrix.length(of: order)
        return SolvedTour(order: order, length: length, bound: TourBound.below(matrix, known: length))
    }

    /// The shortest of the tours that always go on to the nearest node not yet seen, from some twenty beginnings.
    private static func nearestNeighbours(_ matrix: CostMatrix) -> [Int] {
        let count = matrix.count
        var best: [Int] = []
        var least = Int.max
        for start in stride(from: 0, to: count, by: max(1, count / 20)) {
            var open = Array(0..<count)
            var tour: [Int] = []
            var index = start
            while true {
                let node = open[index]
                open.swapAt(index, open.count - 1)
                open.removeLast()
                tour.append(node)
                guard !open.isEmpty else { break }
                index = open.indices.min { matrix[node, open[$0]] < matrix[node, open[$1]] } ?? 0
            }
            let length = matrix.length(of: tour)
            if length < least { (best, least) = (tour, length) }
        }
        return best
    }
}
