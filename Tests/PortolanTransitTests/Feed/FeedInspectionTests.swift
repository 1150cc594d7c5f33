import Testing

@testable import PortolanTransit

@Suite struct FeedInspectionTests {
    private static func kinds(
        _ others: [String: String?] = [:], on day: ServiceDay? = nil
    ) throws -> [TransitFeed.Problem.Kind] {
        try FeedSample.feed(others).inspected(on: day).kept.map(\.kind)
    }

    @Test func `unused stops and lines are reported`() throws {
        #expect(try Self.kinds() == [.unusedStop])
        #expect(
            try Self.kinds(["routes.txt": "route_id,route_short_name,route_type\nr9,9,0\nr8,8,0\n"]) == [
                .unusedStop, .unusedLine,
            ])
    }

    @Test func `an expired, future or never running feed is reported`() throws {
        func day(_ year: Int) -> ServiceDay? { ServiceDay(year: year, month: 6, day: 1) }
        #expect(try Self.kinds(on: day(2026)) == [.unusedStop])
        #expect(try Self.kinds(on: day(2027)) == [.unusedStop, .expired])
        #expect(try Self.kinds(on: day(2025)) == [.unusedStop, .early])
        let none =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "week,0,0,0,0,0,0,0,20260101,20261231\n"
        #expect(try Self.kinds(["calendar.txt": none], on: day(2026)) == [.unusedStop, .neverRuns])
    }

    @Test func `each trip that is too fast is reported once`() throws {
        let times = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            t1,08:00:00,08:00:00,s1,1
            t1,08:00:05,08:00:05,s4,2
            t1,08:00:06,08:00:06,s2,3
            t2,09:00:00,09:00:00,s1,1
            t2,09:10:00,09:10:00,s3,2

            """
        let problems = try FeedSample.feed(["stop_times.txt": times]).inspected()
        #expect(problems.kept.map(\.kind) == [.tooFast])
        #expect(problems.kept[0].detail.contains("\"t1\" is 5 s from \"s1\" to \"s4\""), "\(problems.kept[0])")
    }

    @Test func `stops far from the shape are reported`() throws {
        let others: [String: String?] = [
            "shapes.txt":
                "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nw,60.18,24.92,1\nw,60.169,24.931,2\nw,60.169,24.95,3\n",
            "trips.txt": "route_id,service_id,trip_id,shape_id\nr9,week,t1,w\nr9,week,t2,w\n",
        ]
        let problems = try FeedSample.feed(others).inspected()
        #expect(problems.kept.map(\.kind) == [.unusedStop, .farFromShape])
        // Hakaniemi lies a hundredth of a degree north of the end.
        #expect(problems.kept[1].detail == "\"s3\" is 1114 m from \"w\"", "\(problems.kept[1].detail)")
        var limits = TransitFeed.InspectionLimits()
        limits.comparisonCount = 0
        #expect(try FeedSample.feed(others).inspected(limits: limits).kept.last?.kind == .limit)
    }
}
