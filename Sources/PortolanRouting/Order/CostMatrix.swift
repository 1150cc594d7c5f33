/// What it costs to go from each of some nodes to each other: whole numbers, by rows.
///
/// Searches add and compare these costs millions of times; whole numbers make every sum exact and every run the same.
struct CostMatrix: Sendable {
    /// The number of nodes.
    let count: Int

    /// The costs, a row for each node that one goes from.
    private(set) var costs: [Int32]

    /// The cost where there is no way.
    static let forbidden: Int32 = 1 << 30

    /// The most that a way may cost in a matrix of so many nodes, so that all ways of a tour cost less than one that is none.
    static func greatest(count: Int) -> Int32 { forbidden / Int32(count + 1) }

    /// A matrix with one cost everywhere.
    init(count: Int, repeating cost: Int32 = 0) {
        self.count = count
        costs = Array(repeating: cost, count: count * count)
    }

    /// The cost from one node to another.
    subscript(from: Int, to: Int) -> Int32 {
        get { costs[from * count + to] }
        set { costs[from * count + to] = newValue }
    }

    /// Whether both directions cost the same everywhere.
    var isSymmetric: Bool {
        for a in 0..<count {
            for b in 0..<a where self[a, b] != self[b, a] { return false }
        }
        return true
    }

    /// What a closed tour costs.
    func length(of tour: [Int]) -> Int {
        guard var last = tour.last else { return 0 }
        var sum = 0
        for node in tour {
            sum += Int(self[last, node])
            last = node
        }
        return sum
    }

    /// The nodes nearest to each node, nearest first, equal ones by number; `wanted` a node or all the others.
    ///
    /// - Parameter reversed: whether by the way to the node, not from it.
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

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the numbers of a seed.
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to a limit, which it does not reach.
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }
}
