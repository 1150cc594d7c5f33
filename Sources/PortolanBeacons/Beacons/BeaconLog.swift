import Foundation

/// A log of received beacon signals that can be replayed.
///
/// Each line is an entry with a time in seconds and an event. Blank lines and comments starting with `#` are skipped.
///
/// ```
/// 12.5 beacon E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/7/123 -59 -63
/// 12.6 data 0201061aff4c0002…c5 -70
/// 20 radio off
/// {"time": 21, "beacon": "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/7/123", "power": -59, "strength": -63}
/// ```
///
/// `beacon` is followed by the identity, the power at one metre and the received signal strength. `data` is followed by
/// the bytes of an advertisement and the received signal strength. Advertisements of other devices are ignored.
public struct BeaconLog: Hashable, Sendable {
    /// An event in a log.
    public enum Happening: Hashable, Sendable {
        /// A beacon was received.
        case heard(BeaconMonitor.Sighting)
        /// The state of the radio changed.
        case radio(BeaconMonitor.RadioState)
    }

    /// An entry of a log.
    public struct Entry: Hashable, Sendable {
        /// The time in seconds.
        public var time: Double
        /// The event.
        public var happening: Happening

        /// Creates an entry.
        public init(time: Double, _ happening: Happening) {
            self.time = time
            self.happening = happening
        }
    }

    /// The entries in the order of the log.
    public var entries: [Entry]

    /// Creates a log.
    public init(_ entries: [Entry] = []) { self.entries = entries }

    /// The maximum size of a log: 64 MiB.
    public static let maximumByteCount = 64 << 20
    /// The maximum length of a line in bytes.
    public static let maximumLineByteCount = 8192

    /// Parses a log.
    ///
    /// - Parameter file: the name of the log in errors.
    /// - Throws: ``BeaconError`` with the line number.
    /// - Complexity: O(bytes).
    public init(bytes: [UInt8], from file: String) throws(BeaconError) {
        guard bytes.count <= Self.maximumByteCount else { throw .tooLong(limit: Self.maximumByteCount) }
        var entries: [Entry] = []
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            func malformed(_ what: String) -> BeaconError { .malformedLog(file: file, line: number, what: what) }
            guard line.count <= Self.maximumLineByteCount else {
                throw malformed("exceeds \(Self.maximumLineByteCount) bytes")
            }
            guard let first = line.first(where: { ![0x20, 0x09, 0x0D].contains($0) }), first != UInt8(ascii: "#") else {
                continue
            }
            do throws(LogFault) {
                let entry =
                    first == UInt8(ascii: "{")
                    ? try Self.object(Data(line)) : try Self.words(String(decoding: line, as: UTF8.self))
                if let entry { entries.append(entry) }
            } catch { throw malformed(error.what) }
        }
        self.entries = entries
    }

    /// The log as text, which can be parsed again.
    public var text: String {
        entries.map { entry in
            switch entry.happening {
            case .radio(let state): "\(entry.time) radio \(state.rawValue)\n"
            case .heard(let sighting):
                "\(entry.time) beacon \(sighting.advertisement.identity) \(sighting.advertisement.measuredPower) "
                    + "\(sighting.strength)\n"
            }
        }.joined()
    }

    /// Returns the events of a monitor for the log, with their times.
    ///
    /// After the last entry, ``BeaconMonitor/Settings/silence`` elapses.
    ///
    /// - Complexity: O(entries × beacons).
    public func replayed(_ settings: BeaconMonitor.Settings = .init()) -> [(time: Double, event: BeaconMonitor.Event)] {
        var monitor = BeaconMonitor(settings)
        var told: [(time: Double, event: BeaconMonitor.Event)] = []
        for entry in entries {
            let events =
                switch entry.happening {
                case .heard(let sighting): monitor.hear(sighting, at: entry.time)
                case .radio(let state): monitor.set(state, at: entry.time)
                }
            told += events.map { (monitor.time, $0) }
        }
        let events = monitor.advance(to: monitor.time + settings.silence + 1)
        return told + events.map { (monitor.time, $0) }
    }
}

/// The fault of a line.
private struct LogFault: Error {
    var what: String
}

extension BeaconLog {
    private struct Line: Decodable {
        var time: Double
        var beacon: String?
        var power: Int?
        var data: String?
        var strength: Int?
        var radio: String?
    }

    private static func object(_ data: Data) throws(LogFault) -> Entry? {
        let line: Line
        do { line = try JSONDecoder().decode(Line.self, from: data) } catch {
            throw LogFault(what: "expected an object with a time and an event")
        }
        if let radio = line.radio { return try entry(line.time, ["radio", radio]) }
        let strength = line.strength.map { "\($0)" } ?? "?"
        if let data = line.data { return try entry(line.time, ["data", data, strength]) }
        return try entry(line.time, ["beacon", line.beacon ?? "", "\(line.power ?? -59)", strength])
    }

    private static func words(_ line: String) throws(LogFault) -> Entry? {
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        guard words.count > 1, let time = Double(words[0]) else {
            throw LogFault(what: "missing time at the beginning")
        }
        return try entry(time, Array(words.dropFirst()))
    }

    /// Parses the words of an entry.
    ///
    /// Returns `nil` for the advertisement of another device.
    private static func entry(_ time: Double, _ words: [String]) throws(LogFault) -> Entry? {
        guard time.isFinite, abs(time) < 1e12 else { throw LogFault(what: "invalid time") }
        switch (words.first, words.count) {
        case ("radio", 2):
            guard let state = BeaconMonitor.RadioState(rawValue: words[1]) else {
                throw LogFault(what: "unknown radio state")
            }
            return Entry(time: time, .radio(state))
        case ("beacon", 4):
            guard let identity = BeaconAdvertisement.Identity(words[1]) else {
                throw LogFault(what: "missing UUID, major or minor")
            }
            guard let power = Int8(words[2]) else { throw LogFault(what: "invalid measured power") }
            let advertisement = BeaconAdvertisement(identity: identity, measuredPower: power)
            return Entry(time: time, .heard(BeaconMonitor.Sighting(advertisement, strength: try strength(words[3]))))
        case ("data", 3):
            guard let bytes = bytes(words[1]) else { throw LogFault(what: "the data must be hexadecimal digits") }
            let strength = try strength(words[2])
            do throws(BeaconError) {
                return Entry(
                    time: time, .heard(BeaconMonitor.Sighting(try BeaconAdvertisement(bytes), strength: strength)))
            } catch {
                if error == .notBeacon { return nil }
                throw LogFault(what: "the data: \(error)")
            }
        default: throw LogFault(what: "no beacon, data or radio event")
        }
    }

    private static func strength(_ word: String) throws(LogFault) -> Int {
        guard let strength = Int8(word) else { throw LogFault(what: "invalid signal strength") }
        return Int(strength)
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let values = digits.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count % 2 == 0, !values.contains(nil) else { return nil }
        let numbers = values.compactMap { $0 }
        return stride(from: 0, to: numbers.count, by: 2).map { UInt8(numbers[$0] << 4 | numbers[$0 + 1]) }
    }
}
