/// An itinerary with its travel matrix and objective: the input of every order search.
struct OrderProblem: Sendable {
    let itinerary: Itinerary
    let matrix: TravelMatrix
    let objective: TravelMatrix.Objective
    let traffic: TravelMatrix.TrafficProfile?
    let pins: [Int?]
    /// The predecessors of each place.
    let before: [[Int]]

    /// The number of places.
    var count: Int { itinerary.places.count }

    /// The number of places without a required position.
    var freeCount: Int { pins.count { $0 == nil } }

    init(
        _ itinerary: Itinerary, _ matrix: TravelMatrix, objective: TravelMatrix.Objective,
        traffic: TravelMatrix.TrafficProfile?
    ) throws(RoutingError) {
        self.itinerary = itinerary
        self.matrix = matrix
        self.objective = objective
        self.traffic = traffic
        pins = try itinerary.pins()
        var before = [[Int]](repeating: [], count: itinerary.places.count)
        for precedence in itinerary.precedences {
            guard before.indices.contains(precedence.first), before.indices.contains(precedence.second),
                precedence.first != precedence.second
            else { throw .invalidItinerary("a precedence names a place that is not in the itinerary") }
            before[precedence.second].append(precedence.first)
        }
        self.before = before
    }

    /// Whether only travel costs matter: there are no windows, traffic or precedences, and only the ends are pinned.
    var isPlain: Bool {
        let inner = pins.enumerated().contains { index, pin in
            pin.map { $0 != 0 && ($0 != count - 1 || itinerary.isRoundTrip) } ?? false
        }
        return !inner && !hasSchedule && itinerary.precedences.isEmpty
    }

    /// Whether the arrival times matter.
    var hasSchedule: Bool { traffic != nil || itinerary.places.contains { $0.window != nil } }

    /// Whether the best order through a set of places is part of the best order through more places, as dynamic
    /// programming requires.
    ///
    /// This is true if only time counts, because an earlier arrival is never worse, or if arrival times do not matter.
    var isExactByTime: Bool { !hasSchedule || objective.perMeter == 0 }

    /// Returns the cost of a route without traffic, or `nil` if there is no route.
    func wayCost(_ from: Int, _ to: Int) -> Double? {
        guard let duration = matrix.duration(from: from, to: to), let distance = matrix.distance(from: from, to: to)
        else { return nil }
        return duration * objective.perSecond + distance * objective.perMeter
    }

    /// Returns the first pair of consecutive places without a route.
    func gap(in order: [Int]) -> (from: Int, to: Int)? {
        pairs(order).first { matrix.duration(from: $0.from, to: $0.to) == nil }
    }

    /// Returns the error for an order with a missing route, naming its pair, or otherwise any pair without a route.
    func unreachable(_ order: [Int]) -> RoutingError {
        if let gap = gap(in: order) { return .unreachable(from: gap.from, to: gap.to) }
        for from in 0..<count {
            for to in 0..<count where matrix.duration(from: from, to: to) == nil {
                return .unreachable(from: from, to: to)
            }
        }
        return .contradiction
    }

    /// Returns the pairs of consecutive places, including the return of a round trip.
    private func pairs(_ order: [Int]) -> [(from: Int, to: Int)] {
        var pairs = zip(order, order.dropFirst()).map { (from: $0, to: $1) }
        if itinerary.isRoundTrip, order.count > 1, let first = order.first, let last = order.last {
            pairs.append((last, first))
        }
        return pairs
    }

    /// Returns whether an order satisfies required positions and precedences.
    func keepsOrder(_ order: [Int]) -> Bool {
        var place = [Int](repeating: 0, count: count)
        for (position, index) in order.enumerated() {
            if let pin = pins[index], pin != position { return false }
            place[index] = position
        }
        return before.indices.allSatisfy { index in before[index].allSatisfy { place[$0] < place[index] } }
    }

    /// The state of a vehicle after the places visited so far.
    struct Course: Sendable {
        var clock = 0.0
        var meters = 0.0
        var lateness = 0.0
        /// The number of missing routes.
        var gaps = 0
    }

    /// Returns the course that starts at a place.
    func begin(at place: Int) -> Course {
        var course = Course()
        arrive(at: place, &course)
        return course
    }

