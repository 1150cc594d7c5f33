import Foundation
import PortolanBeacons
import Testing

@Suite struct BeaconAdvertisementTests {
    struct Vector: Decodable, CustomTestStringConvertible {
        var name: String, hex: String
        var uuid: String?, major: UInt16?, minor: UInt16?, measuredPower: Int8?, error: String?
        var testDescription: String { name }

        var bytes: [UInt8] {
            let digits = hex.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count - 1, by: 2).map { high -> UInt8 in
                let low = digits[high + 1]
                return UInt8(digits[high] * 16 + low)
            }
        }
    }

    static let vectors = (try? Fixtures.value("ibeacon-vectors.json", as: [Vector].self)) ?? []

    @Test func `all test vectors are loaded`() { #expect(Self.vectors.count == 6) }

    @Test(arguments: vectors)
    func `an advertisement is parsed into UUID, major and minor`(vector: Vector) throws {
        guard let uuid = vector.uuid.flatMap(UUID.init(uuidString:)) else {
            let error: BeaconError = vector.error == "truncated" ? .truncated(byte: 28) : .notBeacon
            #expect(throws: error) { try BeaconAdvertisement(vector.bytes) }
            return
        }
        let read = try BeaconAdvertisement(vector.bytes)
        #expect(read.identity.uuid == uuid)
        #expect(read.identity.major == vector.major)
        #expect(read.identity.minor == vector.minor)
        #expect(read.measuredPower == vector.measuredPower)
        #expect(vector.bytes.suffix(27) == read.bytes.suffix(27))
        #expect(try BeaconAdvertisement(read.bytes) == read)
    }

    private static let good: [UInt8] = BeaconAdvertisement(
        identity: BeaconAdvertisement.Identity(uuid: UUID(), major: 7, minor: 123)
    ).bytes

    @Test(arguments: 0..<30)
    func `an advertisement that ends early is invalid or ignored`(count: Int) {
        let error: BeaconError = [0, 3].contains(count) ? .notBeacon : .truncated(byte: count)
        #expect(throws: error) { try BeaconAdvertisement(Self.good.prefix(count)) }
    }

    @Test(arguments: [
        ([0x03, 0x03, 0x0F, 0x18] as [UInt8], true),  // services first
        ([0x01, 0x09], true),  // a structure of a type alone
        ([0x00], false),  // the end
        ([0x05, 0xFF, 0x4C, 0x00, 0x10, 0x00], true),  // another one of Apple's
        ([0x06, 0xFF, 0x4C, 0x00, 0x02, 0x15, 0x00], false),  // a beacon without its fields
        ([0x04, 0xFF, 0x4C, 0x00, 0x02], true),
    ])
    func `structures before the beacon are skipped by their lengths`(before: [UInt8], isFound: Bool) {
        let read = try? BeaconAdvertisement(before + Self.good)
        #expect((read?.identity.minor == 123) == isFound)
    }

    @Test func `bytes after the measured power are ignored, and too many are rejected`() throws {
        var longer = Self.good + [0x64]
        longer[3] += 1
        #expect(try BeaconAdvertisement(longer).identity.major == 7)
        #expect(throws: BeaconError.tooLong(limit: 1650)) {
            try BeaconAdvertisement(Array(repeating: 1, count: 1651))
        }
    }

    @Test(arguments: [(-59.0, -59.0, 1.0), (-59, -79, 10), (-59, -39, 0.1), (127, -127, 1000), (-128, -1, 0.01)])
    func `the distance grows tenfold for each 20 dB`(power: Double, strength: Double, meters: Double) {
        #expect(abs(BeaconDistance.meters(power: power, strength: strength) - meters) < 1e-9 * meters)
    }

    @Test func `readings are smoothed without their extremes`() {
        #expect(BeaconDistance.smoothed([]) == nil)
        #expect(BeaconDistance.smoothed([-60, -70]) == -65)
        #expect(BeaconDistance.smoothed([-60, -60, -20, -60, -110]) == -60)
        #expect(
            [0.1, 0.5, 2, 4, 70].map { BeaconDistance.Proximity(meters: $0) } == [
                .immediate, .immediate, .near, .near, .far,
            ])
    }
}
