import Foundation
import PortolanGeo
import PortolanTransit

/// Reads vehicles from the headers of messages as Mobitransit sent them: `numberPlate`, `line`, `latitude`, `longitude`,
/// `orientation`; a line "-" is the one told before.
struct MobitransitReader: Sendable {
    /// The most vehicles whose lines are kept; when there are more, all are forgotten and told again by and by.
    static let mostVehicles = 100_000
    /// The most bytes of the identifier of a vehicle or a line.
    static let mostBytes = 100

    /// The lines told, by vehicle.
    private var lines: [String: String] = [:]

    /// The vehicle of a message, or `nil` when it names none, or no place where one can be.
    ///
    /// Its time is that of the `timestamp` which brokers add, unless it lies ahead; else that of its arrival.
    mutating func report(of message: STOMPFrame, heard date: Date) -> VehicleReport? {
        guard let id = message["numberPlate"], !id.isEmpty, id.utf8.count <= Self.mostBytes,
            let longitude = Self.number(message["longitude"], in: -180...180),
            let latitude = Self.number(message["latitude"], in: -90...90)
        else { return nil }
        var time = date
        if let milliseconds = message["timestamp"].flatMap({ Int64($0) }), milliseconds > 0 {
            time = min(date, Date(timeIntervalSince1970: Double(milliseconds) / 1000))
        }
        var report = VehicleReport(id: id, time: time, place: Coordinate(longitude: longitude, latitude: latitude))
        if let line = message["line"], line != "-", !line.isEmpty, line.utf8.count <= Self.mostBytes {
            if lines.count >= Self.mostVehicles, lines[id] == nil { lines = [:] }
            lines[id] = line
            report.line = line
        } else {
            report.line = lines[id]
        }
        if let degrees = Self.number(message["orientation"], in: -360...360) {
            report.bearing = degrees < 0 ? degrees + 360 : degrees == 360 ? 0 : degrees
        }
        return report
    }

    private static func number(_ text: String?, in range: ClosedRange<Double>) -> Double? {
        // A number as people write it: Swift reads "nan", "0x1p3" and more.
        guard let text, text.utf8.count <= 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
            let number = Double(text), range.contains(number)
        else { return nil }
        return number
    }

    /// The identifier of the notice that a message is.
    static func noticeID(of message: STOMPFrame) -> String {
        message["message-id"].flatMap { $0.utf8.count <= 1000 ? $0 : nil } ?? "alert"
    }

    /// The notice that a message has as its body, or `nil` when it has none.
    static func disruption(of message: STOMPFrame) -> Disruption? {
        let text = String(decoding: message.body.prefix(16 << 10), as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return nil }
        var disruption = Disruption(id: noticeID(of: message))
        disruption.text = ["": text]
        return disruption
    }
}
