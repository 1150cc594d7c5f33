/// An exact search over all sets of free places, for itineraries with time windows, traffic or precedences.
///
/// Pinned places are visited between the free ones. The time is O(2ⁿ n²) in the number of free places.
enum ExactSchedule {
    /// The maximum number of free places.
    static let greatestCount = 13

    /// The best way to reach a free place after a set of others.
    private struct State {
        var course = OrderProblem.Course()
        var cost = Double.infinity
        var previous: Int8 = -1
    }

    /// Returns the best order without lateness, or `nil` if every order is late or there are too many free places.
    static func best(_ problem: OrderProblem) -> [Int]? {
        let slots = Slots(problem)
        let free = slots.free
        guard free.count <= greatestCount else { return nil }
        let sets = 1 << free.count
        var states = [State](repeating: State(), count: sets * max(1, free.count))
        guard let start = slots.run(before: 0, visited: 0, last: nil, course: OrderProblem.Course()) else { return nil }
        if free.isEmpty { return slots.order(of: []) }
        for set in 1..<sets {
            let slot = set.nonzeroBitCount - 1
            for index in free.indices where set & (1 << index) != 0 {
                let before = set & ~(1 << index)
                guard slots.mayVisit(free[index], at: slot, visited: before) else { continue }
                var best = State()
                for previous in free.indices where before == 0 || before & (1 << previous) != 0 {
                    let from =
                        before == 0 ? State(course: start.course, cost: 0) : states[before * free.count + previous]
                    guard from.cost < .infinity else { continue }
                    let last = before == 0 ? start.last : slots.lastPlace(before: slot, after: free[previous])
                    guard
                        let next = slots.visit(free[index], from: last, course: from.course),
                        let run = slots.run(before: slot + 1, visited: set, last: free[index], course: next)
                    else { continue }
                    let cost = problem.cost(of: run.course)
                    if cost < best.cost {
                        best = State(course: run.course, cost: cost, previous: before == 0 ? -1 : Int8(previous))
                    }
                    if before == 0 { break }
                }
                states[set * free.count + index] = best
            }
        }
        return path(states, slots)
    }

    /// Returns the order that leads to the best end, including the return of a round trip.
    private static func path(_ states: [State], _ slots: Slots) -> [Int]? {
        let count = slots.free.count
        var set = (1 << count) - 1
        var (end, least) = (-1, Double.infinity)
        for index in 0..<count {
            let state = states[set * count + index]
            guard state.cost < .infinity,
                let cost = slots.costAtEnd(
                    last: slots.lastPlace(before: count, after: slots.free[index]), state.course),
                cost < least
            else { continue }
            (end, least) = (index, cost)
        }
        guard end >= 0 else { return nil }
        var reversed: [Int] = []
        while end >= 0 {
            reversed.append(slots.free[end])
            let previous = Int(states[set * count + end].previous)
            set &= ~(1 << end)
            end = previous
        }
        return slots.order(of: reversed.reversed())
    }
}

/// The free positions between the pinned places, and the places that may fill them.
struct Slots {
    private let problem: OrderProblem
    /// The places without a required position.
    let free: [Int]
    /// The pinned places before each free position and after the last one.
    private let runs: [[Int]]
    private let bit: [Int: Int]

    init(_ problem: OrderProblem) {
        self.problem = problem
        free = (0..<problem.count).filter { problem.pins[$0] == nil }
        bit = Dictionary(uniqueKeysWithValues: free.enumerated().map { ($1, $0) })
        let pinned = Dictionary(
            uniqueKeysWithValues: problem.pins.enumerated().compactMap { pair in pair.1.map { ($0, pair.0) } })
        var runs: [[Int]] = [[]]
        for position in 0..<problem.count {
            if let place = pinned[position] { runs[runs.count - 1].append(place) } else { runs.append([]) }
        }
        self.runs = runs
    }

    /// Returns the complete order for a sequence of the free places.
    func order(of places: [Int]) -> [Int] {
        var order = runs[0]
        for (slot, place) in places.enumerated() { order += [place] + runs[slot + 1] }
        return order
    }

    /// Returns the last place before a free position that follows a free place.
    func lastPlace(before slot: Int, after place: Int) -> Int { runs[slot].last ?? place }

    /// Returns whether all predecessors of a place have been visited, given a free position and the set of visited free
    /// places.
    func mayVisit(_ place: Int, at slot: Int, visited: Int) -> Bool {
        problem.before[place].allSatisfy { earlier in
            if let index = bit[earlier] { return visited & (1 << index) != 0 }
            return runs[...slot].contains { $0.contains(earlier) }
        }
    }

    /// Visits a place, or returns `nil` if there is no route or it is reached too late.
    func visit(_ place: Int, from last: Int?, course: OrderProblem.Course) -> OrderProblem.Course? {
        var course = course
        if let last { problem.goOn(from: last, to: place, &course) }
        problem.arrive(at: place, &course)
        return course.gaps == 0 && course.lateness == 0 ? course : nil
    }

    /// Visits the pinned places before a free position, or returns `nil` if one is too late or violates a precedence.
    func run(
        before slot: Int, visited: Int, last: Int?, course: OrderProblem.Course
    ) -> (course: OrderProblem.Course, last: Int?)? {
        var (course, last) = (course, last)
        for (index, place) in runs[slot].enumerated() {
            let isReady = problem.before[place].allSatisfy { earlier in
                if let index = bit[earlier] { return visited & (1 << index) != 0 }
                return runs[..<slot].contains { $0.contains(earlier) } || runs[slot][..<index].contains(earlier)
            }
            guard isReady, let next = visit(place, from: last, course: course) else { return nil }
            (course, last) = (next, place)
        }
        return (course, last)
    }

    /// Returns the cost of a course including the return of a round trip, or `nil` if there is no route.
    func costAtEnd(last: Int, _ course: OrderProblem.Course) -> Double? {
        guard problem.itinerary.isRoundTrip, let first = runs[0].first ?? free.first else {
            return problem.cost(of: course)
        }
        var course = course
        problem.goOn(from: last, to: first, &course)
        return course.gaps == 0 ? problem.cost(of: course) : nil
    }
}
