/// An order of places as a closed tour of whole numbers, which searches understand.
///
/// Where the way does not return, node 0 stands between its last place and its first, and costs nothing beside places that may be
/// ends.
struct OrderTour {
    /// The costs of the tour.
    let costs: CostMatrix

    private let unit: Double
    /// Whether the whole numbers stand for the costs themselves, and not for costs that were rounded.
    let isExact: Bool
    private let problem: OrderProblem
    /// What the node between the ends adds to every tour.
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
        // Costs of whole numbers, tenths and so on stay what they are where they fit; others become as fine as fits.
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
            // Where directions cost the same, the order may be read either way round: its kept ends, whichever they are, lie
            // beside node 0. That keeps the matrix symmetric, and with one end kept makes each tour pay for the other.
            // Not where a kept end would have to pay, too, in a search that goes through sixteen nodes one by one.
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

    /// Whether a length is of a tour all of whose ways are ways.
    func isWhole(_ length: Int) -> Bool { length - extra < Int(CostMatrix.forbidden) }

    /// A length of the tour as a cost of the objective, without stays.
    func cost(of length: Int) -> Double { Double(length - extra) * unit }

    /// What no order costs less than, without stays, by a bound of the tour: where costs were rounded, half a unit for each way less.
    func bound(of length: Int) -> Double {
        max(0, cost(of: length) - (isExact ? 0 : unit * Double(costs.count + 1) / 2))
    }

    /// The best order of up to sixteen nodes, by the costs themselves; `nil` for more.
    func exactOrder() -> [Int]? {
        guard costs.count <= ExactTour.greatestCount else { return nil }
        let ends = problem.itinerary.isRoundTrip ? 0 : 1
        let tour = ExactTour.shortest(count: costs.count) { from, to in
            if ends == 1, from == 0 || to == 0 { return costs[from, to] == 0 ? 0 : .infinity }
            return problem.wayCost(from - ends, to - ends) ?? .infinity
        }
        return order(of: tour)
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
