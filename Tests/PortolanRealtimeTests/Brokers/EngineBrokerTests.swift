#if os(Linux) && Drivers
import Foundation
import Portolan
import PortolanCity
import PortolanFetch
import PortolanGeo
import PortolanRaster
import TestHelpers
import PortolanTransit
import Testing

@testable import PortolanRealtime

/// From a source through the engine, a real broker and a client to the picture.
@Suite(.withBrokers, .serialized, .timeLimit(.minutes(5)))
struct EngineBrokerTests {
    /// A map with the vehicles of a fleet, and with nothing else.
    private static func picture(of fleet: Fleet, at now: Date) async throws -> PixelBuffer {
        var marks = VehicleMarks()
        for line in ["1001", "1002", "1003", "1004", "1006", "1006T", "1010"] {
            marks.lines[line] = Timetable.Line(id: line, shortName: String(line.dropFirst(3)), mode: .tram)
        }
        let map = try MapFacade(width: 500, height: 400)
        try map.center(on: Coordinate(longitude: 24.944, latitude: 60.1705), zoom: 15)
        map.clockStart = now
        try map.addVehicles()
        var change = Fleet.Change()
        change.changed = fleet.snapshot
        try map.updateVehicles(change, marks: marks, at: .zero)
        return try await map.refresh().image
    }

    @Test func `vehicles give the same picture directly and through engine and broker`() async throws {
        let folder = try TemporaryFolder()
        let broker = try await Broker("activemq", in: folder)
        defer { broker.kill() }
        let settings = STOMPFeed.Settings(vehicles: "/topic/city", alerts: "/topic/city.alerts")
        let feed = try STOMPFeed(broker.endpoint("stomp"), settings, systemByteTransport(), .system)
        // A topic keeps nothing for who comes late: the client listens first.
        var events = feed.events(for: AsyncStream { $0.finish() }).makeAsyncIterator()
        while let event = await events.next(isolation: #isolation), event != .state(.live) {}

        let start = Date(), bytes = try Fixture.bytes("replay/vehicles.txt")
        let source = ReplayFeed(try ReplayFeed.records(bytes, source: "replay", start: start), speed: .whole)
        let sink = VehicleEngine.STOMPSink(
            try STOMPPublisher(broker.endpoint("stomp"), systemByteTransport(), .system), topic: "/topic/city",
            noticeTopic: "/topic/city.alerts")
        await VehicleEngine([.init(source)], to: [sink], interval: .milliseconds(100)).run()
        // What is published later comes later.
        var publisher = try STOMPPublisher(broker.endpoint("stomp"), systemByteTransport(), .system)
        let last = try #require(MobitransitMessages.headers(of: report("last", at: 1, 24.9, 60.1)))
        try await publisher.publish([(last, [])], to: "/topic/city")
        await publisher.close()

        var heard = Fleet(), direct = Fleet()
        while heard.vehicles["last"] == nil, let event = await events.next(isolation: #isolation) {
            _ = heard.apply(event, now: Date())
        }
        _ = heard.apply(.gone(["last"], since: Date() + 1), now: Date())
        let now = Date()
        for record in source.records { _ = direct.apply(record.event, now: now) }
        #expect(direct.vehicles.count == 9)
        #expect(heard.vehicles.keys == direct.vehicles.keys)
        for (id, vehicle) in direct.vehicles {
            let other = heard.vehicles[id]
            #expect(other?.place == vehicle.place)
            #expect(other?.bearing == vehicle.bearing)
            #expect(other?.line == vehicle.line)
        }
        let picture = try await Self.picture(of: heard, at: now)
        #expect(picture == (try await Self.picture(of: direct, at: now)))
        #expect(picture != (try await Self.picture(of: Fleet(), at: now)))
    }
}
#endif
