import Foundation
import PortolanTransit
import PortolanWeb
import Testing

@testable import PortolanRealtime

@Suite struct ArrivalsTests {
    private let text = """
        650|Eläintarha|Nordenskiöldinkatu|Helsinki
        1156|3T|Katajanokan termin.|1003T 2
        1150|7A|Töölö|1007A 1
        bad
        2401|9|Pasila|1009 1
        """

    private func board(at hour: Int) throws -> ArrivalsBoard {
        let day = try #require(ServiceDay(year: 2026, month: 11, day: 23)),
            zone = try #require(TimeZone(secondsFromGMT: 7200))
        let now = Date(timeIntervalSince1970: Double(day.daysSince1970 * 86_400 + hour * 3600 - 7200))
        return try ArrivalsBoard(text: Array(text.utf8), source: "a", day: day, zone: zone, now: now)
    }

    @Test func `a text of arrivals is parsed into a stop and its arrivals`() throws {
        let board = try board(at: 11)
        #expect(board.stop == "650")
        #expect(board.name == "Eläintarha")
        #expect(board.street == "Nordenskiöldinkatu")
        #expect(board.city == "Helsinki")
        #expect(board.arrivals.map(\.label) == ["9", "7A", "3T"])
        let arrival = try #require(board.arrivals.last)
        #expect(arrival.line == "1003T")
        #expect(arrival.direction == 1)
        #expect(arrival.destination == "Katajanokan termin.")
        #expect(arrival.planned == ISOTime.date("2026-11-23T11:56:00+02:00"))
    }

    @Test func `times after midnight are on the next day`() throws {
        let night = try board(at: 23).arrivals.first { $0.label == "9" }
        #expect(night?.planned == ISOTime.date("2026-11-24T00:01:00+02:00"))
    }

    @Test func `arrivals are grouped by direction`() throws {
        let tabs = try board(at: 11).byDirection
        #expect(tabs.map(\.direction) == [0, 1])
        #expect(tabs.map(\.arrivals.count) == [2, 1])
    }

    @Test func `arrivals are printed in the language of the rider`() throws {
        var board = try board(at: 11)
        let now = try #require(ISOTime.date("2026-11-23T11:48:00+02:00"))
        board.arrivals = board.arrivals.suffix(2)
        #expect(
            board.lines(now: now, in: .finnish) == [
                "Saapuvat: Eläintarha", "7A Töölö: 2 min", "3T Katajanokan termin.: 8 min",
            ])
        board.arrivals = []
        #expect(board.lines(now: now, in: .english) == ["Arrivals at Eläintarha", "No arrivals"])
    }

    @Test(arguments: ["", "no stop", "|name", "<html>"]) func `an invalid text of arrivals is an error`(
        text: String
    ) throws {
        let day = ServiceDay(daysSince1970: 0), zone = try #require(TimeZone(secondsFromGMT: 0))
        #expect(throws: FeedError.self) {
            try ArrivalsBoard(text: Array(text.utf8), source: "a", day: day, zone: zone, now: time(0))
        }
    }
}
