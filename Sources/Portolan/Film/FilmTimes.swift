import PortolanWeb

/// The times of a film: a list, or an interval with a period, as WMS writes them.
///
/// ```swift
/// let times = try FilmTimes("2026-11-27T00:00Z/2026-11-28T00:00Z/PT1H")
/// ```
///
/// Source: OGC 06-042, annexes C and D.
package struct FilmTimes: Hashable, Sendable {
    /// A time of a film.
    package struct Time: Hashable, Sendable {
        /// The text for requests.
        package let text: String
        /// Seconds since 1970.
        package let seconds: Double

        /// Creates a time.
        package init(text: String, seconds: Double) {
            self.text = text
            self.seconds = seconds
        }
    }

    /// The times in order.
    package let times: [Time]

    /// The largest number of times.
    package static let largestCount = 10_000

    /// The reason why times are invalid.
    package enum InvalidError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A time is not in ISO 8601 form.
        case notATime(String)
        /// A period is not a positive duration such as `PT1H`, `P1D`, `P1M` or `P1Y`.
        case notAPeriod(String)
        /// An interval has no period, or ends before its start.
        case notAnInterval(String)
        /// More than ``FilmTimes/largestCount`` times.
        case tooMany
        /// No time at all.
        case none

        /// The failure in one line.
        package var description: String {
            switch self {
            case .notATime(let text): "'\(text)' is not a time such as 2026-11-27 or 2026-11-27T12:00Z"
            case .notAPeriod(let text): "'\(text)' is not a period such as PT1H, P1D or P1M"
            case .notAnInterval(let text): "'\(text)' is not an interval such as 2026-11-01/2026-11-30/P1D"
            case .tooMany: "more than \(FilmTimes.largestCount) times; use a longer period"
            case .none: "no times"
            }
        }
    }

    /// Reads a list such as `2026-11-27,2026-11-28` or an interval such as `2026-11-01/2026-11-30/P1D`, or several,
    /// separated by commas.
    package init(_ text: String) throws(InvalidError) {
        var times: [Time] = []
        for entry in text.split(separator: ",") {
            let parts = entry.split(separator: "/", omittingEmptySubsequences: false).map {
                String($0.filter { $0 != " " })
            }
            guard parts.count > 1 else {
                let text = parts.first ?? ""
                guard let seconds = Self.seconds(text) else { throw .notATime(text) }
                times.append(Time(text: text, seconds: seconds))
                continue
            }
            guard parts.count == 3 else { throw .notAnInterval(String(entry)) }
            guard let start = Self.seconds(parts[0]) else { throw .notATime(parts[0]) }
            guard let end = Self.seconds(parts[1]) else { throw .notATime(parts[1]) }
            guard end >= start else { throw .notAnInterval(String(entry)) }
            guard let period = Period(parts[2]) else { throw .notAPeriod(parts[2]) }
            // Times keep the precision of the start, as servers compare them as texts.
            let isOfDay = parts[0].utf8.count <= 10 && period.seconds.truncatingRemainder(dividingBy: 86_400) == 0
            var number = 0
            while let time = period.time(number, from: start), time <= end + 1e-6 {
                guard times.count < Self.largestCount else { throw .tooMany }
                guard let text = Self.text(time, isOfDay: isOfDay) else { throw .notATime(parts[1]) }
                times.append(Time(text: text, seconds: time))
                number += 1
            }
        }
        guard !times.isEmpty else { throw .none }
        guard times.count <= Self.largestCount else { throw .tooMany }
        self.times = times
    }

    /// Returns the seconds of a time of any precision: `2026`, `2026-11`, `2026-11-27`, `2026-11-27T12Z`.
    package static func seconds(_ text: String) -> Double? {
        var time = text
        switch text.utf8.count {
        case 4 where Int(text) != nil: time += "-01-01T00:00Z"
        case 7: time += "-01T00:00Z"
        case 10: time += "T00:00Z"
        case 13, 14: time = text.prefix(13) + ":00Z"
        default: break
        }
        return ISOTime.parts(time)?.day == nil ? nil : ISOTime.seconds(time)
    }

    private static func text(_ seconds: Double, isOfDay: Bool) -> String? {
        guard let text = ISOTime.text(seconds + 1e-6) else { return nil }
        return isOfDay ? String(text.prefix(10)) : text
    }

    /// A period of months and seconds.
    private struct Period {
        var months = 0
        var seconds = 0.0

        init?(_ text: String) {
            guard text.hasPrefix("P"), text.utf8.count > 2 else { return nil }
            var number = "", isTime = false
            for letter in text.dropFirst() {
                if letter == "T", number.isEmpty, !isTime {
                    isTime = true
                    continue
                }
                if letter.isNumber || letter == "." {
                    number.append(letter)
                    continue
                }
                guard let value = Double(number), value.isFinite, value < 1e9 else { return nil }
                number = ""
                switch (letter, isTime) {
                case ("Y", false): months += Int(value) * 12
                case ("M", false): months += Int(value)
                case ("W", false): seconds += value * 604_800
                case ("D", false): seconds += value * 86_400
                case ("H", true): seconds += value * 3600
                case ("M", true): seconds += value * 60
                case ("S", true): seconds += value
                default: return nil
                }
            }
            guard number.isEmpty, months > 0 || seconds > 0 else { return nil }
        }

        /// Returns the time after a number of periods, or `nil` beyond the year 9999.
        ///
        /// A day that a month does not have is its last one.
        func time(_ number: Int, from start: Double) -> Double? {
            var time = start
            if months > 0 {
                let day = Int((start / 86_400).rounded(.down)), date = CivilTime.date(day)
                let month = date.year * 12 + date.month - 1 + months * number
                guard month < 120_000 else { return nil }
                let (year, of) = (month / 12, month % 12 + 1)
                let last = CivilTime.dayCount(ofMonth: of, year: year)
                time = Double(CivilTime.days(year: year, month: of, day: min(date.day, last))) * 86_400
                time += start - Double(day) * 86_400
            }
            time += seconds * Double(number)
            return ISOTime.wholeSeconds(time) == nil ? nil : time
        }
    }
}
