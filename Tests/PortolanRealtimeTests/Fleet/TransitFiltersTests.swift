import Foundation
import PortolanGeo
import PortolanTransit
import Testing

@testable import PortolanRealtime

@Suite struct TransitFiltersTests {
    @Test func `each line has switches for vehicles, stops and route`() {
        var filters = TransitPreferences.Filters()
        #expect(filters["9"] == .init(vehicles: true, stops: false, route: false))
        filters["9"].route = true
        filters["4"].vehicles = false
        #expect(filters["9"].route)
        #expect(!filters["4"].vehicles)
        #expect(filters["1"].vehicles)
        filters["4"].vehicles = true
        #expect(filters.lines.keys.sorted() == ["9"], "what is as the others is not kept")
    }

    @Test func `lines are grouped by mode, in the order of their numbers`() {
        func line(_ name: String, _ mode: TransitMode) -> Timetable.Line {
            Timetable.Line(id: name, shortName: name, mode: mode)
        }
        let sections = TransitPreferences.Filters.sections(
            of: [line("10", .tram), line("M1", .subway), line("3T", .tram), line("9", .tram), line("3", .tram)])
        #expect(sections.map(\.mode) == [.tram, .subway])
        #expect(sections.first?.lines.map(\.shortName) == ["3", "3T", "9", "10"])
    }

    @Test func `a vehicle on a hidden line is hidden, and one without a known line is shown`() {
        var filters = TransitPreferences.Filters()
        filters["9"].vehicles = false
        #expect(!filters.shows(report("a", at: 1, line: "9")))
        #expect(filters.shows(report("a", at: 1, line: "4")))
        #expect(filters.shows(report("a", at: 1)))
    }

    @Test func `vehicle switches change the requested lines`() {
        var filters = TransitPreferences.Filters()
        let view = Extent(minX: 24.8, minY: 60.1, maxX: 25, maxY: 60.2)
        #expect(filters.interest(in: view, of: ["9", "4"]) == VehicleInterest(extent: view))
        filters["9"].vehicles = false
        #expect(filters.interest(in: view, of: ["9", "4"]) == VehicleInterest(extent: view, lines: ["4"]))
        filters.standard.vehicles = false
        #expect(filters.interest(in: nil, of: ["9", "4"]).lines == [])
    }

    @Test func `a stop is shown if any of its lines is`() {
        var filters = TransitPreferences.Filters()
        filters["9"].stops = true
        #expect(filters.showsStop(of: ["4", "9"]))
        #expect(!filters.showsStop(of: ["4"]))
        #expect(!filters.showsStop(of: []))
    }

    @Test func `preferences survive a restart`() throws {
        var kept = TransitPreferences()
        kept.isFirstRun = false
        kept.filters["9"].route = true
        kept.filters["4"].vehicles = false
        kept.region = .init(longitude: 24.93, latitude: 60.18, zoom: 13.5)
        (kept.lastModified, kept.followsPosition) = ("Mon, 23 Nov 2026 04:30:00 GMT", true)
        kept.readDisruptions = ["7", "3"]
        #expect(try TransitPreferences(json: kept.json) == kept)
        #expect(kept.json == kept.json)
    }

    @Test func `preferences of an older app are read, and invalid ones are an error`() throws {
        #expect(try TransitPreferences(json: Array("{}".utf8)) == TransitPreferences())
        let odd = #"{"region":{"longitude":999,"latitude":0,"zoom":3},"later":true}"#
        #expect(try TransitPreferences(json: Array(odd.utf8)).region == nil)
        for (text, code) in [("", FeedError.Code.malformed), ("[]", .malformed), (#"{"version":2}"#, .unsupported)] {
            do {
                _ = try TransitPreferences(json: Array(text.utf8))
                Issue.record("it was read")
            } catch { #expect(error.code == code) }
        }
    }
}
