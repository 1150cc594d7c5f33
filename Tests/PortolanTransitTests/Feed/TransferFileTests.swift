import TestHelpers
import Testing

@testable import PortolanTransit

/// transfers.txt as the specification has it, and what may be wrong in it.
@Suite struct TransferFileTests {
    static let head =
        "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"

    func feed(_ rows: String, _ others: [String: String?] = [:]) throws -> TransitFeed {
        try FeedSample.feed(others.merging(["transfers.txt": Self.head + rows]) { $1 })
    }

    @Test func `transfer rules for lines and trips and trip links are read`() throws {
        let feed = try feed(
            """
            s1,s2,,,,,,
            s2,s2,r9,r9,,,2,90
            s2,s2,r9,,t1,,1,
            s2,s3,,,t1,t2,3,
            ,,,,t1,t2,4,
            s3,s1,,,t2,t1,5,

            """)
        #expect(feed.problems.count == 0, "\(feed.problems.kept)")
        let rules = feed.timetable.transfers
        #expect(rules.map(\.specificity) == [0, 2, 3, 5])
        #expect(rules.map(\.kind) == [.recommended, .timed, .guaranteed, .impossible])
        #expect(rules.map(\.fromLine) == [nil, 0, nil, nil])
        #expect(rules.map(\.toLine) == [nil, 0, nil, nil])
        #expect(rules.map(\.fromTrip) == [nil, nil, "t1", "t1"])
        #expect(rules.map(\.toTrip) == [nil, nil, nil, "t2"])
        #expect(rules.map(\.seconds) == [nil, 90, nil, nil])
        #expect(
            feed.timetable.tripLinks == [
                Timetable.TripLink(from: "t1", to: "t2", staysSeated: true),
                Timetable.TripLink(from: "t2", to: "t1", staysSeated: false),
            ])
        #expect(try Timetable.Snapshot(Timetable.Snapshot(feed.timetable).bytes).timetable == feed.timetable)
    }

    struct Bad: CustomTestStringConvertible {
        var row: String, kind: TransitFeed.Problem.Kind, severity: TransitFeed.Problem.Severity, column: String
        /// Whether the row is valid anyway.
        var isKept = false
        var testDescription: String { row }
    }

    @Test(arguments: [
        Bad(row: "s1,s9,,,,,0,", kind: .unknownReference, severity: .error, column: "to_stop_id"),
        Bad(row: "s1,s2,r8,,,,0,", kind: .unknownReference, severity: .error, column: "from_route_id"),
        Bad(row: "s1,s2,,,,t8,0,", kind: .unknownReference, severity: .error, column: "to_trip_id"),
        Bad(row: "s1,,,,,,0,", kind: .empty, severity: .error, column: "to_stop_id"),
        Bad(row: ",,,,t1,,4,", kind: .empty, severity: .error, column: "to_trip_id"),
        Bad(row: "s1,s2,,,,t1,5,", kind: .empty, severity: .error, column: "from_trip_id"),
        Bad(row: "s1,s2,,,,,6,", kind: .unknownValue, severity: .error, column: "transfer_type"),
        Bad(row: "s1,s2,,,,,-1,", kind: .unknownValue, severity: .error, column: "transfer_type"),
        Bad(row: "s1,s2,,,,,2,soon", kind: .malformed, severity: .warning, column: "min_transfer_time", isKept: true),
        Bad(row: "s1,s2,r7,,t1,,0,", kind: .malformed, severity: .warning, column: "from_route_id", isKept: true),
        Bad(row: "s4,s2,,,t1,,0,", kind: .neverApplies, severity: .warning, column: "from_trip_id", isKept: true),
        Bad(row: "S,s2,,,t1,t2,4,", kind: .malformed, severity: .warning, column: "from_stop_id", isKept: true),
    ])
    func `a bad row is named with line and column`(bad: Bad) throws {
        let files: [String: String?] = [
            "routes.txt": "route_id,route_short_name,route_type\nr9,9,0\nr7,7,0\n",
            "stops.txt": (SampleFeed.files["stops.txt"] ?? "").replacing("stop_lon\n", with: "stop_lon,location_type\n")
                .replacing(/(\.\d{4})\n/, with: { "\($0.1),\n" }) + "S,Station,60.18,24.92,1\n",
        ]
        let feed = try feed(bad.row + "\ns1,s1,,,,,2,60\n", files)
        let problem = try #require(feed.problems.kept.first)
        #expect(feed.problems.count == 1, "\(feed.problems.kept)")
        #expect(problem.file == "transfers.txt" && problem.line == 2 && problem.column == bad.column, "\(problem)")
        #expect(problem.kind == bad.kind && problem.severity == bad.severity, "\(problem)")
        #expect(feed.timetable.transfers.count + feed.timetable.tripLinks.count == (bad.isKept ? 2 : 1))
    }

    @Test func `duplicate rows are reported`() throws {
        let feed = try feed("s1,s2,,,t1,,0,\ns1,s2,,,,,0,\ns1,s2,,,t1,,3,\n")
        #expect(feed.problems.kept.map(\.kind) == [.duplicate])
        #expect(feed.problems.kept.map(\.line) == [4])
    }

    @Test func `the number of transfer rules is limited`() throws {
        var limits = TransitFeed.Limits()
        limits.transferCount = 1
        #expect(
            throws: TransitFeed.ReadError.limitExceeded(file: "transfers.txt", line: 3, what: "more than 1 transfers")
        ) {
            try FeedSample.feed(
                ["transfers.txt": "from_stop_id,to_stop_id,transfer_type\ns1,s2,0\ns2,s1,0\n"], limits: limits)
        }
    }
}
