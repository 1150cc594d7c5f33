import PortolanGeo
import PortolanRouting
import Testing

@Suite struct OrderSearchTests {
    /// A way of saying what an order must keep.
    enum Wish: String, CaseIterable, Sendable {
        case open, fromFirst, toLast, betweenEnds, roundTrip, pinned, precedences, windows, traffic, weighed
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var wish: Wish
        var isSymmetric: Bool
        var testDescription: String { "\(wish.rawValue), \(isSymmetric ? "both directions alike" : "one-way streets")" }
    }

    static let cases = Wish.allCases.flatMap {
        [Case(wish: $0, isSymmetric: true), Case(wish: $0, isSymmetric: false)]
    }

    /// A problem of places at random.
    struct Problem {
        var itinerary: Itinerary
        var matrix: TravelMatrix
        var search = OrderSearch()

        init(_ example: Case, count: Int, _ numbers: inout SplitMix) {
            matrix = TravelMatrix(count: count)
            for from in 0..<count {
                for to in 0..<count where to != from {
                    let isTurned = example.isSymmetric && to < from
                    let duration =
                        isTurned ? matrix.duration(from: to, to: from) ?? .nan : Double(numbers.below(9000)) / 7 + 60
                    let distance =
                        isTurned ? matrix.distance(from: to, to: from) ?? .nan : Double(numbers.below(20_000)) / 3
                    matrix.set(from: from, to: to, duration: duration, distance: distance)
                }
            }
            var places = (0..<count).map {
                Itinerary.Place(coordinate: Coordinate(x: Double($0), y: 60), stay: Double(numbers.below(4)) * 30)
            }
            itinerary = Itinerary([], keepsFirst: false)
            switch example.wish {
            case .open: break
            case .fromFirst: itinerary.keepsFirst = true
            case .toLast: itinerary.keepsLast = true
            case .betweenEnds:
                itinerary.keepsFirst = true
                itinerary.keepsLast = true
            case .roundTrip: itinerary.isRoundTrip = true
            case .pinned: if count > 2 { places[count - 1].position = 1 }
            case .precedences:
                if count > 3 { itinerary.precedences = [.init(count - 1, before: 1), .init(2, before: 0)] }
            case .windows:
                itinerary.keepsFirst = true
                for place in 1..<max(1, count) where numbers.below(2) == 0 {
                    let opens = Double(numbers.below(3000))
                    places[place].window = opens...opens + 2500
                }
            case .traffic:
                let factors = (0..<24).map { _ in 0.5 + Double(numbers.below(200)) / 100 }
                search.traffic = try? TravelMatrix.TrafficProfile(
                    factors: factors, departure: Double(numbers.below(86_400)))
            case .weighed:
                itinerary.isRoundTrip = true
                search.objective = TravelMatrix.Objective(perSecond: 1, perMeter: 0.2)
            }
            itinerary.places = places
        }

        /// All orders, by themselves.
        func everyOrder() -> [[Int]] {
            var all: [[Int]] = []
            var order = Array(itinerary.places.indices)
            func permute(_ start: Int) {
                if start == order.count { return all.append(order) }
                for index in start..<order.count {
                    order.swapAt(start, index)
                    permute(start + 1)
                    order.swapAt(start, index)
                }
            }
            permute(0)
            return all.filter(keeps)
        }

        func keeps(_ order: [Int]) -> Bool {
            if itinerary.keepsFirst || itinerary.isRoundTrip, order.first != 0 { return false }
            if itinerary.keepsLast, !itinerary.isRoundTrip, order.last != order.count - 1 { return false }
            for (index, place) in itinerary.places.enumerated() {
                if let position = place.position, order[position] != index { return false }
            }
            return itinerary.precedences.allSatisfy {
                (order.firstIndex(of: $0.first) ?? .max) < (order.firstIndex(of: $0.second) ?? .max)
            }
        }

