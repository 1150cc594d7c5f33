import Portolan
import PortolanGeo
import PortolanPlan
import Testing

@Suite struct FilmTimesTests {
    @Test(arguments: [
        ("2026-11-27", ["2026-11-27"]), ("2026-11-27,2026-11-29", ["2026-11-27", "2026-11-29"]),
        ("2026-11-27/2026-11-29/P1D", ["2026-11-27", "2026-11-28", "2026-11-29"]),
        (
            "2026-11-27T22:00Z/2026-11-28T00:00Z/PT1H",
            ["2026-11-27T22:00:00Z", "2026-11-27T23:00:00Z", "2026-11-28T00:00:00Z"]
        ),
        ("2026-01-31/2026-04-30/P1M", ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]),
        ("2023-02-28/2026-01-01/P1Y", ["2023-02-28", "2024-02-28", "2025-02-28"]),
        (
            "2026-11-27T10:00:00Z/2026-11-27T10:01:00Z/PT30S",
            ["2026-11-27T10:00:00Z", "2026-11-27T10:00:30Z", "2026-11-27T10:01:00Z"]
        ),
        ("2026/2026-03/P1M,2027", ["2026-01-01", "2026-02-01", "2026-03-01", "2027"]),
    ])
    func `lists and intervals become times`(_ text: String, _ times: [String]) throws {
        #expect(try FilmTimes(text).times.map(\.text) == times)
    }

    @Test(arguments: [
        ("", FilmTimes.InvalidError.none), ("soon", .notATime("soon")), ("12:00", .notATime("12:00")),
        ("2026-13-01", .notATime("2026-13-01")),
        ("2026-11-27/2026-11-28", .notAnInterval("2026-11-27/2026-11-28")),
        ("2026-11-28/2026-11-27/P1D", .notAnInterval("2026-11-28/2026-11-27/P1D")),
        ("2026-11-27/2026-11-28/1h", .notAPeriod("1h")), ("2026-11-27/2026-11-28/P0D", .notAPeriod("P0D")),
        ("2026-11-27/2026-11-28/PT", .notAPeriod("PT")), ("2026-11-27/x/P1D", .notATime("x")),
        ("0001-01-01/9999-12-31/PT1S", .tooMany),
    ])
    func `invalid times are refused with their reason`(_ text: String, _ reason: FilmTimes.InvalidError) {
        #expect(throws: reason) { try FilmTimes(text) }
    }

    @Test func `a flight begins and ends at its views, and zooms out between them`() throws {
        let size = try #require(ImageSize(width: 400, height: 300))
        func view(_ x: Double, _ y: Double, _ zoom: Double) throws -> Viewport {
            try Viewport(
                center: Coordinate(x: x, y: y), resolution: try #require(Resolution(zoom: zoom, in: .webMercator)),
                size: size)
        }
        let start = try view(0, 0, 10), end = try view(2_000_000, 500_000, 12)
        let views = ViewAnimation.views(from: start, to: end, count: 25)
        #expect(views.count == 25 && views.first == start && views.last == end)
        #expect((views.map(\.resolution.unitsPerPixel).max() ?? 0) > 4 * start.resolution.unitsPerPixel)
        #expect(zip(views, views.dropFirst()).allSatisfy { $0.center.x <= $1.center.x })
        #expect(ViewAnimation.views(from: start, to: end, count: 1) == [end])
        #expect(ViewAnimation.views(from: start, to: end, count: 0).isEmpty)
    }
}
