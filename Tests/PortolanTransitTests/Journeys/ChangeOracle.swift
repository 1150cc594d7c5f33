import TestHelpers

@testable import PortolanTransit

/// The best arrivals with change rules for single lines or trips, by trying each boarding after each alighting.
///
/// No label of a stop represents several vehicles.
struct ChangeOracle {
    /// A trip at one of its stops.
    struct Event: Hashable {
        var trip: Int, place: Int
    }

    let sample: SampleTimetable
    let walks: JourneyOracle
    private var nexts: [Int: [Int]] = [:]
    private var needs: [Event: [Event: Int]] = [:]
    private let events: [Event]

    init(_ sample: SampleTimetable, _ walking: Walking) {
        self.sample = sample
        walks = JourneyOracle(sample, walking)
        events = sample.trips.indices.flatMap { trip in
            sample.trips[trip].stops.indices.map { Event(trip: trip, place: $0) }
        }
        for link in sample.tripLinks where link.staysSeated {
            for (index, trip) in sample.trips.enumerated() where trip.id == link.from {
                nexts[index, default: []] += sample.trips.indices.filter { sample.trips[$0].id == link.to }
            }
        }
        for one in events {
            for two in events { if let need = need(one, two) { needs[one, default: [:]][two] = need } }
        }
    }

    func stop(_ event: Event) -> Int { sample.trips[event.trip].stops[event.place] }

    /// Which rule holds first of those that might, as the table of the specification ranks them.
    private static func rank(_ rule: Timetable.TransferRule) -> Int {
        let trips = [rule.fromTrip, rule.toTrip].count { $0 != nil }
        let lines = [rule.fromLine, rule.toLine].count { $0 != nil }
        if trips == 2 { return 1 }
        if trips == 1 { return lines == 1 ? 2 : 3 }
        return lines == 2 ? 4 : lines == 1 ? 5 : 6
    }

    /// The least seconds of a change from one vehicle to another, or `nil` if it is impossible.
    func need(_ one: Event, _ two: Event) -> Int? {
        let from = sample.trips[one.trip], to = sample.trips[two.trip]
        let rules = sample.transfers.filter { rule in
            rule.from == stop(one) && rule.to == stop(two) && rule.fromTrip ?? from.id == from.id
                && rule.toTrip ?? to.id == to.id && rule.fromLine ?? from.line == from.line
                && rule.toLine ?? to.line == to.line
        }
        guard let best = rules.map(Self.rank).min(), let rule = rules.last(where: { Self.rank($0) == best }) else {
            return stop(one) == stop(two) ? walks.change(stop(one)) : walks.way(stop(one), stop(two))?.ready
        }
        return walks.need(rule, stop(one), stop(two))
    }

    /// The earliest arrival by the largest number of rides from 0 on, or `nil` if there is none.
    func arrivals(from: Int, to: Int, at time: Int, rides: Int) -> [Int?] {
        var results: [Int?] = [from == to ? time : walks.way(from, to).map { time + $0.walk }]
        var left: Set<Event> = []
        for ride in 0..<rides {
            let boarded = events.filter { event in
                let trip = sample.trips[event.trip]
                guard trip.boards[event.place], event.place + 1 < trip.stops.count else { return false }
                let leaves = trip.departures[event.place]
                if ride == 0 {
                    let access = from == stop(event) ? 0 : walks.way(from, stop(event))?.walk
                    return access.map { time + $0 <= leaves } ?? false
                }
                return left.contains { before in
                    needs[before]?[event].map { arrival(before) + $0 <= leaves } ?? false
                }
            }
            left = []
            var riding = boarded, known: Set<Event> = []
            while let event = riding.popLast() {
                guard known.insert(event).inserted else { continue }
                let trip = sample.trips[event.trip], end = trip.stops.count - 1
                for place in event.place..<trip.stops.count where place > event.place && trip.alights[place] {
                    left.insert(Event(trip: event.trip, place: place))
                }
                for next in nexts[event.trip] ?? [] where sample.trips[next].departures[0] >= trip.arrivals[end] {
                    riding.append(Event(trip: next, place: 0))
                }
            }
            let there = left.compactMap { event -> Int? in
                let egress = stop(event) == to ? 0 : walks.way(stop(event), to)?.walk
                return egress.map { arrival(event) + $0 }
            }
            let best = [there.min(), results[ride]].compactMap { $0 }.min()
            results.append(best)
        }
        return results
    }

    private func arrival(_ event: Event) -> Int { sample.trips[event.trip].arrivals[event.place] }
}

extension SampleTimetable {
    /// A small timetable at random, whose changes are tight and of which rules name lines and trips.
    static func ruled(seed: UInt64) -> SampleTimetable {
        var random = SeededGenerator(seed: seed)
        let stopCount = 5
        let stops = (0..<stopCount).map { stop -> (Double, Double) in
            let (row, column) = stop.quotientAndRemainder(dividingBy: 2)
            return (Double(column * 250), Double(row * 250))
        }
        var sample = SampleTimetable(stops: stops)
        for line in 0..<4 {
            let way = Array((0..<stopCount).shuffled(using: &random).prefix(Int.random(in: 2...4, using: &random)))
            for number in 0..<4 {
                var clock = Int.random(in: 0...90, using: &random) * 60
                let calls = way.map { stop in
                    clock += Int.random(in: 1...6, using: &random) * 60
                    return (stop, clock)
                }
                sample.trips.append(.init("T\(line).\(number)", line: line, calls))
            }
        }
        for _ in 0..<12 {
            let from = Int.random(in: 0..<stopCount, using: &random), to = Int.random(in: 0..<stopCount, using: &random)
            var rule = Timetable.TransferRule(
                from: from, to: Int.random(in: 0..<3, using: &random) == 0 ? to : from,
                kind: Timetable.TransferRule.Kind(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .timed)
            if Bool.random(using: &random) { rule.seconds = Int.random(in: 0...8, using: &random) * 60 }
            let one = sample.trips.randomElement(using: &random), two = sample.trips.randomElement(using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: (rule.fromTrip, rule.toTrip) = (one?.id, two?.id)
            case 1: (rule.fromTrip, rule.toLine) = (one?.id, two?.line)
            case 2: (rule.fromLine, rule.toTrip) = (one?.line, two?.id)
            case 3: rule.fromTrip = one?.id
            case 4: rule.toTrip = two?.id
            case 5: (rule.fromLine, rule.toLine) = (one?.line, two?.line)
            case 6: rule.fromLine = one?.line
            default: rule.toLine = two?.line
            }
            let isKnown = sample.transfers.contains { other in
                var same = rule
                (same.kind, same.seconds) = (other.kind, other.seconds)
                return same == other
            }
            if !isKnown { sample.transfers.append(rule) }
        }
        for _ in 0..<4 {
            guard let one = sample.trips.randomElement(using: &random) else { continue }
            let later = sample.trips.filter { $0.departures[0] >= one.arrivals[one.arrivals.count - 1] }
            guard let two = later.randomElement(using: &random) else { continue }
            sample.tripLinks.append(Timetable.TripLink(from: one.id, to: two.id, staysSeated: true))
        }
        return sample
    }
}
