public import Foundation
public import PortolanGeo

/// Departures, arrivals and nearby stops of a timetable.
///
/// Create a board once for each timetable and share it between threads.
public struct StopBoard: Sendable {
    /// The timetable.
    public let timetable: Timetable
    /// The clock that converts service days to dates.
    public let clock: ServiceDay.Clock
    private let live: LiveTimes
    private let network: Network

    /// The part that does not depend on live data.
    private struct Network: Sendable {
        /// The patterns that visit each stop and the stop's index in the pattern, grouped by stop.
        var visits: [(pattern: Int32, place: Int32)] = []
        /// The end index of each stop's visits.
        var ends: [Int] = []
        let stations: StationStops
        /// The number of days before the current one on which a running trip may have started.
        var daysBack = 1
        var cells: StopCells
    }

    /// The largest delay and the largest earliness of vehicles that are still found, in seconds.
    private static let latest = 6 * 3600, earliest = 3600

    /// Creates a board for a timetable.
    ///
    /// - Complexity: linear in the number of pattern stops.
    public init(_ timetable: Timetable) {
        self.timetable = timetable
        clock = ServiceDay.Clock(timetable)
        live = LiveTimes()
        var network = Network(
            stations: StationStops(timetable.stops),
            cells: StopCells(timetable.stops.map { $0.kind == .stop ? $0.place : nil }))
        network.ends = [Int](repeating: 0, count: timetable.stops.count)
        for stop in timetable.patternStops { network.ends[Int(stop)] += 1 }
        var next: [Int] = []
        next.reserveCapacity(network.ends.count)
        var sum = 0
        for stop in network.ends.indices {
            next.append(sum)
            sum += network.ends[stop]
            network.ends[stop] = sum
        }
        network.visits = [(pattern: Int32, place: Int32)](repeating: (0, 0), count: sum)
        var last: Int32 = 0
        for (number, pattern) in timetable.patterns.enumerated() {
            for (place, stop) in timetable.patternStops[pattern.stops].enumerated() {
                network.visits[next[Int(stop)]] = (Int32(number), Int32(place))
                next[Int(stop)] += 1
            }
            // Trips of a pattern never overtake each other, so the last trip arrives last.
            if !pattern.trips.isEmpty, !pattern.stops.isEmpty {
                let place = timetable.timeIndex(
                    trip: pattern.trips.upperBound - 1, stop: pattern.stops.count - 1, in: pattern)
                last = max(last, timetable.arrivals[place])
            }
        }
        network.daysBack = Int(last) / 86_400 + 1
        self.network = network
    }

    private init(_ board: StopBoard, live: LiveTimes) {
        timetable = board.timetable
        clock = board.clock
        network = board.network
        self.live = live
    }

    /// The applied updates that no call shows.
    ///
    /// These are updates that match no trip of the timetable, and added trips that cannot be shown: with an unknown
    /// line or stop, with decreasing times, or beyond the limit of 10,000.
    public var unmatchedUpdates: [TripUpdate] { live.unmatched }

    /// Returns a board with these live updates, which replace all earlier ones.
    ///
    /// - Parameter now: the current time. Updates without a date apply to the trips that run next.
    /// - Complexity: O(trips + updates).
    public func applying(_ updates: [TripUpdate], now: Date) -> StopBoard {
        StopBoard(self, live: LiveTimes(updates, timetable, clock.days, now: now))
    }

    /// Returns the stops within a distance in metres (at most 30,000) of a coordinate, nearest first, as indices into
    /// ``Timetable/stops``.
    ///
    /// - Complexity: linear in the stops of the grid cells (0.01°) within reach.
    public func stops(near place: Coordinate, within meters: Double) -> [(stop: Int, meters: Double)] {
        network.cells.stops(near: place, within: meters)
    }

    /// Returns the boardable stops for a stop index: the stop itself, or the stops of its station for stations,
    /// entrances and nodes.
    public func boardable(_ stop: Int) -> [Int] { network.stations.boardable(stop, timetable.stops) }

    /// Returns the lines that serve a stop or a station, as sorted indices into ``Timetable/lines``.
    public func lines(atStop stop: Int) -> [Int] {
        let patterns = boardable(stop).flatMap { visits(of: $0).map { Int($0.pattern) } }
        return Set(patterns.map { Int(timetable.patterns[$0].line) }).sorted()
    }

