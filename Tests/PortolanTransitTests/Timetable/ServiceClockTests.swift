import Foundation
import Testing

@testable import PortolanTransit

@Suite struct ServiceClockTests {
    /// The beginnings of days by Python's zoneinfo: noon less twelve hours.
    @Test(arguments: [
        ("Europe/Helsinki", 2026, 3, 29, 1_774_731_600), ("Europe/Helsinki", 2026, 10, 25, 1_792_879_200),
        ("Europe/Helsinki", 2026, 11, 23, 1_795_384_800), ("America/Los_Angeles", 2007, 3, 11, 1_173_596_400),
        ("America/Los_Angeles", 2007, 11, 4, 1_194_163_200), ("Australia/Lord_Howe", 2026, 4, 5, 1_775_309_400),
        ("Asia/Kathmandu", 2026, 1, 1, 1_767_204_900), ("America/Sao_Paulo", 2018, 11, 4, 1_541_296_800),
        ("Pacific/Apia", 2011, 12, 31, 1_325_239_200),
    ])
    func `a service day begins twelve hours before noon`(
        zone: String, year: Int, month: Int, day: Int, start: Int
    ) throws {
        let clock = ServiceDay.Clock(timeZone: try #require(TimeZone(identifier: zone)))
        let day = try #require(ServiceDay(year: year, month: month, day: day))
        #expect(clock.date(0, on: day).timeIntervalSince1970 == Double(start))
        #expect(clock.date(90_000, on: day).timeIntervalSince1970 == Double(start + 90_000))
        let noon = Date(timeIntervalSince1970: Double(start + 43_200))
        #expect(clock.day(at: noon) == day)
        #expect(clock.seconds(at: noon, on: day) == 43_200)
    }

    @Test(arguments: [
        (-1e300, "0001-01-01"), (-.infinity, "0001-01-01"), (1e300, "9999-12-31"), (.infinity, "9999-12-31"),
    ])
    func `times outside the calendar are clamped to the first or last day`(time: Double, day: String) {
        let clock = ServiceDay.Clock(timeZone: .gmt)
        #expect(clock.day(at: Date(timeIntervalSince1970: time)).description == day)
    }

    @Test(arguments: [
        ("Nowhere/Land", "Europe/Helsinki", "Europe/Helsinki", 1), ("Europe/Rome", "Europe/Helsinki", "Europe/Rome", 0),
        ("Nowhere/Land", "x", "GMT", 3),
    ])
    func `the first agency with a known time zone sets the time zone of boards and journeys`(
        first: String, second: String, zone: String, problemCount: Int
    ) throws {
        let feed = try FeedSample.feed([
            "agency.txt": "agency_id,agency_name,agency_timezone\nB,B,\(first)\nA,A,\(second)\n"
        ])
        #expect(ServiceDay.Clock(feed.timetable).timeZone.identifier == zone)
        #expect(StopBoard(feed.timetable).clock.timeZone.identifier == zone)
        #expect(JourneyPlanner(feed.timetable).clock.timeZone.identifier == zone)
        #expect(feed.problems.count == problemCount)
        #expect(feed.problems.count(of: .malformed) == problemCount)
    }

    @Test func `a stop shows times in its own zone, that of its station, or that of the agencies`() throws {
        let feed = try FeedSample.feed([
            "stops.txt": """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone
            s1,a,60,24,,S,
            s2,b,60,24,,,Europe/Stockholm
            s3,c,60,24,,,
            S,d,60,24,1,,Europe/Tallinn

            """
        ])
        #expect(
            (0..<3).map { feed.timetable.timeZone(ofStop: $0).identifier } == [
                "Europe/Tallinn", "Europe/Stockholm", "Europe/Helsinki",
            ])
    }
}
