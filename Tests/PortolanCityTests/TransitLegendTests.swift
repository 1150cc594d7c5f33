import Foundation
import Portolan
import PortolanCity
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTransit
import TestHelpers
import Testing

/// The legends of timetable layers.
@Suite struct TransitLegendTests {
    /// The files of a feed in which each line, such as `9,0,00985F,A` (name, type, colour, agency), has one trip.
    private static func files(_ lines: [String], agencies: String? = nil) -> [String: Data] {
        var files = SampleFeed.files, routes = "route_id,agency_id,route_short_name,route_type,route_color\n"
        var trips = "route_id,service_id,trip_id,trip_headsign,direction_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for line in lines {
            let parts = line.split(separator: ","), name = parts[0], agency = parts.count > 3 ? parts[3] : ""
            routes += "\(name),\(agency),\(name),\(parts[1]),\(parts[2])\n"
            trips += "\(name),week,t\(name),End,0\n"
            times += "t\(name),08:00:00,08:00:00,s1,1\nt\(name),08:10:00,08:10:00,s2,2\n"
        }
        files["routes.txt"] = routes
        files["trips.txt"] = trips
        files["stop_times.txt"] = times
        if let agencies { files["agency.txt"] = "agency_id,agency_name,agency_url,agency_timezone\n" + agencies }
        return files.mapValues { Data($0.utf8) }
    }

    private static func timetable(_ lines: [String]) throws -> Timetable {
        try TransitFeed(files: files(lines).mapValues { Array($0) }).timetable
    }

    private static func legend(_ timetable: Timetable, lines: Set<String>? = nil) throws -> [Legend.Symbol] {
        let center = try CoordinateTransform(from: .crs84, to: .webMercator)(Coordinate(x: 24.93, y: 60.175))
        let viewport = try Viewport(
            center: #require(center), resolution: #require(Resolution(unitsPerPixel: 10)),
            size: #require(ImageSize(width: 600, height: 600)))
        let plan = MapPlanner(viewport: viewport, showsLegend: true).plan([.timetable(timetable, lines: lines)])
        guard case .symbols(let symbols, _)? = plan.legend?.entries.first?.content else { return [] }
        return symbols
    }

    @Test(arguments: [
        (["4,0,00985F", "10,0,00985F", "M1,1,FF6319", "2,0,00985F"], ["Stops", "Tram 2, 4, 10", "Metro M1"]),
        (["1,3,ff0000", "2,3,00ff00"], ["Stops", "Bus 1", "Bus 2"]),
        // More colours than a legend has room for.
        (
            (1...13).map { "\($0),\($0 % 2 == 0 ? 2 : 3),0000\(10 + $0)" },
            ["Stops", "Bus 1, 3, 5, 7, 9, 11, 13", "Train 2, 4, 6, 8, 10, 12"]
        ),
        ((100...140).map { "\($0),3,008000" }, ["Stops", "Bus"]),
        (
            (100...140).map { "\($0),3,008000" } + ["7,3,ff0000"],
            ["Stops", "Bus 100, 101, 102, 103, 104, 105, 106, …", "Bus 7"]
        ),
    ])
    func `a legend names the lines of each mode and colour`(lines: [String], titles: [String]) throws {
        #expect(try Self.legend(Self.timetable(lines)).map(\.text) == titles)
    }

    @Test func `a sample has the colour of its lines, and lines that are not shown have none`() throws {
        let timetable = try Self.timetable(["4,0,00985F", "M1,1,FF6319"])
        let colors = try Self.legend(timetable).compactMap { $0.style.stroke?.color.hexText }
        #expect(colors == ["#00985f", "#ff6319"])
        #expect(try Self.legend(timetable, lines: ["M1"]).map(\.text) == ["Stops", "Metro M1"])
    }

    @Test(
        arguments: [
            ("A,Lines of A,https://a.example,Europe/Helsinki\n", ["4,0,00985F,A"], [:], "Lines of A"),
            ("A,Lines of A,https://a.example,Europe/Helsinki\n", ["4,0,00985F"], [:], "Lines of A"),
            ("A,Lines of A,https://a.example,Europe/Helsinki\n", ["4,0,00985F,A"], ["name": "Trams"], nil),
            (
                "A,Lines of A,https://a.example,Europe/Helsinki\nB,B,https://b.example,Europe/Helsinki\n",
                ["4,0,00985F,A", "5,0,00985F,B"], [:], "Public transport"
            ),
            (
                "A,Lines of A,https://a.example,Europe/Helsinki\nB,B,https://b.example,Europe/Helsinki\n",
                ["4,0,00985F,A", "5,0,00985F,B"], ["lines": "5"], "B"
            ),
            (
                "A,\(String(repeating: "long ", count: 20)),https://a.example,Europe/Helsinki\n", ["4,0,00985F,A"], [:],
                "Public transport"
            ),
        ] as [(String, [String], [String: String], String?)])
    func `the heading of a legend is the stated name, or the agency`(
        agencies: String, lines: [String], keys: [String: String], title: String?
    ) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/feed", withIntermediateDirectories: true)
        for (name, bytes) in Self.files(lines, agencies: agencies) {
            try folder.write(Array(bytes), to: "feed/" + name)
        }
        let builder = LayerBuilder(client: VehicleSourceTests.client, isStrict: false)
        let specification = try LayerSpecification(kind: .transit, source: folder.path + "/feed", values: keys)
        let layer = try await builder.build([specification]).first?.layer
        #expect(layer?.legendTitle == title)
        #expect(layer?.name == keys["name"] ?? "feed")
    }
}
