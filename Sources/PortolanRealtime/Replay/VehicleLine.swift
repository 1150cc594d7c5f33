package import Foundation
import PortolanGeo
import PortolanTransit
import PortolanWeb

/// A vehicle as a line of text: `id;line;lon;lat;bearing;direction;previous stop;stop;departure`, with a time in seconds
/// before it in recordings.
///
/// Longitude stands before latitude; the direction is 1 or 2; the departure is `HHMM`. Five fields are enough, and more than
/// nine are passed over. A line "-" stands for one that has not changed, a stop 0 for none.
package struct VehicleLine: Hashable, Sendable {
    /// Seconds from the beginning of the recording, or `nil` where none stand there.
    package var seconds: Double?
    /// What is said; its time lies at the seconds after that of the beginning.
    package var report: VehicleReport
    /// The identifier of the stop from which it comes, or `nil`.
    package var previousStop: String?

    private static let separator = UInt8(ascii: ";")

    /// Reads a line.
    ///
    /// - Parameter start: when the recording began.
    /// - Returns: `nil` where it is none.
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

    /// Makes a line.
    package init(_ report: VehicleReport, seconds: Double? = nil, previousStop: String? = nil) {
        self.report = report
        self.seconds = seconds
        self.previousStop = previousStop
    }

    /// The line as text, without an end; `nil` where the vehicle has no place.
    package var text: String? {
        // What was made by hand may hold what no line can.
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

/// What a text of lines of vehicles holds.
package struct VehicleLines: Hashable, Sendable {
    /// The lines that were read, in their order.
    package private(set) var lines: [VehicleLine] = []
    /// The lines that could not be.
    package private(set) var losses = FeedLosses()

    private static let byteLimit = 256 << 20
    private static let lineByteLimit = 1000

    /// Reads a text; empty lines and those that begin with `#` are passed over.
    ///
    /// - Parameters:
    ///   - source: what it is called in errors.
    ///   - start: when it was begun.
    /// - Throws: ``FeedError``, where there are lines and none can be read, or it is longer than 256 MiB.
    /// - Complexity: O(*n*) in the bytes.
    package init(_ bytes: [UInt8], source: String, start: Date) throws(FeedError) {
        guard bytes.count <= Self.byteLimit else {
            throw FeedError(.limitExceeded, source: source, "it has more than \(Self.byteLimit) bytes")
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
                losses.add(FeedError(.malformed, source: source, line: number + 1, "it is no vehicle"))
            }
        }
        if lines.isEmpty, let fault = losses.faults.first { throw fault }
    }
}
