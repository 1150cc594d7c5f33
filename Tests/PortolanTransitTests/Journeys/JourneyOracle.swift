@testable import PortolanTransit

/// The best arrivals by trying everything: each vehicle of each day, stop by stop, as often as there are rides.
struct JourneyOracle {
    struct Vehicle {
        var trip: Int, day: Int
        var arrivals: [Int?], departures: [Int?]
    }

    let sample: SampleTimetable
    let walking: Walking
    var vehicles: [Vehicle] = []

    init(_ sample: SampleTimetable, _ walking: Walking) {
        self.sample = sample
        self.walking = walking
        for (index, trip) in sample.trips.enumerated() {
            for day in trip.days.sorted() {
                vehicles.append(
                    Vehicle(
                        trip: index, day: day, arrivals: trip.arrivals.map { $0 + day * 86_400 },
                        departures: trip.departures.map { $0 + day * 86_400 }))
            }
        }
    }

    private func meters(_ a: Int, _ b: Int) -> Double {
        NearMeters.between(
            SampleTimetable.place(sample.stops[a].x, sample.stops[a].y),
            SampleTimetable.place(sample.stops[b].x, sample.stops[b].y))
    }

    private func seconds(_ meters: Double) -> Int { Int((meters * walking.factor / walking.speed).rounded()) }

    /// The rule for all vehicles between two stops.
    private func rule(_ a: Int, _ b: Int) -> Timetable.TransferRule? {
        sample.transfers.last {
            $0.from == a && $0.to == b && $0.fromLine == nil && $0.toLine == nil && $0.fromTrip == nil
                && $0.toTrip == nil
        }
    }

    /// The walking time between two stops, and when a passenger may board there, or `nil` without a path.
    func way(_ a: Int, _ b: Int) -> (walk: Int, ready: Int)? {
        guard let rule = rule(a, b) else {
            let walk = seconds(meters(a, b))
            return meters(a, b) <= walking.changeReach ? (walk, walk + walking.changeSeconds) : nil
        }
        guard let ready = need(rule, a, b) else { return nil }
        let walk = seconds(meters(a, b))
        return (min(walk, rule.seconds ?? walk), ready)
    }

    /// The duration of a change at a stop, or `nil` if it is impossible.
    func change(_ stop: Int) -> Int? {
        rule(stop, stop).map { need($0, stop, stop) } ?? walking.changeSeconds
    }

    /// The least time of a change by a rule, or `nil` if it is impossible.
    func need(_ rule: Timetable.TransferRule, _ a: Int, _ b: Int) -> Int? {
        let walk = a == b ? 0 : seconds(meters(a, b))
        switch rule.kind {
        case .impossible: return nil
        case .guaranteed: return rule.seconds ?? walk
        case .recommended, .timed: return rule.seconds ?? walk + walking.changeSeconds
        }
    }

    /// The vehicle's next trip, of which passengers may stay for: that of its block which leaves next after it came.
    private func next(_ vehicle: Vehicle) -> Int? {
        let trip = sample.trips[vehicle.trip]
        guard let block = trip.block, let end = trip.arrivals.last else { return nil }
        let others = sample.trips.indices.filter { index in
            let other = sample.trips[index]
            return index != vehicle.trip && other.block == block && other.departures[0] >= end
                && trip.days.isSubset(of: other.days)
        }
        let order = others.min { a, b in sample.trips[a].departures[0] < sample.trips[b].departures[0] }
        guard let order, sample.trips[order].stops[0] == trip.stops.last else { return nil }
        return vehicles.firstIndex { $0.trip == order && $0.day == vehicle.day }
    }

    /// The earliest arrival by the largest number of rides from 0 on, or `nil` if there is none.
    func arrivals(from: Int, to: Int, at time: Int, rides: Int, within longest: Int) -> [Int?] {
        let count = sample.stops.count
        var ready: [Int?] = Array(repeating: nil, count: count)
        for stop in 0..<count {
            if stop == from { ready[stop] = time } else if let way = way(from, stop) { ready[stop] = time + way.walk }
        }
        var results: [Int?] = [from == to ? time : way(from, to).map { time + $0.walk }]
        for _ in 0..<rides {
            var arrived: [Int?] = Array(repeating: nil, count: count)
            func reach(_ stop: Int, _ time: Int) { arrived[stop] = min(arrived[stop] ?? .max, time) }
            // A passenger on board at the end of a vehicle's trip may continue in the next, as often as there are
            // vehicles.
            var seated: Set<Int> = []
            for _ in vehicles.indices {
                var more: Set<Int> = []
                for (index, vehicle) in vehicles.enumerated() {
                    let trip = sample.trips[vehicle.trip]
                    var isAboard = seated.contains(index)
                    for place in trip.stops.indices {
                        let stop = trip.stops[place]
                        if isAboard, place > 0, trip.alights[place], let arrival = vehicle.arrivals[place] {
                            reach(stop, arrival)
                        }
                        if place + 1 < trip.stops.count, trip.boards[place], let time = ready[stop],
                            let leaves = vehicle.departures[place], time <= leaves
                        {
                            isAboard = true
                        }
                    }
                    if isAboard, let next = next(vehicle), let end = vehicle.arrivals.last ?? nil,
                        let begin = vehicles[next].departures[0], begin >= end
                    {
                        more.insert(next)
                    }
                }
                if more.isSubset(of: seated) { break }
                seated.formUnion(more)
            }
            var best = results.last ?? nil
            for stop in 0..<count {
                guard let time = arrived[stop] else { continue }
                if stop == to { best = min(best ?? .max, time) }
                if stop != to, let way = way(stop, to) { best = min(best ?? .max, time + way.walk) }
            }
            results.append(best)
            var after: [Int?] = Array(repeating: nil, count: count)
            for stop in 0..<count {
                guard let time = arrived[stop] else { continue }
                if let change = change(stop) { after[stop] = min(after[stop] ?? .max, time + change) }
                for other in 0..<count where other != stop {
                    if let way = way(stop, other) { after[other] = min(after[other] ?? .max, time + way.ready) }
                }
            }
            for stop in 0..<count {
                if let time = after[stop] { ready[stop] = min(ready[stop] ?? .max, time) }
            }
        }
        return results.map { $0.flatMap { $0 - time <= longest ? $0 : nil } }
    }
}
