public import Foundation

/// What a beacon sends: who it is, and how strong its signal is a metre away (Apple's iBeacon).
public struct BeaconAdvertisement: Hashable, Sendable {
    /// Who it is.
    public var identity: BeaconIdentity
    /// The strength of its signal at a distance of one metre, in dBm; about -59.
    public var measuredPower: Int8

    /// Makes an advertisement.
    public init(identity: BeaconIdentity, measuredPower: Int8 = -59) {
        self.identity = identity
        self.measuredPower = measuredPower
    }

    /// The most bytes of advertising data (Bluetooth Core 5.4, volume 6, part B, section 2.3.4.9).
    public static let maximumByteCount = 1650

    /// Reads advertising data: structures of a length, a type and data, among which one of Apple's is that of an iBeacon.
    ///
    /// Company identifiers have their low byte first, major and minor their high byte (Bluetooth Core Supplement, part A,
    /// section 1.4; Apple's *Proximity Beacon Specification*). A structure of length nought ends the data. What follows the
    /// power, as some beacons append, is passed over.
    ///
    /// - Throws: ``BeaconError/notBeacon`` where none of the structures is that of an iBeacon, and
    ///   ``BeaconError/truncated(byte:)`` where one ends too early.
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
    /// Apple's identifier 0x004C, the type 0x02 of beacons, and the length of what follows.
    private static let mark: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
    private static let fieldByteCount = 21

    /// Reads UUID, major, minor and power, at least as many bytes as they have.
    private init(fields: [UInt8]) {
        let u = fields
        let uuid = UUID(
            uuid: (
                u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]
            ))
        identity = BeaconIdentity(
            uuid: uuid, major: UInt16(u[16]) << 8 | UInt16(u[17]), minor: UInt16(u[18]) << 8 | UInt16(u[19]))
        measuredPower = Int8(bitPattern: u[20])
    }

    /// The advertising data of 30 bytes that a beacon sends, with the flags "general discoverable, no classic Bluetooth".
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

/// Why something about beacons cannot be read.
public enum BeaconError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The advertisement is of something else than an iBeacon.
    case notBeacon
    /// It ends too early, after so many bytes.
    case truncated(byte: Int)
    /// It is longer than so many bytes.
    case tooLong(limit: Int)
    /// A line of a log, counted from 1, cannot be read, and why.
    case malformedLog(file: String, line: Int, what: String)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .notBeacon: "it is no iBeacon"
        case .truncated(let byte): "it ends too early, after \(byte) bytes"
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        case .malformedLog(let file, let line, let what): "\(file), line \(line): \(what)"
        }
    }
}

/// Which beacon it is (Apple's iBeacon).
public struct BeaconIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Whose beacons.
    public var uuid: UUID
    /// Which group of them.
    public var major: UInt16
    /// Which of the group.
    public var minor: UInt16

    /// Makes an identity.
    public init(uuid: UUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// UUID, major and minor.
    public var description: String { "\(uuid.uuidString)/\(major)/\(minor)" }

    /// Reads what ``description`` writes; `nil` when it is something else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let uuid = UUID(uuidString: String(parts[0])), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2])
        else { return nil }
        self.init(uuid: uuid, major: major, minor: minor)
    }
}
