package import Foundation
import PortolanGeo
import PortolanTransit
import PortolanWeb

/// A vehicle as a text line `id;line;lon;lat;bearing;direction;previous stop;stop;departure`, preceded by a time in
/// seconds in recordings.
///
/// Longitude precedes latitude, the direction is 1 or 2, and the departure is `HHMM`. Five fields are required, and
/// fields after the ninth are ignored. A line "-" means an unchanged one, a stop 0 means no stop.
package struct VehicleLine: Hashable, Sendable {
    /// The seconds after the start of the recording, or `nil`.
    package var seconds: Double?
    /// The vehicle report.
    ///
    /// Its time is the start of the recording plus ``seconds``.
    package var report: VehicleReport
    /// The identifier of the previous stop, or `nil`.
    package var previousStop: String?

    private static let separator = UInt8(ascii: ";")

    /// Parses a line.
    ///
    /// - Parameter start: the start time of the recording.
    /// - Returns: `nil` if the line is invalid.
    package init?(_ line: some StringProtocol, start: Date) {
        var rest = Substring(line)
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        if let blank = rest.firstIndex(of: " "), !rest[..<blank].contains(";") {
            guard let seconds = PlainNumber.double(rest[..<blank]), abs(seconds) < 1e9 else { return nil }
            self.seconds = seconds
            rest = rest[rest.index(after: blank)...]
        }
        let fields = rest.split(separator: ";", maxSplits: 9, omittingEmptySubsequences: false)
        guard fields.count >= 5, !fields[0].isEmpty, fields[0].utf8.count <= 100,
            let longitude = PlainNumber.double(fields[2]),
            let latitude = PlainNumber.double(fields[3]), abs(longitude) <= 180, abs(latitude) <= 90
        else { return nil }
        var report = VehicleReport(
            id: String(fields[0]), time: start + (seconds ?? 0),
            place: Coordinate(longitude: longitude, latitude: latitude))
        report.line = fields[1] == "-" ? nil : String(fields[1])
        report.bearing = PlainNumber.double(fields[4])
        func field(_ index: Int) -> Substring? {
            guard fields.indices.contains(index), !fields[index].isEmpty, fields[index] != "0" else { return nil }
            return fields[index]
        }
        let direction = field(5).flatMap { Int($0) }.flatMap { (1...2).contains($0) ? $0 - 1 : nil }
        let departure = field(8).flatMap { $0.utf8.count == 4 ? ISOTime.clock($0) : nil }
        if direction != nil || departure != nil {
            report.trip = TripReference(line: report.line, direction: direction, start: departure)
        }
        previousStop = field(6).map(String.init)
        report.stop = field(7).map(String.init)
        self.report = report.checked()
    }

    /// Creates a line.
    package init(_ report: VehicleReport, seconds: Double? = nil, previousStop: String? = nil) {
        self.report = report
        self.seconds = seconds
        self.previousStop = previousStop
    }

    /// The line as text without line end, or `nil` if the vehicle has no coordinate.
    package var text: String? {
        // Reports created by callers may contain invalid values.
        let report = report.checked()
        guard let place = report.place, abs(place.x) <= 180, abs(place.y) <= 90 else { return nil }
        func clean(_ text: String?) -> String {
            (text ?? "").filter { $0 != ";" && $0 != " " && !$0.isNewline }
        }
        var fields: [String] = [clean(report.id)]
        fields.append(report.line.map(clean) ?? "-")
        fields.append(PlainNumber.text(degrees: place.x))
        fields.append(PlainNumber.text(degrees: place.y))
        fields.append(report.bearing.map { "\(Int($0.rounded()) % 360)" } ?? "")
        fields.append(report.trip?.direction.flatMap { (0...1).contains($0) ? "\($0 + 1)" : nil } ?? "")
        fields.append(previousStop.map(clean) ?? "0")
        fields.append(report.stop.map(clean) ?? "0")
        let clock = report.trip?.start.map { ISOTime.clockText($0) }
        fields.append(clock.map { String($0.filter { $0 != ":" }.prefix(4)) } ?? "")
        let line = fields.joined(separator: ";")
        guard let seconds else { return line }
        return (seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds)) " : "\(seconds) ") + line
    }
}

/// The content of a text with vehicle lines.
package struct VehicleLines: Hashable, Sendable {
    /// The valid lines in order.
    package private(set) var lines: [VehicleLine] = []
    /// The invalid lines.
    package private(set) var losses = FeedLosses()

    private static let byteLimit = 256 << 20
    private static let lineByteLimit = 1000

    /// Parses a text.
    ///
    /// Empty lines and comments starting with `#` are skipped.
    ///
    /// - Parameters:
    ///   - source: the name used in errors.
    ///   - start: the start time of the recording.
    /// - Throws: ``FeedError`` if there are lines and all are invalid, or if the text exceeds 256 MiB.
    /// - Complexity: O(*n*) in the number of bytes.
    package init(_ bytes: [UInt8], source: String, start: Date) throws(FeedError) {
        guard bytes.count <= Self.byteLimit else {
            throw FeedError(.limitExceeded, source: source, "exceeds \(Self.byteLimit) bytes")
        }
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            guard let first = line.first, first != UInt8(ascii: "#"), line.contains(where: { $0 > 0x20 }) else {
                continue
            }
            if line.count <= Self.lineByteLimit,
                let read = VehicleLine(String(decoding: line, as: UTF8.self), start: start)
            {
                lines.append(read)
            } else {
                losses.add(FeedError(.malformed, source: source, line: number + 1, "not a vehicle"))
            }
        }
        if lines.isEmpty, let fault = losses.faults.first { throw fault }
    }
}
