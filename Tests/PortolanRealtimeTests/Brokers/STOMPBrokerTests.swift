#if os(Linux) && Drivers
import Foundation
import PortolanFetch
import PortolanGeo
import TestHelpers
import PortolanWeb
import Synchronization
import Testing

@testable import PortolanRealtime

/// The guarantees of the feed and the publisher, with Apache ActiveMQ.
@Suite(.withBrokers, .serialized, .timeLimit(.minutes(10)))
struct STOMPBrokerTests {
    private static let helsinki = Extent(minX: 24.9, minY: 60.15, maxX: 24.98, maxY: 60.21)

    private static func message(
        _ id: String, line: String, _ x: Double, _ y: Double
    )
        -> (headers: [STOMPFrame.Header], body: [UInt8])
    {
        (
            [
                .init("numberPlate", id), .init("line", line), .init("longitude", "\(x)"), .init("latitude", "\(y)"),
                .init("orientation", "270"),
            ], []
        )
    }

    private static func feed(
        _ broker: Broker, heartBeat: Duration = .seconds(10), prefetch: Int = 1000
    ) throws -> STOMPFeed {
        var settings = STOMPFeed.Settings(vehicles: "/topic/vehicles", alerts: "/topic/alerts")
        settings.heartBeat = heartBeat
        settings.headers = [.init("activemq.prefetchSize", "\(prefetch)")]
        return try STOMPFeed(broker.endpoint("stomp"), settings, systemByteTransport(), .system)
    }

    private static func publisher(_ broker: Broker) throws -> STOMPPublisher {
        try STOMPPublisher(broker.endpoint("stomp"), systemByteTransport(), .system)
    }

    /// The next events until one is of a kind.
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

    @Test func `a selector delivers vehicles in view and on chosen lines, whatever their names`() async throws {
        let folder = try TemporaryFolder()
        let broker = try await Broker("activemq", in: folder)
        defer { broker.kill() }
        let (interests, wish) = AsyncStream.makeStream(of: VehicleInterest.self)
        wish.yield(VehicleInterest(extent: Self.helsinki, lines: ["1009", "o'clock", "' or 1=1 or line='"]))
        // Nothing is left out here but by the broker: the client's own choice is looked at elsewhere.
        var events = try Self.feed(broker).events(for: interests).makeAsyncIterator()
        #expect(await Self.next(&events, Self.isLive) != nil)
        var publisher = try Self.publisher(broker)
        try await publisher.publish(
            [
                Self.message("other", line: "1001", 24.95, 60.17), Self.message("far", line: "1009", 25.5, 60.17),
                Self.message("here", line: "1009", 24.937137, 60.201705),
                Self.message("quoted", line: "o'clock", 24.95, 60.17),
                Self.message("same", line: "-", 24.95, 60.17), Self.message("last", line: "1009", 24.95, 60.17),
            ], to: "/topic/vehicles")
        var heard: [String] = []
        while heard.last != "last", let more = await Self.next(&events, Self.vehicles) { heard += more }
        #expect(heard == ["here", "quoted", "same", "last"])
        // The view moves: what is heard follows.
        wish.yield(VehicleInterest(extent: Extent(minX: 25.4, minY: 60.1, maxX: 25.6, maxY: 60.2)))
        var isHeard = false
        while !isHeard {
            try await publisher.publish([Self.message("far", line: "7", 25.5, 60.17)], to: "/topic/vehicles")
            try await Task.sleep(for: .milliseconds(50))
            try await publisher.publish(
                [([.init("destination", "/topic/alerts")], Array("Line 9 stands".utf8))], to: "/topic/alerts")
            isHeard =
                await Self.next(&events) { event -> Bool? in
                    if case .reports(let reports) = event { return reports.contains { $0.id == "far" } }
                    if case .disruptions = event { return false }
                    return nil
                } ?? true
        }
        await publisher.close()
    }

    @Test func `heart-beats keep a quiet connection open`() async throws {
        let folder = try TemporaryFolder()
        let broker = try await Broker("activemq", in: folder)
        defer { broker.kill() }
        var events = try Self.feed(broker, heartBeat: .milliseconds(500)).events(for: AsyncStream { $0.finish() })
            .makeAsyncIterator()
        #expect(await Self.next(&events, Self.isLive) != nil)
        // ActiveMQ cuts a silent client after three quarters of a second.
        try await Task.sleep(for: .seconds(4))
        var publisher = try Self.publisher(broker)
        try await publisher.publish([Self.message("A", line: "1", 1, 2)], to: "/topic/vehicles")
        // The next event, without a loss before it.
        guard case .reports(let reports)? = await events.next(isolation: #isolation) else {
            return #expect(Bool(false))
        }
        #expect(reports.map(\.id) == ["A"])
    }

