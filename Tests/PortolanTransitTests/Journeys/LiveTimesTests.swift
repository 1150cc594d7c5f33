import Foundation
import Testing

@testable import PortolanTransit

/// The content of trip updates, and its gaps.
@Suite struct LiveTimesTests {
    private typealias News = TripUpdate.StopTime
    private static let day = ServiceDay(daysSince1970: 20_780)  // Monday, 2026-11-23
    /// Midnight in Helsinki by Python's zoneinfo.
    private static let midnight = Date(timeIntervalSince1970: 1_795_384_800)
    private static let head = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

    private static func expected(
        _ update: TripUpdate, _ others: [String: String?] = [:], trip: String = "t1", at hour: Int = 8
    ) throws -> [Int?] {
        let board = StopBoard(try FeedSample.feed(others).timetable)
            .applying([update], now: midnight.addingTimeInterval(Double(hour * 3600)))
        let times = (0..<3).map { stop in
            let calls =
                stop == 2
                ? board.arrivals(at: 2, after: midnight, within: 172_800)
                : board.departures(from: stop, after: midnight, within: 172_800)
            return calls.first { $0.tripID == trip && $0.day == day }?.delay
        }
        return times
    }

    private static func update(_ stops: [TripUpdate.StopTime], delay: Duration? = nil) -> TripUpdate {
        TripUpdate(trip: TripReference(trip: "t1", day: day), stops: stops, delay: delay)
    }

    @Test func `a trip without an update is not known to be on time`() throws {
        let late = TripUpdate.Time.late(.seconds(60))
        #expect(try Self.expected(Self.update([])) == [nil, nil, nil])
        #expect(try Self.expected(Self.update([], delay: .zero)) == [0, 0, 0])
        #expect(try Self.expected(Self.update([News(stop: "s2", arrival: late)])) == [nil, 60, 60])
        #expect(
            try Self.expected(Self.update([News(stop: "s1", departure: late), News(stop: "s2", change: .unknown)]))
                == [60, nil, nil])
        #expect(
            try Self.expected(
                Self.update([
                    News(stop: "s1", departure: late), News(stop: "s2", change: .unknown),
                    News(stop: "s3", arrival: late),
                ])) == [60, nil, 60])
        // Its own delay applies before the first reported stop.
        #expect(
            try Self.expected(Self.update([News(stop: "s2", arrival: late)], delay: .seconds(30))) == [30, 60, 60])
        // An arrival is never before its departure.
        #expect(
            try Self.expected(
                Self.update([News(stop: "s1", departure: .late(.seconds(900))), News(stop: "s2", change: .unknown)]))
                == [900, 240, nil])
    }

    @Test func `an empty update withdraws earlier ones`() throws {
        let feed = try FeedSample.feed()
        let board = StopBoard(feed.timetable).applying(
            [TripUpdate(trip: TripReference(trip: "t1", day: Self.day), change: .canceled), Self.update([])],
            now: Self.midnight)
        let calls = board.departures(from: 0, after: Self.midnight, within: 86_400)
        #expect(calls.map(\.state) == [.stops, .stops])
        #expect(calls.allSatisfy { $0.expected == nil })
    }

    @Test(arguments: [1800, 88_200, 40_000, Int.min, .max])
    func `a wrong start time does not hide the only run of an identifier`(start: Int) throws {
        let times = [
            "stop_times.txt": Self.head
                + "t1,24:30:00,24:30:00,s1,1\nt1,24:40:00,24:40:00,s2,2\nt1,25:00:00,25:00:00,s3,3\n"
        ]
        let late = TripUpdate(
            trip: TripReference(trip: "t1", day: Self.day, start: start), delay: .seconds(120))
        #expect(try Self.expected(late, times, at: 24) == [120, 120, 120])
    }

    /// 00:30 of the 24th for 24:30 of the 23rd.
    @Test(arguments: [(20_780, 1800, 120), (20_781, 1800, 120), (20_781, 88_200, nil), (20_779, 1800, nil)])
    func `an update after midnight can state the next calendar day`(day: Int, start: Int, delay: Int?) throws {
        let times = [
            "stop_times.txt": Self.head
                + "t1,24:30:00,24:30:00,s1,1\nt1,24:40:00,24:40:00,s2,2\nt1,25:00:00,25:00:00,s3,3\n"
        ]
        let late = TripUpdate(
            trip: TripReference(trip: "t1", day: ServiceDay(daysSince1970: day), start: start), delay: .seconds(120))
        #expect(try Self.expected(late, times, at: 24) == [delay, delay, delay])
    }

    @Test func `updates of unknown trips are reported`() throws {
        let added = TripUpdate(trip: TripReference(trip: "t1", day: Self.day), change: .added)
        let unknown = TripUpdate(trip: TripReference(trip: "t99"), delay: .seconds(60))
        let updates = [added, Self.update([], delay: .seconds(60)), unknown]
        let timetable = try FeedSample.feed().timetable
        #expect(StopBoard(timetable).applying(updates, now: Self.midnight).unmatchedUpdates == [added, unknown])
        #expect(JourneyPlanner(timetable).applying(updates, now: Self.midnight).unmatchedUpdates == [added, unknown])
        #expect(StopBoard(timetable).unmatchedUpdates.isEmpty)
    }

    @Test(
        arguments: [(84_600, [60, nil]), (88_200, [nil, 60]), (1800, [nil, 60]), (60, [nil, nil])] as [(Int, [Int?])])
    func `a start time distinguishes runs with one identifier`(start: Int, delays: [Int?]) throws {
        let feed = try FeedSample.feed([
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs,exact_times\nt1,23:30:00,25:00:00,3600,1\n"
        ])
        let update = TripUpdate(trip: TripReference(trip: "t1", day: Self.day, start: start), delay: .seconds(60))
        let calls = StopBoard(feed.timetable).applying([update], now: Self.midnight.addingTimeInterval(86_400))
            .departures(from: 0, after: Self.midnight.addingTimeInterval(80_000), within: 10_000)
        #expect(calls.filter { $0.tripID == "t1" && $0.day == Self.day }.map(\.delay) == delays)
    }

    @Test func `stops of an update can be in any order`() throws {
        let stops = [
            News(stop: "s3", arrival: .late(.seconds(180))), News(stop: "s1", departure: .late(.seconds(60))),
            News(stop: "s2", arrival: .late(.seconds(120))),
        ]
        #expect(try Self.expected(Self.update(stops)) == [60, 120, 180])
    }

    @Test func `repeated stops of an update match visits in order`() throws {
        let feed = try FeedSample.feed([
            "stop_times.txt": Self.head
                + "t1,8:00:00,8:00:00,s1,1\nt1,8:10:00,8:10:00,s2,2\nt1,8:20:00,8:20:00,s1,3\nt1,8:30:00,8:30:00,s3,4\n"
        ])
        let late = [60, 120, 180].map { TripUpdate.Time.late(.seconds($0)) }
        let stops = [
            News(stop: "s1", departure: late[0]), News(stop: "s1", departure: late[1]),
            News(stop: "s1", departure: late[2]),
        ]
        let calls = StopBoard(feed.timetable).applying([Self.update(stops)], now: Self.midnight)
            .departures(from: 0, after: Self.midnight, within: 86_400)
        #expect(calls.map(\.delay) == [60, 120])
    }
}
