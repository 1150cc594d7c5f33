import Foundation
import PortolanGeo
import PortolanRouting
import Testing

@testable import PortolanTransit

@Suite struct JourneyTests {
    func date(_ sample: SampleTimetable, _ seconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(sample.firstDay.daysSince1970 * 86_400 + seconds))
    }

    /// A line to the east every ten minutes, another to the north from its third stop.
    var sample: SampleTimetable {
        var sample = SampleTimetable(stops: [(0, 0), (1000, 0), (2000, 0), (2100, 0), (2100, 2000)])
        for minute in stride(from: 0, through: 60, by: 10) {
            let time = 28_800 + minute * 60
            sample.trips.append(.init("E\(minute)", line: 0, [(0, time), (1, time + 120), (2, time + 240)]))
        }
        sample.trips.append(.init("N", line: 1, [(3, 31_000), (4, 31_300)]))
        return sample
    }

    var walking: Walking { Walking(speed: 1, factor: 1, reach: 500, changeReach: 300) }

    @Test func `a journey departs as late as possible`() throws {
        let planner = JourneyPlanner(sample.timetable(), walking: walking)
        let journeys = try planner.journeys(
            JourneyPlanner.Query(
                from: .place(SampleTimetable.place(0, 60)), to: .place(SampleTimetable.place(2100, 2050)),
                time: .departing(date(sample, 28_000))))
        let journey = try #require(journeys.first)
        #expect(journeys.count == 1)
        // The last vehicle that reaches the other stop 100 s before 31,000 is that of 30,600, there at 30,840.
        #expect(journey.rides.map(\.tripID) == ["E30", "N"])
        #expect(journey.departure == date(sample, 30_540))
        #expect(journey.arrival == date(sample, 31_350))
        #expect(journey.transfers == 1)
        let card = RideGuide.Words.english.text(RideGuide.Suggestion(journey, in: planner.timetable))
        #expect(card == "walk 60 m → 0 Stop 2, 2 stops → walk 100 m → 1 Stop 4, 1 stop → walk 50 m")
        #expect(journey.movingSeconds == 60 + 240 + 100 + 300 + 50)
    }

    @Test func `a station stands for its stops`() throws {
        var sample = sample
        sample.stops.append((2050, 0))
        sample.parents = [2: 5, 3: 5]
        sample.transfers = [Timetable.TransferRule(from: 5, to: 5, kind: .timed, seconds: 900)]
        let planner = JourneyPlanner(sample.timetable(), walking: walking)
        let journey = try #require(
            try planner.journeys(
                JourneyPlanner.Query(from: .stop(0), to: .stop(4), time: .departing(date(sample, 28_000)))
            )
            .first)
        #expect(journey.rides.map(\.tripID) == ["E10", "N"])
        let there = try planner.journeys(
            JourneyPlanner.Query(from: .stop(0), to: .stop(5), time: .departing(date(sample, 28_800))))
        #expect(there.map(\.arrival) == [date(sample, 29_040)])
    }

    @Test func `a journey has expected and planned times`() throws {
        let day = sample.firstDay
        let updates = [
            TripUpdate(
                trip: TripReference(trip: "E0", day: day), stops: [.init(stop: "S1", arrival: .late(.seconds(300)))]),
            TripUpdate(trip: TripReference(trip: "E10"), change: .canceled),
            TripUpdate(trip: TripReference(trip: "nobody"), change: .canceled),
        ]
        let planner = JourneyPlanner(sample.timetable(), walking: walking)
            .applying(updates, now: date(sample, 29_000))
        let query = JourneyPlanner.Query(
            from: .stop(0), to: .stop(2), time: .departing(date(sample, 28_800)), maximumTransfers: 0)
        let late = try #require(try planner.journeys(query).first?.rides.first)
        #expect(late.tripID == "E0")
        #expect(late.calls.map(\.arrival) == [28_800, 28_920, 29_040].map { date(sample, $0) })
        // Nothing is known before the first reported stop.
        #expect(late.calls.map(\.expectedArrival) == [nil, date(sample, 29_220), date(sample, 29_340)])
        // The one of ten past does not run.
        var later = query
        later.time = .departing(date(sample, 28_801))
        #expect(try planner.journeys(later).first?.rides.first?.tripID == "E20")
        #expect(try planner.applying([], now: date(sample, 0)).journeys(later).first?.rides.first?.tripID == "E10")
    }

    @Test func `a single reported time is interpolated`() throws {
        let updates = [
            TripUpdate(
                trip: TripReference(trip: "E0"),
                stops: [.init(sequence: 1, departure: .at(date(sample, 28_860))), .init(sequence: 3, change: .unknown)])
        ]
        let planner = JourneyPlanner(sample.timetable(), walking: walking).applying(
            updates, now: date(sample, 28_000))
        let journey = try planner.journeys(
            JourneyPlanner.Query(
                from: .stop(0), to: .stop(2), time: .departing(date(sample, 28_801)), maximumTransfers: 0)
        ).first
        #expect(
            journey?.rides.first?.calls.map(\.expectedArrival) == [nil, date(sample, 28_980), nil])
        #expect(journey?.rides.first?.calls.first?.expectedDeparture == date(sample, 28_860))
        #expect(journey?.arrival == date(sample, 29_040))
    }

    @Test(arguments: [
        // Clocks go forward on 2026-03-29 and back on 2026-10-25 in Helsinki: 08:00 is 05:00 or 06:00 in universal time.
        (2026, 3, 28, "2026-03-28T06:00:00Z"), (2026, 3, 29, "2026-03-29T05:00:00Z"),
        (2026, 10, 24, "2026-10-24T05:00:00Z"), (2026, 10, 25, "2026-10-25T06:00:00Z"),
    ])
    func `local times are right on days with a clock change`(
        year: Int, month: Int, day: Int, expected: String
    ) throws {
        var sample = sample
        sample.timeZone = "Europe/Helsinki"
        sample.firstDay = try #require(ServiceDay(year: year, month: month, day: day))
        let planner = JourneyPlanner(sample.timetable(), walking: walking)
        let time = try Date(expected, strategy: .iso8601)
        let journey = try #require(
            try planner.journeys(JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(time))).first)
        #expect(journey.departure == time)
        #expect(journey.rides.map(\.tripID) == ["E0"])
        let arriving = try planner.journeys(
            JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .arriving(time.addingTimeInterval(240))))
        #expect(arriving.first?.departure == time)
    }

    @Test func `places without a stop nearby and unknown stops are refused`() throws {
        let planner = JourneyPlanner(sample.timetable(), walking: walking)
        let away = SampleTimetable.place(50_000, 0), time = JourneyPlanner.Query.Time.departing(date(sample, 28_800))
        #expect(throws: JourneyPlanner.QueryError.noStopNear(away, meters: 500)) {
            try planner.journeys(JourneyPlanner.Query(from: .place(away), to: .stop(0), time: time))
        }
        #expect(throws: JourneyPlanner.QueryError.noSuchStop(77)) {
            try planner.journeys(JourneyPlanner.Query(from: .stop(77), to: .stop(0), time: time))
        }
        #expect(throws: JourneyPlanner.QueryError.nowhere) {
            try planner.journeys(
                JourneyPlanner.Query(from: .stop(0), to: .place(Coordinate(x: .nan, y: 0)), time: time))
        }
        #expect(throws: JourneyPlanner.QueryError.impossibleTime) {
            try planner.journeys(JourneyPlanner.Query(from: .stop(0), to: .stop(1), time: .departing(.distantFuture)))
        }
    }

    @Test func `rules of huge stations are limited to a number of stop pairs`() throws {
        var sample = sample
        sample.stops = (0..<101).map { (Double($0), 0) }
        sample.parents = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, 100) })
        sample.trips = []
        let stops = sample.timetable().stops, stations = StationStops(stops)
        let rule = Timetable.TransferRule(from: 100, to: 100, kind: .recommended)
        let lost = Timetable.TransferRule(from: 500, to: -1, kind: .recommended)
        let single = Timetable.TransferRule(from: 1, to: 2, kind: .impossible)
        for (most, wanted) in [(150, 150), (10_000, 10_000), (20_000, 10_001), (0, 0)] {
            let rules = [single, lost, rule] + (most > 15_000 ? [] : [rule, rule])
            var kinds: [Timetable.TransferRule.Kind] = []
            let count = Footpaths.eachPair(of: rules, stops, stations, most: most) {
                kinds.append($0.kind); _ = ($1, $2)
            }
            #expect(count == wanted)
            #expect(kinds.count == wanted)
            // What is said of stops comes last and holds.
            #expect((kinds.last == .impossible) == (most == 20_000))
        }
    }

    @Test func `journeys can be ranked by arrival or by moving time`() throws {
        var sample = sample
        // Earlier there, by a long way round.
        sample.trips.append(.init("X", line: 2, [(0, 28_750), (4, 29_000), (2, 29_030)]))
        let planner = JourneyPlanner(sample.timetable(), walking: walking)
        let journeys = try planner.profile(
            JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(date(sample, 28_700))), seconds: 200)
        #expect(journeys.ranked(by: .arrival).map { $0.rides.map(\.tripID) } == [["X"], ["E0"]])
        #expect(journeys.ranked(by: .moving).map { $0.rides.map(\.tripID) } == [["E0"], ["X"]])
    }

    @Test func `searching timetables with invalid times terminates`() throws {
        var sample = SampleTimetable(stops: [(0, 0), (10, 0), (20, 0)])
        sample.trips = [
            .init("still", line: 0, [(0, 100), (1, 100), (0, 100), (1, 100), (2, 100)], block: 1),
            .init("again", line: 1, [(2, 100), (0, 100), (2, 100)], block: 1),
            .init("huge", line: 2, [(0, 100), (2, Int(Int32.max))]),
            .init("before", line: 3, [(0, Int(Int32.min)), (1, 0), (2, 50)]),
            .init("between", line: 6, [(0, 100), (1, Int(Int32.max)), (2, Int(Int32.min)), (1, 300), (2, 400)]),
            .init("back", line: 4, [(0, 200), (1, 150), (2, 120)]),
            .init("lone", line: 5, [(0, 10)]), .init("none", line: 7, []),
        ]
        let planner = JourneyPlanner(sample.timetable(), walking: Walking(changeReach: 0))
        for time in [JourneyPlanner.Query.Time.departing(date(sample, 0)), .arriving(date(sample, 400))] {
            let journeys = try planner.journeys(
                JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: time, maximumTransfers: 99))
            #expect(journeys.count <= 16)
        }
        _ = try planner.profile(
            JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(date(sample, 0))), seconds: 999_999)
        let update = TripUpdate(
            trip: TripReference(trip: "between"),
            stops: [
                .init(stop: "S0", arrival: .late(.seconds(Int64.max))), .init(stop: "S2", departure: .at(.distantPast)),
            ])
        _ = try planner.applying([update], now: .distantFuture)
            .journeys(JourneyPlanner.Query(from: .stop(0), to: .stop(2), time: .departing(date(sample, 0))))
        let nothing = JourneyPlanner(Timetable())
        #expect(throws: JourneyPlanner.QueryError.noSuchStop(0)) {
            try nothing.journeys(JourneyPlanner.Query(from: .stop(0), to: .stop(0), time: .departing(.now)))
        }
    }

    @Test func `a planner can be shared by concurrent tasks`() async throws {
        let random = SampleTimetable.random(seed: 3)
        let planner = JourneyPlanner(random.timetable(), walking: walking)
        let queries = (0..<64).map { number in
            let time = date(random, number % 4 * 40_000 + 30_000)
            return JourneyPlanner.Query(
                from: .stop(number % random.stops.count), to: .stop(number * 5 % random.stops.count),
                time: number % 2 == 0 ? .departing(time) : .arriving(time))
        }
        let alone = try queries.map { try planner.journeys($0) }
        let fresh = JourneyPlanner(random.timetable(), walking: walking)
        let together = try await withThrowingTaskGroup(of: (Int, [Journey]).self) { group in
            for (index, query) in queries.enumerated() { group.addTask { (index, try fresh.journeys(query)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(queries.indices.map { together[$0] } == alone)
    }

    @Test(arguments: [(0.0, 0.0, 0.004, 0.003), (25, 60, 25.02, 60.01), (-179.999, -45, 179.999, -45.01)])
    func `short distances equal those on the ellipsoid`(x1: Double, y1: Double, x2: Double, y2: Double) {
        let a = Coordinate(x: x1, y: y1), b = Coordinate(x: x2, y: y2)
        #expect(abs(NearMeters.between(a, b) / Geodesic.line(from: a, to: b).meters - 1) < 1e-6)
    }
}