    @Test func `a broker that dies is reported as lost, and used again when it is back`() async throws {
        let folder = try TemporaryFolder()
        var broker = try await Broker("activemq", in: folder)
        defer { broker.kill() }
        var events = try Self.feed(broker).events(for: AsyncStream { $0.finish() }).makeAsyncIterator()
        #expect(await Self.next(&events, Self.isLive) != nil)
        var publisher = try Self.publisher(broker)
        try await publisher.publish([Self.message("A", line: "1", 1, 2)], to: "/topic/vehicles")
        #expect(await Self.next(&events, Self.vehicles) == ["A"])
        broker.kill()
        let fault = await Self.next(&events) { if case .state(.lost(let fault, _)) = $0 { fault } else { nil } }
        #expect(fault?.code == .unreachable)
        await #expect(throws: FeedError.self) {
            try await publisher.publish([Self.message("B", line: "1", 1, 2)], to: "/topic/vehicles")
        }
        broker = try await broker.restarted()
        #expect(await Self.next(&events, Self.isLive) != nil)
        try await publisher.publish([Self.message("C", line: "1", 1, 2)], to: "/topic/vehicles")
        #expect(await Self.next(&events, Self.vehicles) == ["C"])
    }

    @Test func `an invalid selector is an error, and the broker continues`() async throws {
        let folder = try TemporaryFolder()
        let broker = try await Broker("activemq", in: folder)
        defer { broker.kill() }
        let connection = try await systemByteTransport().connect(to: broker.endpoint("stomp"))
        defer { connection.close() }
        var session = STOMPSession(STOMPConnecting(to: try broker.endpoint("stomp")), now: .zero)
        var events: [STOMPSession.Event] = []
        func wait(for count: Int) async throws {
            try await connection.send(session.takeOutgoing())
            while events.count < count, let chunk = try await connection.receive() {
                try session.receive(chunk, now: .zero) { events.append($0) }
            }
        }
        try await wait(for: 1)
        let headers: [STOMPFrame.Header] = [.init("destination", "/topic/v"), .init("id", "1")]
        session.send(STOMPFrame("SUBSCRIBE", headers + [.init("selector", "longitude <> <")]), now: .zero)
        try await wait(for: 2)
        let receipt = session.send(STOMPFrame("SUBSCRIBE", headers), withReceipt: true, now: .zero)
        try await wait(for: 3)
        #expect(session.version == .v1_2)
        guard case .error(let fault, _) = events[1] else { return #expect(Bool(false)) }
        #expect(fault.reason == "error from the broker: Couldn't create TopicSubscription")
        #expect(events[2] == .receipt(receipt ?? ""))
    }

    @Test func `tens of thousands of messages arrive, each once and in order`() async throws {
        let folder = try TemporaryFolder()
        let broker = try await Broker("activemq", in: folder)
        defer { broker.kill() }
        let (interests, wish) = AsyncStream.makeStream(of: VehicleInterest.self)
        wish.yield(VehicleInterest(extent: Self.helsinki))
        var events = try Self.feed(broker).events(for: interests).makeAsyncIterator()
        #expect(await Self.next(&events, Self.isLive) != nil)
        let count = Memory.messageCount, clock = ContinuousClock(), beginning = clock.now, before = Memory.resident()
        let publishing = Task {
            var publisher = try Self.publisher(broker)
            for start in stride(from: 0, to: count, by: 1000) {
                try await publisher.publish(
                    (start..<(start + 1000)).map { Self.message("R\($0)", line: "\($0 % 40)", 24.95, 60.17) },
                    to: "/topic/vehicles")
            }
        }
        var heard = 0, isInOrder = true
        while heard < count, let more = await Self.next(&events, Self.vehicles) {
            for id in more {
                isInOrder = isInOrder && id == "R\(heard)"
                heard += 1
            }
        }
        try await publishing.value
        #expect(heard == count)
        #expect(isInOrder)
        let seconds = beginning.duration(to: clock.now) / .seconds(1)
        print(
            "rate of STOMP: \(Int(Double(count) / seconds)) messages a second; memory \(before) -> \(Memory.resident()) KiB"
        )
    }
}

/// The memory of this process, and what it is measured with.
enum Memory {
    /// Messages sent to see what becomes of it.
    #if DEBUG
    static let messageCount = 20_000
    #else
    static let messageCount = 500_000
    #endif

    /// Resident, in KiB.
    static func resident() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
#endif
