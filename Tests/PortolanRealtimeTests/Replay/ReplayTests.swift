import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTransit
import Synchronization
import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct VehicleLineTests {
    @Test func `a vehicle line has longitude before latitude, and its stops`() throws {
        let line = try #require(
            VehicleLine("RHKL00239;1009;24.937137;60.201705;256;1;1173431;1173433;1624", start: time(0)))
        #expect(line.report.id == "RHKL00239")
        #expect(line.report.line == "1009")
        #expect(line.report.bearing == 256)
        #expect(line.report.place == Coordinate(longitude: 24.937137, latitude: 60.201705))
        #expect(line.previousStop == "1173431")
        #expect(line.report.stop == "1173433")
        #expect(line.seconds == nil)
        #expect(line.report.trip == TripReference(line: "1009", direction: 0, start: 16 * 3600 + 24 * 60))
    }

    @Test func `a stop 0 is missing, a line - is unchanged, and fields after the ninth are ignored`() throws {
        let line = try #require(VehicleLine("12 A;-;24.9;60.2;0;2;0;0;0005;37;more\r", start: time(100)))
        #expect(line.report.line == nil)
        #expect(line.report.stop == nil)
        #expect(line.previousStop == nil)
        #expect(line.report.trip?.direction == 1)
        #expect(line.report.trip?.start == 300)
        #expect(line.seconds == 12)
        #expect(line.report.time == time(112))
        #expect(VehicleLine("A;1003T;24.9;60.2;90", start: time(0))?.report.line == "1003T")
    }

    @Test(arguments: [
        "", "A", "A;1;24.9;60.2", ";1;24.9;60.2;0", "A;1;x;60.2;0", "A;1;24.9;91;0", "A;1;nan;60.2;0",
        "x A;1;24.9;60.2;0",
        "A;1;24,9;60.2;0",
    ])
    func `invalid vehicle lines give nil`(text: String) { #expect(VehicleLine(text, start: time(0)) == nil) }

    @Test func `vehicle lines survive reading and writing`() throws {
        let text = try Fixture.text("replay/vehicles.txt")
        for line in text.split(separator: "\n").dropFirst() {
            #expect(VehicleLine(line, start: time(0))?.text == String(line))
        }
    }

    @Test func `invalid lines are reported by number, and do not affect others`() throws {
        let lines = try VehicleLines(
            Array("# a\n\nA;1;24.9;60.2;0\nbad\nB;1;24.9;60.2;0".utf8), source: "a", start: time(0))
        #expect(
            lines.lines.map(\.report.id) == ["A", "B"] && lines.losses.faults.map(\.line) == [4]
                && lines.losses.count == 1)
        #expect(throws: FeedError.self) { try VehicleLines(Array("<html>".utf8), source: "a", start: time(0)) }
    }

    @Test(arguments: [Int.max, Int.min, -1, 2]) func `an invalid direction is not written`(direction: Int) {
        var vehicle = report("A", at: 1, 24.9, 60.2, line: "9")
        (vehicle.trip, vehicle.bearing) = (TripReference(direction: direction), 1e300)
        #expect(VehicleLine(vehicle).text?.split(separator: ";", omittingEmptySubsequences: false)[5] == "")
    }
}

@Suite struct FeedRecordTests {
    static let events: [FeedEvent] = {
        var vehicle = report("a", at: 1.5, 24.9, 60.1, line: "1009")
        (vehicle.label, vehicle.mode, vehicle.headsign, vehicle.bearing) = ("9", .tram, "Töölö \"x\"", 45)
        (vehicle.speed, vehicle.delay, vehicle.stop) = (5.5, .seconds(-30), "s")
        vehicle.trip = TripReference(
            trip: "t", line: "1009", direction: 1, day: ServiceDay(year: 2026, month: 11, day: 23), start: 90_900)
        var notice = Disruption(id: "n")
        notice.periods = [.init(from: time(1)), .init(to: time(2))]
        notice.targets = [
            .init(agency: "a", line: "l", direction: 0, stop: "s", trip: TripReference(trip: "t"), mode: .tram)
        ]
        (notice.title, notice.text, notice.url) = (["": "a", "fi": "b"], ["en": "c"], ["": "https://a.example"])
        (notice.cause, notice.effect, notice.severity) = ("STRIKE", .detour, .severe)
        let stops: [TripUpdate.StopTime] = [
            .init(sequence: 1, change: .skipped),
            .init(stop: "s", arrival: .at(time(5)), departure: .late(.seconds(3))),
            .init(change: .unknown),
        ]
        let fault = FeedError(.malformed, source: "a.example", offset: 7, "odd")
        return [
            .reports([vehicle, report("b", at: 2)]), .snapshot([vehicle], time: time(3)), .gone(["a"], since: time(4)),
            .trips(
                [
                    TripUpdate(
                        trip: TripReference(trip: "t"), stops: stops, delay: .seconds(9), vehicle: "v", time: time(1)),
                    TripUpdate(trip: TripReference(line: "l"), change: .canceled),
                ], time: time(5)), .disruptions([notice, Disruption(id: "o")]), .state(.connecting), .state(.connected),
            .state(.live),
            .losses(FeedLosses(count: 3, faults: [fault, FeedError(.malformed, source: "a", line: 4, "bad")])),
            .state(.lost(fault, retry: .milliseconds(2500))), .state(.ended(fault)), .state(.ended(nil)),
        ]
    }()

