public import Foundation
import PortolanGeo

/// Reads positions from NMEA 0183 sentences of a receiver: RMC and GGA of any talker, with checksums.
///
/// The two sentences for one moment form one fix. RMC has the position, time, speed and course. GGA has the altitude,
/// and the accuracy is taken as five metres per unit of HDOP. GGA has no date and takes that of the last RMC. Other
/// sentences, and bytes before a `$`, are ignored.
///
/// ```swift
/// var reader = NMEAReader()
/// for item in reader.read(bytes) {
///     if case .fix(let fix) = item { print(fix.place) }
/// }
/// ```
///
/// Bytes may arrive in chunks of any size, from a serial port or a file. Errors are reported by line, and reading
/// continues. Limits: 1,024 bytes per line. Cost: O(bytes), memory of one line.
public struct NMEAReader: Sendable {
    /// The content of a sentence.
    public enum Item: Hashable, Sendable {
        /// A position.
        case fix(PositionFix)
        /// The receiver currently has no position.
        case noFix
        /// An invalid sentence, with the error.
        case problem(NMEAReader.SentenceError)

        /// The item as a position update; `nil` for an invalid sentence.
        public var update: PositionUpdate? {
            switch self {
            case .fix(let fix): .fix(fix)
            case .noFix: .failure(.unavailable)
            case .problem: nil
            }
        }
    }

    /// The maximum length of a line in bytes; the standard allows 82.
    public static let longestLine = 1024
    /// Metres of accuracy per unit of HDOP.
    static let metersPerDilution = 5.0

    private var line: [UInt8] = []
    private var isOverlong = false
    private var lineNumber = 1
    /// The start of the day of the sentence times, in seconds since 1970.
    private var day: Double
    /// The moment of the current sentences: its time, the data so far, and whether it was reported.
    private var moment: (time: Double, fix: PositionFix, hasMotion: Bool, hasAltitude: Bool, isTold: Bool)?
    /// Whether the receiver sends both sentences for each moment.
    private var sendsBoth = true

    /// Creates a reader.
    ///
    /// - Parameter day: any time in the UTC day of GGA sentences before the first RMC.
    public init(day: Date = Date(timeIntervalSince1970: 0)) {
        let seconds = day.timeIntervalSince1970
        self.day = seconds.isFinite ? (seconds / 86400).rounded(.down) * 86400 : 0
    }

    /// Reads a complete document.
    public static func read(_ document: some Sequence<UInt8>, day: Date = Date(timeIntervalSince1970: 0)) -> [Item] {
        var reader = NMEAReader(day: day)
        return reader.read(document) + reader.finish()
    }

    /// Reads more bytes.
    ///
    /// - Returns: the items of complete sentences. A moment is complete with its second sentence, when the next one
    ///   begins, or immediately if the receiver sends only one kind.
    public mutating func read(_ bytes: some Sequence<UInt8>) -> [Item] {
        var items: [Item] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                endLine(&items)
                if byte == UInt8(ascii: "\n") { lineNumber += 1 }
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return items
    }

    /// Ends the input.
    ///
    /// - Returns: the items of the last line and the last moment.
    public mutating func finish() -> [Item] {
        var items: [Item] = []
        endLine(&items)
        endMoment(&items)
        return items
    }

    private mutating func endLine(_ items: inout [Item]) {
        defer {
            line.removeAll(keepingCapacity: true)
            isOverlong = false
        }
        guard !isOverlong else {
            return items.append(.problem(NMEAReader.SentenceError(line: lineNumber, code: .lineTooLong)))
        }
        guard let dollar = line.lastIndex(of: UInt8(ascii: "$")) else { return }
        do throws(NMEAReader.SentenceError) {
            try read(NMEASentence(line[(dollar + 1)...], line: lineNumber), &items)
        } catch {
            items.append(.problem(error))
        }
    }

