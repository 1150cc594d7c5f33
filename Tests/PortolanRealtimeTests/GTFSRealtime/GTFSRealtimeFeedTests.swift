import Foundation
import PortolanFetch
import PortolanTesting
import PortolanTransit
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct RealtimePollReaderTests {
    private func message(
        _ vehicles: [String], at time: UInt64?, _ kind: RealtimeMessage.Incrementality? = nil, deleted: [String] = []
    ) -> [UInt8] {
        var message = RealtimeMessage()
        (message.header.version, message.header.timestamp, message.header.incrementality) = ("2.0", time, kind)
        message.vehicles = vehicles.map { id in
            var vehicle = RealtimeMessage.VehiclePosition()
            vehicle.vehicle = .init(id: id)
            return .init(id: "entity-\(id)", vehicle)
        }
        message.deleted = deleted
        return message.bytes
    }

    private func ids(_ events: [FeedEvent]) -> [String] {
        events.map { event in
            switch event {
            case .snapshot(let reports, _): "all " + reports.map(\.id).joined(separator: " ")
            case .reports(let reports): "some " + reports.map(\.id).joined(separator: " ")
            case .gone(let gone, _): "gone " + gone.joined(separator: " ")
            case .trips(let trips, _): "trips \(trips.count)"
            case .disruptions(let notices): "notices \(notices.count)"
            case .losses(let losses): "losses \(losses.count)"
            case .state: "state"
            }
        }
    }

    @Test func `a message older than the one before is ignored`() throws {
        var reader = RealtimePollReader(source: "a", count: 1, limits: RealtimeMessage.Limits())
        #expect(ids(try reader.events(of: message(["1"], at: 20), from: 0, now: time(30))) == ["all 1"])
        #expect(try reader.events(of: message(["1", "2"], at: 19), from: 0, now: time(30)).isEmpty)
        #expect(ids(try reader.events(of: message([], at: 20), from: 0, now: time(30))) == ["all "])
    }

    @Test func `differential messages add vehicles, and deleted entities remove them`() throws {
        var reader = RealtimePollReader(source: "a", count: 1, limits: RealtimeMessage.Limits())
        #expect(
            ids(try reader.events(of: message(["1", "2"], at: 1, .differential), from: 0, now: time(1))) == ["some 1 2"]
        )
        let change = message(["3"], at: 2, .differential, deleted: ["entity-1", "entity-9"])
        #expect(ids(try reader.events(of: change, from: 0, now: time(2))) == ["some 3", "gone 1"])
    }

    @Test func `two vehicle URLs do not clear each other's vehicles`() throws {
        var reader = RealtimePollReader(source: "a", count: 2, limits: RealtimeMessage.Limits())
        var fleet = Fleet()
        for (index, vehicles) in [(0, ["1", "2"]), (1, ["3", "4"]), (1, ["3"]), (0, ["2"]), (0, ["2"])] {
            for event in try reader.events(of: message(vehicles, at: 5), from: index, now: time(5)) {
                _ = fleet.apply(event, now: time(5))
            }
        }
        #expect(fleet.snapshot.map(\.id) == ["2", "3"])
    }

    @Test func `trips and alerts are read from their own URLs`() throws {
        var reader = RealtimePollReader(source: "a", count: 3, limits: RealtimeMessage.Limits())
        func told(_ name: String, _ index: Int) throws -> [String] {
            ids(try reader.events(of: Fixture.bytes("gtfs-realtime/\(name).pb"), from: index, now: time(1)))
        }
        #expect(try told("trip-updates", 1) == ["trips 11"])
        #expect(try told("service-alerts", 2) == ["notices 1"])
        #expect(try told("vehicle-positions", 0).count == 1)
        #expect(ids(try reader.events(of: message([], at: 1_795_271_161), from: 2, now: time(1))) == ["notices 0"])
    }

    @Test func `a message without a valid entity is an error`() {
        var reader = RealtimePollReader(source: "a", count: 1, limits: RealtimeMessage.Limits())
        #expect(throws: FeedError.self) {
            try reader.events(of: [0x0A, 5, 0x0A, 3, 0x32, 0x2E, 0x30, 0x12, 0], from: 0, now: time(1))
        }
    }

    @Test(arguments: [4_070_908_800, 1_700_000_100_000, 1_700_000_090_000] as [UInt64])
    func `a message with a wrong clock does not silence later ones`(wrong: UInt64) throws {
        var reader = RealtimePollReader(source: "a", count: 1, limits: RealtimeMessage.Limits()), fleet = Fleet()
        let start = 1_700_000_100
        for (vehicles, stamp, seconds) in [(["1"], wrong, 0), (["2"], UInt64(start + 30), 30)] {
            let now = time(Double(start + seconds))
            for event in try reader.events(of: message(vehicles, at: stamp), from: 0, now: now) {
                _ = fleet.apply(event, now: now)
            }
        }
        #expect(fleet.snapshot.map(\.id) == ["2"])
    }

    @Test func `trips from several URLs are as recent as the newest message`() throws {
        func trips(_ id: String, at time: UInt64) -> [UInt8] {
            var message = RealtimeMessage(), update = RealtimeMessage.TripUpdate()
            (message.header.version, message.header.timestamp) = ("2.0", time)
            update.trip = .init()
            update.trip?.trip = id
            message.trips = [.init(id: id, update)]
            return message.bytes
        }
        var reader = RealtimePollReader(source: "a", count: 2, limits: RealtimeMessage.Limits()), fleet = Fleet()
        for (index, id, stamp) in [(0, "a", 100), (1, "b", 90)] as [(Int, String, UInt64)] {
            for event in try reader.events(of: trips(id, at: stamp), from: index, now: time(110)) {
                _ = fleet.apply(event, now: time(110))
            }
        }
        #expect(fleet.trips.map(\.trip.trip) == ["a", "b"])
    }
}