    @Test(arguments: events) func `recorded events survive writing and reading`(event: FeedEvent) throws {
        let record = ReplayFeed.Record(time: time(1_795_271_160.25), event: event)
        #expect(!record.line.contains(UInt8(ascii: "\n")))
        #expect(try ReplayFeed.Record(line: record.line) == record)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"t":1,"event":"x"}"#, #"{"t":1e300,"event":"gone"}"#,
        #"{"t":1,"event":"state","state":"lost"}"#,
        #"{"t":1,"event":"reports","vehicles":[{"id":"a"}]}"#,
        #"{"t":1,"event":"trips","trips":[{"trip":{},"delay":1e300}]}"#,
    ])
    func `an invalid record is an error`(text: String) {
        #expect(throws: FeedError.self) { try ReplayFeed.Record(line: Array(text.utf8)) }
    }

    @Test(arguments: ["-1", "2", "9223372036854775807"])
    func `an invalid direction is ignored`(direction: String) throws {
        let vehicle = #"{"t":1,"event":"reports","vehicles":[{"id":"a","t":1,"trip":{"direction":\#(direction)}}]}"#
        guard case .reports(let reports) = try ReplayFeed.Record(line: Array(vehicle.utf8)).event else {
            Issue.record("no reports")
            return
        }
        #expect(reports.first?.trip == TripReference())
        let notice =
            #"{"t":1,"event":"disruptions","disruptions":[{"id":"n","targets":[{"line":"9","direction":\#(direction)}]}]}"#
        guard case .disruptions(let notices) = try ReplayFeed.Record(line: Array(notice.utf8)).event else {
            Issue.record("no notices")
            return
        }
        #expect(notices.first?.targets == [.init(line: "9")])
    }
}

@Suite struct ReplayFeedTests {
    @Test func `a recording is played at its times, at any speed`() async throws {
        let records = try ReplayFeed.records(Fixture.bytes("replay/vehicles.txt"), source: "a", start: time(1000))
        #expect(records.count == 5)
        #expect(records.first?.time == time(1000))
        let clock = TestClock()
        let feed = ReplayFeed(records, name: "a", speed: .times(10), clock: .test(clock))
        let heard = Mutex<[Duration]>([])
        let task = Task {
            for await event in feed.events(for: AsyncStream { $0.finish() }) {
                if case .reports = event { heard.withLock { $0.append(clock.now) } }
            }
        }
        for count in 1...5 {
            #expect(await eventually { heard.withLock { $0.count } >= count })
            if count < 5 { #expect(await eventually { clock.sleeperCount == 1 }) }
            clock.advance(by: .milliseconds(100))
        }
        await task.value
        #expect(heard.withLock { $0 } == [0, 100, 200, 300, 400].map { .milliseconds($0) })
    }

    @Test func `a recording is replayed completely, including its end`() async throws {
        var recorder = ReplayFeed.Recorder()
        var bytes: [UInt8] = []
        for (index, event) in FeedRecordTests.events.enumerated() {
            bytes += recorder.record(event, at: time(Double(index)))
        }
        let records = try ReplayFeed.records(bytes, source: "a", start: time(0))
        var heard: [FeedEvent] = []
        for await event in ReplayFeed(records, speed: .whole).events(for: AsyncStream { $0.finish() }) {
            heard.append(event)
        }
        #expect(heard == [.state(.live)] + FeedRecordTests.events + [.state(.ended(nil))])
        #expect(recorder.count == 12)
    }

    @Test(arguments: [0, 1, 2])
    func `broken records are counted by line, and do not affect others`(place: Int) throws {
        var lines = [
            ReplayFeed.Record(time: time(1), event: .state(.live)).line,
            ReplayFeed.Record(time: time(2), event: .gone([], since: time(2))).line,
        ]
        lines.insert(Array("{broken".utf8), at: place)
        let records = try ReplayFeed.records(Array(lines.joined(separator: [0x0A])), source: "a", start: time(0))
        guard case .losses(let losses)? = records.first?.event else { return #expect(Bool(false)) }
        #expect(losses.count == 1)
        #expect(losses.faults.map(\.line) == [place + 1])
        #expect(records.count == 3)
        #expect("\(losses)" == "1 entry is left out: line \(place + 1): not a record of a feed")
    }

    @Test func `a recording without a readable line is an error for the first one`() throws {
        let error = #expect(throws: FeedError.self) {
            try ReplayFeed.records(Array("\n{broken\n{}\n".utf8), source: "a", start: time(0))
        }
        #expect(error?.code == .malformed)
        #expect(error?.line == 2)
        #expect(try ReplayFeed.records([], source: "a", start: time(0)).isEmpty)
    }

    @Test func `invalid vehicle lines are reported before the other events`() throws {
        let text = "0 A;1;24.9;60.2;0\nbad\n" + String(repeating: "x\n", count: 4)
        let records = try ReplayFeed.records(Array(text.utf8), source: "a", start: time(0))
        guard case .losses(let losses)? = records.first?.event else { return #expect(Bool(false)) }
        #expect(losses.count == 5)
        #expect("\(losses)".hasPrefix("5 entries are left out: line 2: not a vehicle; line 3: "))
        #expect("\(losses)".hasSuffix("; and 2 more"))
    }
}
