import Foundation

/// The live data of trips, by service day.
struct LiveTimes: Sendable {
    /// The live state of a trip.
    enum News: Hashable, Sendable {
        /// The trip does not run.
        case canceled
        /// The trip runs at other times.
        case runs(Times)
    }

    /// The arrival and departure times of a trip, in seconds of its service day.
    struct Times: Hashable, Sendable {
        /// The arrival times, ``RunTable/never`` at skipped stops.
        var arrivals: [Int32] = []
        /// The departure times, minus ``RunTable/never`` at skipped stops.
        var departures: [Int32] = []
        /// Whether the arrival at each stop is based on live data rather than on the timetable.
        var knowsArrival: [Bool] = []
        /// Whether the departure at each stop is based on live data.
        var knowsDeparture: [Bool] = []
    }

    private struct Key: Hashable {
        var trip: Int32, day: Int32
    }

    private var news: [Key: News] = [:]
    /// The trips outside of the timetable.
    private(set) var added = AddedTrips()
    /// The updates that match no trip and add none, in their order.
    private(set) var unmatched: [TripUpdate] = []

    /// Creates an empty state.
    init() {}

    /// Applies updates.
    ///
    /// The last update of a trip wins.
    ///
    /// - Complexity: O(trips + updates).
    init(_ updates: [TripUpdate], _ timetable: Timetable, _ clock: DayClock, now: Date) {
        guard !updates.isEmpty else { return }
        let names = TripNames(timetable, wanted: updates.compactMap(\.trip.trip) + updates.compactMap(\.copyOf))
        let reader = updates.contains { $0.change == .added } ? AddedTripReader(timetable, clock, names) : nil
        let today = clock.day(at: Int(min(max(now.timeIntervalSince1970, -2e9), 7e9)))
        for update in updates {
            if update.change == .added {
                let isTaken = reader?.trip(update).map { added.add($0, as: update.trip) }
                if isTaken != true { unmatched.append(update) }
                continue
            }
            let runs = Self.runs(of: update.trip, names, timetable, clock, today, now)
            if runs.isEmpty {
                let isTaken = update.change == .canceled && added.cancel(update.trip)
                if !isTaken { unmatched.append(update) }
            }
            for (trip, day) in runs {
                let key = Key(trip: Int32(trip), day: Int32(truncatingIfNeeded: day.daysSince1970))
                if update.change == .canceled {
                    news[key] = .canceled
                } else {
                    news[key] = Self.times(of: trip, timetable, update, dayStart: clock.start(of: day)).map {
                        .runs($0)
                    }
                }
            }
        }
        added.arrange()
    }

    /// Whether there are no live data for trips of the timetable.
    var isEmpty: Bool { news.isEmpty }

    /// Returns the live state of a trip, or `nil`.
    func news(of trip: Int, on day: ServiceDay) -> News? {
        news[Key(trip: Int32(trip), day: Int32(truncatingIfNeeded: day.daysSince1970))]
    }

    /// Returns the trips that a reference matches with their day.
    ///
    /// Without a day, it is the day on which the trip runs nearest to now.
    private static func runs(
        of reference: TripReference, _ names: TripNames, _ timetable: Timetable, _ clock: DayClock, _ today: ServiceDay,
        _ now: Date
    ) -> [(Int, ServiceDay)] {
        var trips = names.trips(of: reference)
        // An identifier matches several runs if the trip repeats. If it matches one run, the start adds nothing.
        if let start = reference.start, reference.trip == nil || trips.count > 1 {
            trips = Self.beginning(at: start, trips, timetable)
        }
        var best: (trip: Int, day: ServiceDay, away: Double)?, isAmbiguous = false
        for trip in trips {
            guard let span = timetable.span(of: trip) else { continue }
            // Producers that write 00:30:00 instead of 24:30:00 may also give the calendar date.
            let isByCalendar = reference.start.map { span.begin >= 86_400 && $0 == span.begin % 86_400 } ?? false
            let days =
                reference.day.map { isByCalendar ? [$0, $0.advanced(by: -1)] : [$0] }
                ?? (-1...1).map { today.advanced(by: $0) }
            for day in days where timetable.calendar.runs(Int(timetable.trips.services[trip]), on: day) {
                let start = Double(clock.start(of: day)), time = now.timeIntervalSince1970
                let away = max(start + Double(span.begin) - time, time - start - Double(span.end), 0)
                if let other = best, other.trip != trip, other.away == away { isAmbiguous = true }
                if best.map({ away < $0.away }) ?? true { best = (trip, day, away) }
            }
        }
        // Repeated trips are ambiguous without their start time.
        guard let best, !isAmbiguous || trips.count == 1 else { return [] }
        return [(best.trip, best.day)]
    }