@Suite struct GTFSRealtimeFeedTests {
    private func feed(_ clock: TestClock, _ answer: @escaping StubTransport.Answer) -> (GTFSRealtimeFeed, StubTransport)
    {
        let transport = StubTransport(answer)
        let fetcher = Fetcher(transport: transport, retries: .none, clock: .test(clock))
        return (
            GTFSRealtimeFeed(["http://a.example/vp?key=secret"], fetcher: fetcher, clock: .test(clock)), transport
        )
    }

    @Test func `the server is polled every 30 seconds, for changes only`() async throws {
        let clock = TestClock()
        let body = try Fixture.bytes("gtfs-realtime/vehicle-positions.pb")
        let (feed, transport) = feed(clock) { request in
            if request.header("If-None-Match") == "\"1\"" { return HTTPResponse(status: 304, url: request.url) }
            return HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "ETag", value: "\"1\"")], body: body, url: request.url)
        }
        let heard = Mutex<[FeedEvent]>([])
        let task = Task {
            for await event in feed.events(for: AsyncStream { $0.finish() }) { heard.withLock { $0.append(event) } }
        }
        #expect(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(29))
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(1))
        #expect(await eventually { transport.requests.count == 2 && clock.sleeperCount == 1 })
        task.cancel()
        await task.value
        let events = heard.withLock { $0 }
        #expect(events.count == 3)
        #expect(events.first == .state(.connecting))
        #expect(events.last == .state(.live))
        #expect(!feed.name.contains("secret"))
    }

    @Test func `a failing server is polled later, and is live again when it responds`() async throws {
        let clock = TestClock()
        let body = try Fixture.bytes("gtfs-realtime/vehicle-positions.pb"), count = Mutex(0)
        let (feed, _) = feed(clock) { request in
            let number = count.withLock {
                $0 += 1; return $0
            }
            if number == 1 { return HTTPResponse(status: 403, url: request.url) }
            if number == 2 { return HTTPResponse(status: 200, body: Array("<html>".utf8), url: request.url) }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
        let heard = Mutex<[FeedEvent.State]>([])
        let task = Task {
            for await event in feed.events(for: AsyncStream { $0.finish() }) {
                if case .state(let state) = event { heard.withLock { $0.append(state) } }
            }
        }
        for seconds in [30, 60] {
            #expect(await eventually { clock.sleeperCount == 1 })
            clock.advance(by: .seconds(seconds))
        }
        #expect(await eventually { heard.withLock { $0.last } == .live })
        task.cancel()
        await task.value
        let states = heard.withLock { $0 }
        let codes = states.compactMap { if case .lost(let fault, _) = $0 { fault.code } else { nil } }
        let waits = states.compactMap { if case .lost(_, let wait) = $0 { wait } else { nil } }
        #expect(codes == [.refused, .malformed])
        #expect(waits == [.seconds(30), .seconds(60)])
    }

    @Test func `vehicles without interest are left out, and events do not pile up`() async throws {
        let clock = TestClock(), bodies = Mutex(0)
        let (feed, transport) = feed(clock) { request in
            var message = RealtimeMessage()
            message.header.version = "2.0"
            message.vehicles = ["1", "2"].map { id in
                var vehicle = RealtimeMessage.VehiclePosition()
                (vehicle.vehicle, vehicle.trip) = (.init(id: id), .init())
                vehicle.trip?.route = id
                return .init(id: id, vehicle)
            }
            bodies.withLock { $0 += 1 }
            return HTTPResponse(status: 200, body: message.bytes, url: request.url)
        }
        let (interests, wish) = AsyncStream.makeStream(of: VehicleInterest.self)
        wish.yield(VehicleInterest(lines: ["2"]))
        let events = feed.events(for: interests)
        // Without a reader, polling stops once 64 events are pending.
        for round in 1...62 {
            #expect(await eventually { transport.requests.count == round && clock.sleeperCount == 1 })
            clock.advance(by: .seconds(30))
        }
        #expect(await eventually { transport.requests.count >= 62 })
        for _ in 0..<50 {
            clock.advance(by: .seconds(30))
            await Task.yield()
        }
        #expect(transport.requests.count <= 64)
        var last: [String] = [], count = 0
        for await event in events {
            if case .snapshot(let reports, _) = event { last = reports.map(\.id) }
            count += 1
            if count == 60 { break }
        }
        #expect(last == ["2"])
    }
}
