import TestHelpers
import Testing

@testable import PortolanTransit

/// Pitfalls in feeds.
@Suite struct PitfallTests {
    private static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

    @Test func `times after midnight are above 24 hours`() throws {
        let feed = try FeedSample.feed([
            "stop_times.txt": Self.times
                + "t1,23:50:00,23:50:00,s1,1\nt1,24:10:00,24:11:00,s2,2\nt1,7:00:00,7:00:00,s3,x\n"
        ])
        #expect(feed.timetable.stopTimes(of: "t1") == [[85_800, 85_800], [87_000, 87_060]])
    }

    @Test func `stops without times are interpolated evenly`() throws {
        let feed = try FeedSample.feed([
            "stop_times.txt": Self.times
                + "t1,8:00:00,8:01:00,s1,1\nt1,,,s2,2\nt1,,,s4,3\nt1,8:10:00,8:10:00,s3,4\nt2,9:00:00,,s1,1\nt2,,9:10:00,s3,2\n"
        ])
        #expect(feed.problems.count == 0)
        #expect(
            feed.timetable.stopTimes(of: "t1") == [
                [28_800, 28_860], [29_040, 29_040], [29_220, 29_220], [29_400, 29_400],
            ])
        #expect(feed.timetable.stopTimes(of: "t2") == [[32_400, 32_400], [33_000, 33_000]])
        let pattern = try #require(feed.timetable.patterns.first)
        #expect(
            feed.timetable.patternRules[pattern.stops].map { $0.contains(.timed) } == [true, false, false, true])
    }

    @Test func `stops without times are interpolated along the shape if all have a distance`() throws {
        let head = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
        let feed = try FeedSample.feed([
            "stop_times.txt": head
                + "t1,8:00:00,8:00:00,s1,1,0\nt1,,,s2,2,100\nt1,,,s4,3,900\nt1,8:10:00,8:10:00,s3,4,1000\n"
                + "t2,9:00:00,9:00:00,s1,1,0\nt2,,,s2,2,\nt2,9:10:00,9:10:00,s3,3,1000\n"
        ])
        #expect(feed.timetable.stopTimes(of: "t1").map { $0[0] } == [28_800, 28_860, 29_340, 29_400])
        #expect(feed.timetable.stopTimes(of: "t2").map { $0[0] } == [32_400, 32_700, 33_000])
    }

    @Test func `stop sequences can have gaps and rows can be in any order`() throws {
        let feed = try FeedSample.feed([
            "stop_times.txt": Self.times
                + "t1,08:20:00,08:20:00,s3,300\nt2,09:00:00,09:00:00,s1,0\nt1,08:00:00,08:00:00,s1,7\n"
                + "t2,09:20:00,09:20:00,s3,1000\nt1,08:10:00,08:11:00,s2,20\nt2,09:10:00,09:11:00,s2,5\n"
        ])
        #expect(feed.problems.count == 0)
        #expect(feed.timetable.stopIDs(of: "t1") == ["s1", "s2", "s3"])
        #expect(feed.timetable.stopTimes(of: "t1") == [[28_800, 28_800], [29_400, 29_460], [30_000, 30_000]])
        #expect(feed.timetable.stopIDs(of: "t2") == ["s1", "s2", "s3"])
    }

    @Test func `columns can be in any order among unknown ones`() throws {
        let feed = try FeedSample.feed([
            "stop_times.txt": "x_note,stop_sequence,stop_id,trip_id,departure_time,arrival_time\n"
                + "a,1,s1,t1,08:01:00,08:00:00\n\"b,c\",2,s2,t1,08:11:00,08:10:00\n",
            "feed_note.txt": "anything",
        ])
        #expect(feed.timetable.stopTimes(of: "t1") == [[28_800, 28_860], [29_400, 29_460]])
    }

    @Test func `a service can consist of single dates only`() throws {
        let feed = try FeedSample.feed([
            "calendar.txt": nil,
            "calendar_dates.txt": "service_id,date,exception_type\nweek,20260228,1\nweek,20260301,1\nweek,20260301,2\n",
        ])
        let calendar = feed.timetable.calendar
        func runs(_ day: Int) -> Bool {
            ServiceDay(year: 2026, month: 3, day: day).map { calendar.runs(0, on: $0.advanced(by: -1)) } ?? false
        }
        #expect(runs(1))
        #expect(!runs(2))
        #expect(!runs(3))
        #expect(calendar.days?.lowerBound.description == "2026-02-28")
    }

    @Test func `exceptions add and remove days of a weekly service`() throws {
        let feed = try FeedSample.feed([
            "calendar_dates.txt": "service_id,date,exception_type\nweek,20261225,2\nrest,20261225,1\nrest,20270101,1\n"
        ])
        let calendar = feed.timetable.calendar
        let start = try #require(ServiceDay(year: 2026, month: 1, day: 1))
        let christmas = try #require(ServiceDay(year: 2026, month: 12, day: 25))
        #expect(calendar.serviceCount == 2)
        for offset in -3..<370 {
            let day = start.advanced(by: offset), isIn = (0..<365).contains(offset)
            let isWeek = isIn && day.weekday < 5 && day != christmas
            let isRest = isIn && day.weekday > 4 || day == christmas || offset == 365
            #expect(calendar.runs(0, on: day) == isWeek && calendar.runs(1, on: day) == isRest, "\(day)")
        }
    }

    @Test func `dates far from the others are left out`() throws {
        let feed = try FeedSample.feed([
            "calendar_dates.txt": "service_id,date,exception_type\nweek,99991231,1\nrest,20261225,1\n"
        ])
        #expect(feed.problems.count(of: .limit) == 1)
        #expect(feed.problems.count == 1)
        #expect(feed.timetable.calendar.days?.upperBound.description == "2026-12-31")
    }

    @Test(arguments: ["00210101,00211231", "99990101,99991231"])
    func `the window of service days covers most rows, not the first one`(odd: String) throws {
        let feed = try FeedSample.feed([
            "calendar.txt": """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            odd,1,1,1,1,1,1,1,\(odd)
            week,1,1,1,1,1,0,0,20260101,20261231
            rest,0,0,0,0,0,1,1,20260101,20261231

            """
        ])
        #expect(feed.timetable.calendar.days?.lowerBound.description == "2026-01-01")
        #expect(feed.timetable.calendar.days?.upperBound.description == "2026-12-31")
        #expect(feed.problems.kept.map(\.line) == [2])
        #expect(feed.problems.count(of: .error) == 1)
    }

    @Test(arguments: [
        ("20260101,99991231", "2026-01-01", "2036-01-01"), ("00210101,20261231", "2026-01-01", "2026-12-31"),
        ("00210101,99991231", "2026-01-01", "2036-01-01"),
    ])
    func `a weekly service beyond the window is truncated, not left out`(span: String, from: String, to: String) throws
    {
        var limits = TransitFeed.Limits()
        limits.dayCount = 3653
        let feed = try FeedSample.feed(
            [
                "calendar.txt": """
                service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
                week,1,1,1,1,1,0,0,\(span)
                rest,0,0,0,0,0,1,1,20260101,20261231

                """,
                "calendar_dates.txt": "service_id,date,exception_type\nrest,20260102,1\n",
            ], limits: limits)
        let calendar = feed.timetable.calendar
        #expect(calendar.days?.lowerBound.description == from)
        #expect(calendar.days?.upperBound.description == to)
        #expect(calendar.runs(0, on: ServiceDay(daysSince1970: 20_780)))
        #expect(feed.problems.kept.map(\.severity) == [.warning])
        #expect(feed.problems.count(of: .limit) == 1)
        #expect(feed.timetable.inconsistency == nil)
    }

    @Test func `an unlimited service takes at most a share of all days`() throws {
        var limits = TransitFeed.Limits()
        limits.serviceDayCount = 2 * 64 * 10
        let feed = try FeedSample.feed(
            [
                "calendar.txt": """
                service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
                week,1,1,1,1,1,0,0,20260101,99991231
                rest,0,0,0,0,0,1,1,20260101,20261231

                """
            ], limits: limits)
        #expect(feed.timetable.calendar.days?.upperBound.description == "2027-10-02")
        #expect(feed.problems.kept.map(\.severity) == [.warning])
    }

    @Test func `trips that differ only in stop sequences have distinct hashes and patterns`() throws {
        let count = 2000
        let feed = FeedFiles(
            FeedSample.bytes([
                "trips.txt": "route_id,service_id,trip_id\n" + (0..<count).map { "r9,week,t\($0)\n" }.joined(),
                "stop_times.txt": Self.times
                    + (0..<count).map {
                        "t\($0),8:00:00,8:00:00,s1,\($0)\nt\($0),9:00:00,9:00:00,s2,\(count)\n"
                    }.joined(),
            ]))
        var reader = FeedReader(feed, limits: TransitFeed.Limits())
        #expect(try reader.read().patterns.count == count)
        let builder = PatternBuilder(trips: reader.trips, times: reader.times, frequencies: [], lineCount: 1)
        // Whatever shares a number is compared one by one.
        #expect(Set((0..<count).map { builder.hash(of: $0) }).count == count)
    }

    @Test func `station parts are kept, but trips cannot stop at a station`() throws {
        let feed = try FeedSample.feed([
            "stops.txt": """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
            s1,a,60,24,,S,1
            s2,b,60,24,0,S,2
            S,Station,60,24,1,,
            s3,door,60,24,2,S,
            n,,,,3,S,
            b,,,,4,s1,

            """
        ])
        let stops = feed.timetable.stops
        #expect(stops.map(\.kind) == [.stop, .stop, .station, .entrance, .node, .boardingArea])
        #expect(stops.map(\.parent) == [2, 2, nil, 2, 2, 0] && stops[4].place == nil && stops[1].platform == "2")
        #expect(feed.problems.count(of: .notBoardable) == 2)
        #expect(feed.problems.count == 2)
        #expect(feed.timetable.stopIDs(of: "t1") == ["s1", "s2"])
    }

    @Test(arguments: [
        (0, TransitMode.tram), (109, .rail), (204, .coach), (401, .subway), (700, .bus), (715, .bus), (900, .tram),
        (11, .trolleybus),
    ])
    func `basic and extended route types are read`(type: Int, mode: TransitMode) throws {
        let feed = try FeedSample.feed(["routes.txt": "route_id,route_short_name,route_type\nr9,9,\(type)\n"])
        #expect(feed.problems.count == 0 && feed.timetable.lines[0].mode == mode)
    }

    @Test func `trips repeat by their frequency, with exact times or a headway`() throws {
        let feed = try FeedSample.feed([
            "frequencies.txt": """
            trip_id,start_time,end_time,headway_secs,exact_times
            t1,06:00:00,06:59:59,1800,1
            t1,07:00:00,08:00:00,1200,0

            """
        ])
        let timetable = feed.timetable, runs = timetable.runs(of: "t1")
        #expect(feed.problems.count == 0)
        #expect(timetable.tripCount == 6)
        #expect(runs.map { $0[0][1] } == [21_600, 23_400, 25_200, 26_400, 27_600])
        #expect(runs.map { $0[2][0] - $0[0][1] } == [1200, 1200, 1200, 1200, 1200])
        #expect(timetable.trips.headways == [0, 0, 1200, 1200, 1200, 0])
        #expect(timetable.runs(of: "t2").map { $0[0][1] } == [32_400])
    }

    @Test(arguments: ["shapes.txt", "frequencies.txt", "calendar_dates.txt", "transfers.txt", "feed_info.txt"])
    func `optional files can be empty or lack their columns`(file: String) throws {
        #expect(try FeedSample.feed([file: ""]).problems.count == 0)
        #expect(try FeedSample.feed([file: "a,b"]).timetable.tripCount == 2)
    }

    @Test func `the number of trips from frequencies is limited`() throws {
        var limits = TransitFeed.Limits()
        limits.frequencyTripCount = 1000
        let error = #expect(throws: TransitFeed.ReadError.self) {
            try FeedSample.feed(
                ["frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,0:00:00,24:00:00,1\n"], limits: limits
            )
        }
        #expect(error == .limitExceeded(file: "frequencies.txt", line: 0, what: "more than 1000 trips"))
    }

    @Test func `trips with different boarding rules form separate patterns`() throws {
        let head = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type,timepoint\n"
        let feed = try FeedSample.feed([
            "stop_times.txt": head
                + "t1,8:00:00,8:00:00,s1,1,0,1,1\nt1,8:10:00,8:10:00,s2,2,2,3,0\nt1,8:20:00,8:20:00,s3,3,1,0,\n"
                + "t2,9:00:00,9:00:00,s1,1,,,\nt2,9:10:00,9:10:00,s2,2,,,\nt2,9:20:00,9:20:00,s3,3,,,\n"
        ])
        let timetable = feed.timetable
        #expect(timetable.patterns.count == 2)
        #expect(
            Array(timetable.patternRules[timetable.patterns[0].stops]) == [
                [.boards, .timed], [.boards, .boardsOnRequest, .alights, .alightsOnRequest], [.alights, .timed],
            ])
    }

    @Test func `blocks, short names, accessibility and stop headsigns are kept`() throws {
        let feed = try FeedSample.feed([
            "trips.txt":
                "route_id,service_id,trip_id,trip_headsign,block_id,trip_short_name,wheelchair_accessible,bikes_allowed\n"
                + "r9,week,t1,Hakaniemi,b1,101,1,2\nr9,week,t2,Hakaniemi,b1,,,\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
                + "t1,8:00:00,8:00:00,s1,1,Hakaniemi\nt1,8:10:00,8:10:00,s2,2,via Kamppi\nt2,7:00:00,7:00:00,s1,1,\nt2,7:20:00,7:20:00,s3,3,\n",
        ])
        let timetable = feed.timetable
        let trip = try #require(timetable.trips.services.indices.first { timetable.trips.ids[$0] == "t1" })
        let other = try #require(timetable.trips.services.indices.first { timetable.trips.ids[$0] == "t2" })
        #expect(timetable.trips.blocks[trip] == timetable.trips.blocks[other])
        #expect(timetable.trips.blocks[trip] >= 0)
        #expect(
            timetable.words[Int(timetable.trips.shortNames[trip])] == "101" && timetable.trips.shortNames[other] == -1)
        #expect(timetable.trips.wheelchair[trip] == 1 && timetable.trips.bicycles[trip] == 2)
        let pattern = timetable.patterns[Int(timetable.trips.patterns[trip])]
        #expect(timetable.stopHeadsigns.count == 1)
        let sign = timetable.stopHeadsigns[timetable.timeIndex(trip: trip, stop: 1, in: pattern)]
        #expect(sign.map { timetable.words[Int($0)] } == "via Kamppi")
    }

    @Test func `shape points are sorted, and trips refer to their shape`() throws {
        let feed = try FeedSample.feed([
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nv,1,2,2\nw,5,6,1\nv,3,4,1\nw,7,8,9\n",
            "trips.txt": "route_id,service_id,trip_id,shape_id\nr9,week,t1,w\nr9,week,t2,\n",
        ])
        let shapes = feed.timetable.shapes
        #expect(shapes.ids[0] == "v")
        #expect(shapes.ends == [2, 4])
        #expect(shapes.latitudes == [3, 1, 5, 7])
        #expect(shapes.longitudes == [4, 2, 6, 8])
        #expect(feed.timetable.trips.shapes == [1, -1])
    }

    @Test func `feed info and transfers are read`() throws {
        let feed = try FeedSample.feed([
            "feed_info.txt":
                "feed_publisher_name,feed_publisher_url,feed_lang,feed_version,feed_start_date,feed_end_date\n"
                + "City,https://city.example,fi,7,20260101,20261231\n",
            "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\ns1,s2,2,180\ns2,s1,,\n",
        ])
        #expect(feed.timetable.feed.publisher == "City")
        #expect(feed.timetable.feed.version == "7")
        #expect(feed.timetable.feed.to?.description == "2026-12-31")
        #expect(
            feed.timetable.transfers == [
                Timetable.TransferRule(from: 0, to: 1, kind: .timed, seconds: 180),
                Timetable.TransferRule(from: 1, to: 0, kind: .recommended),
            ])
    }

    /// Seeded: each trip of a pattern is nowhere before the one that runs before it, and none is lost.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `no trip of a pattern overtakes another`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var trips = "route_id,service_id,trip_id\n", times = Self.times
        for trip in 0..<60 {
            trips += "r9,week,x\(trip)\n"
            var time = Int.random(in: 20_000..<24_000, using: &chance)
            for stop in 1...4 {
                let stay = Int.random(in: 0..<120, using: &chance)
                func text(_ time: Int) -> String {
                    "\(time / 3600):\(time / 600 % 6)\(time / 60 % 10):\(time / 10 % 6)\(time % 10)"
                }
                times += "x\(trip),\(text(time)),\(text(time + stay)),s\(stop),\(stop)\n"
                time += stay + Int.random(in: 0..<900, using: &chance)
            }
        }
        let timetable = try FeedSample.feed(["trips.txt": trips, "stop_times.txt": times]).timetable
        #expect(timetable.tripCount == 60)
        #expect(timetable.stopTimeCount == 240)
        #expect(timetable.patterns.count > 1)
        for pattern in timetable.patterns {
            for trip in pattern.trips.dropFirst() {
                for stop in 0..<pattern.stops.count {
                    let place = timetable.timeIndex(trip: trip, stop: stop, in: pattern)
                    #expect(timetable.arrivals[place] >= timetable.arrivals[place - pattern.stops.count])
                    #expect(timetable.departures[place] >= timetable.departures[place - pattern.stops.count])
                }
            }
        }
    }
}
