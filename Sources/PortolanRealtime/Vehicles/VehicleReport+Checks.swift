import Foundation
import PortolanGeo

extension Date {
    /// A time that a source tells, unless its clock is more than a minute ahead: it would hide all that comes after.
    func plausible(now: Date) -> Date { self > now + 60 ? now : self }
}

extension VehicleReport {
    /// The report without what cannot be: places off the earth or at 0°, 0°, which stand for none, bearings and speeds that
    /// are no numbers, empty texts.
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

    /// A bearing within 0..<360, or `nil` where it is no number.
    private static func turned(_ degrees: Double) -> Double? {
        guard degrees.isFinite else { return nil }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? (rest + 360 < 360 ? rest + 360 : 0) : rest
    }

    /// Moments as seconds since 1970, which some sources write in thousandths; `nil` where there is none.
    static func moment(_ seconds: UInt64?) -> Date? {
        guard let seconds, seconds > 0 else { return nil }
        // The year 5138, in seconds; the year 1973, in thousandths.
        let isThousandths = seconds >= 100_000_000_000
        let value = Double(seconds) / (isThousandths ? 1000 : 1)
        return value < 253_402_300_800 ? Date(timeIntervalSince1970: value) : nil
    }
}
