/// An order of places as a closed tour with integer costs.
///
/// If the route does not return, node 0 connects its last place with its first one. It costs nothing next to places
/// that may be ends.
struct OrderTour {
    /// The costs of the tour.
    let costs: CostMatrix

    private let unit: Double
    /// Whether the integers represent the costs exactly, without rounding.
    let isExact: Bool
    private let problem: OrderProblem
    /// The cost that the connecting node adds to every tour.
    private let extra: Int

    init(_ problem: OrderProblem) {
        self.problem = problem
        let count = problem.count
        var greatest = 0.0
        var units = [1, 0.1, 0.01, 0.001]
        for from in 0..<count {
            for to in 0..<count where to != from {
                guard let cost = problem.wayCost(from, to) else { continue }
                greatest = max(greatest, cost)
                units.removeAll { abs((cost / $0).rounded() * $0 - cost) > 1e-9 * max(1, cost) }
            }
        }
        // Integers, tenths and so on are represented exactly if they fit; other costs are rounded as finely as
        // possible.
        let limit = Double(CostMatrix.greatest(count: count + 1))
        let fitting = units.first { greatest / $0 <= limit }
        let unit = fitting ?? max(greatest / limit, 0.001)
        isExact = fitting != nil
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
            // If costs are symmetric, the order may be read in either direction, with the kept ends next to node 0.
            // This keeps the matrix symmetric. If only one end is kept, every tour contains one forbidden edge. The
            // exact search, which needs no symmetry, does without this.
            let isSymmetric = costs.isSymmetric && count + 1 > ExactTour.greatestCount
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

    /// Returns whether a tour of this length has no missing routes.
    func isWhole(_ length: Int) -> Bool { length - extra < Int(CostMatrix.forbidden) }

    /// Converts a tour length to a cost of the objective, without visits.
    func cost(of length: Int) -> Double { Double(length - extra) * unit }

    /// Converts a bound of the tour length to a bound of the cost, without visits.
    ///
    /// Rounding may have changed each cost by half a unit.
    func bound(of length: Int) -> Double {
        max(0, cost(of: length) - (isExact ? 0 : unit * Double(costs.count + 1) / 2))
    }

    /// Returns the optimal order for up to sixteen nodes by unrounded costs, or `nil` for more.
    func exactOrder() -> [Int]? {
        guard costs.count <= ExactTour.greatestCount else { return nil }
        let ends = problem.itinerary.isRoundTrip ? 0 : 1
        let tour = ExactTour.shortest(count: costs.count) { from, to in
            if ends == 1, from == 0 || to == 0 { return costs[from, to] == 0 ? 0 : .infinity }
            return problem.wayCost(from - ends, to - ends) ?? .infinity
        }
        return order(of: tour)
    }

    /// Returns the order of places for a tour that begins with node 0.
    func order(of tour: [Int]) -> [Int] {
        let first = problem.pins.firstIndex(of: 0)
        guard !problem.itinerary.isRoundTrip else {
            let start = tour.firstIndex(of: first ?? 0) ?? 0
            return Array(tour[start...] + tour[..<start])
        }
        let order = tour.dropFirst().map { $0 - 1 }
        // The order can only be reversed if costs are symmetric.
        let last = problem.pins.firstIndex(of: problem.count - 1)
        let isTurned = first.map { order.first != $0 } ?? last.map { order.last != $0 } ?? false
        return isTurned ? order.reversed() : order
    }
}
