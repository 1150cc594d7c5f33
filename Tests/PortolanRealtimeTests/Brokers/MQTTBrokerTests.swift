#if os(Linux) && Drivers
import Foundation
import PortolanFetch
import PortolanGeo
import TestHelpers
import PortolanWeb
import Testing

@testable import PortolanRealtime

/// The guarantees of the feed, with Eclipse Mosquitto.
@Suite(.withBrokers, .serialized, .timeLimit(.minutes(10)))
struct MQTTBrokerTests {
    /// Sends to a broker as vehicles do.
    private struct Vehicle {
        let connection: any ByteConnection

        init(_ broker: Broker) async throws {
            connection = try await systemByteTransport().connect(to: broker.endpoint("mqtt"))
            try await connection.send(MQTTPacket.connect(MQTTConnecting(client: "vehicle", keepAlive: 0)).encoded ?? [])
            // CONNACK.
            _ = try await connection.receive()
        }
    }

    private static func feed(_ broker: Broker) throws -> HFPFeed {
        HFPFeed(try broker.endpoint("mqtt"), HFPFeed.Settings(), systemByteTransport(), .system)
    }

    private static func next<Value>(
        _ events: inout AsyncStream<FeedEvent>.AsyncIterator, isolation: isolated (any Actor)? = #isolation,
        _ choose: (FeedEvent) -> Value?
    ) async -> Value? {
        while let event = await events.next(isolation: isolation) {
            if let value = choose(event) { return value }
        }
        return nil
    }

    private static func isLive(_ event: FeedEvent) -> Void? { event == .state(.live) ? () : nil }

    private static func vehicles(_ event: FeedEvent) -> [String]? {
        if case .reports(let reports) = event { reports.map(\.id) } else { nil }
    }

    @Test func `filters deliver vehicles in view and on chosen lines, once each`() async throws {
        let folder = try TemporaryFolder()
        let broker = try await Broker("mosquitto", in: folder)
        defer { broker.kill() }
        let (interests, wish) = AsyncStream.makeStream(of: VehicleInterest.self)
        wish.yield(
            VehicleInterest(
                extent: Extent(minX: 24.94, minY: 60.165, maxX: 24.95, maxY: 60.175), lines: ["1009", "1001"]))
        var events = try Self.feed(broker).events(for: interests).makeAsyncIterator()
        #expect(await Self.next(&events, Self.isLive) != nil)
        let vehicle = try await Vehicle(broker)
        try await vehicle.connection.send(
            HFPSample.message(1) + HFPSample.message(1) + HFPSample.message(2, route: "1002")
                + HFPSample.message(3, cell: "60;25/10/10/10") + HFPSample.message(4, route: "1001"))
        var heard: [String] = []
        while heard.last != "40/4", let more = await Self.next(&events, Self.vehicles) { heard += more }
        #expect(heard == ["40/1", "40/4"])
        // The lines change: what is heard follows, and what is left comes no more.
        wish.yield(VehicleInterest(lines: ["1002"]))
        // What is sent before the broker has taken the new filters is not heard, so vehicles drive until one is.
        let driving = Task {
            for number in stride(from: 5, to: Int.max, by: 2) where !Task.isCancelled {
                try await vehicle.connection.send(
                    HFPSample.message(number, route: "1009") + HFPSample.message(number + 1, route: "1002"))
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        defer { driving.cancel() }
        heard = await Self.next(&events, Self.vehicles) ?? []
        #expect(!heard.isEmpty)
        for id in heard {
            let number = try #require(Int(id.dropFirst(3)))
            #expect(number.isMultiple(of: 2), "a vehicle of line 1009, which is left")
        }
    }

    @Test func `a broker that dies is reported as lost, and used again when it is back`() async throws {
        let folder = try TemporaryFolder()
        var broker = try await Broker("mosquitto", in: folder)
        defer { broker.kill() }
        var events = try Self.feed(broker).events(for: AsyncStream { $0.finish() }).makeAsyncIterator()
        #expect(await Self.next(&events, Self.isLive) != nil)
        broker.kill()
        let fault = await Self.next(&events) { event -> FeedError? in
            if case .state(.lost(let fault, _)) = event { fault } else { nil }
        }
        #expect(fault?.code == .unreachable)
        broker = try await broker.restarted()
        #expect(await Self.next(&events, Self.isLive) != nil)
        try await Vehicle(broker).connection.send(HFPSample.message(7))
        #expect(await Self.next(&events, Self.vehicles) == ["40/7"])
    }

    @Test func `tens of thousands of messages arrive, each once and in order`() async throws {
        let folder = try TemporaryFolder()
        let broker = try await Broker("mosquitto", in: folder)
        defer { broker.kill() }
        var events = try Self.feed(broker).events(for: AsyncStream { $0.finish() }).makeAsyncIterator()
        #expect(await Self.next(&events, Self.isLive) != nil)
        let count = Memory.messageCount, clock = ContinuousClock(), beginning = clock.now, before = Memory.resident()
        let sending = Task {
            let vehicle = try await Vehicle(broker)
            for start in stride(from: 0, to: count, by: 100) {
                try await vehicle.connection.send((start..<(start + 100)).flatMap { HFPSample.message($0) })
            }
            // Alive until all has left.
            return vehicle
        }
        var heard = 0, isInOrder = true
        while heard < count, let more = await Self.next(&events, Self.vehicles) {
            for id in more {
                isInOrder = isInOrder && id == "40/\(heard)"
                heard += 1
            }
        }
        try await sending.value.connection.close()
        #expect(heard == count)
        #expect(isInOrder)
        let seconds = beginning.duration(to: clock.now) / .seconds(1)
        print(
            "rate of MQTT: \(Int(Double(count) / seconds)) messages a second; memory \(before) -> \(Memory.resident()) KiB"
        )
    }
}
#endif
