/// A closed tour with a lower bound.
struct SolvedTour: Sendable {
    /// The nodes in order, starting with node 0.
    var order: [Int]
    /// The cost of the tour.
    var length: Int
    /// A lower bound for the cost of every tour.
    var bound: Int
    /// Whether the tour is proven optimal.
    var isOptimal: Bool { bound == length }
}

/// Finds short closed tours with lower bounds.
enum TourSolver {
    /// Returns the shortest tour of up to sixteen nodes, or a short tour of more nodes with a bound.
    ///
    /// - Parameters:
    ///   - effort: the number of perturbations for each node. With 400 the optimum is found in nearly all known
    ///     examples of up to 105 nodes.
    ///   - goOn: a closure called regularly; returning `false` ends the search.
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
        // Or-3opt scans all following positions, so large asymmetric matrices get six perturbations instead of seven.
        let shakes = min(effort * count, effort * 100)
        search.run(shakes: search.isSymmetric || count <= 64 ? shakes : shakes / 7 * 6, goOn: goOn)
        let order = search.tour.order(from: 0)
        let length = matrix.length(of: order)
        return SolvedTour(order: order, length: length, bound: TourBound.below(matrix, known: length))
    }

    /// Returns the shortest of about twenty nearest-neighbour tours with different start nodes.
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
