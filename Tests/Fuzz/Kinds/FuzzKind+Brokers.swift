import Foundation
import PortolanFetch
import PortolanGeo
import PortolanRealtime
import PortolanWeb
import Synchronization

extension FuzzKind {
    /// Data from STOMP brokers: frames in pieces of any size, and sessions with Mobitransit messages.
    static let stomp = FuzzKind(
        name: "stomp", grammar: .words, corpus: ["Tests/Fuzz/Corpus/stomp/*"], memory: Bound(any: 2 << 20, each: 400),
        time: Bound(any: 100_000_000, each: 40_000), read: readSTOMP)

    /// Data from MQTT brokers: packets in pieces of any size, and sessions with vehicle positions (HFP).
    static let mqtt = FuzzKind(
        name: "mqtt", grammar: .words, corpus: ["Tests/Fuzz/Corpus/mqtt/*"], memory: Bound(any: 2 << 20, each: 400),
        time: Bound(any: 100_000_000, each: 40_000), read: readMQTT)

    private static func readSTOMP(_ bytes: [UInt8]) throws -> Outcome {
        var words = ""
        for version in STOMPFrame.Version.allCases {
            func read(by count: Int) -> (frames: [STOMPFrame], fault: FeedError?) {
                var parser = STOMPParser(version: version, source: "a.example"), frames: [STOMPFrame] = []
                do throws(FeedError) {
                    for start in stride(from: 0, to: bytes.count, by: count) {
                        parser.append(Array(bytes[start..<min(bytes.count, start + count)]))
                        while let frame = try parser.next() { frames.append(frame) }
                    }
                    return (frames, nil)
                } catch { return (frames, error) }
            }
            let whole = read(by: max(1, bytes.count)), pieces = read(by: piece(bytes))
            guard whole == pieces else { throw Violation("frames that come in pieces are others: \(pieces)") }
            words += "\(magnitude(whole.frames.count))"
            if let fault = whole.fault { words += try refused(fault.description).signature.prefix(20) }
            guard version == .v1_2 else { continue }
            for frame in whole.frames where frame.command != "CONNECT" && frame.command != "CONNECTED" {
                // A header may come with a NUL, and is never sent with one.
                guard !frame.headers.contains(where: { ($0.name + $0.value).utf8.contains(0) }) else { continue }
                var parser = STOMPParser(version: version)
                parser.append(frame.encoded(for: version))
                let again: STOMPFrame?
                do throws(FeedError) { again = try parser.next() } catch {
                    throw Violation("a frame that cannot be read again: \(error)")
                }
                // The length of a body is always stated.
                guard let again, again.command == frame.command, again.body == frame.body,
                    Array(again.headers.prefix(frame.headers.count)) == frame.headers
                else { throw Violation("a frame that is not what was written: \(frame)") }
            }
        }
        let feed = try STOMPFeed("stomp://a.example", transport: Broker(says: bytes, by: piece(bytes)))
        return try .value(words + waiting { try await listen(to: feed) }.signature)
    }

    private static func readMQTT(_ bytes: [UInt8]) throws -> Outcome {
        func read(by count: Int) -> (packets: [MQTTPacket], fault: FeedError?) {
            var parser = MQTTParser(source: "a.example"), packets: [MQTTPacket] = []
            do throws(FeedError) {
                for start in stride(from: 0, to: bytes.count, by: count) {
                    parser.append(Array(bytes[start..<min(bytes.count, start + count)]))
                    while let packet = try parser.next() { packets.append(packet) }
                }
                return (packets, nil)
            } catch { return (packets, error) }
        }
        let whole = read(by: max(1, bytes.count)), pieces = read(by: piece(bytes))
        guard whole == pieces else { throw Violation("packets that come in pieces are others: \(pieces)") }
        var words = "\(magnitude(whole.packets.count))"
        if let fault = whole.fault { words += try refused(fault.description).signature.prefix(20) }
        for packet in whole.packets {
            var parser = MQTTParser()
            guard let written = packet.encoded else { throw Violation("a packet that cannot be written: \(packet)") }
            parser.append(written)
            guard (try? parser.next()) != nil else { throw Violation("a packet that cannot be read again: \(packet)") }
        }
        let feed = try HFPFeed("mqtt://a.example", transport: Broker(says: bytes, by: piece(bytes)))
        return try .value(words + waiting { try await listen(to: feed) }.signature)
    }

    /// The size of pieces, which differs from document to document.
    private static func piece(_ bytes: [UInt8]) -> Int { 1 + bytes.count * 7 % 61 }

    /// Hears a source until it is lost, which it is when its broker has said all.
    private static func listen(to feed: some VehicleFeed) async throws -> Outcome {
        var fleet = Fleet(), words = ""
        let interests = AsyncStream<VehicleInterest> { stream in
            stream.yield(VehicleInterest(extent: Extent(minX: -180, minY: -90, maxX: 180, maxY: 90)))
            stream.finish()
        }
        for await event in feed.events(for: interests) {
            _ = fleet.apply(event, now: .init(timeIntervalSince1970: 1_795_271_200))
            guard case .state(.lost(let fault, _)) = event else { continue }
            words = try refused(fault.description).signature
            break
        }
        for vehicle in fleet.snapshot {
            guard let place = vehicle.place, abs(place.x) > 180 || abs(place.y) > 90 else { continue }
            throw Violation("a vehicle that is nowhere: \(vehicle)")
        }
        return .value("\(magnitude(fleet.vehicles.count)) \(fleet.disruptions.count) \(words)")
    }

    /// A broker that says the same to everyone, whatever they say, and hangs up.
    private struct Broker: ByteTransport {
        let bytes: [UInt8], count: Int

        init(says bytes: [UInt8], by count: Int) {
            self.bytes = bytes
            // Pieces of a few bytes are for the readers; each through a connection takes a task's turn.
            self.count = max(count, bytes.count / 16 + 1)
        }

        func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection {
            Connection(bytes: bytes, count: count)
        }

        private final class Connection: ByteConnection {
            private let bytes: [UInt8], count: Int
            private let place = Mutex(0)

            init(bytes: [UInt8], count: Int) {
                self.bytes = bytes
                self.count = count
            }

            func send(_ bytes: [UInt8]) async throws(FetchError) {}

            func receive() async throws(FetchError) -> [UInt8]? {
                place.withLock { place in
                    guard place < bytes.count else { return nil }
                    defer { place = min(bytes.count, place + count) }
                    return Array(bytes[place..<min(bytes.count, place + count)])
                }
            }

            func close() {}
        }
    }
}