    private func visits(of stop: Int) -> ArraySlice<(pattern: Int32, place: Int32)> {
        network.visits[(stop == 0 ? 0 : network.ends[stop - 1])..<network.ends[stop]]
    }

    /// Returns the departures at a stop, or at all stops of a station, where passengers may board, earliest first.
    ///
    /// The order follows expected times if they are known. Vehicles more than six hours late are not found. Cancelled
    /// and skipped calls keep their scheduled time and are marked by ``StopBoard/Call/state``.
    ///
    /// - Parameters:
    ///   - stop: an index into ``Timetable/stops``.
    ///   - start: the start of the time window.
    ///   - seconds: the length of the window in seconds, at most a week.
    ///   - limit: the maximum number of departures.
    public func departures(
        from stop: Int, after start: Date, within seconds: Int = 7200, limit: Int = 100
    ) -> [StopBoard.Call] {
        calls(at: stop, after: start, within: seconds, limit: limit, isDeparture: true)
    }

    /// Returns the arrivals at a stop, or at all stops of a station, where passengers may alight, earliest first.
    ///
    /// The parameters are those of ``departures(from:after:within:limit:)``.
    public func arrivals(
        at stop: Int, after start: Date, within seconds: Int = 7200, limit: Int = 100
    ) -> [StopBoard.Call] {
        calls(at: stop, after: start, within: seconds, limit: limit, isDeparture: false)
    }

    private func calls(
        at stop: Int, after start: Date, within seconds: Int, limit: Int, isDeparture: Bool
    ) -> [StopBoard.Call] {
        let first = ServiceDay.Clock.seconds(start), last = first + min(max(seconds, 0), 604_800)
        guard limit > 0 else { return [] }
        let margin = live.isEmpty ? (0, 0) : (Self.latest, Self.earliest)
        let window = (first - margin.0)...(last + margin.1)
        var found: [StopBoard.Call] = []
        let days = clock.days.day(at: window.lowerBound).daysSince1970 - network.daysBack
        for number in days...(clock.days.day(at: window.upperBound).daysSince1970 + 1) {
            let day = ServiceDay(daysSince1970: number), start = clock.days.start(of: day)
            guard timetable.calendar.days?.contains(day) == true else { continue }
            for stop in boardable(stop) {
                for visit in visits(of: stop) {
                    append(visit, stop, day, start, window, isDeparture, to: &found)
                }
            }
        }
        for stop in boardable(stop) { appendAdded(stop, isDeparture, to: &found) }
        let range = first...last
        return found.filter { range.contains(ServiceDay.Clock.seconds($0.expected ?? $0.scheduled)) }.sorted {
            ($0.expected ?? $0.scheduled, $0.line, $0.trip) < ($1.expected ?? $1.scheduled, $1.line, $1.trip)
        }.prefix(limit).map { $0 }
    }

    /// Appends the calls of added trips at a stop.
    private func appendAdded(_ stop: Int, _ isDeparture: Bool, to found: inout [StopBoard.Call]) {
        for visit in live.added.visits[Int32(stop)] ?? [] {
            let trip = live.added.trips[visit.trip], call = trip.calls[visit.place]
            guard isDeparture ? call.boards : call.alights else { continue }
            func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
            var shown = StopBoard.Call(
                line: Int(trip.line), direction: trip.direction, trip: -1, tripID: trip.id, day: trip.day, stop: stop,
                platform: timetable.stops[stop].platform, headsign: trip.headsign,
                scheduled: date(isDeparture ? call.plannedDeparture : call.plannedArrival))
            if isDeparture ? call.knowsDeparture : call.knowsArrival {
                shown.expected = date(isDeparture ? call.departure : call.arrival)
            }
            found.append(shown)
        }
    }

