import Foundation
import PortolanTransit
import PortolanWeb

/// Times of a timetable, parsed from text and formatted with their date if it is not obvious.
struct TransitTime {
    let timeZone: TimeZone
    private let calendar: Calendar
    /// The option of the times, for messages.
    private let option: String

    /// The clock of the timetable's days.
    init(_ timetable: Timetable, option: String = "--at") {
        self.option = option
        timeZone = ServiceDay.Clock(timetable).timeZone
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// A time as `2026-11-23T08:00`, `08:00` (today) or with an offset as `2026-11-23T08:00:00Z`; now if there is no text.
    func date(_ text: String?, now: Date = Date()) throws(CommandFailure) -> Date {
        guard let text else { return now }
        guard let parts = ISOTime.parts(text), parts.time < 86_400 else { throw failure(text) }
        var clockCalendar = calendar
        var day = calendar.dateComponents([.year, .month, .day], from: now)
        if let number = parts.day { (day.year, day.month, day.day) = CivilTime.date(number) }
        let seconds = Int(parts.time)
        (day.hour, day.minute, day.second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        if let offset = parts.offset {
            guard let zone = TimeZone(secondsFromGMT: offset) else { throw failure(text) }
            clockCalendar.timeZone = zone
        }
        guard let date = clockCalendar.date(from: day) else { throw failure(text) }
        return date
    }

    private func failure(_ text: String) -> CommandFailure {
        CommandFailure(
            .usage,
            "\(option) \(text): not a valid time; write 2026-11-23T08:00, or 08:00 for today, with an offset if needed"
        )
    }

    /// The warning that a timetable does not cover a date, or `nil`.
    func uncovered(_ date: Date, by timetable: Timetable) -> String? {
        guard !timetable.covers(date) else { return nil }
        return timetable.calendar.days.map { "the timetable covers \($0.lowerBound) to \($0.upperBound) only" }
            ?? "the timetable covers no date"
    }

    /// As `08:05`, with the date if it differs from the given one: `08:05 (2026-11-24)`.
    func clock(_ date: Date, otherThan day: Date? = nil) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let time = String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
        guard let day, !calendar.isDate(day, inSameDayAs: date) else { return time }
        return time + String(format: " (%04d-%02d-%02d)", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    /// As `2026-11-23T08:05:00+02:00` (ISO 8601).
    func text(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let offset = timeZone.secondsFromGMT(for: date), minutes = abs(offset) / 60
        let time = String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
        return offset == 0
            ? time + "Z" : time + String(format: "%@%02d:%02d", offset < 0 ? "-" : "+", minutes / 60, minutes % 60)
    }
}
