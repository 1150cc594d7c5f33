import Foundation
import Portolan
import PortolanCity
import PortolanPaint
import PortolanRaster
import PortolanTransit
import Testing

@Suite struct BoardPanelTests {
    /// Monday, 2 November 2026, in Helsinki two hours ahead of universal time.
    static func time(_ text: String) throws -> Date { try Date("2026-11-02T\(text):00+02:00", strategy: .iso8601) }

    static func panel(
        _ from: String, _ updates: [TripUpdate] = [], _ words: BoardWords = .english
    ) throws -> Furniture.FactsPanel {
        let timetable = try TransitMapTests.timetable(), now = try time(from)
        let board = StopBoard(timetable).applying(updates, now: now)
        let calls = board.departures(from: 1, after: now, within: 7200)
        return Furniture.FactsPanel(board: calls, of: timetable, title: "Kamppi", now: now, words: words)
    }

    @Test func `a departure board has the line in its colour, the destination and the time`() throws {
        let panel = try Self.panel("07:50"), green = MapColor(red: 0, green: 0x98, blue: 0x5F)
        #expect(panel.rows.map(\.mark) == ["9", "9"])
        #expect(panel.rows.map(\.text) == ["Hakaniemi", "Hakaniemi"])
        #expect(panel.rows.map(\.fact) == ["21 min", "09:11"])
        #expect(panel.rows.allSatisfy { $0.color == green })
        #expect(panel.notes == ["by the timetable"])
    }

    @Test func `real-time, passing and cancelled departures are marked`() throws {
        func late(_ change: TripUpdate.Change, _ stop: TripUpdate.StopTime) -> [TripUpdate] {
            [TripUpdate(trip: TripReference(trip: "t1"), change: change, stops: [stop])]
        }
        let delay = TripUpdate.StopTime(sequence: 1, departure: .late(.seconds(240)))
        #expect(try Self.panel("07:50", late(.scheduled, delay)).rows.first?.fact == "25 min ·")
        #expect(try Self.panel("07:50", late(.canceled, delay)).rows.first?.fact == "cancelled")
        let skipped = TripUpdate.StopTime(sequence: 2, change: .skipped)
        #expect(try Self.panel("07:50", late(.scheduled, skipped), .spanish).rows.first?.fact == "no para")
    }

    @Test(arguments: [("08:11", "now"), ("08:10", "1 min")])
    func `a departure within the last minute is shown as now`(from: String, fact: String) throws {
        #expect(try Self.panel(from).rows.first?.fact == fact)
    }

    @Test func `a board without departures says so`() throws {
        let panel = try Self.panel("12:00", [], .finnish)
        #expect(panel.rows.isEmpty)
        #expect(panel.notes == ["ei lähtöjä lähiaikoina"])
    }
}
