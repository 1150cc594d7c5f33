import Foundation
import PortolanGeo
import TestHelpers
import Testing

@testable import PortolanTransit

@Suite struct TransitFeedTests {
    @Test func `all parts of a feed are read`() throws {
        let feed = try FeedSample.feed(), timetable = feed.timetable
        #expect(feed.problems.count == 0)
        #expect(feed.rowCounts["stop_times.txt"] == 6)
        #expect(feed.rowCounts["shapes.txt"] == nil)
        #expect(timetable.agencies.map(\.timeZone) == ["Europe/Helsinki"])
        #expect(timetable.stops.map(\.name) == ["Töölö", "Kamppi", "Hakaniemi", "Sörnäinen"])
        #expect(timetable.stops[1].place == Coordinate(x: 24.931, y: 60.169))
        #expect(timetable.lines.map(\.badge) == ["9"] && timetable.lines[0].mode == .tram)
        #expect(timetable.lines[0].color == 0x00985F)
        #expect(timetable.lines[0].agency == 0)
        #expect(timetable.patterns.count == 1)
        #expect(timetable.tripCount == 2)
        #expect(timetable.stopTimeCount == 6)
        #expect(timetable.stopIDs(of: "t2") == ["s1", "s2", "s3"])
        #expect(timetable.stopTimes(of: "t1") == [[28_800, 28_800], [29_400, 29_460], [30_000, 30_000]])
        #expect(timetable.words[Int(timetable.trips.headsigns[0])] == "Hakaniemi")
    }

    @Test(arguments: ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt"])
    func `required files must be present`(name: String) {
        #expect(throws: TransitFeed.ReadError.missingFile(name)) { try FeedSample.feed([name: nil]) }
    }

    @Test(arguments: [
        ("stops.txt", "stop_name\nx\n", "stop_id"), ("trips.txt", "trip_id,route_id\n", "service_id"),
        ("stop_times.txt", "trip_id,stop_id\n", "stop_sequence"), ("routes.txt", "route_id\n", "route_type"),
    ])
    func `required columns must be present`(file: String, text: String, column: String) {
        #expect(throws: TransitFeed.ReadError.missingColumn(file: file, column: column)) {
            try FeedSample.feed([file: text])
        }
    }

    /// An error in a file, and its position.
    struct Case: CustomTestStringConvertible, Sendable {
        var file: String
        var text: String
        var kind: TransitFeed.Problem.Kind
        var severity: TransitFeed.Problem.Severity
        var line: Int
        var column: String?
        var testDescription: String { "\(file): \(kind)" }
    }

    private static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    private static let end = "t2,09:00:00,09:00:00,s1,1\nt2,09:20:00,09:20:00,s3,3\n"

