import Foundation
import PortolanTransit

/// Times, days and lengths of time as messages write them (ISO 8601, XML Schema Part 2: `dateTime`, `duration`, `date`).
///
/// What cannot be read, or lies outside of the years 1 to 9999, is `nil`.
enum ISOTime {
    /// A moment as `2026-11-23T16:24:00.5+02:00`; one without a zone lies in UTC.
    static func date(_ text: some StringProtocol) -> Date? {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), let date = ServiceDay(year: year, month: month, day: day),
            scanner.take("T") || scanner.take(" "), let hour = scanner.digits(2), hour <= 24, scanner.take(":"),
            let minute = scanner.digits(2), minute < 60
        else { return nil }
        var seconds = 0.0
        if scanner.take(":") {
            guard let whole = scanner.digits(2), whole <= 60 else { return nil }
            seconds = Double(whole) + (scanner.take(".") || scanner.take(",") ? scanner.fraction() : 0)
        }
        var offset = 0
        if !scanner.take("Z"), !scanner.isAtEnd {
            let isBehind = scanner.take("-")
            guard isBehind || scanner.take("+"), let hours = scanner.digits(2), hours <= 14 else { return nil }
            _ = scanner.take(":")
            let minutes = scanner.isAtEnd ? 0 : scanner.digits(2) ?? 60
            guard minutes < 60 else { return nil }
            offset = (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
        }
        guard scanner.isAtEnd else { return nil }
        let whole = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 - offset
        return Date(timeIntervalSince1970: Double(whole) + seconds)
    }

    /// The moment as `2026-11-23T14:24:00Z`, in whole seconds; nothing outside of the years 1 to 9999.
    static func text(_ date: Date) -> String? {
        guard let seconds = seconds(date) else { return nil }
        let day = Int((Double(seconds) / 86_400).rounded(.down)), rest = seconds - day * 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map(two).joined(separator: ":")
        return "\(ServiceDay(daysSince1970: day))T\(clock)Z"
    }

    /// The moment at which the clocks of a zone show what those of UTC show at another.
    static func moment(_ utc: Date, onClockOf zone: TimeZone) -> Date {
        utc - Double(zone.secondsFromGMT(for: utc - Double(zone.secondsFromGMT(for: utc))))
    }

    /// The whole seconds since 1970, or `nil` outside of the years 1 to 9999.
    static func seconds(_ date: Date) -> Int? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return (-62_135_596_800.0..<253_402_300_800).contains(seconds) ? Int(seconds) : nil
    }

    /// A length of time as `-PT1M30.5S`; years and months have none, and are `nil`.
    static func duration(_ text: some StringProtocol) -> Duration? {
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

    /// A day as `20261123` or `2026-11-23`.
    static func day(_ text: some StringProtocol) -> ServiceDay? {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4) else { return nil }
        let isLong = scanner.take("-")
        guard let month = scanner.digits(2), !isLong || scanner.take("-"), let day = scanner.digits(2), scanner.isAtEnd
        else { return nil }
        return ServiceDay(year: year, month: month, day: day)
    }

    /// The seconds of a time of a service day, as `25:15:00`, `8:15` or `1624`.
    static func clock(_ text: some StringProtocol) -> Int? {
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

    /// The time of a service day as `25:15:00`.
    static func clockText(_ seconds: Int) -> String {
        let seconds = min(max(seconds, 0), 359_999)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
    }
}

/// Walks over ASCII text.
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

    /// A number of so many digits.
    mutating func digits(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// A number of one to nine digits.
    mutating func number() -> Int? {
        guard var number = digit() else { return nil }
        for _ in 0..<8 {
            guard let digit = digit() else { break }
            number = number * 10 + digit
        }
        return number
    }

    /// What stands behind the mark of decimals.
    mutating func fraction() -> Double {
        var value = 0.0, unit = 0.1
        while let digit = digit() {
            value += Double(digit) * unit
            unit /= 10
        }
        return value
    }
}
