import Foundation
import PortolanBeacons
import TestHelpers
import Testing

/// Logs, advertisements and codes with changed, lost and repeated bytes: a value or a typed error comes of each.
@Suite struct HostileBeaconTests {
    private static let name = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/7/123"
    private static let log = """
        0.5 radio on
        1 beacon \(name) -59 -60
        2 data 0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e00007007bc5 -50
        {"time": 3, "beacon": "\(name)", "power": -59, "strength": -50}

        """

    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.removeSubrange(place...)
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
            default: bytes.insert(contentsOf: Array("-9e999,{}\"".utf8).shuffled(using: &generator), at: place)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<20)
    func `damaged logs are parsed or rejected, and replayed with finite numbers`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            let bytes = Self.mutated(Array(Self.log.utf8), &generator)
            do throws(BeaconError) {
                let log = try BeaconLog(bytes: bytes, from: "a.log")
                for told in log.replayed() {
                    #expect(told.time.isFinite)
                    if case .entered(_, let meters) = told.event { #expect((0.01...1000).contains(meters)) }
                }
                #expect((try? BeaconLog(bytes: Array(log.text.utf8), from: "again")) == log)
            } catch {
                #expect("\(error)".hasPrefix("a.log, line "))
                #expect("\(error)".utf8.allSatisfy { $0 >= 0x20 })
            }
        }
    }

    @Test(arguments: 0..<20)
    func `damaged advertisements and codes are parsed or rejected`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let identity = try #require(BeaconAdvertisement.Identity(Self.name))
        let good = BeaconAdvertisement(identity: identity).bytes
        let codes = ["qbus:stop:EC-Q-0123?v=1", "https://a.example/s?uuid=\(identity.uuid)&major=7&minor=9"]
        for _ in 0..<100 {
            if let read = try? BeaconAdvertisement(Self.mutated(good, &generator)) {
                #expect(try BeaconAdvertisement(read.bytes) == read)
            }
            for code in codes {
                let text = String(decoding: Self.mutated(Array(code.utf8), &generator), as: UTF8.self)
                if case .stop(let id) = try? StopCode(text) {
                    let written = try #require(StopCode.stop(id: id).text())
                    #expect(try StopCode(written) == .stop(id: id))
                }
            }
        }
    }
}
