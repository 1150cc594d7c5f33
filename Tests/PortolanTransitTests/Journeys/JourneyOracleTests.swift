import Foundation
import TestHelpers
import Testing

@testable import PortolanTransit

/// Journeys through timetables at random are as good as those found by trying everything.
@Suite struct JourneyOracleTests {
    static let walking = Walking(speed: 1.2, factor: 1.2, reach: 400, changeReach: 400, changeSeconds: 120)

    func date(_ sample: SampleTimetable, _ seconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(sample.firstDay.daysSince1970 * 86_400 + seconds))
    }

    /// The result of a planner in the form of the oracle: the best arrival by the largest number of rides.
    func arrivals(_ journeys: [Journey], _ sample: SampleTimetable, rides: Int) -> [Int?] {
        (0...rides).map { most in
            journeys.filter { journey in journey.rides.count { !$0.staysSeated } <= most }
                .map { Int($0.arrival.timeIntervalSince(date(sample, 0))) }.min()
        }
    }

    /// A journey holds together: no leg begins before the one before it ended, and each call is one of its trip.
    func isSound(_ journey: Journey, _ oracle: JourneyOracle, from: Int, to: Int) -> Bool {
        var clock = journey.departure, stop = from, before: Journey.Leg?
        for leg in journey.legs {
            switch leg {
            case .walk(let walk):
                guard walk.departure >= clock, walk.from == .stop(stop), case .stop(let end) = walk.to,
                    let way = oracle.way(stop, end), way.walk == walk.seconds
                else { return false }
                clock = walk.arrival
                stop = end
            case .ride(let ride):
                guard ride.board == stop || ride.staysSeated, ride.departure >= clock,
                    ride.calls.count > 1 || ride.staysSeated
                else { return false }
                if case .ride(let last) = before, !ride.staysSeated {
                    guard let change = oracle.change(stop),
                        ride.departure.timeIntervalSince(last.arrival) >= Double(change)
                    else { return false }
                }
                clock = ride.arrival
                stop = ride.alight
            }
            before = leg
        }
        return stop == to && clock == journey.arrival
    }

    @Test(arguments: 0..<25)
    func `earliest arrivals equal those of an exhaustive search`(seed: Int) throws {
        let sample = SampleTimetable.random(seed: UInt64(seed))
        let oracle = JourneyOracle(sample, Self.walking)
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
        var random = SeededGenerator(seed: UInt64(seed) + 1000)
        for _ in 0..<25 {
            let from = Int.random(in: 0..<sample.stops.count, using: &random)
            let to = Int.random(in: 0..<sample.stops.count, using: &random)
            let time = Int.random(in: 0..<3 * 86_400, using: &random), rides = Int.random(in: 1...5, using: &random)
            let longest = [86_400, 30_000][Int.random(in: 0..<2, using: &random)]
            let journeys = try planner.journeys(
                JourneyPlanner.Query(
                    from: .stop(from), to: .stop(to), time: .departing(date(sample, time)), maximumTransfers: rides - 1,
                    maximumSeconds: longest))
            let expected = oracle.arrivals(from: from, to: to, at: time, rides: rides, within: longest)
            #expect(arrivals(journeys, sample, rides: rides) == expected, "\(from) → \(to) at \(time)")
            for journey in journeys {
                #expect(isSound(journey, oracle, from: from, to: to), "\(from) → \(to) at \(time)")
                #expect(journey.departure >= date(sample, time))
            }
        }
    }

    @Test(arguments: 0..<20)
    func `latest departures equal those of an exhaustive search`(seed: Int) throws {
        let sample = SampleTimetable.random(seed: UInt64(seed))
        let oracle = JourneyOracle(sample, Self.walking)
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
        var random = SeededGenerator(seed: UInt64(seed) + 2000)
        for _ in 0..<15 {
            let from = Int.random(in: 0..<sample.stops.count, using: &random)
            let to = Int.random(in: 0..<sample.stops.count, using: &random)
            let time = Int.random(in: 86_400..<3 * 86_400, using: &random),
                rides = Int.random(in: 1...4, using: &random)
            try checkLatest(planner, oracle, from: from, to: to, by: time, rides: rides)
        }
    }

    /// A passenger who leaves at the planner's latest time arrives in time; one who leaves a second later does not.
    func checkLatest(
        _ planner: JourneyPlanner, _ oracle: JourneyOracle, from: Int, to: Int, by time: Int, rides: Int
    ) throws {
        let sample = oracle.sample
        let journeys = try planner.journeys(
            JourneyPlanner.Query(
                from: .stop(from), to: .stop(to), time: .arriving(date(sample, time)), maximumTransfers: rides - 1))
        for journey in journeys {
            #expect(isSound(journey, oracle, from: from, to: to), "\(from) → \(to) by \(time)")
            #expect(journey.arrival <= date(sample, time))
        }
        for most in 0...rides {
            let latest = journeys.filter { journey in journey.rides.count { !$0.staysSeated } <= most }
                .map { Int($0.departure.timeIntervalSince(date(sample, 0))) }.max()
            // Leaving then one is in time, leaving a second later one is not.
            func isInTime(_ departure: Int) -> Bool {
                let found = oracle.arrivals(from: from, to: to, at: departure, rides: most, within: 86_400)
                return found[most].map { $0 <= time } ?? false
            }
            if let latest {
                #expect(isInTime(latest), "\(from) → \(to) by \(time)")
                #expect(!isInTime(latest + 1), "\(from) → \(to) by \(time)")
            } else {
                #expect(!isInTime(time - 86_400), "\(from) → \(to) by \(time)")
            }
        }
    }

    @Test(arguments: 0..<12)
    func `a profile contains the best journey for each departure`(seed: Int) throws {
        let sample = SampleTimetable.random(seed: UInt64(seed))
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
        var random = SeededGenerator(seed: UInt64(seed) + 3000)
        for _ in 0..<6 {
            let from = Int.random(in: 0..<sample.stops.count, using: &random)
            let to = Int.random(in: 0..<sample.stops.count, using: &random)
            let start = Int.random(in: 0..<2 * 86_400, using: &random), length = 6 * 3600
            var query = JourneyPlanner.Query(from: .stop(from), to: .stop(to), time: .departing(date(sample, start)))
            let profile = try planner.profile(query, seconds: length)
            let oracle = JourneyOracle(sample, Self.walking)
            for journey in profile { #expect(isSound(journey, oracle, from: from, to: to)) }
            // None is better than another.
            for (index, one) in profile.enumerated() {
                for (other, two) in profile.enumerated() where other != index {
                    let isWorse =
                        two.departure >= one.departure && two.arrival <= one.arrival && two.transfers <= one.transfers
                    #expect(!isWorse)
                }
            }
            for minute in stride(from: 0, through: length, by: 1500) {
                query.time = .departing(date(sample, start + minute))
                let single = try planner.journeys(query).filter {
                    !$0.rides.isEmpty && $0.departure <= date(sample, start + length)
                }
                for journey in single {
                    #expect(
                        profile.contains {
                            $0.departure >= date(sample, start + minute) && $0.arrival <= journey.arrival
                                && $0.transfers <= journey.transfers
                        })
                }
            }
        }
    }

    @Test(arguments: 0..<10)
    func `live updates give the journeys of a timetable changed accordingly`(seed: Int) throws {
        let sample = SampleTimetable.random(seed: UInt64(seed))
        var oracle = JourneyOracle(sample, Self.walking)
        var random = SeededGenerator(seed: UInt64(seed) + 4000)
        var updates: [TripUpdate] = []
        for index in oracle.vehicles.indices where Int.random(in: 0..<3, using: &random) == 0 {
            let vehicle = oracle.vehicles[index], trip = sample.trips[vehicle.trip]
            let reference = TripReference(trip: trip.id, day: sample.firstDay.advanced(by: vehicle.day))
            var update = TripUpdate(trip: reference)
            if Int.random(in: 0..<4, using: &random) == 0 {
                update.change = .canceled
                oracle.vehicles[index].arrivals = trip.stops.map { _ in nil }
                oracle.vehicles[index].departures = trip.stops.map { _ in nil }
            } else {
                var delay = 0, clock = Int.min
                for place in trip.stops.indices {
                    var news = TripUpdate.StopTime(sequence: place + 1, stop: "S\(trip.stops[place])")
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0:
                        delay = Int.random(in: -5...30, using: &random) * 60
                        news.arrival = .late(.seconds(delay))
                        update.stops.append(news)
                    case 1:
                        news.change = .skipped
                        update.stops.append(news)
                        oracle.vehicles[index].arrivals[place] = nil
                        oracle.vehicles[index].departures[place] = nil
                        continue
                    default: break
                    }
                    clock = max(clock, trip.arrivals[place] + vehicle.day * 86_400 + delay)
                    oracle.vehicles[index].arrivals[place] = clock
                    clock = max(clock, trip.departures[place] + vehicle.day * 86_400 + delay)
                    oracle.vehicles[index].departures[place] = clock
                }
            }
            updates.append(update)
        }
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
            .applying(updates, now: date(sample, 86_400))
        for _ in 0..<25 {
            let from = Int.random(in: 0..<sample.stops.count, using: &random)
            let to = Int.random(in: 0..<sample.stops.count, using: &random)
            let time = Int.random(in: 0..<3 * 86_400, using: &random)
            let journeys = try planner.journeys(
                JourneyPlanner.Query(
                    from: .stop(from), to: .stop(to), time: .departing(date(sample, time)), maximumTransfers: 3))
            let expected = oracle.arrivals(from: from, to: to, at: time, rides: 4, within: 86_400)
            #expect(arrivals(journeys, sample, rides: 4) == expected, "\(from) → \(to) at \(time)")
            try checkLatest(planner, oracle, from: from, to: to, by: time, rides: 3)
        }
    }
}