    @Test(arguments: [
        Case(
            file: "stops.txt", text: "stop_id,stop_lat,stop_lon,stop_name\ns1,1,1,a\ns2,91,1,b\ns3,1,1,c\n",
            kind: .malformed, severity: .warning, line: 3, column: "stop_lat"),
        Case(
            file: "stops.txt", text: "stop_id,stop_lat,stop_lon,stop_name\ns1,1,1,a\ns2,1,1,b\ns2,2,2,c\ns3,1,1,d\n",
            kind: .duplicate, severity: .error, line: 4, column: "stop_id"),
        Case(
            file: "stops.txt", text: "stop_id,stop_lat,stop_lon,stop_name\ns1,1,1,a\ns2,1,1,b\n,2,2,c\ns3,1,1,d\n",
            kind: .empty, severity: .error, line: 4, column: "stop_id"),
        Case(
            file: "stops.txt",
            text: "stop_id,stop_lat,stop_lon,stop_name,parent_station\ns1,1,1,a,s2\ns2,1,1,b,\ns3,1,1,d,\n",
            kind: .unknownReference, severity: .warning, line: 2, column: "parent_station"),
        Case(
            file: "stops.txt", text: "stop_id,stop_lat,stop_lon,stop_name\ns1,0,0,a\ns2,1,1,b\ns3,1,1,d\n",
            kind: .improbablePlace, severity: .warning, line: 2, column: "stop_lat"),
        Case(
            file: "routes.txt", text: "route_id,route_type,route_short_name\nr9,77,9\n", kind: .unknownValue,
            severity: .warning, line: 2, column: "route_type"),
        Case(
            file: "routes.txt", text: "route_id,route_type,route_short_name,route_color\nr9,1,9,green\n",
            kind: .malformed, severity: .warning, line: 2, column: "route_color"),
        Case(
            file: "routes.txt", text: "route_id,route_type,route_short_name,agency_id\nr9,1,9,B\n",
            kind: .unknownReference, severity: .warning, line: 2, column: "agency_id"),
        Case(
            file: "agency.txt",
            text: "agency_id,agency_name,agency_timezone\nA,A,Helsinki\nB,B,Europe/Helsinki\n", kind: .malformed,
            severity: .warning, line: 2, column: "agency_timezone"),
        Case(
            file: "trips.txt", text: "route_id,service_id,trip_id\nr9,week,t1\nr9,never,t2\n", kind: .unknownReference,
            severity: .error, line: 3, column: "service_id"),
        Case(
            file: "trips.txt", text: "route_id,service_id,trip_id\nr9,week,t1\nr8,week,t2\n", kind: .unknownReference,
            severity: .error, line: 3, column: "route_id"),
        Case(
            file: "trips.txt", text: "route_id,service_id,trip_id\nr9,week,t1\nr9,week,t2\nr9,week,t3\n",
            kind: .tooFewStops, severity: .error, line: 4, column: "trip_id"),
        Case(
            file: "stop_times.txt",
            text: times + "t1,8:00:00,8:00:00,s1,1\nt1,8:10:00,8:10:00,s9,2\nt1,8:20:00,8:20:00,s3,3\n" + end,
            kind: .unknownReference, severity: .error, line: 3, column: "stop_id"),
        Case(
            file: "stop_times.txt",
            text: times + "t1,8:00:00,8:00:00,s1,1\nt1,8:10:00,8:10:00,s2,1\nt1,8:20:00,8:20:00,s3,3\n" + end,
            kind: .duplicate, severity: .error, line: 3, column: "stop_sequence"),
        Case(
            file: "stop_times.txt",
            text: times + "t1,8:00:00,8:00:00,s1,1\nt1,8:10:00,8:10:00,s2,x\nt1,8:20:00,8:20:00,s3,3\n" + end,
            kind: .malformed, severity: .error, line: 3, column: "stop_sequence"),
        Case(
            file: "stop_times.txt",
            text: times + "t1,8:00:00,8:00:00,s1,1\nt1,7:59:00,8:10:00,s2,2\nt1,8:20:00,8:20:00,s3,3\n" + end,
            kind: .backwards, severity: .error, line: 3, column: "arrival_time"),
        Case(
            file: "stop_times.txt", text: times + "t1,8:00:00,8:00:00,s1,1\nt1,,,s2,2\n" + end, kind: .untimedEnd,
            severity: .error, line: 3, column: "arrival_time"),
        Case(
            file: "stop_times.txt",
            text: times + "t1,8:00:00,8:00:00,s1,1\nt1,noon,noon,s2,2\nt1,8:20:00,8:20:00,s3,3\n" + end,
            kind: .malformed, severity: .warning, line: 3, column: "arrival_time"),
        Case(
            file: "stop_times.txt",
            text: times + "t1,8:00:00,8:00:00,s1,1\nt1,8:10:00,8:10:00,,2\nt1,8:20:00,8:20:00,s3,3\n" + end,
            kind: .unsupported, severity: .notice, line: 3, column: "stop_id"),
        Case(
            file: "stop_times.txt",
            text: times + "t1,8:00:00,8:00:00,s1,1\n\"t1,8:10:00,8:10:00,s2,2\nt1,8:20:00,8:20:00,s3,3\n" + end,
            kind: .quoting, severity: .error, line: 3),
        Case(
            file: "stop_times.txt", text: times + "t1,8:00:00,8:00:00,s1,1\nt1,8:20:00,8:20:00,s3,3,4\n" + end,
            kind: .tooManyValues, severity: .notice, line: 3),
        Case(
            file: "calendar_dates.txt", text: "service_id,date,exception_type\nweek,20260230,1\n", kind: .malformed,
            severity: .error, line: 2, column: "date"),
        Case(
            file: "calendar_dates.txt", text: "service_id,date,exception_type\nweek,20260228,3\n", kind: .unknownValue,
            severity: .error, line: 2, column: "exception_type"),
        Case(
            file: "frequencies.txt", text: "trip_id,start_time,end_time,headway_secs\nt1,8:00:00,9:00:00,0\n",
            kind: .malformed, severity: .error, line: 2, column: "headway_secs"),
        Case(
            file: "transfers.txt", text: "from_stop_id,to_stop_id,transfer_type\ns1,s9,0\n", kind: .unknownReference,
            severity: .error, line: 2, column: "to_stop_id"),
        Case(
            file: "shapes.txt", text: "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nw,60,24,1\nw,60,x,2\n",
            kind: .malformed, severity: .error, line: 3, column: "shape_pt_lat"),
    ])
    func `a bad row is named with file, line and column, and the rest is read`(bad: Case) throws {
        let feed = try FeedSample.feed([bad.file: bad.text])
        let problem = try #require(feed.problems.kept.first)
        #expect(feed.problems.count == 1, "\(feed.problems.kept)")
        #expect(problem.kind == bad.kind && problem.severity == bad.severity, "\(problem)")
        #expect(problem.file == (bad.kind == .tooFewStops ? "trips.txt" : bad.file))
        #expect(problem.line == bad.line && problem.column == bad.column, "\(problem)")
        #expect(feed.timetable.tripCount >= 1)
    }

