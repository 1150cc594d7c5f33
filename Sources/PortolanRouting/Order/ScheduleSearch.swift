import PortolanGeo

/// A heuristic search for orders with time windows, traffic or precedences, by simulated annealing.
///
/// Pinned places stay fixed, because only free ones are exchanged. Equal seeds give equal results.
struct ScheduleSearch {
    private let problem: OrderProblem
    private let slots: Slots
    private var numbers: SeededNumbers
    private var places: [Int]

    /// The best order so far.
    private(set) var order: [Int]

    private var best: Judgement

    /// The evaluation of an order.
    ///
    /// Missing routes count before lateness, and lateness before cost.
    private struct Judgement: Comparable {
        var gaps: Int
        var lateness: Double
        var cost: Double

        static func < (left: Judgement, right: Judgement) -> Bool {
            (left.gaps, left.lateness, left.cost) < (right.gaps, right.lateness, right.cost)
        }
    }

    /// Starts with an order that satisfies required positions and precedences.
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

    /// Runs the search.
    ///
    /// - Parameters:
    ///   - effort: the effort of ``OrderSearch``. A step counts as a quarter of a perturbation.
    ///   - goOn: a closure called every 256 steps; returning `false` ends the search.
    mutating func run(effort: Int, goOn: () -> Bool) {
        guard places.count > 1 else { return }
        let steps = min(effort * 4 * places.count, effort * 400)
        // The weights of lateness and missing routes are too large to be offset by any saving.
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

    /// Applies a random change: reverses or moves a part, or exchanges two places.
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
