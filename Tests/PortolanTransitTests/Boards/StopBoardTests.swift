import Foundation
import PortolanGeo
import Testing

@testable import PortolanTransit

@Suite struct StopBoardTests {
    private static let day = ServiceDay(daysSince1970: 20_780)  // Monday, 2026-11-23
    private static func date(_ hours: Int, _ minutes: Int = 0) -> Date {
        // Midnight in Helsinki by Python's zoneinfo.
        Date(timeIntervalSince1970: 1_795_384_800 + Double(hours * 3600 + minutes * 60))
    }

    private static func minutes(_ calls: [StopBoard.Call]) -> [Int] {
        calls.map { Int($0.scheduled.timeIntervalSince(date(0))) / 60 }
    }

    @Test func `a board lists departures and arrivals within a time range`() throws {
        let board = StopBoard(try FeedSample.feed().timetable)
        let calls = board.departures(from: 1, after: Self.date(8))
        #expect(Self.minutes(calls) == [491, 551])
        #expect(calls.map(\.headsign) == ["Hakaniemi", "Hakaniemi"])
        #expect(calls.map(\.tripID) == ["t1", "t2"])
        #expect(calls.allSatisfy { $0.day == Self.day && $0.expected == nil })
        #expect(Self.minutes(board.arrivals(at: 1, after: Self.date(8))) == [490, 550])
        #expect(Self.minutes(board.departures(from: 1, after: Self.date(8, 11), within: 0)) == [491])
        #expect(Self.minutes(board.departures(from: 1, after: Self.date(8, 12))) == [551])
        #expect(Self.minutes(board.departures(from: 1, after: Self.date(8), limit: 1)) == [491])
        // Nothing departs where a trip ends, or arrives where it begins.
        #expect(board.departures(from: 2, after: Self.date(0), within: 86_400).isEmpty)
        #expect(board.arrivals(at: 0, after: Self.date(0), within: 86_400).isEmpty)
        // Saturday, and an unknown stop.
        #expect(board.departures(from: 1, after: Self.date(5 * 24), within: 86_400).isEmpty)
        #expect(board.departures(from: 99, after: Self.date(8)).isEmpty)
        #expect(board.lines(atStop: 1) == [0])
        #expect(board.lines(atStop: 3).isEmpty)
    }

    @Test func `trips after midnight are found on the next calendar day`() throws {
        let board = StopBoard(
            try FeedSample.feed([
                "stop_times.txt": """
                trip_id,arrival_time,departure_time,stop_id,stop_sequence
                t1,23:50:00,23:50:00,s1,1
                t1,24:20:00,24:21:00,s2,2
                t1,25:00:00,25:00:00,s3,3
                t2,49:00:00,49:00:00,s1,1
                t2,49:20:00,49:20:00,s3,3

                """
            ]).timetable)
        let calls = board.departures(from: 1, after: Self.date(24), within: 3600)
        #expect(Self.minutes(calls) == [24 * 60 + 21] && calls[0].day == Self.day)
        #expect(Self.minutes(board.departures(from: 0, after: Self.date(49), within: 60)) == [49 * 60])
    }

    @Test func `a station board lists its stops' departures with their platforms`() throws {
        let board = StopBoard(
            try FeedSample.feed([
                "stops.txt": """
                stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
                s1,a,60.18,24.92,,S,1
                s2,b,60.18,24.921,,S,2
                s3,c,60.20,24.95,,,
                S,d,60.18,24.92,1,,

                """
            ]).timetable)
        let calls = board.departures(from: 3, after: Self.date(8))
        #expect(calls.map(\.platform) == ["1", "2", "1", "2"])
        #expect(calls.map(\.stop) == [0, 1, 0, 1])
        #expect(board.boardable(3) == [0, 1])
        #expect(board.lines(atStop: 3) == [0])
    }

    @Test func `entrances and other parts of a station stand for its stops on boards and journeys`() throws {
        let timetable = try FeedSample.feed([
            "stops.txt": """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
            s1,a,60.18,24.92,,S
            s2,b,60.18,24.921,,S
            s3,c,60.20,24.95,,
            S,d,60.18,24.92,1,
            E,door,60.18,24.92,2,S
            N,,,,3,S
            P,,,,4,s1
            T,nothing,60.18,24.92,1,

            """
        ]).timetable
        let board = StopBoard(timetable), planner = JourneyPlanner(timetable)
        let wanted = [[0], [1], [2], [0, 1], [0, 1], [0, 1], [0], []]
        #expect(timetable.stops.indices.map { board.boardable($0) } == wanted)
        #expect(timetable.stops.indices.map { planner.network.boardable($0) } == wanted)
        #expect(board.boardable(-1).isEmpty)
        #expect(board.boardable(99).isEmpty)
    }

