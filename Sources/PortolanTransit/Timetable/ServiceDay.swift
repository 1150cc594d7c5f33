import PortolanWeb

/// A service day of an agency.
///
/// Its trips may run past midnight.
public struct ServiceDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of days since 1970-01-01.
    public let daysSince1970: Int

    /// Creates a day from the number of days since 1970-01-01.
    public init(daysSince1970: Int) { self.daysSince1970 = daysSince1970 }

    /// Creates a day of the Gregorian calendar, or `nil` if the date is invalid or outside of the years 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilTime.dayCount(ofMonth: month, year: year)
        else { return nil }
        daysSince1970 = CivilTime.days(year: year, month: month, day: day)
    }

    /// Parses a day such as `20261123` or `2026-11-23`.
    package init?(iso text: some StringProtocol) {
        guard let day = ISOTime.day(text) else { return nil }
        daysSince1970 = day
    }

    /// The year, the month and the day of the month.
    public var date: (year: Int, month: Int, day: Int) { CivilTime.date(daysSince1970) }

    /// The day of the week, 0 for Monday to 6 for Sunday.
    public var weekday: Int { let day = (daysSince1970 + 3) % 7; return day < 0 ? day + 7 : day }

    /// Returns the day a number of days later.
    public func advanced(by days: Int) -> ServiceDay { ServiceDay(daysSince1970: daysSince1970 + days) }

    /// Returns whether the first day is before the second.
    public static func < (a: ServiceDay, b: ServiceDay) -> Bool { a.daysSince1970 < b.daysSince1970 }

    /// The day as `2026-11-23`.
    public var description: String { ISOTime.dayText(daysSince1970) }
}
