/// Finds the best order of places.
///
/// Up to 13 free places the best order is found for certain; beyond that it is looked for, and the answer says how far from the
/// best it may be. The same input gives the same order each time, unless time runs out.
public struct OrderSearch: Hashable, Sendable {
    /// What an order is to be good at.
    public var objective: Objective

    /// How traffic changes ways by the hour, or `nil` where it does not.
    public var traffic: TrafficProfile?

    /// The seed of the search: another one may find another order of the same quality.
    public var seed: UInt64

    /// The longest time the search may go on; `nil` for as long as it needs, about 0.3 s for a hundred places.
    ///
    /// What finds the first order and the bound comes on top, as does the search through all orders of few places.
    /// The order depends on the machine where this ends the search.
    public var budget: Duration?

    /// How long to look: shakes of the order for each place, 400 unless told.
    public let effort: Int

    /// Makes a search.
    public init(
        objective: Objective = .time, traffic: TrafficProfile? = nil, seed: UInt64 = 1, budget: Duration? = nil,
        effort: Int = 400
    ) {
        precondition((1...1_000_000).contains(effort), "an effort of 1 to 1,000,000")
        self.objective = objective
        self.traffic = traffic
        self.seed = seed
        self.budget = budget
        self.effort = effort
    }

    /// The best order of the places of an itinerary.
    ///
    /// - Parameter matrix: the ways between the places, in the order of the itinerary.
    /// - Throws: ``RoutingError`` where the itinerary contradicts itself, where a place cannot be reached, or where the task is
    ///   cancelled.
    /// - Complexity: O(2ⁿ n²) up to 13 free places; beyond that about `effort` short steps a place, and O(*n*³) for the bound where directions
    ///   differ.
    public func bestOrder(of itinerary: Itinerary, by matrix: TravelMatrix) throws(RoutingError) -> VisitingOrder {
        guard matrix.count == itinerary.places.count else {
            throw .invalidMatrix("it is of \(matrix.count) places, the itinerary of \(itinerary.places.count)")
        }
        let problem = try OrderProblem(itinerary, matrix, objective: objective, traffic: traffic)
        guard problem.count > 1 else { return problem.judged(Array(0..<problem.count), bound: nil, isProven: true) }
        let start = ContinuousClock.now
        let goOn: () -> Bool = { [budget] in
            !Task.isCancelled && (budget.map { ContinuousClock.now - start < $0 } ?? true)
        }
        let found = problem.isPlain ? try plain(problem, goOn) : try scheduled(problem, goOn)
        if Task.isCancelled { throw .cancelled }
        if let gap = problem.gap(in: found.order) { throw .unreachable(from: gap.from, to: gap.to) }
        return found
    }

    /// What the given order costs, in the same terms.
    ///
    /// - Throws: ``RoutingError`` as ``bestOrder(of:by:)``, and where the order given does not keep what is said about it.
    public func givenOrder(of itinerary: Itinerary, by matrix: TravelMatrix) throws(RoutingError) -> VisitingOrder {
        guard matrix.count == itinerary.places.count else {
            throw .invalidMatrix("it is of \(matrix.count) places, the itinerary of \(itinerary.places.count)")
        }
        let problem = try OrderProblem(itinerary, matrix, objective: objective, traffic: traffic)
        let order = Array(0..<problem.count)
        guard problem.keepsOrder(order) else { throw .contradiction }
        if let gap = problem.gap(in: order) { throw .unreachable(from: gap.from, to: gap.to) }
        return problem.judged(order, bound: nil, isProven: problem.count < 2)
    }

    /// By the ways alone: a closed tour of whole numbers.
    private func plain(_ problem: OrderProblem, _ goOn: () -> Bool) throws(RoutingError) -> VisitingOrder {
        let tour = OrderTour(problem)
        if let exact = tour.exactOrder() {
            return problem.judged(try whole(exact, problem), bound: nil, isProven: true)
        }
        let solved = TourSolver.solve(tour.costs, seed: seed, effort: effort, goOn: goOn)
        guard tour.isWhole(solved.length) else { throw problem.unreachable(tour.order(of: solved.order)) }
        let order = try whole(tour.order(of: solved.order), problem)
        let bound = tour.bound(of: solved.bound) + problem.leastStay
        return problem.judged(order, bound: bound, isProven: solved.isOptimal && tour.isExact)
    }

    /// An order that has all its ways, or the one given where that is as good.
    private func whole(_ order: [Int], _ problem: OrderProblem) throws(RoutingError) -> [Int] {
        let given = Array(0..<problem.count)
        guard problem.keepsOrder(order), problem.gap(in: order) == nil else { throw problem.unreachable(order) }
        let isGivenGood =
            problem.keepsOrder(given) && problem.gap(in: given) == nil
            && problem.cost(of: given) <= problem.cost(of: order) * (1 + 1e-12)
        return isGivenGood ? given : order
    }

    /// With places that are pinned or come before others, windows and traffic.
    private func scheduled(_ problem: OrderProblem, _ goOn: () -> Bool) throws(RoutingError) -> VisitingOrder {
        if problem.freeCount <= ExactSchedule.greatestCount, problem.isExactByTime,
            let order = ExactSchedule.best(problem)
        {
            return problem.judged(order, bound: nil, isProven: true)
        }
        guard let start = problem.feasibleStart() else { throw .contradiction }
        var search = ScheduleSearch(problem, start: start, seed: seed)
        search.run(effort: effort, goOn: goOn)
        // What is said about the order only takes orders away: the bound without it still holds.
        let tour = OrderTour(problem)
        let free = TourSolver.solve(tour.costs, seed: seed, effort: min(effort, 50), goOn: goOn)
        let ways = tour.isWhole(free.length) ? tour.bound(of: free.bound) : 0
        let bound = ways * problem.leastTravelFactor + problem.leastStay
        return problem.judged(search.order, bound: bound, isProven: false)
    }
}