    /// Travels to another place.
    func goOn(from: Int, to: Int, _ course: inout Course) {
        if let duration = matrix.duration(from: from, to: to), let distance = matrix.distance(from: from, to: to) {
            course.clock += traffic?.duration(leaving: course.clock, duration) ?? duration
            course.meters += distance
        } else {
            course.gaps += 1
        }
    }

    /// Waits for the time window of a place and visits it.
    func arrive(at place: Int, _ course: inout Course) {
        if let window = itinerary.places[place].window {
            course.lateness += max(0, course.clock - window.upperBound)
            course.clock = max(course.clock, window.lowerBound)
        }
        course.clock += itinerary.places[place].stay
    }

    /// Returns the course of a whole order.
    func course(of order: [Int]) -> Course {
        guard let first = order.first else { return Course() }
        var course = begin(at: first)
        var last = first
        for place in order.dropFirst() {
            goOn(from: last, to: place, &course)
            arrive(at: place, &course)
            last = place
        }
        if itinerary.isRoundTrip, order.count > 1 { goOn(from: last, to: first, &course) }
        return course
    }

    /// Returns the cost of a course.
    func cost(of course: Course) -> Double { course.clock * objective.perSecond + course.meters * objective.perMeter }

    /// Returns the cost of an order.
    func cost(of order: [Int]) -> Double { cost(of: course(of: order)) }

    /// The minimum cost of the visits in any order.
    var leastStay: Double { itinerary.places.reduce(0) { $0 + $1.stay } * objective.perSecond }

    /// The smallest factor by which traffic can multiply travel costs.
    var leastTravelFactor: Double { objective.perSecond > 0 ? min(1, traffic?.leastFactor ?? 1) : 1 }

    /// Returns an order with its evaluation.
    ///
    /// - Parameter bound: a lower bound of the cost, or `nil` if it is unknown or the order is proven optimal.
    func judged(_ order: [Int], bound: Double?, isProven: Bool) -> OrderSearch.VisitingOrder {
        let cost = cost(of: order)
        var late: [OrderSearch.VisitingOrder.Late] = []
        if itinerary.places.contains(where: { $0.window != nil }) {
            var course = Course()
            var last: Int?
            for place in order {
                if let last { goOn(from: last, to: place, &course) }
                let before = course.lateness
                arrive(at: place, &course)
                if course.lateness > before {
                    late.append(OrderSearch.VisitingOrder.Late(place: place, seconds: course.lateness - before))
                }
                last = place
            }
        }
        return OrderSearch.VisitingOrder(
            order: order, cost: cost, bound: isProven ? cost : min(bound ?? 0, cost), isProven: isProven, late: late)
    }

    /// Returns an order that satisfies required positions and precedences, or `nil`.
    ///
    /// Positions are filled from the first, each with the place that must be visited soonest. As each visit takes one
    /// position, this finds an order if one exists.
    func feasibleStart() -> [Int]? {
        let given = Array(0..<count)
        if keepsOrder(given) { return given }
        // The latest position of each place that leaves room for its successors.
        var latest = pins.map { $0 ?? count - 1 }
        for _ in 0..<count {
            var isChanged = false
            for place in 0..<count {
                for earlier in before[place] where latest[earlier] >= latest[place] {
                    latest[earlier] = latest[place] - 1
                    isChanged = true
                }
            }
            if !isChanged { break }
        }
        guard latest.allSatisfy({ $0 >= 0 }) else { return nil }
        let pinned = Dictionary(
            uniqueKeysWithValues: pins.enumerated().compactMap { pair in pair.1.map { ($0, pair.0) } })
        var order: [Int] = []
        var isTaken = [Bool](repeating: false, count: count)
        for position in 0..<count {
            let next =
                pinned[position]
                ?? given.filter { place in
                    !isTaken[place] && pins[place] == nil && before[place].allSatisfy { isTaken[$0] }
                }.min { (latest[$0], $0) < (latest[$1], $1) }
            guard let next, before[next].allSatisfy({ isTaken[$0] }) else { return nil }
            isTaken[next] = true
            order.append(next)
        }
        return keepsOrder(order) ? order : nil
    }
}
