/// HTTP dates (RFC 9110, section 5.6.7), as whole seconds since 1970 in UTC.
package enum HTTPDate {
    private static let months = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
        "dec": 12,
    ]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Parses any of the three forms, `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete ones.
    ///
    /// The name of the day is ignored, because servers send wrong ones. The time zone may be missing. Two-digit years
    /// mean 1970 to 2069.
    package static func read(_ text: String) -> Int? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        guard words.count >= 5 else { return nil }
        if months[words[1].lowercased()] == nil {
            return moment(day: words[1], month: words[2], year: words[3], clock: words[4])
        }
        return moment(day: words[2], month: words[1], year: words[4], clock: words[3])
    }

    /// Returns a date in the preferred form.
    package static func text(of seconds: Int) -> String {
        let day = Int((Double(seconds) / 86_400).rounded(.down)), second = seconds - day * 86_400
        let date = CivilTime.date(day)
        let name = dayNames[(day % 7 + 7) % 7], year = CivilTime.padded(date.year, to: 4)
        return "\(name), \(CivilTime.padded(date.day)) \(monthNames[date.month - 1]) \(year) "
            + "\(ISOTime.clockText(second)) GMT"
    }

    private static func moment(day: Substring, month: Substring, year: Substring, clock: Substring) -> Int? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { number($0) }
        guard let day = number(day), let month = months[month.lowercased()], var full = number(year), parts.count == 3,
            let hour = parts[0], let minute = parts[1], let second = parts[2],
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        if year.utf8.count == 2 { full += full < 70 ? 2000 : 1900 }
        guard (1601...9999).contains(full) else { return nil }
        return CivilTime.days(year: full, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }
}
