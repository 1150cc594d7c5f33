import Foundation
import PortolanGeo
import PortolanTransit

/// Parses vehicles from the header fields of Mobitransit messages: `numberPlate`, `line`, `latitude`, `longitude` and
/// `orientation`.
///
/// A line "-" means the last known one.
struct MobitransitReader: Sendable {
    /// The maximum number of vehicles with a known line.
    ///
    /// Beyond it, all lines are forgotten and learnt again.
    static let mostVehicles = 100_000
    /// The maximum length of a vehicle or line identifier in bytes.
    static let mostBytes = 100

    /// The last known lines, by vehicle.
    private var lines: [String: String] = [:]

    /// Returns the vehicle of a message, or `nil` if the identifier or the coordinate is missing or invalid.
    ///
    /// Its time is the `timestamp` added by the broker unless it is in the future, otherwise the time of arrival.
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
        // Only plain decimal numbers are accepted. Swift would also parse "nan", "0x1p3" and more.
        guard let text, text.utf8.count <= 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
            let number = Double(text), range.contains(number)
        else { return nil }
        return number
    }

    /// Returns the identifier of an alert message.
    static func noticeID(of message: STOMPFrame) -> String {
        message["message-id"].flatMap { $0.utf8.count <= 1000 ? $0 : nil } ?? "alert"
    }

    /// Returns the alert in the body of a message, or `nil` if the body is empty.
    static func disruption(of message: STOMPFrame) -> Disruption? {
        let text = String(decoding: message.body.prefix(16 << 10), as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return nil }
        var disruption = Disruption(id: noticeID(of: message))
        disruption.text = ["": text]
        return disruption
    }
}
