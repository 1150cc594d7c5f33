import Foundation
import PortolanGeo

extension Date {
    /// Returns the time of a source, limited to one minute in the future.
    ///
    /// A later time would hide all following reports.
    func plausible(now: Date) -> Date { self > now + 60 ? now : self }
}

extension VehicleReport {
    /// Returns the report without invalid values: coordinates off the earth or at 0°, 0° (a common placeholder),
    /// bearings and speeds out of range, and empty texts.
    func checked() -> VehicleReport {
        var report = self
        if let place, !(abs(place.x) <= 180 && abs(place.y) <= 90) || place.x == 0 && place.y == 0 {
            report.place = nil
        }
        report.bearing = bearing.flatMap(Self.turned)
        if let speed, !(speed >= 0 && speed < 1000) { report.speed = nil }
        if line?.isEmpty == true { report.line = nil }
        if label?.isEmpty == true { report.label = nil }
        if headsign?.isEmpty == true { report.headsign = nil }
        if stop?.isEmpty == true { report.stop = nil }
        return report
    }

    /// Returns a bearing in 0..<360, or `nil` if it is not finite.
    private static func turned(_ degrees: Double) -> Double? {
        guard degrees.isFinite else { return nil }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? (rest + 360 < 360 ? rest + 360 : 0) : rest
    }

    /// Returns the date for seconds since 1970, which some sources send in milliseconds, or `nil` for 0.
    static func moment(_ seconds: UInt64?) -> Date? {
        guard let seconds, seconds > 0 else { return nil }
        // As seconds this is the year 5138, as milliseconds the year 1973.
        let isThousandths = seconds >= 100_000_000_000
        let value = Double(seconds) / (isThousandths ? 1000 : 1)
        return value < 253_402_300_800 ? Date(timeIntervalSince1970: value) : nil
    }
}