    @Test func `live updates change times, skip stops and cancel trips`() throws {
        let board = StopBoard(try FeedSample.feed().timetable)
        let late = TripUpdate(
            trip: TripReference(trip: "t1", day: Self.day),
            stops: [TripUpdate.StopTime(stop: "s1", departure: .late(.seconds(300)))])
        let known = board.applying([late], now: Self.date(8))
        let calls = known.departures(from: 1, after: Self.date(8, 12), within: 600)
        #expect(calls.map(\.delay) == [300])
        #expect(Self.minutes(calls) == [491])
        #expect(calls.first?.expected == Self.date(8, 16))
        let skipped = TripUpdate(
            trip: TripReference(trip: "t1", day: Self.day),
            stops: [TripUpdate.StopTime(stop: "s2", change: .skipped)])
        #expect(
            board.applying([skipped], now: Self.date(8)).departures(from: 1, after: Self.date(8), within: 900).map(
                \.state)
                == [.skipped])
        let canceled = TripUpdate(trip: TripReference(trip: "t1", day: Self.day), change: .canceled)
        #expect(
            board.applying([canceled], now: Self.date(8)).departures(from: 1, after: Self.date(8)).map(\.state)
                == [.canceled, .stops])
    }

    @Test func `boarding and alighting rules filter departures and arrivals`() throws {
        let board = StopBoard(
            try FeedSample.feed([
                "stop_times.txt": """
                trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type
                t1,8:00:00,8:00:00,s1,1,0,1
                t1,8:10:00,8:10:00,s2,2,1,0
                t1,8:20:00,8:20:00,s4,3,2,1
                t1,8:30:00,8:30:00,s3,4,1,0

                """
            ]).timetable)
        #expect(board.departures(from: 1, after: Self.date(8)).isEmpty)
        #expect(board.arrivals(at: 1, after: Self.date(8)).count == 1)
        #expect(board.departures(from: 3, after: Self.date(8)).map(\.isOnRequest) == [true])
        #expect(board.arrivals(at: 3, after: Self.date(8)).isEmpty)
    }

    @Test func `stops near a place are found, the nearest first`() throws {
        let board = StopBoard(try FeedSample.feed().timetable)
        let found = board.stops(near: Coordinate(x: 24.93, y: 60.17), within: 1300)
        #expect(found.map(\.stop) == [1, 0])
        let nearest = try #require(found.first)
        #expect(abs(nearest.meters - 124) < 5)
        #expect(board.stops(near: Coordinate(x: 0, y: 0), within: 1500).isEmpty)
    }

    /// From frequencies.txt by hand: the shuttle each half hour, line 40 each ten minutes.
    @Test(.enabled(if: FeedSample.has("sample-feed-1.zip"), "PORTOLAN_GTFS names no folder with the sample feed"))
    func `departures of the sample feed follow its frequencies`() throws {
        let feed = try TransitFeed(at: FeedSample.folder + "/sample-feed-1.zip")
        #expect(feed.problems.count == 0, "\(feed.problems.kept)")
        let board = StopBoard(feed.timetable)
        let stop = try #require(feed.timetable.stops.firstIndex { $0.id == "STAGECOACH" })
        let eight = Date(timeIntervalSince1970: 1_181_055_600)
        let calls = board.departures(from: stop, after: eight, within: 3600)
        #expect(calls.filter { $0.tripID == "STBA" }.map { $0.scheduled.timeIntervalSince(eight) } == [0, 1800, 3600])
        #expect(
            calls.filter { $0.tripID == "CITY1" }.map { $0.scheduled.timeIntervalSince(eight) / 600 } == [
                0, 1, 2, 3, 4, 5, 6,
            ])
        #expect(calls.count == 10)
        #expect(calls.allSatisfy { $0.headway != nil })
        #expect(calls.first { $0.tripID == "STBA" }?.headsign == "Shuttle")
        // The day before does not run (calendar_dates.txt).
        #expect(board.departures(from: stop, after: eight.addingTimeInterval(-86_400), within: 3600).isEmpty)
        // Line 40 comes back 26 minutes after it departed, which it did at 7:30 and then from 8:00 on.
        let back = board.arrivals(at: stop, after: eight, within: 3600).map {
            $0.scheduled.timeIntervalSince(eight) / 60
        }
        #expect(back == [26, 36, 46, 56])
    }

    @Test(.enabled(if: FeedSample.has("kuopio-2016-gtfs.zip"), "PORTOLAN_GTFS names no folder with the feed of Kuopio"))
    func `departures in Kuopio equal those read independently`() throws {
        let timetable = try TransitFeed(at: FeedSample.folder + "/kuopio-2016-gtfs.zip").timetable
        let stop = try #require(timetable.stops.firstIndex { $0.id == "201827" })
        let eight = Date(timeIntervalSince1970: 1_479_276_000)
        let calls = StopBoard(timetable).departures(from: stop, after: eight, within: 1800)
        #expect(calls.map(\.tripID) == ["Talvikausi_2_2_15_Ma-Pe_0800"])
        #expect(calls.first?.scheduled == eight.addingTimeInterval(900))
    }
}
