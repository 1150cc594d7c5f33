public import Foundation

/// Between times of service days and times of the world.
///
/// Times of a timetable count from twelve hours before the noon of their service day in the time zone of the agency: midnight but for
/// the days on which clocks are set (GTFS Schedule, "Time").
public struct ServiceClock: Sendable {
    /// The time zone of the agencies, of which a feed has but one.
    public let timeZone: TimeZone
    let days: DayClock

    /// Makes a clock of a time zone.
    public init(timeZone: TimeZone) {
        self.timeZone = timeZone
        days = DayClock(timeZone: timeZone)
    }

    /// The clock of a timetable: that of its first agency whose time zone is known, else universal time.
    public init(_ timetable: Timetable) {
        self.init(timeZone: Self.knownTimeZone(of: timetable) ?? .gmt)
    }

    static func knownTimeZone(of timetable: Timetable) -> TimeZone? {
        timetable.agencies.lazy.compactMap { TimeZone(identifier: $0.timeZone) }.first
    }

    /// The time that is so many seconds after the beginning of a service day.
    public func date(_ seconds: Int, on day: ServiceDay) -> Date {
        Date(timeIntervalSince1970: Double(days.start(of: day) + seconds))
    }

    /// The day of the calendar at a time; trips of the day before may still run.
    public func day(at date: Date) -> ServiceDay { days.day(at: Self.seconds(date)) }

    /// The seconds from the beginning of a service day to a time; negative before it.
    public func seconds(at date: Date, on day: ServiceDay) -> Int { Self.seconds(date) - days.start(of: day) }

    /// Whole seconds after 1970, within the years 1 to 9999.
    static func seconds(_ date: Date) -> Int {
        Int(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
    }
}

extension Timetable {
    /// Whether it tells of the day of a time, or of the one before, whose trips may still run.
    ///
    /// Of other days it is not known what runs: that nothing is listed does not mean that nothing leaves.
    public func covers(_ date: Date) -> Bool {
        guard let days = calendar.days else { return false }
        let day = ServiceClock(self).day(at: date)
        return day >= days.lowerBound && day <= days.upperBound.advanced(by: 1)
    }

    /// The time zone in which times at a stop are shown: its own, else that of its station, else that of the agencies.
    public func timeZone(ofStop stop: Int) -> TimeZone {
        let stop = stops[stop]
        for name in [stop.timeZone, stop.parent.map { stops[$0].timeZone } ?? ""] where !name.isEmpty {
            if let zone = TimeZone(identifier: name) { return zone }
        }
        return ServiceClock(self).timeZone
    }
}

/// When service days begin: twelve hours before their noon in a time zone, which is midnight but for the days on which clocks are
/// set (GTFS Schedule, "Time").
struct DayClock: Sendable {
    let timeZone: TimeZone

    /// The beginning of a service day, in seconds after 1970-01-01 in universal time.
    func start(of day: ServiceDay) -> Int {
        let noon = day.daysSince1970 * 86_400 + 43_200
        var offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(noon)))
        offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(noon - offset)))
        return noon - offset - 43_200
    }

    /// The day of the calendar at a time.
    func day(at seconds: Int) -> ServiceDay {
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let local = seconds + offset
        return ServiceDay(daysSince1970: local >= 0 ? local / 86_400 : -((86_399 - local) / 86_400))
    }
}
