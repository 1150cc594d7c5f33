/// An order of places as a closed tour of whole numbers, which searches understand.
///
/// Where the way does not return, node 0 stands between its last place and its first, and costs nothing beside places that may be
/// ends.
struct OrderTour {
    /// The costs of the tour.
    let costs: CostMatrix

    private let unit: Double
    private let problem: OrderProblem
    /// What the node between the ends adds to every tour.
    private let extra: Int

    init(_ problem: OrderProblem) {
        self.problem = problem
        let count = problem.count
        var greatest = 0.0
        var isWhole = true
        for from in 0..<count {
            for to in 0..<count where to != from {
                guard let cost = problem.wayCost(from, to) else { continue }
                greatest = max(greatest, cost)
                if cost != cost.rounded() { isWhole = false }
            }
        }
        // Whole numbers that fit stay as they are; others become as fine as fits, a thousandth at the most.
        let finest = Double(CostMatrix.greatest)
        let unit = isWhole && greatest <= finest ? 1 : max(greatest / finest, 0.001)
        let ends = problem.itinerary.isRoundTrip ? 0 : 1
        var costs = CostMatrix(count: count + ends)
        for from in 0..<count {
            for to in 0..<count where to != from {
                let cost = problem.wayCost(from, to).map { Int32(($0 / unit).rounded()) }
                costs[from + ends, to + ends] = cost ?? CostMatrix.forbidden
            }
        }
        var extra = 0
        if !problem.itinerary.isRoundTrip {
            let first = problem.pins.firstIndex(of: 0)
            let last = problem.pins.firstIndex(of: count - 1)
            // Where directions cost the same, the order may be read either way round: its kept ends, whichever they are, lie
            // beside node 0. That keeps the matrix symmetric, and with one end kept makes each tour pay for the other.
            let isSymmetric = costs.isSymmetric
            for place in 0..<count {
                let mayBegin = place == first || first == nil || isSymmetric && place == last
                let mayEnd = place == last || last == nil || isSymmetric && place == first
                let isFree = isSymmetric && (first != nil || last != nil) ? place == first || place == last : true
                costs[0, place + 1] = mayBegin && isFree ? 0 : CostMatrix.forbidden
                costs[place + 1, 0] = mayEnd && isFree ? 0 : CostMatrix.forbidden
            }
            if isSymmetric, count > 1, (first == nil) != (last == nil) { extra = Int(CostMatrix.forbidden) }
        }
        self.unit = unit
        self.costs = costs
        self.extra = extra
    }

    /// A length of the tour as a cost of the objective, with the time of stays.
    func cost(of length: Int) -> Double {
        Double(length - extra) * unit + (problem.hasSchedule ? 0 : problem.leastStay)
    }

    /// The order of places of a tour that begins with node 0.
    func order(of tour: [Int]) -> [Int] {
        let first = problem.pins.firstIndex(of: 0)
        guard !problem.itinerary.isRoundTrip else {
            let start = tour.firstIndex(of: first ?? 0) ?? 0
            return Array(tour[start...] + tour[..<start])
        }
        let order = tour.dropFirst().map { $0 - 1 }
        // Only where directions cost the same can it be the wrong way round.
        let last = problem.pins.firstIndex(of: problem.count - 1)
        let isTurned = first.map { order.first != $0 } ?? last.map { order.last != $0 } ?? false
        return isTurned ? order.reversed() : order
    }
}
