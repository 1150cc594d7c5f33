import Portolan
import Testing

@testable import LiveCity

@Suite struct UsageEventTests {
    static let rows: [(String, UsageEvent.Kind, String)] = [
        ("MT-E1", .loading(.milliseconds(1234)), "APPLICATION/Loading elapsed time 1234"),
        ("MT-E2", .region(cell: "C4"), "USER/Region C4 1"), ("MT-E3", .stopFiltering(stop: "s"), "STOP/Filtering s 1"),
        ("MT-E4", .stopSelection(stop: "s"), "STOP/Selection s 1"),
        ("MT-E5", .stopLocation(stop: "s", meters: 449), "STOP/Location s 400"),
        ("MT-E6", .stopSchedule(stop: "s", .seconds(2)), "STOP/Schedule s 2000"),
        ("MT-E7", .lineFiltering(line: "9"), "LINE/Filtering 9 1"),
        ("MT-E8", .vehicleSelection(vehicle: "v"), "MARKER/Selection v 1"),
        ("MT-E9", .vehicleLocation(vehicle: "v", meters: 1260), "MARKER/Location v 1300"),
        ("MT-E10", .routeFiltering(line: "9"), "ROUTE/Filtering 9 1"),
    ]

    @Test(arguments: rows)
    func `an event has category, action, label and value`(
        row: String, kind: UsageEvent.Kind, text: String
    ) {
        let event = UsageEvent(kind)
        #expect("\(event.category)/\(event.action) \(event.label) \(event.value)" == text, "\(row)")
    }

    @Test func `events are counted only with consent and deleted when it is withdrawn`() {
        var log = UsageLog()
        log.count(.stopSelection(stop: "s"))
        #expect(log.events.isEmpty)
        log.isAllowed = true
        for _ in 0..<2000 { log.count(.stopSelection(stop: "s")) }
        #expect(log.events.count == UsageLog.limit)
        #expect(log.take().count == UsageLog.limit && log.events.isEmpty)
        log.count(.stopSelection(stop: "s"))
        log.isAllowed = false
        #expect(log.events.isEmpty)
    }

    @Test func `a position is reduced to a cell of at least a kilometre`() throws {
        let city = try #require(Extent(minX: 24.85818, minY: 60.139076, maxX: 25.001793, maxY: 60.221107))
        let grid = UsageGrid(area: city, columns: 100, rows: 100)
        #expect(grid.columns == 7 && grid.rows == 9)
        #expect(grid.cell(of: Coordinate(x: 24.8582, y: 60.2211)) == "A1")
        #expect(grid.cell(of: Coordinate(x: city.maxX, y: city.minY)) == "G9")
        #expect(grid.cell(of: Coordinate(x: 24, y: 60)) == nil && grid.cell(of: Coordinate(x: .nan, y: 60)) == nil)
    }

    @Test func `an event is written as a JSON line without a time`() {
        let line = String(decoding: UsageEvent(.stopSelection(stop: "s\"\n")).line, as: UTF8.self)
        #expect(line == #"{"action":"Selection","category":"STOP","label":"s\"\n","value":1}"#)
    }

    @Test func `invalid numbers count as zero`() {
        #expect(UsageEvent(.stopLocation(stop: "s", meters: .nan)).value == 0)
        #expect(UsageEvent(.loading(.seconds(-5))).value == 0)
    }
}
