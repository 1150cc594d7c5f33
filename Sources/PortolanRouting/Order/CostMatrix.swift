/// The costs between all pairs of nodes as integers, in rows.
///
/// Searches add and compare costs millions of times. Integers make sums exact and results reproducible.
struct CostMatrix: Sendable {
    /// The number of nodes.
    let count: Int

    /// The costs, one row for each origin.
    private(set) var costs: [Int32]

    /// The cost of a missing route.
    static let forbidden: Int32 = 1 << 30

    /// The maximum cost of a route in a matrix of `count` nodes, so that a whole tour costs less than one missing
    /// route.
    static func greatest(count: Int) -> Int32 { forbidden / Int32(count + 1) }

    /// Creates a matrix with one cost everywhere.
    init(count: Int, repeating cost: Int32 = 0) {
        self.count = count
        costs = Array(repeating: cost, count: count * count)
    }

    /// The cost from one node to another.
    subscript(from: Int, to: Int) -> Int32 {
        get { costs[from * count + to] }
        set { costs[from * count + to] = newValue }
    }

    /// Whether both directions of every pair have the same cost.
    var isSymmetric: Bool {
        for a in 0..<count {
            for b in 0..<a where self[a, b] != self[b, a] { return false }
        }
        return true
    }

    /// Returns the cost of a closed tour.
    func length(of tour: [Int]) -> Int {
        guard var last = tour.last else { return 0 }
        var sum = 0
        for node in tour {
            sum += Int(self[last, node])
            last = node
        }
        return sum
    }

    /// Returns the `wanted` nearest nodes of each node, nearest first; ties are ordered by number.
    ///
    /// - Parameter reversed: whether to use the cost to the node instead of the cost from it.
    func nearest(_ wanted: Int, reversed: Bool = false) -> [Int32] {
        var all: [Int32] = []
        all.reserveCapacity(count * min(wanted, count - 1))
        for node in 0..<count {
            let others = (0..<count).filter { $0 != node }.sorted { a, b in
                let (costA, costB) = reversed ? (self[a, node], self[b, node]) : (self[node, a], self[node, b])
                return costA != costB ? costA < costB : a < b
            }
            all += others.prefix(wanted).map(Int32.init)
        }
        return all
    }
}

/// A reproducible pseudo-random number generator (SplitMix64).
struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator from a seed.
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to below a limit.
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }
}
