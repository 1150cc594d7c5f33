import Foundation
import Portolan
import PortolanCity
import PortolanFeatures
import PortolanGeo
import PortolanTransit
import TestHelpers
import Testing

@Suite struct TransitMapTests {
    static func timetable(_ others: [String: String] = [:]) throws -> Timetable {
        let files = SampleFeed.files.merging(others) { _, other in other }
        return try TransitFeed(files: files.mapValues { Array($0.utf8) }).timetable
    }

    @Test func `a line is drawn in its colour, from stop to stop if it has no shape`() throws {
        let map = TransitMap(try Self.timetable()), line = try #require(map.lines.first)
        #expect(map.lines.count == 1)
        #expect(line.properties["color"] == .string("#00985f"))
        #expect(line.properties["name"] == .string("9"))
        #expect(line.properties["mode"] == .string("tram"))
        #expect(line.geometry.map { Array($0.coordinates) }?.count == 3)
        #expect(map.paths["r9/0"]?.first == Coordinate(x: 24.92, y: 60.18))
        #expect(map.paths["r9"] == map.paths["r9/0"])
    }

    @Test func `stops list their lines, and stops without service are left out`() throws {
        let stops = TransitMap(try Self.timetable()).stops
        #expect(stops.map { $0.properties["name"] } == ["Töölö", "Kamppi", "Hakaniemi"].map { .string($0) })
        #expect(stops.allSatisfy { $0.properties["lines"] == .string("9") && $0.properties["label"] != nil })
    }

    @Test func `of two stops of the same name across a street, one is labelled`() throws {
        let stops = """
            stop_id,stop_name,stop_lat,stop_lon
            s1,Kamppi,60.1692,24.9310
            s2,Kamppi,60.1690,24.9310
            s3,Kamppi,60.1790,24.9500

            """
        let labels = TransitMap(try Self.timetable(["stops.txt": stops])).stops.map { $0.properties["label"] != nil }
        #expect(labels == [true, false, true])
    }

    @Test func `lines that are not selected are left out`() throws {
        let map = TransitMap(try Self.timetable(), lines: ["r7"])
        #expect(map.lines.isEmpty)
        #expect(map.stops.isEmpty)
        #expect(map.paths.isEmpty)
    }

    @Test func `the attribution of a timetable layer is the publisher of the feed`() throws {
        let info = "feed_publisher_name,feed_publisher_url,feed_lang\nTown of A,https://a.example,fi\n"
        let layer = MapLayer.timetable(try Self.timetable(["feed_info.txt": info]))
        #expect(layer.attribution == "Town of A")
        #expect(layer.features?.features.count == 4)
    }
}
