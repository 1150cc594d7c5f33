public import Foundation

/// The content of an iBeacon advertisement: the beacon's identity and its signal strength at one metre.
public struct BeaconAdvertisement: Hashable, Sendable {
    /// The identity of the beacon.
    public var identity: BeaconAdvertisement.Identity
    /// The signal strength at a distance of one metre in dBm, typically about -59.
    public var measuredPower: Int8

    /// Creates an advertisement.
    public init(identity: BeaconAdvertisement.Identity, measuredPower: Int8 = -59) {
        self.identity = identity
        self.measuredPower = measuredPower
    }

    /// The maximum size of advertising data in bytes (Bluetooth Core 5.4, volume 6, part B, section 2.3.4.9).
    public static let maximumByteCount = 1650

    /// Parses advertising data: structures of length, type and data, one of which is an Apple structure for an iBeacon.
    ///
    /// Company identifiers are little-endian, major and minor are big-endian (Bluetooth Core Supplement, part A,
    /// section 1.4; Apple's *Proximity Beacon Specification*). A structure of length 0 ends the data. Bytes after the
    /// power, which some beacons append, are ignored.
    ///
    /// - Throws: ``BeaconError/notBeacon`` if there is no iBeacon structure, or ``BeaconError/truncated(byte:)`` if a
    ///   structure is incomplete.
    /// - Complexity: O(bytes).
    public init(_ bytes: some Collection<UInt8>) throws(BeaconError) {
        let bytes = Array(bytes.prefix(Self.maximumByteCount + 1))
        guard bytes.count <= Self.maximumByteCount else { throw .tooLong(limit: Self.maximumByteCount) }
        var start = 0
        while start < bytes.count {
            let length = Int(bytes[start])
            if length == 0 { break }
            let end = start + 1 + length
            guard end <= bytes.count else { throw .truncated(byte: bytes.count) }
            let data = bytes[start + 2..<end]
            if bytes[start + 1] == Self.manufacturerData, data.starts(with: Self.mark) {
                let fields = data.dropFirst(Self.mark.count)
                guard fields.count >= Self.fieldByteCount else { throw .truncated(byte: end) }
                self.init(fields: Array(fields))
                return
            }
            start = end
        }
        throw .notBeacon
    }

    private static let manufacturerData: UInt8 = 0xFF
    /// Apple's company identifier 0x004C, the beacon type 0x02 and the length of the rest.
    private static let mark: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
    private static let fieldByteCount = 21

    /// Reads UUID, major, minor and power from a sufficient number of bytes.
    private init(fields: [UInt8]) {
        let u = fields
        let uuid = UUID(
            uuid: (
                u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]
            ))
        identity = BeaconAdvertisement.Identity(
            uuid: uuid, major: UInt16(u[16]) << 8 | UInt16(u[17]), minor: UInt16(u[18]) << 8 | UInt16(u[19]))
        measuredPower = Int8(bitPattern: u[20])
    }

    /// The advertising data (30 bytes), with the flags "general discoverable, no classic Bluetooth".
    public var bytes: [UInt8] {
        let u = identity.uuid.uuid
        let uuid = [
            u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
        ]
        let numbers = [identity.major, identity.minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return [0x02, 0x01, 0x06, 0x1A, Self.manufacturerData] + Self.mark + uuid + numbers
            + [UInt8(bitPattern: measuredPower)]
    }
}

/// An error about beacon data.
public enum BeaconError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The advertisement is not that of an iBeacon.
    case notBeacon
    /// The data are incomplete after this number of bytes.
    case truncated(byte: Int)
    /// The data exceed this number of bytes.
    case tooLong(limit: Int)
    /// A line of a log, counted from 1, is invalid.
    case malformedLog(file: String, line: Int, what: String)

    /// A one-line message.
    public var description: String {
        switch self {
        case .notBeacon: "not an iBeacon"
        case .truncated(let byte): "unexpected end after \(byte) bytes"
        case .tooLong(let limit): "exceeds \(limit) bytes"
        case .malformedLog(let file, let line, let what): "\(file), line \(line): \(what)"
        }
    }
}

extension BeaconAdvertisement {
    /// The identity of an iBeacon.
    public struct Identity: Hashable, Sendable, CustomStringConvertible {
        /// The UUID, which usually identifies the operator.
        public var uuid: UUID
        /// The group of beacons.
        public var major: UInt16
        /// The beacon within the group.
        public var minor: UInt16

        /// Creates an identity.
        public init(uuid: UUID, major: UInt16, minor: UInt16) {
            self.uuid = uuid
            self.major = major
            self.minor = minor
        }

        /// UUID, major and minor.
        public var description: String { "\(uuid.uuidString)/\(major)/\(minor)" }

        /// Parses the form of ``description``, or returns `nil`.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, let uuid = UUID(uuidString: String(parts[0])), let major = UInt16(parts[1]),
                let minor = UInt16(parts[2])
            else { return nil }
            self.init(uuid: uuid, major: major, minor: minor)
        }
    }
}
