import Foundation
import PortolanGeo
import Testing

@testable import PortolanTransit

@Suite struct TimetableStopsTests {
    private func finder() throws -> TimetableStops {
        TimetableStops(StopBoard(try TransitFeed(at: FeedSample.fixture).timetable))
    }

    @Test func `stops around a place are found in a timetable without network`() throws {
        let finder = try finder()
        let timetable = try TransitFeed(at: FeedSample.fixture).timetable
        let center = try #require(timetable.stops.first { $0.kind == .stop }?.place)
        let found = try finder.stops(near: center, within: 500)
        let expected = timetable.stops.filter { $0.kind == .stop }.compactMap { stop in
            stop.place.map { (stop.id, Geodesic.line(from: center, to: $0).meters) }
        }.filter { $0.1 <= 500 }
        #expect(Set(found.stops.map(\.id)) == Set(expected.map(\.0)))
        #expect(found.stops.first?.meters == 0)
        #expect(found.stops.map(\.meters) == found.stops.map(\.meters).sorted())
        #expect(found.distance == .straight)
        #expect(throws: StopFinderError.invalidPlace) { try finder.stops(near: Coordinate(x: 0, y: 91), within: 5) }
    }

    @Test func `the next arrivals at a stop are found in a timetable`() throws {
        let timetable = try TransitFeed(at: FeedSample.fixture).timetable
        let finder = try finder(), board = StopBoard(timetable)
        let day = try #require(timetable.calendar.days).lowerBound
        let noon = board.clock.date(12 * 3600, on: day.advanced(by: 3))
        let index = try #require(timetable.stops.firstIndex { $0.kind == .stop })
        let calls = board.departures(from: index, after: noon, within: 86_400, limit: 5)
        let arrivals = try finder.arrivals(at: timetable.stops[index].id, from: noon, limit: 5)
        #expect(!arrivals.isEmpty)
        #expect(Set(arrivals.map(\.scheduled)) == Set(calls.map(\.scheduled)))
        #expect(arrivals.allSatisfy { !$0.line.isEmpty && $0.mode != nil && $0.time >= noon && !$0.isCanceled })
        #expect(throws: StopFinderError.unknownStop("?")) { try finder.arrivals(at: "?", from: noon, limit: 5) }
    }
}