    @Test func `problems beyond the limit are counted but not kept`() throws {
        var limits = TransitFeed.Limits()
        limits.problemCount = 2
        let rows = (0..<10).map { "x\($0),8:00:00,8:00:00,s1,1\n" }.joined()
        let feed = try FeedSample.feed(["stop_times.txt": Self.times + rows + Self.end], limits: limits)
        #expect(feed.problems.kept.count == 2)
        #expect(feed.problems.count(of: .unknownReference) == 10)
        #expect(feed.problems.count(of: .tooFewStops) == 1)
        #expect(feed.problems.count(of: .error) == 11)
    }

    /// Many times more than one thread reads at once in the test.
    private static func largeFeed(_ change: (inout [String]) -> Void = { _ in }) -> [String: [UInt8]] {
        var trips = "route_id,service_id,trip_id\n",
            rows = ["trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign"]
        for trip in 0..<600 {
            trips += "R,W,trip-\(trip)\n"
            let minute = String(format: "%02d:%02d", 5 + trip % 19, trip % 60)
            // A word from time to time, some of which come back in other pieces.
            rows.append("trip-\(trip),\(minute):00,\(minute):00,A,1,\(trip % 10 == 0 ? "Way \(trip % 140)" : "")")
            rows.append("trip-\(trip),\(minute):40,\(minute):40,B,2,")
        }
        change(&rows)
        return FeedSample.bytes([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,A,60,24\nB,B,60.1,24\n",
            "routes.txt": "route_id,route_short_name,route_type\nR,1,3\n", "trips.txt": trips,
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "W,1,1,1,1,1,1,1,20260101,20261231\n",
            "stop_times.txt": rows.joined(separator: "\n") + "\n", "shapes.txt": nil, "transfers.txt": nil,
            "calendar_dates.txt": nil, "frequencies.txt": nil,
        ])
    }

