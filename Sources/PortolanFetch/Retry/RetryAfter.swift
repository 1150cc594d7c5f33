/// The header field `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    private static let secondsADay: Int64 = 86_400
    /// What is longer is a mistake of the server.
    private static let longest: Int64 = 366 * 86_400

    /// The wait that a response asks for; nil when it asks for none, or in no readable way.
    ///
    /// - Parameter now: seconds since 1970, for a date in a response that does not tell its own with `Date`.
    package static func delay(of response: HTTPResponse, now: Int64) -> Duration? {
        guard let value = response.header("Retry-After") else { return nil }
        let digits = value.utf8
        if !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) {
            return .seconds(min(Int64(value) ?? longest, longest))
        }
        guard let date = seconds(of: value) else { return nil }
        // By the server's clock where it tells it: the two need not agree.
        let present = response.header("Date").flatMap(seconds(of:)) ?? now
        return .seconds(min(max(date - present, 0), longest))
    }

    /// The seconds since 1970 of a date as HTTP writes it (RFC 9110, section 5.6.7); nil when it is none.
    ///
    /// The two obsolete forms are read too.
    package static func seconds(of date: String) -> Int64? {
        let words = date.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        switch words.count {
        case 5...6 where words[1].utf8.first?.isASCIIDigit == true:
            // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT.
            guard let day = Int(words[1]), let month = month(words[2]), var year = Int(words[3]) else { return nil }
            // Two digits mean the year in question nearest to ours; HTTP is younger than 1970.
            if words[3].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
            return seconds(year: year, month: month, day: day, time: words[4])
        case 5:
            // Sun Nov  6 08:49:37 1994
            guard let month = month(words[1]), let day = Int(words[2]), let year = Int(words[4]) else { return nil }
            return seconds(year: year, month: month, day: day, time: words[3])
        default: return nil
        }
    }

    private static func month(_ name: String) -> Int? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return names.firstIndex(of: name.lowercased()).map { $0 + 1 }
    }

    private static func seconds(year: Int, month: Int, day: Int, time: String) -> Int64? {
        let fields = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard fields.count == 3, let hour = fields[0], let minute = fields[1], let second = fields[2],
            (1970...9999).contains(year), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Days since 1 March of the year 0: leap days then come last.
        let shifted = month > 2 ? year : year - 1
        let days =
            365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let daysTo1970 = 719_468
        return Int64(days - daysTo1970) * secondsADay + Int64(hour * 3600 + minute * 60 + second)
    }
}