    /// Appends the calls of a pattern's trips at one of its stops on one day.
    private func append(
        _ visit: (pattern: Int32, place: Int32), _ stop: Int, _ day: ServiceDay, _ start: Int,
        _ window: ClosedRange<Int>,
        _ isDeparture: Bool, to found: inout [StopBoard.Call]
    ) {
        let pattern = timetable.patterns[Int(visit.pattern)], place = Int(visit.place)
        let rules = timetable.patternRules[pattern.stops.lowerBound + place]
        // The last stop has no departures and the first stop has no arrivals.
        guard rules.contains(isDeparture ? .boards : .alights), place != (isDeparture ? pattern.stops.count - 1 : 0)
        else {
            return
        }
        let times = isDeparture ? timetable.departures : timetable.arrivals
        func time(_ trip: Int) -> Int { start + Int(times[timetable.timeIndex(trip: trip, stop: place, in: pattern)]) }
        var low = pattern.trips.lowerBound, high = pattern.trips.upperBound
        while low < high {
            let middle = (low + high) / 2
            if time(middle) < window.lowerBound { low = middle + 1 } else { high = middle }
        }
        for trip in low..<pattern.trips.upperBound {
            let scheduled = time(trip)
            guard scheduled <= window.upperBound else { return }
            guard timetable.calendar.runs(Int(timetable.trips.services[trip]), on: day) else { continue }
            let index = timetable.timeIndex(trip: trip, stop: place, in: pattern)
            var call = StopBoard.Call(
                line: Int(pattern.line), direction: pattern.direction < 0 ? nil : Int(pattern.direction), trip: trip,
                tripID: timetable.trips.ids[trip], day: day, stop: stop, platform: timetable.stops[stop].platform,
                headsign: timetable.headsign(trip: trip, time: index),
                scheduled: Date(timeIntervalSince1970: Double(scheduled)))
            if call.headsign.isEmpty { call.headsign = timetable.endName(of: pattern) }
            call.headway = timetable.trips.headways[trip] > 0 ? Int(timetable.trips.headways[trip]) : nil
            call.isOnRequest = rules.contains(isDeparture ? .boardsOnRequest : .alightsOnRequest)
            switch live.news(of: trip, on: day) {
            case nil: break
            case .canceled?: call.state = .canceled
            case .runs(let times)?:
                let expected = isDeparture ? times.departures[place] : times.arrivals[place]
                if abs(expected) >= RunTable.never {
                    call.state = .skipped
                } else if isDeparture ? times.knowsDeparture[place] : times.knowsArrival[place] {
                    call.expected = Date(timeIntervalSince1970: Double(start + Int(expected)))
                }
            }
            found.append(call)
        }
    }
}

extension StopBoard {
    /// A departure or an arrival of a vehicle at a stop.
    public struct Call: Hashable, Sendable {
        /// The state of a call.
        public enum State: Hashable, Sendable {
            /// The vehicle stops.
            case stops
            /// The trip runs, but the vehicle does not stop here.
            case skipped
            /// The trip is cancelled.
            case canceled
        }

        /// The line, as an index into ``Timetable/lines``.
        public var line: Int
        /// The direction, 0 or 1, or `nil`.
        public var direction: Int?
        /// The trip: its index in the timetable (-1 for added trips) and its identifier.
        public var trip: Int, tripID: String
        /// Whether the trip is missing from the timetable and was added by live data.
        public var isAdded: Bool { trip < 0 }
        /// The service day of the trip.
        public var day: ServiceDay
        /// The stop, as an index into ``Timetable/stops``.
        public var stop: Int
        /// The platform, or an empty string.
        public var platform: String
        /// The headsign, or the name of the trip's last stop if the feed gives none.
        public var headsign: String
        /// The scheduled time.
        ///
        /// For added trips that do not copy a scheduled trip, this is the reported time.
        public var scheduled: Date
        /// The expected time from live data, or `nil`.
        public var expected: Date?
        /// The state of the call.
        public var state = State.stops
        /// The headway in seconds for trips without exact times, or `nil`.
        public var headway: Int?
        /// Whether passengers must arrange the stop by phone or with the driver.
        public var isOnRequest = false

        init(
            line: Int, direction: Int?, trip: Int, tripID: String, day: ServiceDay, stop: Int, platform: String,
            headsign: String, scheduled: Date
        ) {
            self.line = line
            self.direction = direction
            self.trip = trip
            self.tripID = tripID
            self.day = day
            self.stop = stop
            self.platform = platform
            self.headsign = headsign
            self.scheduled = scheduled
        }

        /// The delay in seconds, or `nil` without live data.
        ///
        /// Negative values mean early.
        public var delay: Int? { expected.map { Int($0.timeIntervalSince(scheduled).rounded()) } }
    }
}
