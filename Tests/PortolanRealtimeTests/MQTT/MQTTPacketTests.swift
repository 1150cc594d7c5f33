import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct MQTTPacketTests {
    /// Packets with the bytes that the standard gives them (MQTT 3.1.1, the figures of section 3).
    private static let samples: [(MQTTPacket, [UInt8])] = [
        (
            .connect(MQTTConnecting(client: "a", keepAlive: 10, user: "u", password: "p")),
            [0x10, 19, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 0xC2, 0, 10, 0, 1, 0x61, 0, 1, 0x75, 0, 1, 0x70]
        ),
        (.connectAcknowledged(hasSession: true, code: 0), [0x20, 2, 1, 0]),
        (.publish(MQTTMessage(topic: "a/b", payload: [7], id: 10)), [0x32, 8, 0, 3, 0x61, 0x2F, 0x62, 0, 10, 7]),
        (.publish(MQTTMessage(topic: "a/b", payload: [])), [0x30, 5, 0, 3, 0x61, 0x2F, 0x62]),
        (.publishAcknowledged(id: 0x0102), [0x40, 2, 1, 2]),
        (
            .subscribe(id: 10, filters: ["a/b", "c/#"]),
            [0x82, 14, 0, 10, 0, 3, 0x61, 0x2F, 0x62, 0, 0, 3, 0x63, 0x2F, 0x23, 0]
        ),
        (.subscribeAcknowledged(id: 10, codes: [0, 0x80]), [0x90, 4, 0, 10, 0, 0x80]),
        (.unsubscribe(id: 10, filters: ["a/b"]), [0xA2, 7, 0, 10, 0, 3, 0x61, 0x2F, 0x62]),
        (.unsubscribeAcknowledged(id: 10), [0xB0, 2, 0, 10]),
        (.ping, [0xC0, 0]), (.pong, [0xD0, 0]), (.disconnect, [0xE0, 0]),
    ]

    private static func packets(
        _ bytes: [UInt8], limit: Int = 1 << 20, pieces: Int = .max
    ) throws(FeedError) -> [MQTTPacket] {
        var parser = MQTTParser(limit: limit), packets: [MQTTPacket] = [], rest = bytes[...]
        while !rest.isEmpty {
            parser.append(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
            while let packet = try parser.next() { packets.append(packet) }
        }
        return packets
    }

    @Test func `packets are encoded as the standard states`() {
        for (packet, bytes) in Self.samples { #expect(packet.encoded == bytes) }
    }

    @Test(arguments: [1, 2, 3, 7, Int.max])
    func `packets are parsed from chunks of any size`(pieces: Int) throws {
        #expect(try Self.packets(Self.samples.flatMap(\.1), pieces: pieces) == Self.samples.map(\.0))
    }

    @Test(
        arguments: [
            (0, [0x00]), (127, [0x7F]), (128, [0x80, 0x01]), (16_383, [0xFF, 0x7F]), (16_384, [0x80, 0x80, 0x01]),
            (2_097_152, [0x80, 0x80, 0x80, 0x01]),
        ] as [(Int, [UInt8])])
    func `lengths are encoded as in the table of section 2_2_3`(length: Int, bytes: [UInt8]) throws {
        let packet = MQTTPacket.publish(
            MQTTMessage(topic: "a", payload: [UInt8](repeating: 1, count: max(0, length - 3))))
        guard length > 0 else { return #expect(MQTTPacket.ping.encoded == [0xC0] + bytes) }
        let encoded = try #require(packet.encoded)
        #expect(Array(encoded.dropFirst().prefix(bytes.count)) == bytes)
        #expect(try Self.packets(encoded, limit: 1 << 22) == [packet])
    }

    @Test(
        arguments: [
            [0x00, 0], [0xF0, 0], [0x21, 2, 0, 0], [0x20, 2, 2, 0], [0x20, 3, 0, 0, 0], [0x20, 1, 0], [0x30, 0],
            [0x30, 2, 0, 0],
            [0x30, 3, 0, 2, 0x61], [0x30, 3, 0, 1, 0x23], [0x30, 3, 0, 1, 0], [0x30, 3, 0, 1, 0xFF],
            [0x32, 5, 0, 1, 0x61, 0, 0],
            [0x36, 5, 0, 1, 0x61, 0, 1], [0x40, 2, 0, 0], [0x80, 2, 0, 1], [0x82, 2, 0, 1], [0x90, 3, 0, 1, 3],
            [0x90, 2, 0, 1],
            [0xC0, 1, 0], [0xC1, 0], [0xC0, 0xFF, 0xFF, 0xFF, 0xFF, 1],
        ] as [[UInt8]])
    func `invalid packets are malformed`(bytes: [UInt8]) {
        #expect { try Self.packets(bytes) } throws: { ($0 as? FeedError)?.code == .malformed }
    }

    @Test func `oversized packets are rejected before they arrive, and unsupported ones too`() {
        #expect { try Self.packets([0x30, 0xFF, 0xFF, 0xFF, 0x7F]) } throws: {
            ($0 as? FeedError)?.code == .limitExceeded
        }
        #expect { try Self.packets([0x34, 5, 0, 1, 0x61, 0, 1]) } throws: { ($0 as? FeedError)?.code == .unsupported }
        #expect(MQTTPacket.subscribe(id: 1, filters: [String(repeating: "a", count: 65_536)]).encoded == nil)
    }
}

@Suite struct MQTTSessionTests {
    private static func session(_ client: MQTTConnecting = MQTTConnecting()) throws -> MQTTSession {
        try MQTTSession(client, source: "mqtt://broker.example", now: .zero)
    }

    private static func receive(
        _ packets: MQTTPacket..., in session: inout MQTTSession, now: Duration = .zero
    ) throws -> [MQTTSession.Event] {
        var events: [MQTTSession.Event] = []
        try session.receive(packets.flatMap { $0.encoded ?? [] }, now: now) { events.append($0) }
        return events
    }

    @Test(
        arguments: [
            (1, FeedError.Code.unsupported), (2, .refused), (3, .refused), (4, .refused), (5, .refused),
            (6, .malformed),
        ] as [(UInt8, FeedError.Code)])
    func `a rejected connection is reported with the reason`(code: UInt8, fault: FeedError.Code) throws {
        var session = try Self.session()
        #expect { _ = try Self.receive(.connectAcknowledged(hasSession: false, code: code), in: &session) } throws: {
            ($0 as? FeedError)?.code == fault
        }
    }

    @Test func `messages that require it are acknowledged, in order of arrival`() throws {
        var session = try Self.session()
        let first = MQTTMessage(topic: "a", payload: [1], id: 7), second = MQTTMessage(topic: "a", payload: [2])
        #expect(
            try Self.receive(
                .connectAcknowledged(hasSession: false, code: 0), .publish(first), .publish(second), in: &session)
                == [.connected, .message(first), .message(second)])
        #expect(session.takeOutgoing() == (MQTTPacket.connect(MQTTConnecting()).encoded ?? []) + [0x40, 2, 0, 7])
    }

    @Test(arguments: [
        MQTTPacket.pong, .publish(MQTTMessage(topic: "a", payload: [])), .subscribe(id: 1, filters: ["a"]),
    ])
    func `unexpected packets before the connection is accepted end it`(packet: MQTTPacket) throws {
        var session = try Self.session()
        #expect { _ = try Self.receive(packet, in: &session) } throws: { ($0 as? FeedError)?.code == .malformed }
    }

    @Test func `a broker is pinged, and lost without a response`() throws {
        var session = try Self.session()
        #expect(session.due == .seconds(10))
        _ = try Self.receive(.connectAcknowledged(hasSession: false, code: 0), in: &session)
        _ = session.takeOutgoing()
        #expect(session.due == .seconds(15))
        try session.tick(now: .seconds(15))
        #expect(session.takeOutgoing() == [0xC0, 0])
        _ = try Self.receive(.pong, in: &session, now: .seconds(16))
        try session.tick(now: .seconds(30))
        try session.tick(isReading: false, now: .seconds(39))
        try session.tick(now: .seconds(48))
        #expect { try session.tick(now: .seconds(49)) } throws: { ($0 as? FeedError)?.code == .silent }
    }

    @Test func `a broker that does not respond to CONNECT is silent`() throws {
        var session = try Self.session()
        #expect { try session.tick(now: .seconds(10)) } throws: { ($0 as? FeedError)?.code == .silent }
    }
}
