import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanTransit
import PortolanWeb

/// Parses vehicle messages of Helsinki (HFP, version 2): `{"VP": {…}}`.
enum HFPReader {
    private static let limits = FeatureLimits(maximumByteCount: 1 << 14)

    /// The operating day ends at 04:30.
    ///
    /// Earlier starts belong to the previous day's night.
    private static let dayBreak = 4 * 3600 + 1800

    /// Returns the vehicle of a message, or `nil` if the message is not a position or is invalid.
    ///
    /// HFP directions are 1 and 2 instead of 0 and 1, and its delays are negative.
    static func report(topic: String, payload: [UInt8], heard date: Date) -> VehicleReport? {
        guard let parts = HFPTopic.parts(of: topic), payload.count <= limits.maximumByteCount,
            let document = try? JSONReader.value(bytes: payload, limits: limits),
            let position = document.objectValue?["VP"]?.objectValue,
            let `operator` = position["oper"]?.integerValue, let vehicle = position["veh"]?.integerValue,
            let time = time(of: position)
        else { return nil }
        // Vehicle clocks may be wrong. A time in the future would hide all later reports.
        var report = VehicleReport(id: "\(`operator`)/\(vehicle)", time: min(time, date.addingTimeInterval(60)))
        report.place = place(of: position, in: parts.degrees)
        report.line = position["route"]?.stringValue
        report.label = position["desi"]?.stringValue
        report.mode = mode(String(parts.mode))
        report.headsign = parts.headsign.isEmpty ? nil : parts.headsign
        report.bearing = position["hdg"]?.doubleValue.flatMap { (0...360).contains($0) ? ($0 == 360 ? 0 : $0) : nil }
        report.speed = position["spd"]?.doubleValue.flatMap { (0...150).contains($0) ? $0 : nil }
        report.delay = position["dl"]?.integerValue.flatMap {
            (-86_400...86_400).contains($0) ? .seconds(-$0) : nil
        }
        report.stop =
            position["stop"]?.integerValue.map(String.init) ?? (parts.nextStop.isEmpty ? nil : String(parts.nextStop))
        report.trip = trip(of: position)
        return report
    }

    private static func time(of position: Properties) -> Date? {
        // Implausible years are rejected.
        if let seconds = position["tsi"]?.doubleValue, (946_684_800...32_503_680_000).contains(seconds) {
            return Date(timeIntervalSince1970: seconds)
        }
        guard let text = position["tst"]?.stringValue, text.utf8.count <= 40 else { return nil }
        return ISOTime.date(text)
    }

    private static func place(of position: Properties, in degrees: (latitude: Int, longitude: Int)?) -> Coordinate? {
        guard var latitude = position["lat"]?.doubleValue, var longitude = position["long"]?.doubleValue else {
            return nil
        }
        // Some messages have latitude and longitude swapped, which the topic reveals.
        if let degrees, Int(clamping: latitude) != degrees.latitude || Int(clamping: longitude) != degrees.longitude,
            Int(clamping: latitude) == degrees.longitude, Int(clamping: longitude) == degrees.latitude
        {
            swap(&latitude, &longitude)
        }
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        return Coordinate(longitude: longitude, latitude: latitude)
    }

    private static func trip(of position: Properties) -> TripReference? {
        var trip = TripReference(line: position["route"]?.stringValue)
        // The direction is a string, but was a number in older versions.
        let direction = position["dir"].flatMap { $0.integerValue ?? $0.stringValue.flatMap { Int($0) } }
        if let direction, direction == 1 || direction == 2 { trip.direction = direction - 1 }
        let day = (position["oday"]?.stringValue ?? "").split(separator: "-").compactMap { Int($0) }
        if day.count == 3 { trip.day = ServiceDay(year: day[0], month: day[1], day: day[2]) }
        let time = (position["start"]?.stringValue ?? "").split(separator: ":").compactMap { Int($0) }
        if time.count >= 2, (0..<24).contains(time[0]), (0..<60).contains(time[1]) {
            let seconds = time[0] * 3600 + time[1] * 60
            trip.start = seconds < dayBreak ? seconds + 86_400 : seconds
        }
        return trip
    }

    private static func mode(_ name: String) -> TransitMode {
        switch name {
        case "bus": .bus
        case "tram": .tram
        case "train": .rail
        case "ferry": .ferry
        case "metro": .subway
        case "ubus": .bus
        case "robot": .bus
        default: .other
        }
    }
}

extension Int {
    /// Creates an integer from a number, limited to a range.
    fileprivate init(clamping number: Double) {
        self = number.isFinite ? Int(Swift.min(Swift.max(number, -1e6), 1e6)) : 0
    }
}
