/// Dates and times of day in UTC, in the Gregorian calendar.
package enum CivilTime {
    /// Returns a date such as `2026-11-23` and a time such as `14:05:00`, from seconds since 1970-01-01.
    package static func dateAndTime(_ seconds: Double) -> (date: String, time: String) {
        let whole = Int(max(-6e10, min(2.5e11, seconds)).rounded(.down))
        let days = Int((Double(whole) / 86_400).rounded(.down))
        let second = whole - days * 86_400
        let (year, month, day) = date(days)
        return ("\(year)-\(padded(month))-\(padded(day))", ISOTime.clockText(second))
    }

    /// Returns a number with leading zeros, so that it has at least `count` digits.
    static func padded(_ number: Int, to count: Int = 2) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// Returns the day number of a date, counted from 1970-01-01; excess days continue in the next month.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        // Years start in March, so that the leap day is the last one.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400, yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the number of days in a month, 1 to 12.
    package static func dayCount(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Returns the date of a day number, counted from 1970-01-01.
    package static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}