    @Test(arguments: ["as it is", "a quote", "problems", "no order"])
    func `several threads read the same timetable as one`(_ change: String) throws {
        let files = Self.largeFeed { rows in
            switch change {
            case "a quote": rows[801] = "\"trip-400\",05:00:00,05:00:00,A,1,\"a\nb\""
            case "problems":
                for row in stride(from: 7, to: rows.count, by: 90) { rows[row] = "nowhere,05:00:00,05:00:00,A,1," }
                rows[1001] += ",too,many"
                rows[1002] = ""
                rows[1005] = "trip-502,25:00,05:00:00,A,1,"
            case "no order": rows.swapAt(3, 1190)
            default: break
            }
        }
        func read(_ threadCount: Int) throws -> (Timetable, TransitFeed.Problems, [String: Int]) {
            var reader = FeedReader(FeedFiles(files), limits: TransitFeed.Limits())
            (reader.threadCount, reader.pieceLength) = (threadCount, 1000)
            return (try reader.read(), reader.problems, reader.rowCounts)
        }
        let alone = try read(1), together = try read(4)
        #expect(alone.0.trips.services.count > 550)
        #expect(alone.0 == together.0)
        #expect(alone.1 == together.1)
        #expect(alone.2 == together.2)
        #expect((alone.1.count > 0) == (change == "problems"))
    }

    @Test func `a folder reads the same as memory, and other paths are refused`() throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in FeedSample.bytes() { try folder.write(bytes, to: name) }
        let feed = try TransitFeed(at: folder.path)
        #expect(feed.timetable.stopTimes(of: "t1") == (try FeedSample.feed()).timetable.stopTimes(of: "t1"))
        let error = #expect(throws: TransitFeed.ReadError.self) { try TransitFeed(at: folder.path + "/nothing") }
        #expect(error == .unreadable(file: folder.path + "/nothing", what: "no such file or folder"))
        let zip = #expect(throws: TransitFeed.ReadError.self) { try TransitFeed(at: folder.path + "/stops.txt") }
        guard case .archive("stops.txt", _, _) = zip else {
            Issue.record("\(String(describing: zip))")
            return
        }
    }

    @Test func `a synthetic feed of Helsinki has the expected counts`() throws {
        let feed = try TransitFeed(at: FeedSample.fixture), timetable = feed.timetable
        #expect(feed.problems.count(of: .error) == 0, "\(feed.problems.kept.prefix(3))")
        #expect(timetable.stops.count == 31)
        #expect(timetable.lines.count == 12)
        #expect(timetable.tripCount == 2888)
        #expect(timetable.stopTimeCount == 11_704)
        #expect(timetable.shapes.longitudes.count == 1923)
        #expect(timetable.shapes.ends.last == 1923)
    }

    /// Counts by Python's csv.
    @Test(.enabled(if: FeedSample.has("kuopio-2016-gtfs.zip"), "PORTOLAN_GTFS names no folder with the feed of Kuopio"))
    func `the feed of Kuopio has the counts of an independent reader`() throws {
        let feed = try TransitFeed(at: FeedSample.folder + "/kuopio-2016-gtfs.zip"), timetable = feed.timetable
        #expect(feed.problems.count == 0, "\(feed.problems.kept.prefix(3))")
        #expect(timetable.stops.count == 1355)
        #expect(timetable.lines.count == 46)
        #expect(timetable.tripCount == 2149)
        #expect(timetable.stopTimeCount == 79_123)
    }

    @Test func `a streamed archive with its files in a folder is read`() throws {
        let feed = try TransitFeed(archive: ArchiveSample.streamedFeed)
        #expect(feed.timetable.stops.map(\.id) == ["s1", "s2"])
        #expect(feed.timetable.tripCount == 1)
        #expect(feed.timetable.stopTimeCount == 2)
        #expect(feed.problems.count(of: .error) == 0)
    }
}