    private mutating func read(_ sentence: NMEASentence?, _ items: inout [Item]) throws(NMEAReader.SentenceError) {
        switch sentence?.kind {
        case .rmc:
            guard let sentence else { return }
            // A means active. N is the mode of later versions for no fix.
            guard sentence.text(2) == "A", sentence.text(12) != "N" else { return lose(&items) }
            if let date = try sentence.date(9) { day = date }
            let time = try sentence.time(1)
            let place = try sentence.place(3)
            let speed = try sentence.number(7, 0...10_000).map { $0 * 1852 / 3600 }
            let course = try sentence.number(8, 0...360)
            begin(time, place, &items) { fix in
                fix.speed = speed
                fix.course = course
            }
            moment?.hasMotion = true
        case .gga:
            guard let sentence else { return }
            guard let quality = sentence.text(6), quality != "0", quality != "" else { return lose(&items) }
            let time = try sentence.time(1)
            let place = try sentence.place(2)
            let dilution = try sentence.number(8, 0...1000)
            let altitude = try sentence.number(9, -20_000...1_000_000)
            begin(time, place, &items) { fix in
                fix.accuracy = dilution.map { $0 * Self.metersPerDilution }
                fix.altitude = altitude
            }
            moment?.hasAltitude = true
        case nil: return
        }
        guard let moment, !moment.isTold else { return }
        if (moment.hasMotion && moment.hasAltitude) || !sendsBoth {
            sendsBoth = moment.hasMotion && moment.hasAltitude
            items.append(.fix(moment.fix))
            self.moment?.isTold = true
        }
    }

    /// Starts a moment, or adds to the current one.
    private mutating func begin(
        _ time: Double, _ place: Coordinate, _ items: inout [Item], _ change: (inout PositionFix) -> Void
    ) {
        if let moment, moment.time != time {
            endMoment(&items)
            // Midnight passed between sentences without a date.
            if moment.time - time > 43_200, moment.fix.time.timeIntervalSince1970 >= day { day += 86_400 }
        }
        if moment == nil {
            let fix = PositionFix(place: place, time: Date(timeIntervalSince1970: day + time))
            moment = (time, fix, false, false, false)
        } else if moment?.isTold == true {
            // The moment was reported after its first sentence, but the receiver sends both.
            sendsBoth = true
        }
        if var fix = moment?.fix {
            change(&fix)
            moment?.fix = fix
        }
    }

    private mutating func lose(_ items: inout [Item]) {
        endMoment(&items)
        items.append(.noFix)
    }

    private mutating func endMoment(_ items: inout [Item]) {
        guard let moment else { return }
        if !moment.isTold {
            sendsBoth = false
            items.append(.fix(moment.fix))
        }
        self.moment = nil
    }
}

extension NMEAReader {
    /// A reason why a sentence is invalid.
    public struct SentenceError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The kind of error.
        public enum Code: Hashable, Sendable {
            /// The line is longer than ``NMEAReader/longestLine``.
            case lineTooLong
            /// The checksum is missing, or does not have two hexadecimal digits.
            case noChecksum
            /// The checksum does not match the bytes.
            case wrongChecksum(found: UInt8, computed: UInt8)
            /// A field, counted from 1, is missing or invalid.
            case field(Int, of: String)
        }

        /// The line number, from 1.
        public var line: Int
        /// The kind of error.
        public var code: Code

        /// Creates an error.
        public init(line: Int, code: Code) {
            self.line = line
            self.code = code
        }

        /// The error message, in one line.
        public var description: String {
            func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
            let what =
                switch code {
                case .lineTooLong: "longer than \(NMEAReader.longestLine) bytes"
                case .noChecksum: "a sentence without a checksum"
                case .wrongChecksum(let found, let computed):
                    "the checksum is \(hex(found)), but that of the bytes is \(hex(computed))"
                case .field(let number, let kind): "field \(number) of \(kind) is missing or invalid"
                }
            return "line \(line): \(what)"
        }
    }
}
