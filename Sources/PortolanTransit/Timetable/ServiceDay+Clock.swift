public import Foundation

extension ServiceDay {
    /// Converts between times of service days and absolute times.
    ///
    /// Times of a timetable count from twelve hours before noon of the service day in the agency's time zone. This is
    /// midnight except on days with a daylight saving change (GTFS Schedule, "Time").
    public struct Clock: Sendable {
        /// The time zone of the agencies.
        ///
        /// A feed has only one.
        public let timeZone: TimeZone
        let days: DayClock

        /// Creates a clock for a time zone.
        public init(timeZone: TimeZone) {
            self.timeZone = timeZone
            days = DayClock(timeZone: timeZone)
        }

        /// Creates the clock of a timetable, with the first valid time zone of its agencies, or UTC.
        public init(_ timetable: Timetable) {
            self.init(timeZone: Self.knownTimeZone(of: timetable) ?? .gmt)
        }

        static func knownTimeZone(of timetable: Timetable) -> TimeZone? {
            timetable.agencies.lazy.compactMap { TimeZone(identifier: $0.timeZone) }.first
        }

        /// Returns the date for a number of seconds after the start of a service day.
        public func date(_ seconds: Int, on day: ServiceDay) -> Date {
            Date(timeIntervalSince1970: Double(days.start(of: day) + seconds))
        }

        /// Returns the calendar day at a time.
        ///
        /// Trips of the previous day may still be running.
        public func day(at date: Date) -> ServiceDay { days.day(at: Self.seconds(date)) }

        /// Returns the seconds from the start of a service day to a time; negative before it.
        public func seconds(at date: Date, on day: ServiceDay) -> Int { Self.seconds(date) - days.start(of: day) }

        /// Returns whole seconds after 1970, limited to the years 1 to 9999.
        static func seconds(_ date: Date) -> Int {
            Int(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
        }
    }
}

extension Timetable {
    /// Returns whether the timetable covers the day of a time or the previous day, whose trips may still be running.
    ///
    /// For other days, an empty list of departures does not mean that nothing departs.
    public func covers(_ date: Date) -> Bool {
        guard let days = calendar.days else { return false }
        let day = ServiceDay.Clock(self).day(at: date)
        return day >= days.lowerBound && day <= days.upperBound.advanced(by: 1)
    }

    /// Returns the time zone for displaying times at a stop: that of the stop, its station or the agencies.
    public func timeZone(ofStop stop: Int) -> TimeZone {
        let stop = stops[stop]
        for name in [stop.timeZone, stop.parent.map { stops[$0].timeZone } ?? ""] where !name.isEmpty {
            if let zone = TimeZone(identifier: name) { return zone }
        }
        return ServiceDay.Clock(self).timeZone
    }
}

/// The start of service days: twelve hours before noon in a time zone, which is midnight except on days with a daylight
/// saving change (GTFS Schedule, "Time").
struct DayClock: Sendable {
    let timeZone: TimeZone

    /// Returns the start of a service day, in seconds after 1970-01-01 UTC.
    func start(of day: ServiceDay) -> Int {
        let noon = day.daysSince1970 * 86_400 + 43_200
        var offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(noon)))
        offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(noon - offset)))
        return noon - offset - 43_200
    }

    /// Returns the calendar day at a time.
    func day(at seconds: Int) -> ServiceDay {
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let local = seconds + offset
        return ServiceDay(daysSince1970: local >= 0 ? local / 86_400 : -((86_399 - local) / 86_400))
    }
}
