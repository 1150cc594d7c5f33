public import Foundation
public import PortolanGeo

/// What departs from and arrives at stops, and which stops are near: made once of a timetable, shared by threads.
public struct StopBoard: Sendable {
    /// The timetable.
    public let timetable: Timetable
    /// When its days begin.
    public let clock: ServiceClock
    private let live: LiveTimes
    private let network: Network

    /// What is the same whatever is known live.
    private struct Network: Sendable {
        /// Patterns and places in them at which each stop comes, one stop after the other.
        var visits: [(pattern: Int32, place: Int32)] = []
        /// Where the visits of each stop end.
        var ends: [Int] = []
        let stations: StationStops
        /// How many days a trip may be under way.
        var daysBack = 1
        var cells: StopCells
    }

    /// How late a vehicle may be to be found still, and how early, in seconds.
    private static let latest = 6 * 3600, earliest = 3600

    /// Prepares a timetable.
    ///
    /// - Complexity: linear in the stops of patterns.
    public init(_ timetable: Timetable) {
        self.timetable = timetable
        clock = ServiceClock(timetable)
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
            // No trip overtakes another: the last one arrives last.
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

    /// Of the updates that were applied those that no call shows: such as the timetable does not tell apart, and trips that were added
    /// whose line and stops it does not know, whose times go back, or of which there are too many (10,000).
    public var unmatchedUpdates: [TripUpdate] { live.unmatched }

    /// The board with what is known of trips now; what it knew before is forgotten.
    ///
    /// - Parameter now: the time at which updates without a day are about the trips that run next.
    /// - Complexity: O(trips + updates).
    public func applying(_ updates: [TripUpdate], now: Date) -> StopBoard {
        StopBoard(self, live: LiveTimes(updates, timetable, clock.days, now: now))
    }

    /// The stops within so many metres of a place (at most 30,000), as indices of ``Timetable/stops``, the nearest first.
    ///
    /// - Complexity: linear in the stops of cells of a hundredth of a degree within reach.
    public func stops(near place: Coordinate, within meters: Double) -> [(stop: Int, meters: Double)] {
        network.cells.stops(near: place, within: meters)
    }

    /// The stops where vehicles are boarded that an index stands for: itself, or those of a station, also for its entrances and nodes.
    public func boardable(_ stop: Int) -> [Int] { network.stations.boardable(stop, timetable.stops) }

    /// The lines that stop at a stop or a station, by their indices.
    public func lines(atStop stop: Int) -> [Int] {
        let patterns = boardable(stop).flatMap { visits(of: $0).map { Int($0.pattern) } }
        return Set(patterns.map { Int(timetable.patterns[$0].line) }).sorted()
    }

    private func visits(of stop: Int) -> ArraySlice<(pattern: Int32, place: Int32)> {
        network.visits[(stop == 0 ? 0 : network.ends[stop - 1])..<network.ends[stop]]
    }

    /// What departs from a stop, or from any of a station, where passengers may board; the earliest first.
    ///
    /// Times are those expected where something is known; vehicles more than six hours late are not found. What is cancelled or passes
    /// by stands where it would have, and says so.
    ///
    /// - Parameters:
    ///   - stop: an index of ``Timetable/stops``.
    ///   - start: the first time.
    ///   - seconds: how much later the last time may be, at most a week.
    ///   - limit: the most that are wanted.
    public func departures(
        from stop: Int, after start: Date, within seconds: Int = 7200, limit: Int = 100
    ) -> [StopCall] {
        calls(at: stop, after: start, within: seconds, limit: limit, isDeparture: true)
    }

    /// What arrives at a stop, or at any of a station, where passengers may leave; the earliest first.
    ///
    /// Parameters are those of ``departures(from:after:within:limit:)``.
    public func arrivals(at stop: Int, after start: Date, within seconds: Int = 7200, limit: Int = 100) -> [StopCall] {
        calls(at: stop, after: start, within: seconds, limit: limit, isDeparture: false)
    }

    private func calls(
        at stop: Int, after start: Date, within seconds: Int, limit: Int, isDeparture: Bool
    ) -> [StopCall] {
        let first = ServiceClock.seconds(start), last = first + min(max(seconds, 0), 604_800)
        guard limit > 0 else { return [] }
        let margin = live.isEmpty ? (0, 0) : (Self.latest, Self.earliest)
        let window = (first - margin.0)...(last + margin.1)
        var found: [StopCall] = []
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
        return found.filter { range.contains(ServiceClock.seconds($0.expected ?? $0.scheduled)) }.sorted {
            ($0.expected ?? $0.scheduled, $0.line, $0.trip) < ($1.expected ?? $1.scheduled, $1.line, $1.trip)
        }.prefix(limit).map { $0 }
    }

    /// Trips that are not in the timetable, at one of its stops.
    private func appendAdded(_ stop: Int, _ isDeparture: Bool, to found: inout [StopCall]) {
        for visit in live.added.visits[Int32(stop)] ?? [] {
            let trip = live.added.trips[visit.trip], call = trip.calls[visit.place]
            guard isDeparture ? call.boards : call.alights else { continue }
            func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
            var shown = StopCall(
                line: Int(trip.line), direction: trip.direction, trip: -1, tripID: trip.id, day: trip.day, stop: stop,
                platform: timetable.stops[stop].platform, headsign: trip.headsign,
                scheduled: date(isDeparture ? call.plannedDeparture : call.plannedArrival))
            if isDeparture ? call.knowsDeparture : call.knowsArrival {
                shown.expected = date(isDeparture ? call.departure : call.arrival)
            }
            found.append(shown)
        }
    }

    /// Trips of a pattern at one of its stops, on one day.
    private func append(
        _ visit: (pattern: Int32, place: Int32), _ stop: Int, _ day: ServiceDay, _ start: Int,
        _ window: ClosedRange<Int>,
        _ isDeparture: Bool, to found: inout [StopCall]
    ) {
        let pattern = timetable.patterns[Int(visit.pattern)], place = Int(visit.place)
        let rules = timetable.patternRules[pattern.stops.lowerBound + place]
        // Nothing departs from the last stop, or arrives at the first.
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
            var call = StopCall(
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

/// A vehicle that departs from a stop, or arrives there.
public struct StopCall: Hashable, Sendable {
    /// What becomes of it.
    public enum State: Hashable, Sendable {
        /// It stops.
        case stops
        /// It runs, but passes the stop.
        case skipped
        /// It does not run.
        case canceled
    }

    /// The line, as an index of ``Timetable/lines``.
    public var line: Int
    /// The direction, 0 or 1, or `nil`.
    public var direction: Int?
    /// The trip, by its number in the timetable (-1 where it was added) and its identifier.
    public var trip: Int, tripID: String
    /// Whether the trip is not in the timetable, but was told of live.
    public var isAdded: Bool { trip < 0 }
    /// The day on which it began.
    public var day: ServiceDay
    /// The stop, as an index of ``Timetable/stops``.
    public var stop: Int
    /// The platform, or nothing.
    public var platform: String
    /// What the vehicle shows; where the feed does not tell, the name of its last stop.
    public var headsign: String
    /// The time in the timetable; of an added trip that is no copy of another the time told.
    public var scheduled: Date
    /// The time by what is known, or `nil` where nothing is.
    public var expected: Date?
    /// What becomes of it.
    public var state = State.stops
    /// How far apart trips run whose times are not exact, in seconds, or `nil`.
    public var headway: Int?
    /// Whether it must be arranged: by telephone, or with the driver.
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

    /// How late it is, in seconds; `nil` where nothing is known.
    public var delay: Int? { expected.map { Int($0.timeIntervalSince(scheduled).rounded()) } }
}
