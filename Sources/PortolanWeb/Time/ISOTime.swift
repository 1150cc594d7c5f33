/// Times, dates and durations in ISO 8601 form (XML Schema Part 2: `dateTime`, `duration`, `date`; RFC 3339).
///
/// Invalid text, and years outside 1 to 9999, give `nil`.
package enum ISOTime {
    /// A date, a time of day or both, and the offset of the time zone.
    package struct Parts: Hashable, Sendable {
        /// The days since 1970-01-01.
        package var day: Int?
        /// The seconds since midnight.
        package var time: Double
        /// The offset of the time zone from UTC in seconds, positive to the east.
        package var offset: Int?
    }

    /// Returns seconds since 1970 for a time such as `2026-11-23T16:24:00.5+02:00`; without a time zone it is in UTC.
    package static func seconds(_ text: some StringProtocol) -> Double? {
        guard let parts = parts(text), let day = parts.day else { return nil }
        return Double(day * 86_400 - (parts.offset ?? 0)) + parts.time
    }

    /// Returns the parts of a time such as `2026-11-23T16:24:00.5+02:00`; the date and the time zone may be missing.
    package static func parts(_ text: some StringProtocol) -> Parts? {
        var scanner = DigitScanner(text)
        var parts = Parts(time: 0)
        if text.utf8.dropFirst(4).first == UInt8(ascii: "-") {
            guard let day = scanner.date(), scanner.take("T") || scanner.take(" ") else { return nil }
            parts.day = day
        }
        guard let hour = scanner.digits(2), hour <= 24, scanner.take(":"), let minute = scanner.digits(2), minute < 60
        else { return nil }
        parts.time = Double(hour * 3600 + minute * 60)
        if scanner.take(":") {
            guard let whole = scanner.digits(2), whole <= 60 else { return nil }
            parts.time += Double(whole) + (scanner.take(".") || scanner.take(",") ? scanner.fraction() : 0)
        }
        if scanner.take("Z") {
            parts.offset = 0
        } else if !scanner.isAtEnd {
            let isBehind = scanner.take("-")
            guard isBehind || scanner.take("+"), let hours = scanner.digits(2), hours <= 14 else { return nil }
            _ = scanner.take(":")
            let minutes = scanner.isAtEnd ? 0 : scanner.digits(2) ?? 60
            guard minutes < 60 else { return nil }
            parts.offset = (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
        }
        return scanner.isAtEnd ? parts : nil
    }

    /// Returns a time such as `2026-11-23T14:24:00Z`, from seconds since 1970 rounded down.
    package static func text(_ seconds: Double) -> String? {
        guard let seconds = wholeSeconds(seconds) else { return nil }
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        return "\(dayText(day))T\(clockText(seconds - day * 86_400))Z"
    }

    /// Returns seconds since 1970 rounded down, or `nil` outside the years 1 to 9999.
    package static func wholeSeconds(_ seconds: Double) -> Int? {
        let whole = seconds.rounded(.down)
        return (-62_135_596_800.0..<253_402_300_800).contains(whole) ? Int(whole) : nil
    }

    /// Parses a duration such as `-PT1M30.5S`.
    ///
    /// Years and months have no fixed length and give `nil`.
    package static func duration(_ text: some StringProtocol) -> Duration? {
        var scanner = DigitScanner(text)
        let isNegative = scanner.take("-")
        guard scanner.take("P") else { return nil }
        var seconds = 0, fraction = 0.0, isOfDay = false, count = 0
        while !scanner.isAtEnd {
            if !isOfDay, scanner.take("T") {
                isOfDay = true
                continue
            }
            guard let number = scanner.number() else { return nil }
            if scanner.take(".") { fraction = scanner.fraction() }
            let unit: Int
            switch (scanner.next(), isOfDay) {
            case (UInt8(ascii: "W"), false): unit = 604_800
            case (UInt8(ascii: "D"), false): unit = 86_400
            case (UInt8(ascii: "H"), true): unit = 3600
            case (UInt8(ascii: "M"), true): unit = 60
            case (UInt8(ascii: "S"), true): unit = 1
            default: return nil
            }
            guard fraction == 0 || unit == 1 else { return nil }
            seconds += number * unit
            count += 1
        }
        guard count > 0 else { return nil }
        let whole = Duration.seconds(seconds) + .milliseconds(Int((fraction * 1000).rounded()))
        return isNegative ? .zero - whole : whole
    }

    /// Returns the days since 1970-01-01 of a date such as `20261123` or `2026-11-23`.
    package static func day(_ text: some StringProtocol) -> Int? {
        var scanner = DigitScanner(text)
        guard let day = scanner.date(isLong: text.utf8.dropFirst(4).first == UInt8(ascii: "-")), scanner.isAtEnd else {
            return nil
        }
        return day
    }

    /// Returns a date such as `2026-11-23`, from the days since 1970-01-01.
    package static func dayText(_ day: Int) -> String {
        let (year, month, day) = CivilTime.date(day)
        return "\(CivilTime.padded(year, to: 4))-\(CivilTime.padded(month))-\(CivilTime.padded(day))"
    }

    /// Returns the seconds of a time of a service day, such as `25:15:00`, `8:15` or `1624`.
    package static func clock(_ text: some StringProtocol) -> Int? {
        var scanner = DigitScanner(text)
        if text.utf8.count == 4, !text.utf8.contains(UInt8(ascii: ":")) {
            guard let hour = scanner.digits(2), let minute = scanner.digits(2), minute < 60 else { return nil }
            return hour * 3600 + minute * 60
        }
        guard let hour = scanner.number(), hour < 100, scanner.take(":"), let minute = scanner.digits(2), minute < 60
        else { return nil }
        var second = 0
        if scanner.take(":") { second = scanner.digits(2) ?? 60 }
        guard second < 60, scanner.isAtEnd else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns a time of a service day, such as `25:15:00`.
    package static func clockText(_ seconds: Int) -> String {
        let seconds = min(max(seconds, 0), 359_999)
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { CivilTime.padded($0) }.joined(separator: ":")
    }
}

/// Reads ASCII text from the start.
private struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) { bytes = Array(text.utf8.prefix(64)) }

    var isAtEnd: Bool { position == bytes.count }

    mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int? {
        guard position < bytes.count, case let digit = Int(bytes[position]) - 48, (0...9).contains(digit) else {
            return nil
        }
        position += 1
        return digit
    }

    /// Reads a date with or without hyphens, and returns the days since 1970-01-01.
    mutating func date(isLong: Bool = true) -> Int? {
        guard let year = digits(4), year >= 1, !isLong || take("-"), let month = digits(2), (1...12).contains(month),
            !isLong || take("-"), let day = digits(2), day >= 1,
            day <= CivilTime.dayCount(ofMonth: month, year: year)
        else { return nil }
        return CivilTime.days(year: year, month: month, day: day)
    }

    /// Reads a number with exactly this many digits.
    mutating func digits(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads a number of one to nine digits.
    mutating func number() -> Int? {
        guard var number = digit() else { return nil }
        for _ in 0..<8 {
            guard let digit = digit() else { break }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads the digits after the decimal separator.
    mutating func fraction() -> Double {
        var value = 0.0, unit = 0.1
        while let digit = digit() {
            value += Double(digit) * unit
            unit /= 10
        }
        return value
    }
}
