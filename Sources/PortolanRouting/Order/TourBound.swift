/// Lower bounds for the length of closed tours.
enum TourBound {
    /// Returns a lower bound for every closed tour, in some hundred steps of O(n²).
    ///
    /// For symmetric matrices the method is minimum 1-trees (Held and Karp, 1970). For others it is the better of the
    /// assignment problem and of 1-trees over a graph with doubled nodes, one for leaving and one for reaching each
    /// node (Jonker and Volgenant, 1983).
    ///
    /// - Parameter known: the length of a known tour, which limits the bound.
    static func below(_ matrix: CostMatrix, known: Int) -> Int {
        guard matrix.count > 3 else { return known }
        let bound: Int
        if matrix.isSymmetric {
            bound = trees(charges: Array(repeating: 0, count: matrix.count), known: known) { Double(matrix[$0, $1]) }
        } else {
            let assignment = Assignment(matrix)
            let better = assignment.sum < known ? doubled(matrix, known: known, from: assignment) : known
            bound = max(assignment.sum, better)
        }
        return min(bound, known)
    }

    /// Returns the bound of 1-trees over doubled nodes: `i` for leaving node `i`, `count + i` for reaching it.
    private static func doubled(_ matrix: CostMatrix, known: Int, from assignment: Assignment) -> Int {
        let count = matrix.count
        // The costs keep both halves of a node together and halves of one kind apart, because either alternative costs
        // more than a whole tour.
        let together = -Double(known)
        let apart = Double(known) * 2
        // With the prices of the assignment as charges, the first 1-tree is at least as good as the assignment.
        let charges = (assignment.rowPrices + assignment.columnPrices).map { -Double($0) }
        return trees(charges: charges, known: known + count * Int(together)) { a, b in
            if a < count, b >= count { return a == b - count ? together : Double(matrix[a, b - count]) }
            if b < count, a >= count { return b == a - count ? together : Double(matrix[b, a - count]) }
            return apart
        } - count * Int(together)
    }

    /// Returns the best bound of some hundred 1-trees, adjusting the charges of nodes whose degree is not two.
    private static func trees(charges: [Double], known: Int, cost: (Int, Int) -> Double) -> Int {
        let count = charges.count
        var costs = [Double](repeating: 0, count: count * count)
        for a in 0..<count {
            for b in 0..<count where a != b { costs[a * count + b] = cost(a, b) }
        }
        var charges = charges
        var degrees = [Int](repeating: 0, count: count)
        var before = degrees
        var best = -Double.infinity
        var step = 2.0
        var sinceBetter = 0
        for round in 0..<max(60, min(500, 60_000 / count)) {
            let length = tree(costs, charges, degrees: &degrees)
            if length > best + 1e-9 {
                (best, sinceBetter) = (length, 0)
            } else {
                sinceBetter += 1
                if sinceBetter >= 8 { (step, sinceBetter) = (step / 1.5, 0) }
            }
            let square = degrees.reduce(0) { $0 + ($1 - 2) * ($1 - 2) }
            // A 1-tree that is a tour is optimal.
            if square == 0 || best > Double(known) - 1 + 1e-6 || step < 1e-4 { break }
            let size = step * (Double(known) - length + 1e-3) / Double(square)
            for node in 0..<count {
                let now = Double(degrees[node] - 2)
                let last = round == 0 ? now : Double(before[node] - 2)
                charges[node] += size * (0.7 * now + 0.3 * last)
            }
            before = degrees
        }
        // Tour lengths are integers.
        let tolerance = 1e-6 + 1e-13 * abs(Double(known)) * Double(count)
        return Int((best - tolerance).rounded(.up))
    }

    /// Returns the length of the minimum 1-tree with charges, less the charges: a spanning tree without node 0, and the
    /// two cheapest edges of node 0.
    private static func tree(_ costs: [Double], _ charges: [Double], degrees: inout [Int]) -> Double {
        let count = charges.count
        for node in 0..<count { degrees[node] = 0 }
        var distance = [Double](repeating: .infinity, count: count)
        var parent = [Int](repeating: 1, count: count)
        var open = Array(2..<count)
        var newest = 1
        var sum = 0.0
        for node in open { distance[node] = .infinity }
        while !open.isEmpty {
            var nearest = 0
            var least = Double.infinity
            let row = newest * count
            let charge = charges[newest]
            for index in open.indices {
                let node = open[index]
                let through = costs[row + node] + charge + charges[node]
                if through < distance[node] {
                    distance[node] = through
                    parent[node] = newest
                }
                if distance[node] < least { (least, nearest) = (distance[node], index) }
            }
            newest = open[nearest]
            open.swapAt(nearest, open.count - 1)
            open.removeLast()
            sum += least
            degrees[newest] += 1
            degrees[parent[newest]] += 1
        }
        var (first, second) = ((Double.infinity, 0), (Double.infinity, 0))
        for node in 1..<count {
            let way = costs[node] + charges[0] + charges[node]
            if way < first.0 {
                (first, second) = ((way, node), first)
            } else if way < second.0 {
                second = (way, node)
            }
        }
        degrees[0] = 2
        degrees[first.1] += 1
        degrees[second.1] += 1
        return sum + first.0 + second.0 - 2 * charges.reduce(0, +)
    }
}

/// The minimum-cost assignment of a successor to each node (Hungarian method with shortest augmenting paths, O(n³)).
///
/// Every tour is such an assignment, so the sum is a lower bound.
struct Assignment {
    /// The minimum sum.
    let sum: Int
    /// The dual prices of the rows.
    ///
    /// No edge costs less than the sum of its two prices.
    let rowPrices: [Int]
    /// The dual prices of the columns.
    let columnPrices: [Int]

    /// Solves the assignment problem.
    init(_ matrix: CostMatrix) {
        let count = matrix.count
        // Row and column 0 mean "unassigned".
        var rowPrice = [Int](repeating: 0, count: count + 1)
        var columnPrice = rowPrice
        var rowOf = [Int](repeating: 0, count: count + 1)
        for row in 1...count {
            var least = [Int](repeating: .max, count: count + 1)
            var from = [Int](repeating: 0, count: count + 1)
            var isDone = [Bool](repeating: false, count: count + 1)
            rowOf[0] = row
            var column = 0
            repeat {
                isDone[column] = true
                let current = rowOf[column]
                var (delta, next) = (Int.max, 0)
                for other in 1...count where !isDone[other] {
                    // A node cannot be its own successor.
                    let way =
                        current == other ? Int(CostMatrix.forbidden) : Int(matrix[current - 1, other - 1])
                    let reduced = way - rowPrice[current] - columnPrice[other]
                    if reduced < least[other] { (least[other], from[other]) = (reduced, column) }
                    if least[other] < delta { (delta, next) = (least[other], other) }
                }
                for other in 0...count {
                    if isDone[other] {
                        rowPrice[rowOf[other]] += delta
                        columnPrice[other] -= delta
                    } else if other > 0, least[other] < .max {
                        least[other] -= delta
                    }
                }
                column = next
            } while rowOf[column] != 0
            while column != 0 {
                rowOf[column] = rowOf[from[column]]
                column = from[column]
            }
        }
        sum = (1...count).reduce(0) { sum, column in
            let row = rowOf[column]
            return sum + Int(row == column ? CostMatrix.forbidden : matrix[row - 1, column - 1])
        }
        rowPrices = Array(rowPrice.dropFirst())
        columnPrices = Array(columnPrice.dropFirst())
    }
}
