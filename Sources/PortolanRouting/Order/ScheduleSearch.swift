import PortolanGeo

/// Looks for a good order where it matters when places are reached or which come before others: changes it at random, keeps what
/// is better, and at first some of what is worse (simulated annealing).
///
/// Pinned places stay where they are, since only the free ones change places. The same seed gives the same order.
struct ScheduleSearch {
    private let problem: OrderProblem
    private let slots: Slots
    private var numbers: SeededNumbers
    private var places: [Int]

    /// The best order so far.
    private(set) var order: [Int]

    private var best: Judgement

    /// An order's faults before its cost: ways that are missing, then seconds of lateness.
    private struct Judgement: Comparable {
        var gaps: Int
        var lateness: Double
        var cost: Double

        static func < (left: Judgement, right: Judgement) -> Bool {
            (left.gaps, left.lateness, left.cost) < (right.gaps, right.lateness, right.cost)
        }
    }

    /// Starts with an order that keeps pins and precedences.
    init(_ problem: OrderProblem, start: [Int], seed: UInt64) {
        self.problem = problem
        slots = Slots(problem)
        numbers = SeededNumbers(seed: seed)
        order = start
        places = start.filter { problem.pins[$0] == nil }
        best = Self.judge(start, problem)
    }

    private static func judge(_ order: [Int], _ problem: OrderProblem) -> Judgement {
        let course = problem.course(of: order)
        return Judgement(gaps: course.gaps, lateness: course.lateness, cost: problem.cost(of: course))
    }

    /// Searches.
    ///
    /// - Parameters:
    ///   - effort: as that of ``OrderSearch``; a step is worth a quarter of a shake.
    ///   - goOn: asked every 256 steps; `false` ends the search.
    mutating func run(effort: Int, goOn: () -> Bool) {
        guard places.count > 1 else { return }
        let steps = min(effort * 4 * places.count, effort * 400)
        // Lateness and missing ways weigh so much that no saving pays for them.
        let perSecond = max(problem.objective.perSecond, best.cost / 1000, 1e-6) * 10
        func weight(_ judgement: Judgement) -> Double {
            judgement.cost + (judgement.lateness + Double(judgement.gaps) * 1e6) * perSecond
        }
        var now = weight(best)
        let start = max(best.cost / Double(problem.count), 1e-9) * 0.4
        for step in 0..<steps {
            if step & 255 == 255, !goOn() { break }
            let kept = places
            change()
            let candidate = slots.order(of: places)
            guard problem.before.allSatisfy(\.isEmpty) || problem.keepsOrder(candidate) else {
                places = kept
                continue
            }
            let judgement = Self.judge(candidate, problem)
            if judgement < best { (best, order) = (judgement, candidate) }
            let heat = start * Double(steps - step) / Double(steps)
            let chance = Double(numbers.next() >> 11) / Double(1 << 53)
            if weight(judgement) - now > -heat * Libm.logarithm(chance + 1e-9) {
                places = kept
            } else {
                now = weight(judgement)
            }
        }
    }

    /// One change: a part turns around, goes elsewhere, or two places change with one another.
    private mutating func change() {
        let count = places.count
        let a = numbers.below(count)
        let b = numbers.below(count)
        switch numbers.below(3) {
        case 0: places[min(a, b)...max(a, b)].reverse()
        case 1: places.swapAt(a, b)
        default:
            let length = min(1 + numbers.below(3), count - a)
            let part = places[a..<a + length]
            places.removeSubrange(a..<a + length)
            places.insert(contentsOf: part, at: numbers.below(places.count + 1))
        }
    }
}
