import Foundation
import PortolanFormats
import Synchronization
import TestHelpers
import Testing

@testable import Portolan

@Suite(.timeLimit(.minutes(5))) struct ReplayedPositionsTests {
    private static func fix(_ longitude: Double, _ seconds: Double) -> PositionFix {
        PositionFix(
            place: Coordinate(longitude: longitude, latitude: 60), time: Date(timeIntervalSince1970: 5000 + seconds))
    }

    /// All that a source reports, with how long it wanted to wait before each.
    private static func replay(
        _ fixes: [PositionFix], speed: Double = 1, from offset: Duration = .zero
    ) async -> (updates: [PositionUpdate], waits: [Duration]) {
        let waits = Mutex<[Duration]>([])
        let source = ReplayedPositions(
            fixes, speed: speed, from: offset, sleep: { wait in waits.withLock { $0.append(wait) } })
        var updates: [PositionUpdate] = []
        for await update in source { updates.append(update) }
        return (updates, waits.withLock { $0 })
    }

    @Test func `recorded fixes are replayed at their times`() async {
        let fixes = [Self.fix(1, 0), Self.fix(2, 2), Self.fix(3, 2.5)]
        let (updates, waits) = await Self.replay(fixes)
        #expect(updates == fixes.map { .fix($0) })
        #expect(waits == [.seconds(2), .milliseconds(500)])
        #expect(ReplayedPositions(fixes).duration == .milliseconds(2500))
    }

    @Test func `a replay can be faster, start later, and has limited pauses`() async {
        let fixes = [Self.fix(1, 0), Self.fix(2, 2), Self.fix(3, 6), Self.fix(4, 1e7)]
        #expect(await Self.replay(fixes, speed: 4).waits == [.milliseconds(500), .seconds(1), .seconds(60)])
        #expect(await Self.replay(fixes, from: .seconds(1)).updates == fixes.dropFirst().map { .fix($0) })
        #expect(await Self.replay(fixes, from: .seconds(2)).updates.count == 3)
        #expect(await Self.replay(fixes, from: .seconds(999_999_999)).updates.isEmpty)
        #expect(await Self.replay(fixes, speed: .nan).waits.first == .seconds(2))
        #expect(await Self.replay([]).updates.isEmpty)
    }

    @Test func `fixes out of order or with invalid coordinates are left out`() async {
        let fixes = [Self.fix(1, 5), Self.fix(2, 2), Self.fix(.nan, 6), Self.fix(3, 7)]
        #expect(await Self.replay(fixes).updates == [.fix(fixes[0]), .fix(fixes[3])])
    }

    @Test func `a receiver log is replayed, and its errors are reported`() {
        let log =
            NMEAReaderTests.sentence("GPRMC,120000,A,6010.000,N,02456.000,E,1,1,230394,,") + "$GPRMC,bad*01\n"
            + NMEAReaderTests.sentence("GPRMC,120005,A,6010.010,N,02456.000,E,1,1,230394,,")
        let (source, problems) = ReplayedPositions.nmea(Array(log.utf8))
        #expect(source.fixes.count == 2 && source.duration == .seconds(5))
        #expect(problems.map(\.line) == [2])
    }

    @Test func `a recorded track with times is replayed with speed and course`() throws {
        let track = """
            <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Walk</name><trkseg>
            <trkpt lat="60" lon="24"><ele>5</ele><time>2024-05-01T10:00:00Z</time></trkpt>
            <trkpt lat="60.001" lon="24"><time>2024-05-01T10:01:00Z</time></trkpt>
            <trkpt lat="60.001" lon="24.001"/>
            </trkseg><trkseg><trkpt lat="60.001" lon="24.002"><time>2024-05-01T10:02:00.5Z</time></trkpt>
            <trkpt lat="60.001" lon="24.003"/></trkseg>
            </trk></gpx>
            """
        let fixes = try ReplayedPositions.recorded(FeatureFormats.standard.read(Array(track.utf8))).fixes
        #expect(fixes.map(\.place.y) == [60, 60.001, 60.001] && fixes.map(\.place.x) == [24, 24, 24.002])
        #expect(fixes.map(\.altitude) == [5, nil, nil])
        // A thousandth of a degree is 111.4 m along a meridian at 60°, and 0.002 of longitude 111.6 m.
        let speeds = try fixes.dropFirst().map { try #require($0.speed) }
        #expect(abs(speeds[0] * 60 - 111.41) < 0.02 && abs(speeds[1] * 60.5 - 111.60) < 0.02)
        try #require(fixes.count == 3)
        let courses = try fixes.dropFirst().map { try #require($0.course) }
        #expect(abs(courses[0]) < 0.01 && abs(courses[1] - 90) < 0.01)
        #expect(fixes[2].time.timeIntervalSince(fixes[0].time) == 120.5)
        // A line without times is not a recording.
        let line = #"{"type": "LineString", "coordinates": [[24, 60], [25, 60]]}"#
        #expect(try ReplayedPositions.recorded(GeoJSONReader.read(Array(line.utf8))).fixes.isEmpty)
    }

    @Test func `a simulated drive has even steps`() throws {
        let line = [
            Coordinate(longitude: 24.9, latitude: 60.1), Coordinate(longitude: 24.95, latitude: 60.1),
            Coordinate(longitude: 24.95, latitude: 60.15),
        ]
        let drive = ReplayedPositions.along(line, metersPerSecond: 10, every: .seconds(2))
        // 2,781.6 and 5,570.7 m by PROJ: 418 fixes, 20 m apart but about the corner.
        #expect(drive.fixes.count == 418)
        for (one, other) in zip(drive.fixes, drive.fixes.dropFirst()) {
            let way = try #require(RangeAndBearing(from: one.place, to: other.place))
            #expect(way.meters > 15 && way.meters < 20.001)
            #expect(abs(other.time.timeIntervalSince(one.time) - 2) < 1e-6)
        }
        #expect(abs((drive.fixes.last?.course ?? 90).remainder(dividingBy: 360)) < 1e-6)
        #expect(ReplayedPositions.along(line, metersPerSecond: 0).fixes.isEmpty)
        #expect(ReplayedPositions.along(line, metersPerSecond: 1e-9, every: .zero).fixes.count == 100_000)
    }

    @Test func `a recorded track becomes a route`() throws {
        var recorder = TrackRecorder()
        #expect(recorder.route(id: 1, named: "none") == nil)
        let drive = ReplayedPositions.along(
            [Coordinate(longitude: 24.9, latitude: 60.1), Coordinate(longitude: 24.95, latitude: 60.1)],
            metersPerSecond: 10)
        for fix in drive.fixes { recorder.add(fix) }
        let last = try #require(drive.fixes.last)
        let again = recorder.add(last)
        #expect(!again)
        var rough = last
        rough.time += 1
        rough.accuracy = 101
        let isKept = recorder.add(rough)
        #expect(!isKept)
        #expect(abs(recorder.meters - 2780) < 0.01 && recorder.duration == .seconds(278))
        // An interval of a minute is not a pause yet.
        for (seconds, count) in [(60.0, 1), (121, 2), (122, 2)] {
            var fix = last
            fix.time += seconds
            recorder.add(fix)
            #expect(recorder.segments.count == count)
        }
        let route = try #require(recorder.route(id: "r1", named: "Drive")?.route)
        #expect(route.name == "Drive" && route.distance == 2.78 && route.duration == 5.7)
        #expect(route.geometry.kind == .multiLineString)
        let document = GeoJSONWriter.write(
            FeatureCollection(features: [try #require(recorder.route(id: "r1", named: "Drive"))]))
        #expect(try GeoJSONReader.read(document).features.first?.route == route)
        recorder.pause()
        var next = last
        next.time += 123
        recorder.add(next)
        #expect(recorder.segments.count == 3)
    }

    @Test(arguments: [
        (24.9, 60.1, "0 m, 000° N"), (24.9, 60.1001, "11 m, 000° N"), (24.95, 60.1, "2.78 km, 090° E"),
        (24.0, 61, "112 km, 334° NNW"), (25.4, 60.0, "30.0 km, 112° ESE"),
    ])
    func `a distance is written with three digits`(longitude: Double, latitude: Double, text: String) {
        let way = RangeAndBearing(
            from: Coordinate(longitude: 24.9, latitude: 60.1), to: Coordinate(longitude: longitude, latitude: latitude))
        #expect(way?.description == text)
    }
}
