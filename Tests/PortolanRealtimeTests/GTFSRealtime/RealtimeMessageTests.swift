import Foundation
import PortolanTransit
import TestHelpers
import Testing

@testable import PortolanRealtime

/// Compared with what the published bindings of the specification read from the same bytes (`make.py` beside the fixtures).
@Suite struct RealtimeMessageTests {
    @Test(arguments: ["vehicle-positions", "trip-updates", "service-alerts", "every-field", "added-trips"])
    func `messages are read like by the official bindings`(name: String) throws {
        let message = try RealtimeMessage(bytes: Fixture.bytes("gtfs-realtime/\(name).pb"))
        let expected = try JSONSerialization.jsonObject(with: Data(Fixture.bytes("gtfs-realtime/\(name).json")))
        let peer = try #require(expected as? NSDictionary)
        let read = message.json as NSDictionary
        #expect(read == peer)
        #expect(message.faults.isEmpty)
    }

    @Test(arguments: ["vehicle-positions", "trip-updates", "service-alerts", "every-field", "added-trips"])
    func `messages are written byte for byte like by the official bindings`(name: String) throws {
        let bytes = try Fixture.bytes("gtfs-realtime/\(name).pb")
        #expect(try RealtimeMessage(bytes: bytes).bytes == bytes)
    }

    @Test func `other entities, extensions and groups are skipped`() throws {
        let message = try RealtimeMessage(bytes: Fixture.bytes("gtfs-realtime/skipped.pb"))
        #expect(message.vehicles.map(\.id) == ["v"])
        #expect(message.trips.isEmpty)
        #expect(message.alerts.isEmpty)
        #expect(message.faults.isEmpty)
    }

    /// A header, then fields.
    private static func message(_ rest: [UInt8]) -> [UInt8] { [0x0A, 5, 0x0A, 3, 0x32, 0x2E, 0x30] + rest }

    @Test(arguments: [
        ([0x12, 0x7F, 1], 9), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], 13),
        ([0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], 18),
        ([0x12] + [UInt8](repeating: 0xFF, count: 12), 8), ([0x18] + [UInt8](repeating: 0x80, count: 30), 8),
        ([0x00], 7), ([0x0C], 7), ([0x0F], 7), ([0x1D, 1, 2], 10), ([0xFF, 0xFF, 0xFF, 0xFF, 0x7F], 7),
        ([0x1B, 0x24], 8), ([UInt8](repeating: 0x1B, count: 100), 71), ([0x1B], 8),
    ])
    func `hostile bytes give an error with the position`(rest: [UInt8], offset: Int) throws {
        do {
            _ = try RealtimeMessage(bytes: Self.message(rest), source: "a.example")
            Issue.record("it was read")
        } catch {
            #expect(error.source == "a.example")
            #expect(error.offset == offset)
            #expect(error.code == (rest.count == 100 ? .limitExceeded : .malformed))
        }
    }

    @Test func `a truncated message gives an error or its remaining entities`() throws {
        for name in ["every-field", "vehicle-positions", "skipped"] {
            let bytes = try Fixture.bytes("gtfs-realtime/\(name).pb")
            let whole = try RealtimeMessage(bytes: bytes)
            for count in 0..<bytes.count {
                do throws(FeedError) {
                    let message = try RealtimeMessage(bytes: Array(bytes.prefix(count)))
                    #expect(message.vehicles.count <= whole.vehicles.count)
                } catch { #expect(error.code == .malformed) }
            }
        }
    }

    @Test func `randomly changed bytes give a message or an error`() throws {
        var chance = SeededGenerator(seed: 16)
        let bytes = try Fixture.bytes("gtfs-realtime/every-field.pb")
        for _ in 0..<3000 {
            var broken = bytes
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                broken[Int.random(in: 0..<broken.count, using: &chance)] = .random(in: 0...255, using: &chance)
            }
            guard let message = try? RealtimeMessage(bytes: broken) else { continue }
            let again = try RealtimeMessage(bytes: message.bytes)
            #expect(again.vehicles.count == message.vehicles.count)
            #expect(again.trips.count == message.trips.count)
            _ = (message.reports(now: Date()), message.updates, message.disruptions)
        }
    }

    @Test func `one invalid entity does not affect the others`() throws {
        // A vehicle with a position without longitude, one without an identifier, and a valid one.
        let halfPlaced: [UInt8] = [0x0A, 1, 0x61, 0x22, 7, 0x12, 5, 0x0D, 0, 0, 0x70, 0x42]
        let nameless: [UInt8] = [0x22, 0]
        let well: [UInt8] = [0x0A, 1, 0x62, 0x22, 0]
        let entities: [[UInt8]] = [halfPlaced, nameless, well].map { [0x12, UInt8($0.count)] + $0 }
        let message = try RealtimeMessage(bytes: Self.message(entities.flatMap { $0 }))
        #expect(message.vehicles.map(\.id) == ["b"])
        #expect(message.faultCount == 2)
        #expect(message.faults.map(\.code) == [.malformed, .malformed])
        #expect(message.faults.map(\.offset) == [16, 23])
    }

    @Test func `data without a GTFS Realtime header are rejected`() {
        #expect(throws: FeedError.self) { try RealtimeMessage(bytes: []) }
        #expect(throws: FeedError.self) { try RealtimeMessage(bytes: Array("<html></html>".utf8)) }
        #expect(throws: FeedError.self) { try RealtimeMessage(bytes: Array("{}".utf8)) }
    }

    @Test func `limits are enforced`() throws {
        let bytes = try Fixture.bytes("gtfs-realtime/vehicle-positions.pb")
        for limits in [RealtimeMessage.Limits(byteCount: 1000), RealtimeMessage.Limits(elementCount: 5)] {
            do {
                _ = try RealtimeMessage(bytes: bytes, limits: limits)
                Issue.record("it was read")
            } catch { #expect(error.code == .limitExceeded) }
        }
    }
}
