import Foundation
import PortolanTransit

/// Journeys between random stops.
struct JourneyBench {
    /// Reproducible pseudorandom numbers (SplitMix64).
    struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    let timetable: Timetable
    let planner: JourneyPlanner
    let served: [Int]
    let zone: TimeZone
    let days: ClosedRange<ServiceDay>

    init(_ timetable: Timetable) throws {
        self.timetable = timetable
        planner = JourneyPlanner(timetable, walking: Walking(reach: 300, changeReach: 300))
        zone = timetable.agencies.first.flatMap { TimeZone(identifier: $0.timeZone) } ?? .gmt
        let today = ServiceDay(daysSince1970: 0)
        days = timetable.calendar.days ?? today...today
        served = timetable.stops.indices.filter {
            timetable.stops[$0].kind == .stop && timetable.stops[$0].place != nil
        }
    }

    /// Returns a time on a day without a clock change in the morning.
    func date(_ day: ServiceDay, _ seconds: Int) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let (year, month, number) = day.date
        let noon = calendar.date(from: DateComponents(year: year, month: month, day: number, hour: 12)) ?? .distantPast
        return noon.addingTimeInterval(Double(seconds - 43_200))
    }

    /// Returns the medians of queries for eight o'clock on the Wednesday in the fourth week of the feed, with five
    /// rides.
    func medians(count: Int) throws -> [String: Any] {
        var day = days.lowerBound.advanced(by: 21)
        while day.weekday != 2 { day = day.advanced(by: 1) }
        if day > days.upperBound { day = days.lowerBound }
        var numbers = Numbers(state: 42), found = 0
        let pairs = (0..<count).map { _ in
            (served.randomElement(using: &numbers) ?? 0, served.randomElement(using: &numbers) ?? 0)
        }
        func query(_ pair: (Int, Int), arriving: Bool = false) -> JourneyPlanner.Query {
            JourneyPlanner.Query(
                from: .stop(pair.0), to: .stop(pair.1),
                time: arriving ? .arriving(date(day, 18 * 3600)) : .departing(date(day, 8 * 3600)), maximumTransfers: 4)
        }
        func times(_ pairs: some Sequence<(Int, Int)>, _ body: ((Int, Int)) throws -> Void) rethrows -> (Double, Double)
        {
            var times: [Double] = []
            let clock = ContinuousClock()
            for pair in pairs { times.append(try clock.measure { try body(pair) } / .milliseconds(1)) }
            times.sort()
            func rounded(_ place: Double) -> Double {
                (times[min(Int(Double(times.count) * place), times.count - 1)] * 10_000).rounded() / 10_000
            }
            return (rounded(0.5), rounded(0.95))
        }
        let first = try times([pairs[0]]) { _ = try planner.journeys(query($0)) }
        let depart = try times(pairs) { if try !planner.journeys(query($0)).isEmpty { found += 1 } }
        _ = try planner.journeys(query(pairs[0], arriving: true))
        let arrive = try times(pairs) { _ = try planner.journeys(query($0, arriving: true)) }
        let profile = try times(pairs.prefix(50)) { _ = try planner.profile(query($0), seconds: 3600) }
        let index = TransitBench.median(5) { _ = JourneyPlanner(timetable, walking: planner.walking) }
        return [
            "journey_day": day.description, "journey_queries": count, "journey_found": found, "journey_ms": depart.0,
            "journey_p95_ms": depart.1,
            "arrive_ms": arrive.0, "profile_hour_ms": profile.0, "first_journey_ms": first.0,
            "planner_ms": index.milliseconds,
        ]
    }

    /// Returns results for comparison with another program: walking connections, and the arrivals of queries at random
    /// times.
    func answers(count: Int) throws -> [String: Any] {
        var numbers = Numbers(state: 7)
        var ways: [[Any]] = []
        for stop in timetable.stops.indices {
            for way in planner.ways(from: stop) {
                let ends: [Any] = [timetable.stops[stop].id, timetable.stops[way.stop].id]
                ways.append(ends + [way.seconds, way.meters])
            }
        }
        let length = days.upperBound.daysSince1970 - days.lowerBound.daysSince1970
        let queries = try (0..<count).map { _ -> [String: Any] in
            let day = days.lowerBound.advanced(by: Int.random(in: 0...length, using: &numbers))
            let time = Int.random(in: 0..<86_400, using: &numbers)
            let from = served.randomElement(using: &numbers) ?? 0, to = served.randomElement(using: &numbers) ?? 0
            let rides = Int.random(in: 1...6, using: &numbers)
            let journeys = try planner.journeys(
                JourneyPlanner.Query(
                    from: .stop(from), to: .stop(to), time: .departing(date(day, time)), maximumTransfers: rides - 1))
            let zero = date(day, 0)
            return [
                "from": timetable.stops[from].id, "to": timetable.stops[to].id, "day": day.description, "time": time,
                "rides": rides,
                "journeys": journeys.map { journey in
                    let isOfNextDay = journey.rides.contains { $0.day > day }
                    return [Int(journey.arrival.timeIntervalSince(zero)), journey.rides.count, isOfNextDay ? 1 : 0]
                },
            ]
        }
        return ["ways": ways, "queries": queries]
    }
}
