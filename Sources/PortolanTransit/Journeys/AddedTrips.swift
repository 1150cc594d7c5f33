import Foundation

/// Trips outside of the timetable that live messages add, with their own stops and times or as copies of scheduled
/// trips (GTFS Realtime, `ScheduleRelationship` ADDED, NEW and DUPLICATED).
struct AddedTrips: Sendable {
    /// An added trip.
    struct Trip: Hashable, Sendable {
        /// The identifier, or an empty string.
        var id: String
        var line: Int32
        var direction: Int?
        var day: ServiceDay
        var headsign: String
        var calls: [Call]
    }

    /// A call of a trip at a stop of the timetable.
    ///
    /// Times are in seconds after 1970-01-01.
    struct Call: Hashable, Sendable {
        var stop: Int32
        /// The planned times, or the reported ones if there are no planned times.
        var plannedArrival: Int, plannedDeparture: Int
        var arrival: Int, departure: Int
        var knowsArrival = true, knowsDeparture = true
        var boards = true, alights = true
    }

    private struct Key: Hashable {
        var id: String, day: ServiceDay?
    }

    /// The maximum number of trips, and of stops of a trip.
    ///
    /// Others are rejected.
    static let mostTrips = 10_000, mostCalls = 1000

    private(set) var trips: [Trip] = []
    /// The trips that call at each stop, with the index of the call.
    private(set) var visits: [Int32: [(trip: Int, place: Int)]] = [:]
    private var known: [Key: Int] = [:]

    var isEmpty: Bool { trips.isEmpty }

    /// Adds a trip.
    ///
    /// It replaces an earlier one with the same identifier and day.
    ///
    /// - Returns: `false` if the limit is reached.
    mutating func add(_ trip: Trip, as reference: TripReference) -> Bool {
        let key = reference.trip.map { Key(id: $0, day: reference.day) }
        if let index = key.flatMap({ known[$0] }) {
            trips[index] = trip
            return true
        }
        guard trips.count < Self.mostTrips else { return false }
        if let key { known[key] = trips.count }
        trips.append(trip)
        return true
    }

    /// Cancels an added trip, and returns whether it exists.
    mutating func cancel(_ reference: TripReference) -> Bool {
        guard let id = reference.trip, let index = known[Key(id: id, day: reference.day)] else { return false }
        trips[index].calls = []
        return true
    }

    /// Updates ``visits`` after the last trip was added.
    mutating func arrange() {
        visits = [:]
        for (trip, added) in trips.enumerated() {
            for (place, call) in added.calls.enumerated() { visits[call.stop, default: []].append((trip, place)) }
        }
    }
}

/// Creates trips from live messages about trips outside of the timetable.
struct AddedTripReader {
    private let timetable: Timetable
    private let clock: DayClock
    private let names: TripNames
    private let stops: [String: Int32]

    init(_ timetable: Timetable, _ clock: DayClock, _ names: TripNames) {
        (self.timetable, self.clock, self.names) = (timetable, clock, names)
        var stops: [String: Int32] = [:]
        for (index, stop) in timetable.stops.enumerated() where stop.kind == .stop { stops[stop.id] = Int32(index) }
        self.stops = stops
    }

    /// Returns the trip of a message, or `nil` if its line or all of its stops are unknown, or if its times are missing
    /// or decrease.
    func trip(_ update: TripUpdate) -> AddedTrips.Trip? {
        guard update.stops.count <= AddedTrips.mostCalls else { return nil }
        let copied = update.copyOf.flatMap { names.trips(named: $0).first }
        let pattern = copied.map { timetable.patterns[Int(timetable.trips.patterns[$0])] }
        let found = copied.map { calls(ofCopy: $0, update) } ?? calls(of: update)
        guard let line = update.trip.line.flatMap({ names.line(named: $0) }) ?? pattern.map({ Int($0.line) }),
            let first = found.first,
            zip(found, found.dropFirst()).allSatisfy({ $0.departure <= $1.arrival }),
            found.allSatisfy({ $0.arrival <= $0.departure && abs($0.arrival) < 7_258_118_400 })
        else { return nil }
        let end = found.last.map { timetable.stops[Int($0.stop)].name } ?? ""
        let shown = copied.map { timetable.headsign(trip: $0, time: timetable.timeIndex(of: $0)) } ?? ""
        return AddedTrips.Trip(
            id: update.trip.trip ?? "", line: Int32(line),
            direction: update.trip.direction ?? pattern.flatMap { $0.direction < 0 ? nil : Int($0.direction) },
            day: update.trip.day ?? clock.day(at: first.arrival),
            headsign: update.headsign ?? (shown.isEmpty ? end : shown), calls: found)
    }

    /// Returns the calls given by a message with their times.
    ///
    /// Stops that the timetable does not know are omitted.
    private func calls(of update: TripUpdate) -> [AddedTrips.Call] {
        var told = update.stops
        if told.allSatisfy({ $0.sequence != nil }) { told.sort { ($0.sequence ?? 0) < ($1.sequence ?? 0) } }
        func seconds(_ time: TripUpdate.Time?) -> Int? {
            guard case .at(let date) = time else { return nil }
            return Int(min(max(date.timeIntervalSince1970, -1e11), 1e11).rounded())
        }
        return told.indices.compactMap { place in
            let stop = told[place], arrival = seconds(stop.arrival), departure = seconds(stop.departure)
            guard stop.change == .scheduled, let index = stop.stop.flatMap({ stops[$0] }),
                let arrives = arrival ?? departure, let departs = departure ?? arrival
            else { return nil }
            return AddedTrips.Call(
                stop: index, plannedArrival: arrives, plannedDeparture: departs, arrival: arrives, departure: departs,
                boards: place + 1 < told.count, alights: place > 0)
        }
    }

    /// Returns the calls of a copied trip, shifted to the start of the copy, with the live data of the message.
    private func calls(ofCopy trip: Int, _ update: TripUpdate) -> [AddedTrips.Call] {
        guard let day = update.trip.day, let start = update.trip.start, let span = timetable.span(of: trip),
            abs(day.daysSince1970) < 100_000, abs(start) < RunTable.longest
        else { return [] }
        let pattern = timetable.patterns[Int(timetable.trips.patterns[trip])]
        let first = timetable.timeIndex(of: trip), zero = clock.start(of: day) + start - span.begin
        let live = LiveTimes.times(of: trip, timetable, update, dayStart: zero)
        return pattern.stops.indices.enumerated().compactMap { place, stop in
            let arrival = Int(timetable.arrivals[first + place]), departure = Int(timetable.departures[first + place])
            let rules = timetable.patternRules[stop]
            var call = AddedTrips.Call(
                stop: timetable.patternStops[stop], plannedArrival: zero + arrival, plannedDeparture: zero + departure,
                arrival: zero + arrival, departure: zero + departure, knowsArrival: false, knowsDeparture: false,
                boards: rules.contains(.boards) && place + 1 < pattern.stops.count,
                alights: rules.contains(.alights) && place > 0)
            guard let live else { return call }
            guard live.arrivals[place] < RunTable.never else { return nil }
            (call.arrival, call.departure) = (zero + Int(live.arrivals[place]), zero + Int(live.departures[place]))
            (call.knowsArrival, call.knowsDeparture) = (live.knowsArrival[place], live.knowsDeparture[place])
            return call
        }
    }
}

extension Timetable {
    /// Returns the index of the first time of a trip.
    func timeIndex(of trip: Int) -> Int { timeIndex(trip: trip, stop: 0, in: patterns[Int(trips.patterns[trip])]) }
}
