import Foundation
import TestHelpers
import Testing

@testable import PortolanTransit

/// Rules of changing for lines and trips, and trips that one vehicle runs in turn.
@Suite struct ChangeRuleTests {
    static let walking = Walking(speed: 1.2, factor: 1.2, reach: 400, changeReach: 300, changeSeconds: 120)

    func date(_ sample: SampleTimetable, _ seconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(sample.firstDay.daysSince1970 * 86_400 + seconds))
    }

    /// Line 0 comes to stop 1 at 10 (trip A) and at 20 (trip B) minutes; line 1 leaves there for stop 2 at 11, 13, 21 and 30 minutes.
    var crossing: SampleTimetable {
        var sample = SampleTimetable(stops: [(0, 0), (5000, 0), (9000, 0), (5000, 4000)])
        sample.trips = [
            .init("A", line: 0, [(0, 0), (1, 600)]), .init("B", line: 0, [(0, 660), (1, 1200)]),
            .init("p", line: 1, [(1, 660), (2, 900)]), .init("q", line: 1, [(1, 780), (2, 1020)]),
            .init("r", line: 1, [(1, 1260), (2, 1500)]), .init("s", line: 1, [(1, 1800), (2, 2040)]),
        ]
        return sample
    }

    struct Row: CustomTestStringConvertible {
        var rules: String
        /// The trips of the journey that leaves immediately, and the seconds that the feed states for its change.
        var trips: String
        var least: Int?
        var testDescription: String { "\(rules) → \(trips)" }
    }

    /// A rule as "A>p=2:60": from, to, kind, seconds; lines are L0 and L1, nothing is all.
    func rule(_ text: String) throws -> Timetable.TransferRule {
        let match = try #require(text.wholeMatch(of: /(\w*)>(\w*)=(\d)(?::(\d+))?/))
        let kind = try #require(UInt8(match.3).flatMap { Timetable.TransferRule.Kind(rawValue: $0) })
        var rule = Timetable.TransferRule(from: 1, to: 1, kind: kind, seconds: match.4.flatMap { Int($0) })
        func line(_ name: Substring) -> Int? { name.count == 2 ? Int(name.dropFirst()) : nil }
        (rule.fromLine, rule.toLine) = (line(match.1), line(match.2))
        rule.fromTrip = match.1.count == 1 ? String(match.1) : nil
        rule.toTrip = match.2.count == 1 ? String(match.2) : nil
        return rule
    }

    @Test(arguments: [
        // Two minutes are usual: 10 to 13.
        Row(rules: "", trips: "A q"),
        // A line may be given one minute, or an hour.
        Row(rules: "L0>L1=2:60", trips: "A p", least: 60),
        Row(rules: "L0>L1=2:3600", trips: ""),
        // A trip goes before a line, two before one, and stops come last.
        Row(rules: "L0>L1=2:3600 A>=2:60", trips: "A p", least: 60),
        Row(rules: "A>=2:60 L0>L1=2:3600", trips: "A p", least: 60),
        Row(rules: "A>=2:60 A>p=3", trips: "A q", least: 60),
        Row(rules: "A>=2:60 A>L1=3", trips: "B s"),
        Row(rules: "A>=3 L0>q=2:180", trips: "A q", least: 180),
        Row(rules: ">=3 L0>=2:600", trips: "A r", least: 600),
        Row(rules: ">=3 >L1=2:100", trips: "A q", least: 100),
        Row(rules: ">=3 L1>L0=2:100", trips: ""),
        Row(rules: ">=3", trips: ""),
        // The one that is there first may not change to what the later one may.
        Row(rules: "L0>=3 B>r=1", trips: "B r"),
        Row(rules: "L0>=3 B>r=2:61", trips: ""),
        Row(rules: "L0>=3 B>s=0", trips: "B s"),
        Row(rules: "L0>=3 A>s=2:1200", trips: "A s", least: 1200),
        // The second vehicle waits: no time is needed.
        Row(rules: "A>p=1", trips: "A p"),
        // What names a trip that is not there says nothing.
        Row(rules: "A>z=3 z>=3", trips: "A q"),
    ])
    func `the most specific transfer rule applies`(row: Row) throws {
        var sample = crossing
        sample.transfers = try row.rules.split(separator: " ").map { try rule(String($0)) }
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
        let query = JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(date(sample, 0)))
        let journeys = try planner.journeys(query)
        #expect(
            journeys.map { $0.rides.map(\.tripID).joined(separator: " ") } == (row.trips.isEmpty ? [] : [row.trips]))
        #expect(journeys.first?.rides.last?.minimumTransferTime == row.least)
        // Asked for backwards there is a journey as well, and no later one than that.
        guard let journey = journeys.first else { return }
        let back = JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .arriving(journey.arrival))
        let latest = try #require(try planner.journeys(back).first)
        #expect(latest.departure >= journey.departure)
        #expect(latest.arrival <= journey.arrival)
    }

    @Test func `a station rule applies to its stops unless a stop rule does`() throws {
        var sample = crossing
        // Line 1 leaves from the other side, three minutes away.
        sample.stops += [(5100, 0), (5050, 0)]
        for index in 2..<6 { sample.trips[index].stops[0] = 4 }
        sample.parents = [1: 5, 4: 5]
        var wide = Timetable.TransferRule(from: 5, to: 5, kind: .timed, seconds: 700)
        wide.fromLine = 0
        var narrow = Timetable.TransferRule(from: 1, to: 4, kind: .timed, seconds: 60)
        narrow.fromLine = 0
        for (rules, trips) in [([], ["A", "r"]), ([wide], ["A", "s"]), ([narrow, wide], ["A", "p"])] {
            sample.transfers = rules
            let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
            let query = JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(date(sample, 0)))
            let journey = try #require(try planner.journeys(query).first)
            #expect(journey.rides.map(\.tripID) == trips)
            // The walk is between stops, however rules tell apart what stops there.
            let walks = journey.legs.compactMap { if case .walk(let walk) = $0 { walk } else { nil } }
            #expect(walks.map(\.from) == [.stop(1)])
            #expect(walks.map(\.to) == [.stop(4)])
        }
    }

    @Test func `passengers stay seated in linked trips that join and split`() throws {
        // Two trains become one, and that one two; the last runs on the day after.
        var sample = SampleTimetable(stops: (0..<7).map { (Double($0) * 5000, 0) })
        sample.trips = [
            .init("A", line: 0, [(0, 0), (2, 600)]), .init("B", line: 1, [(1, 0), (2, 600)]),
            .init("C", line: 2, [(2, 660), (3, 1200)]), .init("D", line: 3, [(3, 1260), (4, 1800)]),
            .init("E", line: 4, [(3, 1260), (5, 1800)]), .init("F", line: 5, [(5, 60), (6, 400)], days: [1]),
        ]
        for (from, to) in [("A", "C"), ("B", "C"), ("C", "D"), ("C", "E"), ("E", "F"), ("A", "nothing")] {
            sample.tripLinks.append(Timetable.TripLink(from: from, to: to, staysSeated: true))
        }
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
        for (from, to, trips) in [(0, 4, "A C D"), (1, 5, "B C E")] {
            for time in [JourneyPlanner.Query.Time.departing(date(sample, 0)), .arriving(date(sample, 1900))] {
                let query = JourneyPlanner.Query(from: .stop(from), to: .stop(to), time: time, maximumTransfers: 0)
                let journey = try #require(try planner.journeys(query).first)
                #expect(journey.rides.map(\.tripID).joined(separator: " ") == trips)
                #expect(journey.transfers == 0)
                #expect(journey.rides.dropFirst().allSatisfy { $0.staysSeated })
                #expect(journey.rides.allSatisfy { $0.minimumTransferTime == nil })
            }
        }
        // From the last stop but one into the day after.
        let night = try planner.journeys(
            JourneyPlanner.Query(
                from: .stop(3), to: .stop(6), time: .departing(date(sample, 1200)), maximumTransfers: 0))
        #expect(night.first?.rides.map(\.tripID) == ["E", "F"])
        let card = RideGuide.Words.english.text(RideGuide.Suggestion(try #require(night.first), in: planner.timetable))
        #expect(card == "4 Stop 5, 1 stop → stay on board as 5 Stop 6, 1 stop")
    }

    @Test func `trip links override blocks`() throws {
        var sample = SampleTimetable(stops: [(0, 0), (5000, 0), (9000, 0), (0, 4000)])
        sample.trips = [
            .init("A", line: 0, [(0, 0), (1, 600)], block: 7), .init("B", line: 1, [(1, 600), (2, 900)], block: 7),
            .init("C", line: 2, [(1, 660), (3, 900)]),
        ]
        func trips(to: Int) throws -> [String] {
            let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
            let query = JourneyPlanner.Query(from: .stop(0), to: .stop(to), time: .departing(date(sample, 0)))
            return try planner.journeys(query).first?.rides.map(\.tripID) ?? []
        }
        #expect(try trips(to: 2) == ["A", "B"])
        sample.tripLinks = [Timetable.TripLink(from: "A", to: "B", staysSeated: false)]
        #expect(try trips(to: 2).isEmpty)
        sample.tripLinks = [Timetable.TripLink(from: "A", to: "C", staysSeated: true)]
        #expect(try trips(to: 2).isEmpty)
        #expect(try trips(to: 3) == ["A", "C"])
    }

    @Test func `a trip with special rules is not chosen if a later one is sufficient`() throws {
        var sample = crossing
        sample.transfers = [try rule("A>s=2:120"), try rule("B>=2:60")]
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
        let query = JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(date(sample, 0)))
        // To be there at q one takes A; what leaves after B is taken after B.
        #expect(try planner.journeys(query).first?.rides.map(\.tripID) == ["A", "q"])
        let late = JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(date(sample, 0)))
        sample.transfers += [try rule("A>q=3")]
        let other = JourneyPlanner(sample.timetable(), walking: Self.walking)
        let journey = try #require(try other.journeys(late).first)
        #expect(journey.rides.map(\.tripID) == ["B", "r"])
        #expect(journey.departure == date(sample, 660))
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `arrivals equal those of an exhaustive search over changes`(seed: UInt64) throws {
        let sample = SampleTimetable.ruled(seed: seed), rides = 3
        let oracle = ChangeOracle(sample, Self.walking)
        let planner = JourneyPlanner(sample.timetable(), walking: Self.walking)
        var random = SeededGenerator(seed: seed + 500)
        func count(_ journey: Journey) -> Int { journey.rides.count { !$0.staysSeated } }
        func seconds(_ time: Date) -> Int { Int(time.timeIntervalSince(date(sample, 0))) }
        for _ in 0..<8 {
            let from = Int.random(in: 0..<5, using: &random), to = Int.random(in: 0..<5, using: &random)
            let time = Int.random(in: 0...80, using: &random) * 60
            var query = JourneyPlanner.Query(
                from: .stop(from), to: .stop(to), time: .departing(date(sample, time)), maximumTransfers: rides - 1)
            let journeys = try planner.journeys(query)
            let expected = oracle.arrivals(from: from, to: to, at: time, rides: rides)
            let found = (0...rides).map { most in
                journeys.filter { count($0) <= most }.map { seconds($0.arrival) }.min()
            }
            #expect(found == expected, "\(from) → \(to) at \(time)")
            query.time = .arriving(date(sample, time + 3600))
            let back = try planner.journeys(query)
            for most in 1...rides {
                let latest = back.filter { count($0) <= most }.map { seconds($0.departure) }.max()
                func isInTime(_ departure: Int) -> Bool {
                    let there = oracle.arrivals(from: from, to: to, at: departure, rides: most)[most]
                    return there.map { $0 <= time + 3600 } ?? false
                }
                #expect(latest.map { isInTime($0) && !isInTime($0 + 1) } ?? !isInTime(-86_400 + time))
            }
            for journey in journeys + back { #expect(keepsRules(journey, oracle), "\(from) → \(to) at \(time)") }
        }
    }

    /// No change of a journey takes less than the rules want.
    func keepsRules(_ journey: Journey, _ oracle: ChangeOracle) -> Bool {
        func event(_ ride: Journey.Ride, _ stop: Int) -> ChangeOracle.Event? {
            guard let trip = oracle.sample.trips.firstIndex(where: { $0.id == ride.tripID }),
                let place = oracle.sample.trips[trip].stops.firstIndex(of: stop)
            else { return nil }
            return ChangeOracle.Event(trip: trip, place: place)
        }
        return zip(journey.rides, journey.rides.dropFirst()).allSatisfy { one, two in
            if two.staysSeated { return two.departure >= one.arrival }
            guard let from = event(one, one.alight), let to = event(two, two.board),
                let need = oracle.need(from, to)
            else { return false }
            return two.departure.timeIntervalSince(one.arrival) >= Double(need)
        }
    }

    @Test func `with too many nodes, line and trip rules are left out and reported`() throws {
        var sample = crossing
        sample.transfers = [try rule("A>p=1"), try rule("L0>L1=2:60")]
        let table = sample.timetable(), stations = StationStops(table.stops)
        let cells = StopCells(table.stops.map(\.place))
        let (ways, _, ruled) = Footpaths.ways(of: table, Self.walking, cells, stations)
        // Beside the stops: A, the others of line 0, p, and the others of line 1.
        #expect(StopNodes(table, ruled.rules, ways, most: 1000).count == 8)
        let few = StopNodes(table, ruled.rules, ways, most: 10)
        #expect(few.count == 4)
        #expect(few.leftOut == [1])
        #expect(JourneyPlanner(table, walking: Self.walking).stopsWithoutNarrowRules.isEmpty)
    }
}