    /// Returns the trips that begin at a time.
    ///
    /// Without an exact match, the time is compared modulo 24 hours, because some producers write 00:30:00 instead of
    /// 24:30:00.
    private static func beginning(at start: Int, _ trips: [Int], _ timetable: Timetable) -> [Int] {
        let exact = trips.filter { timetable.span(of: $0)?.begin == start }
        guard exact.isEmpty else { return exact }
        func ofDay(_ time: Int) -> Int { (time % 86_400 + 86_400) % 86_400 }
        return trips.filter { timetable.span(of: $0).map { ofDay($0.begin) } == ofDay(start) }
    }

    /// Returns the times of a trip after an update, or `nil` if the update has no live data.
    ///
    /// A delay holds until the next stop with live data, and nothing is known before the first one (GTFS Realtime,
    /// "Stop Time Updates"). Times never decrease, so a late time also determines later stops that would have been
    /// scheduled before it.
    static func times(of trip: Int, _ timetable: Timetable, _ update: TripUpdate, dayStart: Int) -> Times? {
        let pattern = timetable.patterns[Int(timetable.trips.patterns[trip])]
        let first = timetable.timeIndex(trip: trip, stop: 0, in: pattern), count = pattern.stops.count
        let told = places(of: update.stops, pattern, timetable)
        var delay = update.delay.map { seconds($0) }, clock = -RunTable.longest, times = Times(), isTold = false
        /// Returns the next time and whether it is based on live data.
        func next(_ scheduled: Int) -> (Int32, Bool) {
            let isKnown = delay != nil || clock > scheduled
            clock = max(clock, scheduled + (delay ?? 0))
            isTold = isTold || isKnown
            return (fit(clock), isKnown)
        }
        func append(_ arrival: (Int32, Bool), _ departure: (Int32, Bool)) {
            times.arrivals.append(arrival.0)
            times.knowsArrival.append(arrival.1)
            times.departures.append(departure.0)
            times.knowsDeparture.append(departure.1)
        }
        for index in 0..<count {
            let arrival = Int(timetable.arrivals[first + index]), departure = Int(timetable.departures[first + index])
            let stop = told[index]
            if stop?.change == .unknown { delay = nil }
            if stop?.change == .skipped {
                isTold = true
                append((RunTable.never, true), (-RunTable.never, true))
                continue
            }
            if let time = stop?.arrival { delay = late(time, arrival, dayStart) }
            let arrives = next(arrival)
            if let time = stop?.departure { delay = late(time, departure, dayStart) }
            append(arrives, next(departure))
        }
        return isTold ? times : nil
    }

    /// Returns stop updates by index in a pattern, matched by `stop_sequence` if possible, otherwise by stop.
    private static func places(
        of stops: [TripUpdate.StopTime], _ pattern: Timetable.Pattern, _ timetable: Timetable
    ) -> [Int: TripUpdate.StopTime] {
        let ids = pattern.stops.map { timetable.stops[Int(timetable.patternStops[$0])].id }
        // Timetables that were not read from a feed count from 1.
        let sequences =
            timetable.patternSequences.count == timetable.patternStops.count
            ? pattern.stops.map { Int(timetable.patternSequences[$0]) } : Array(1..<ids.count + 1)
        var told: [Int: TripUpdate.StopTime] = [:], from = 0
        for stop in stops {
            var place = stop.sequence.flatMap { sequences.firstIndex(of: $0) }
            if let id = stop.stop, place.map({ ids[$0] != id }) ?? true {
                let ahead = min(from, ids.count)
                // Some producers do not list stops in order.
                place =
                    ids[ahead...].firstIndex(of: id) ?? ids[..<ahead].indices.first { ids[$0] == id && told[$0] == nil }
            }
            guard let place else { continue }
            told[place] = stop
            from = place + 1
        }
        return told
    }

    private static func late(_ time: TripUpdate.Time, _ scheduled: Int, _ dayStart: Int) -> Int {
        switch time {
        case .late(let duration): seconds(duration)
        case .at(let date):
            Int(min(max(date.timeIntervalSince1970 - Double(dayStart + scheduled), -86_400), 86_400).rounded())
        }
    }

    private static func seconds(_ duration: Duration) -> Int {
        Int(min(max(duration.components.seconds, -86_400), 86_400))
    }

    private static func fit(_ time: Int) -> Int32 { Int32(min(max(time, -RunTable.longest), RunTable.longest)) }
}

extension Timetable {
    /// Returns the first departure and the last arrival of a trip in seconds of its service day, or `nil` if it has no
    /// stops.
    func span(of trip: Int) -> (begin: Int, end: Int)? {
        let pattern = patterns[Int(trips.patterns[trip])]
        guard !pattern.stops.isEmpty else { return nil }
        let first = timeIndex(trip: trip, stop: 0, in: pattern)
        return (Int(departures[first]), Int(arrivals[first + pattern.stops.count - 1]))
    }
}
