/// Finds the best order of places.
///
/// With up to 13 free places the result is optimal. With more it is a heuristic with a known maximum excess. Equal
/// input gives equal results unless the time budget runs out.
public struct OrderSearch: Hashable, Sendable {
    /// The objective.
    public var objective: TravelMatrix.Objective

    /// The variation of travel times by hour, or `nil` for constant times.
    public var traffic: TravelMatrix.TrafficProfile?

    /// The seed.
    ///
    /// Another one may find a different order of similar quality.
    public var seed: UInt64

    /// The time limit of the heuristic, or `nil` for no limit.
    ///
    /// A hundred places take about 0.3 s. The first order, the lower bound and the exact search are not limited. If the
    /// limit is reached, the result depends on the speed of the machine.
    public var budget: Duration?

    /// The number of perturbations for each place, 400 by default.
    public let effort: Int

    /// Creates a search.
    public init(
        objective: TravelMatrix.Objective = .time, traffic: TravelMatrix.TrafficProfile? = nil, seed: UInt64 = 1,
        budget: Duration? = nil,
        effort: Int = 400
    ) {
        precondition((1...1_000_000).contains(effort), "an effort of 1 to 1,000,000")
        self.objective = objective
        self.traffic = traffic
        self.seed = seed
        self.budget = budget
        self.effort = effort
    }

    /// Returns the best order for an itinerary.
    ///
    /// - Parameter matrix: the travel matrix of the places, in the order of the itinerary.
    /// - Throws: ``RoutingError`` if constraints conflict, a place is unreachable, or the task is cancelled.
    /// - Complexity: O(2ⁿ n²) up to 13 free places. With more, about `effort` short steps for each place, and O(*n*³)
    ///   for the bound of asymmetric matrices.
    public func bestOrder(
        of itinerary: Itinerary, by matrix: TravelMatrix
    ) throws(RoutingError) -> OrderSearch.VisitingOrder {
        guard matrix.count == itinerary.places.count else {
            throw .invalidMatrix("it has \(matrix.count) places, the itinerary \(itinerary.places.count)")
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

    /// Returns the evaluation of the given order.
    ///
    /// - Throws: ``RoutingError`` as ``bestOrder(of:by:)``, or if the given order violates a constraint.
    public func givenOrder(
        of itinerary: Itinerary, by matrix: TravelMatrix
    ) throws(RoutingError) -> OrderSearch.VisitingOrder {
        guard matrix.count == itinerary.places.count else {
            throw .invalidMatrix("it has \(matrix.count) places, the itinerary \(itinerary.places.count)")
        }
        let problem = try OrderProblem(itinerary, matrix, objective: objective, traffic: traffic)
        let order = Array(0..<problem.count)
        guard problem.keepsOrder(order) else { throw .contradiction }
        if let gap = problem.gap(in: order) { throw .unreachable(from: gap.from, to: gap.to) }
        return problem.judged(order, bound: nil, isProven: problem.count < 2)
    }

    /// Finds an order by travel costs alone, as a closed tour with integer costs.
    private func plain(_ problem: OrderProblem, _ goOn: () -> Bool) throws(RoutingError) -> OrderSearch.VisitingOrder {
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

    /// Returns an order without missing routes, or the given one if it is as good.
    private func whole(_ order: [Int], _ problem: OrderProblem) throws(RoutingError) -> [Int] {
        let given = Array(0..<problem.count)
        guard problem.keepsOrder(order), problem.gap(in: order) == nil else { throw problem.unreachable(order) }
        let isGivenGood =
            problem.keepsOrder(given) && problem.gap(in: given) == nil
            && problem.cost(of: given) <= problem.cost(of: order) * (1 + 1e-12)
        return isGivenGood ? given : order
    }

    /// Finds an order with constraints, time windows or traffic.
    private func scheduled(
        _ problem: OrderProblem, _ goOn: () -> Bool
    ) throws(RoutingError) -> OrderSearch.VisitingOrder {
        if problem.freeCount <= ExactSchedule.greatestCount, problem.isExactByTime,
            let order = ExactSchedule.best(problem)
        {
            return problem.judged(order, bound: nil, isProven: true)
        }
        guard let start = problem.feasibleStart() else { throw .contradiction }
        var search = ScheduleSearch(problem, start: start, seed: seed)
        search.run(effort: effort, goOn: goOn)
        // Constraints only exclude orders, so the bound without them still holds.
        let tour = OrderTour(problem)
        let free = TourSolver.solve(tour.costs, seed: seed, effort: min(effort, 50), goOn: goOn)
        let ways = tour.isWhole(free.length) ? tour.bound(of: free.bound) : 0
        let bound = ways * problem.leastTravelFactor + problem.leastStay
        return problem.judged(search.order, bound: bound, isProven: false)
    }
}
