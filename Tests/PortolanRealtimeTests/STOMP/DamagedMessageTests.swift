import Foundation
import PortolanGeo
import TestHelpers
import Testing

@testable import PortolanRealtime

/// Whatever comes, it is read the same in whatever pieces it comes, and what was read can be written and read again.
@Suite struct DamagedMessageTests {
    private static let frames = Array(
        ("CONNECTED\nversion:1.2\nheart-beat:1000,1000\n\n\0\nRECEIPT\nreceipt-id:s0\n\n\0\n"
            + "MESSAGE\r\nnote:caf\u{E9}\\c 1\\\\2\\n3\nline:1009\ncontent-length:3\n\na\0b\0\nERROR\nmessage:no\n\ntrace\0")
            .utf8)

    private static let packets: [UInt8] =
        ([
            .connect(MQTTConnecting(client: "a", user: "u", password: "p")),
            .connectAcknowledged(hasSession: false, code: 0),
            .publish(MQTTMessage(topic: "/hfp/v2", payload: [1, 2, 3], id: 7)),
            .subscribe(id: 1, filters: ["/a/+/#", "b"]),
            .subscribeAcknowledged(id: 1, codes: [0, 0x80]), .ping, .unsubscribe(id: 2, filters: ["b"]),
        ] as [MQTTPacket]).flatMap { $0.encoded ?? [] }

    private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = bytes.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[index] = [0, 10, 13, 58, 92, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(contentsOf: bytes[index...].prefix(Int.random(in: 1...20, using: &random)), at: index)
            default: bytes.removeLast(bytes.count - index)
            }
        }
        return bytes
    }

    private static func pieces(_ bytes: [UInt8], _ count: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<min($0 + count, bytes.count)]) }
    }

    private static func read(
        _ pieces: [[UInt8]], _ version: STOMPFrame.Version
    ) -> (frames: [STOMPFrame], fault: FeedError?) {
        var parser = STOMPParser(version: version), frames: [STOMPFrame] = []
        do throws(FeedError) {
            for piece in pieces {
                parser.append(piece)
                while let frame = try parser.next() { frames.append(frame) }
            }
        } catch { return (frames, error) }
        return (frames, nil)
    }

    private static func read(_ pieces: [[UInt8]]) -> (packets: [MQTTPacket], fault: FeedError?) {
        var parser = MQTTParser(), packets: [MQTTPacket] = []
        do throws(FeedError) {
            for piece in pieces {
                parser.append(piece)
                while let packet = try parser.next() { packets.append(packet) }
            }
        } catch { return (packets, error) }
        return (packets, nil)
    }

    @Test(arguments: STOMPFrame.Version.allCases)
    func `damaged frames are parsed alike as a whole and in chunks`(version: STOMPFrame.Version) {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<1500 {
            let bytes = Self.damaged(Self.frames, &random)
            let whole = Self.read([bytes], version), parts = Self.read(Self.pieces(bytes, 7), version)
            #expect(whole.frames == parts.frames && whole.fault == parts.fault, "\(bytes)")
            for frame in whole.frames {
                var again = frame
                again.headers.removeAll { $0.name == "content-length" }
                let read = Self.read([again.encoded(for: version)], version)
                #expect(
                    read.fault == nil && read.frames.count == 1 && read.frames.first?.body == frame.body, "\(bytes)")
            }
        }
    }

    @Test func `damaged packets are parsed alike as a whole and in chunks`() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<1500 {
            let bytes = Self.damaged(Self.packets, &random)
            let whole = Self.read([bytes]), parts = Self.read(Self.pieces(bytes, 3))
            #expect(whole.packets == parts.packets && whole.fault == parts.fault, "\(bytes)")
            for packet in whole.packets { #expect(Self.read([packet.encoded ?? []]).packets == [packet], "\(bytes)") }
        }
    }

    @Test func `damaged positions are parsed or rejected`() {
        var random = SeededGenerator(seed: 13)
        let topic = Array("/hfp/v2/journey/ongoing/vp/bus/0012/01234/2550/2/A/23:10/1040446/3/60;24/17/28/39/".utf8)
        let payload = Array(
            #"{"VP":{"oper":12,"veh":1234,"tsi":1795271160,"lat":60.1,"long":24.7,"dl":-9e9,"start":"23:10"}}"#.utf8)
        for _ in 0..<1500 {
            let report = HFPReader.report(
                topic: String(decoding: Self.damaged(topic, &random), as: UTF8.self),
                payload: Self.damaged(payload, &random),
                heard: .init(timeIntervalSince1970: 1_795_271_200))
            if let place = report?.place { #expect(abs(place.x) <= 180 && abs(place.y) <= 90) }
        }
    }
}