        /// The cost and the delay of an order, computed independently.
        func judge(_ order: [Int]) -> (late: Double, cost: Double) {
            var (clock, meters, late) = (0.0, 0.0, 0.0)
            var last: Int?
            for place in order + (itinerary.isRoundTrip && order.count > 1 ? [order[0]] : []) {
                let isHome = last != nil && place == order[0]
                if let last {
                    clock += travel(at: clock, matrix.duration(from: last, to: place) ?? .nan)
                    meters += matrix.distance(from: last, to: place) ?? .nan
                }
                last = place
                guard !isHome else { continue }
                if let window = itinerary.places[place].window {
                    late += max(0, clock - window.upperBound)
                    clock = max(clock, window.lowerBound)
                }
                clock += itinerary.places[place].stay
            }
            return (late, clock * search.objective.perSecond + meters * search.objective.perMeter)
        }

        /// Second by second, which the search does not do.
        private func travel(at clock: Double, _ duration: Double) -> Double {
            guard let traffic = search.traffic else { return duration }
            var (done, elapsed) = (0.0, 0.0)
            let step = 1.0
            while done < duration {
                let hour = Int((traffic.departure + clock + elapsed) / 3600) % 24
                done += step / traffic.factors[hour]
                elapsed += step
            }
            return elapsed
        }
    }

    @Test(arguments: cases) func `the order found is the best of all orders`(_ example: Case) throws {
        var numbers = SplitMix(seed: 7)
        for count in [1, 2, 3, 4, 5, 6, 6, 7] {
            let problem = Problem(example, count: count, &numbers)
            let found = try problem.search.bestOrder(of: problem.itinerary, by: problem.matrix)
            #expect(found.order.sorted() == Array(0..<count))
            #expect(problem.keeps(found.order))
            let judged = problem.judge(found.order)
            let best = problem.everyOrder().map(problem.judge).min { $0 < $1 }!
            // Traffic is reckoned in steps here.
            let slack = example.wish == .traffic ? Double(count) * 4 : 1e-6
            #expect(abs(found.cost - judged.cost) <= slack)
            #expect(found.cost <= best.cost + slack || judged.late < best.late - 1e-6)
            #expect(judged.late <= best.late + 1e-6)
            #expect(found.late.isEmpty == (judged.late == 0))
            #expect(found.bound <= found.cost + 1e-6)
            #expect(found.excess >= 0)
            #expect(found.isProven || !found.late.isEmpty)
        }
    }

    @Test(arguments: cases)
    func `a longer order meets its constraints, is no worse than the given one and reproducible`(
        _ example: Case
    ) throws {
        var numbers = SplitMix(seed: 11)
        for count in [17, 24] {
            var problem = Problem(example, count: count, &numbers)
            problem.search = OrderSearch(
                objective: problem.search.objective, traffic: problem.search.traffic, effort: 5)
            let found = try problem.search.bestOrder(of: problem.itinerary, by: problem.matrix)
            #expect(found.order.sorted() == Array(0..<count))
            #expect(problem.keeps(found.order))
            #expect(found.bound <= found.cost)
            #expect(found == (try problem.search.bestOrder(of: problem.itinerary, by: problem.matrix)))
            // Random orders that keep what is said, and the given one where it does.
            let given = Array(0..<count)
            if problem.keeps(given) {
                let late = problem.judge(given).late
                let foundLate = found.late.reduce(0) { $0 + $1.seconds }
                let cost = try problem.search.givenOrder(of: problem.itinerary, by: problem.matrix).cost
                #expect((foundLate, found.cost) <= (late + 1e-6, cost + 1e-6))
            }
        }
    }

    private static func itinerary(_ count: Int, isRoundTrip: Bool = false, stay: Double = 0) -> Itinerary {
        Itinerary(
            (0..<count).map { Itinerary.Place(coordinate: Coordinate(x: Double($0), y: 0), stay: stay) },
            isRoundTrip: isRoundTrip)
    }

