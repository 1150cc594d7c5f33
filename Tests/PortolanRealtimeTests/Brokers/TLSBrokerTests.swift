#if os(Linux) && Drivers
import Foundation
import PortolanFetch
import TestHelpers
import PortolanWeb
import Testing

@testable import PortolanRealtime

/// Brokers that are spoken to by TLS: whom one trusts, and that all comes through.
@Suite(
    .withBrokers, .serialized, .timeLimit(.minutes(5)), .enabled(if: TestRig.has(program: "openssl"), "needs openssl"))
struct TLSBrokerTests {
    private static func transport(_ authority: String?) -> any ByteTransport {
        var settings = ConnectionSettings()
        settings.certificateAuthorityFile = authority
        return systemByteTransport(settings)
    }

    private static func fault(_ address: String, _ authority: String?) async -> FetchError? {
        do throws(FetchError) {
            _ = try await transport(authority).connect(to: ByteEndpoint(.user(address)))
            return nil
        } catch { return error }
    }

    @Test(arguments: [("mosquitto", "mqtts"), ("activemq", "stomps"), ("activemq", "stomp+ssl")])
    func `a broker is accepted only with a trusted authority and by its own name`(
        kind: String, scheme: String
    ) async throws {
        let folder = try TemporaryFolder(), broker = try await Broker(kind, in: folder, isSecure: true)
        defer { broker.kill() }
        let address = "\(scheme)://127.0.0.1:\(broker.port)"
        #expect(await Self.fault(address, broker.authority) == nil)
        // The authorities of the system know nothing of it, and it is not called so.
        for (address, authority) in [
            (address, nil),
            ("\(scheme)://localhost:\(broker.port)", broker.authority),
        ] {
            let fault = await Self.fault(address, authority)
            #expect(fault?.code == .tls, "\(address): \(String(describing: fault))")
        }
    }

    @Test func `vehicles arrive by MQTT over TLS, in messages larger than a record as well`() async throws {
        let folder = try TemporaryFolder(), broker = try await Broker("mosquitto", in: folder, isSecure: true)
        defer { broker.kill() }
        let transport = Self.transport(broker.authority), endpoint = try broker.endpoint("mqtts")
        var events = HFPFeed(endpoint, HFPFeed.Settings(), transport, .system)
            .events(for: AsyncStream { $0.finish() }).makeAsyncIterator()
        while let event = await events.next(isolation: #isolation), event != .state(.live) {}
        let vehicle = try await transport.connect(to: endpoint)
        try await vehicle.send(MQTTPacket.connect(MQTTConnecting(client: "vehicle", keepAlive: 0)).encoded ?? [])
        _ = try await vehicle.receive()
        let count = 400
        try await vehicle.send((0..<count).flatMap { HFPSample.message($0) })
        var heard: [String] = []
        while heard.count < count, let event = await events.next(isolation: #isolation) {
            if case .reports(let reports) = event { heard += reports.map(\.id) }
        }
        #expect(heard == (0..<count).map { "40/\($0)" })
        vehicle.close()
    }

    @Test func `vehicles arrive by STOMP over TLS, and an untrusted broker is reported as lost`() async throws {
        let folder = try TemporaryFolder(), broker = try await Broker("activemq", in: folder, isSecure: true)
        defer { broker.kill() }
        let endpoint = try broker.endpoint("stomps")
        let settings = STOMPFeed.Settings(vehicles: "/topic/vehicles", alerts: "/topic/alerts")
        var events = try STOMPFeed(endpoint, settings, Self.transport(broker.authority), .system)
            .events(for: AsyncStream { $0.finish() }).makeAsyncIterator()
        while let event = await events.next(isolation: #isolation), event != .state(.live) {}
        var publisher = try STOMPPublisher(endpoint, Self.transport(broker.authority), .system)
        let headers = try #require(MobitransitMessages.headers(of: report("tram", at: 1, 24.9, 60.1)))
        try await publisher.publish([(headers, [])], to: "/topic/vehicles")
        var heard: [String] = []
        while heard.isEmpty, let event = await events.next(isolation: #isolation) {
            if case .reports(let reports) = event { heard = reports.map(\.id) }
        }
        #expect(heard == ["tram"])
        await publisher.close()
        var distrusting = try STOMPFeed(endpoint, settings, Self.transport(nil), .system)
            .events(for: AsyncStream { $0.finish() }).makeAsyncIterator()
        var lost: FeedError?
        while lost == nil, let event = await distrusting.next(isolation: #isolation) {
            if case .state(.lost(let fault, _)) = event { lost = fault }
        }
        #expect(lost?.code == .refused)
    }
}
#endif