    @Test(arguments: [6, 18]) func `one very long way does not make the others alike`(count: Int) throws {
        var numbers = SplitMix(seed: 3)
        var matrix = TravelMatrix(count: count)
        for from in 0..<count {
            for to in 0..<count where to != from {
                matrix.set(from: from, to: to, duration: Double(1 + numbers.below(25)), distance: 1)
            }
        }
        var plain = matrix
        matrix.set(from: 2, to: 3, duration: 9e8, distance: 1)
        plain.set(from: 2, to: 3, duration: 1000, distance: 1)
        let itinerary = Self.itinerary(count, isRoundTrip: true)
        let found = try OrderSearch().bestOrder(of: itinerary, by: matrix)
        let expected = try OrderSearch().bestOrder(of: itinerary, by: plain)
        #expect(found.bound <= expected.cost + 1e-6)
        if count == 6 { #expect(found.isProven && abs(found.cost - expected.cost) < 1e-6) }
        if found.isProven { #expect(abs(found.cost - expected.cost) < 1e-6) }
    }

    @Test(arguments: [10, 20]) func `a long detour is better than a missing way`(count: Int) throws {
        var matrix = TravelMatrix(count: count)
        for place in 0..<count - 1 {
            matrix.set(from: place, to: place + 1, duration: 1, distance: 1)
            matrix.set(from: place + 1, to: place, duration: 10_000_000, distance: 1)
        }
        matrix.set(from: 0, to: count - 1, duration: 10_000_000, distance: 1)
        let found = try OrderSearch().bestOrder(of: Self.itinerary(count, isRoundTrip: true), by: matrix)
        #expect(found.order == [0] + (1..<count).reversed())
    }

    @Test(arguments: cases.filter { [.open, .fromFirst, .toLast, .betweenEnds, .roundTrip].contains($0.wish) })
    func `missing ways are avoided, or reported if there is no detour`(_ example: Case) throws {
        var numbers = SplitMix(seed: 19)
        var unreachable = 0
        for _ in 0..<30 {
            let problem = Problem(example, count: 6, &numbers)
            var matrix = TravelMatrix(count: 6)
            for from in 0..<6 {
                for to in 0..<6 where to != from {
                    let isGone = numbers.below(2) == 0
                    let isTurned = example.isSymmetric && to < from
                    guard isTurned ? matrix.duration(from: to, to: from) != nil : !isGone else { continue }
                    matrix.set(
                        from: from, to: to, duration: problem.matrix.duration(from: from, to: to) ?? 0,
                        distance: problem.matrix.distance(from: from, to: to) ?? 0)
                }
            }
            let whole = problem.everyOrder().filter { order in
                zip(order, order.dropFirst() + (problem.itinerary.isRoundTrip ? [order[0]] : []))
                    .allSatisfy { matrix.duration(from: $0, to: $1) != nil }
            }
            let best = whole.map { problem.judge($0).cost }.min()
            let found: OrderSearch.VisitingOrder?
            do throws(RoutingError) {
                found = try OrderSearch().bestOrder(of: problem.itinerary, by: matrix)
            } catch {
                found = nil
                guard case .unreachable(let from, let to) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(matrix.duration(from: from, to: to) == nil)
                unreachable += 1
            }
            #expect((found == nil) == (best == nil))
            if let found, let best { #expect(abs(best - found.cost) < 1e-6 && found.isProven) }
        }
        #expect((1..<30).contains(unreachable))
    }

    @Test func `stays are counted once in the lower bound`() throws {
        var numbers = SplitMix(seed: 23)
        var itinerary = Self.itinerary(20, stay: 3600)
        itinerary.precedences = [.init(17, before: 3)]
        var matrix = TravelMatrix(count: 20)
        for from in 0..<20 {
            for to in 0..<20 { matrix.set(from: from, to: to, duration: Double(1 + numbers.below(900)), distance: 1) }
        }
        let found = try OrderSearch(effort: 5).bestOrder(of: itinerary, by: matrix)
        let free = try OrderSearch().bestOrder(of: Self.itinerary(20), by: matrix)
        #expect(found.bound <= 20 * 3600 + free.cost + 1e-6)
        #expect(found.bound >= 20 * 3600)
    }

    @Test func `matrices with missing ways can be equal`() {
        #expect(TravelMatrix(count: 2) == TravelMatrix(count: 2))
    }

    @Test func `a time budget ends a long search`() throws {
        var numbers = SplitMix(seed: 5)
        var matrix = TravelMatrix(count: 40)
        for from in 0..<40 {
            for to in 0..<40 { matrix.set(from: from, to: to, duration: Double(1 + numbers.below(900)), distance: 1) }
        }
        // Without its end this would go on for hours.
        let search = OrderSearch(budget: .milliseconds(1), effort: 1_000_000)
        #expect(try search.bestOrder(of: Self.itinerary(40), by: matrix).order.count == 40)
    }

    @Test func `an unreachable place is named`() {
        var matrix = TravelMatrix(count: 3)
        for (from, to) in [(0, 1), (1, 0), (2, 0), (2, 1)] { matrix.set(from: from, to: to, duration: 5, distance: 5) }
        let places = (0..<3).map { Itinerary.Place(coordinate: Coordinate(x: Double($0), y: 0)) }
        #expect(throws: RoutingError.self) { try OrderSearch().bestOrder(of: Itinerary(places), by: matrix) }
        // From the third place there is a way.
        let open = try? OrderSearch().bestOrder(of: Itinerary(places, keepsFirst: false), by: matrix)
        #expect(open?.order.first == 2)
    }

    struct Contradiction: CustomTestStringConvertible, Sendable {
        var name: String
        var change: @Sendable (inout Itinerary) -> Void
        var testDescription: String { name }
    }

    @Test(arguments: [
        Contradiction(name: "a circle of precedences") {
            $0.precedences = [.init(1, before: 2), .init(2, before: 3), .init(3, before: 1)]
        },
        Contradiction(name: "one before the first") { $0.precedences = [.init(2, before: 0)] },
        Contradiction(name: "two at one position") { for place in 1...2 { $0.places[place].position = 2 } },
        Contradiction(name: "the first pinned elsewhere") { $0.places[0].position = 3 },
        Contradiction(name: "a position that is none") { $0.places[1].position = 9 },
        Contradiction(name: "a precedence of a place that is none") { $0.precedences = [.init(1, before: 17)] },
        Contradiction(name: "a place nowhere") { $0.places[1].coordinate.y = 91 },
        Contradiction(name: "a stay that is no number") { $0.places[1].stay = .nan },
    ])
    func `contradictory constraints are an error`(_ contradiction: Contradiction) {
        var itinerary = Itinerary((0..<5).map { Itinerary.Place(coordinate: Coordinate(x: Double($0), y: 0)) })
        contradiction.change(&itinerary)
        let matrix = try! TravelMatrix(
            durations: Array(repeating: Array(repeating: 1, count: 5), count: 5),
            distances: Array(repeating: Array(repeating: 1, count: 5), count: 5))
        #expect(throws: RoutingError.self) { try OrderSearch().bestOrder(of: itinerary, by: matrix) }
    }

    @Test func `a cancelled search ends`() async {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let places = (0..<60).map { Itinerary.Place(coordinate: Coordinate(x: Double($0), y: 0)) }
            var matrix = TravelMatrix(count: 60)
            for from in 0..<60 {
                for to in 0..<60 { matrix.set(from: from, to: to, duration: Double(from ^ to), distance: 1) }
            }
            return try OrderSearch().bestOrder(of: Itinerary(places), by: matrix)
        }
        task.cancel()
        await #expect(throws: RoutingError.cancelled) { _ = try await task.value }
    }
}

/// Numbers that are the same each time (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
