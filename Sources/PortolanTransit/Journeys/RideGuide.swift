public import PortolanGeo

/// Suggests rides between two coordinates on lines with known stop orders but without a timetable.
///
/// A line is suggested if it stops near the start before it stops near the end, so the opposite direction is excluded.
/// Suggestions are ranked by total walking and riding time.
public struct RideGuide: Sendable {
    private let lines: [RideGuide.Line]
    private let walking: Walking
    private let places: [Coordinate]
    private let numbers: [[Int]]
    private let cells: StopCells

    /// The cost of a transfer in seconds, because waiting times are unknown.
    public static let changeCost = 300

    /// Creates a guide for lines.
    public init(_ lines: [RideGuide.Line], walking: Walking = Walking()) {
        self.lines = lines
        self.walking = walking
        var places: [Coordinate] = [], known: [String: Int] = [:]
        numbers = lines.map { line in
            line.stops.map { stop in
                if let number = known[stop.id] { return number }
                known[stop.id] = places.count
                places.append(stop.place)
                return places.count - 1
            }
        }
        self.places = places
        cells = StopCells(places)
    }

    private struct Label {
        var cost: Int
        var line = -1, board = 0, alight = 0
        /// The stop from which this one was reached on foot.
        var origin = -1
        var meters = 0.0
    }

    /// Returns the suggestions, best first: the best one of each line and direction, and those with more transfers that
    /// are faster than any with fewer.
    ///
    /// - Complexity: O(stops of lines × rides).
    public func suggestions(
        from: Coordinate, to: Coordinate, maximumTransfers: Int = 0, limit: Int = 10
    ) -> [RideGuide.Suggestion] {
        var egress: [Int: Double] = [:], ready: [[Label?]] = [Array(repeating: nil, count: places.count)]
        for near in cells.stops(near: to, within: walking.reach) { egress[near.stop] = near.meters }
        for near in cells.stops(near: from, within: walking.reach) {
            ready[0][near.stop] = Label(cost: Int(walking.seconds(near.meters)), meters: near.meters)
        }
        var arrived: [[Label?]] = [[]], results: [(cost: Int, suggestion: RideGuide.Suggestion)] = []
        for round in 1...min(max(maximumTransfers, 0), 7) + 1 {
            let bound = results.map(\.cost).min() ?? .max
            var reached: [Label?] = Array(repeating: nil, count: places.count),
                best: [(Label, end: Int, cost: Int)] = []
            for line in lines.indices {
                guard let label = ride(line, ready[round - 1], &reached, egress) else { continue }
                best.append(label)
            }
            arrived.append(reached)
            for (label, end, cost) in best where round == 1 || cost < bound {
                results.append((cost, suggestion(label, end, egress[end] ?? 0, round, ready, arrived)))
            }
            ready.append(walks(reached))
        }
        return results.sorted { ($0.cost, $0.suggestion.legs.count) < ($1.cost, $1.suggestion.legs.count) }
            .prefix(max(limit, 0)).map(\.suggestion)
    }

    /// Rides a line from every boardable stop, and returns the best alighting stop for the destination.
    private func ride(
        _ number: Int, _ ready: [Label?], _ reached: inout [Label?], _ egress: [Int: Double]
    ) -> (Label, end: Int, cost: Int)? {
        let line = lines[number]
        var aboard: Label?, best: (Label, end: Int, cost: Int)?
        for (index, stop) in numbers[number].enumerated() {
            if index > 0 { aboard?.cost += line.seconds(after: index - 1) }
            if var label = aboard, line.stops[index].alights {
                label.alight = index
                if reached[stop].map({ label.cost < $0.cost }) ?? true { reached[stop] = label }
                if let meters = egress[stop] {
                    let cost = label.cost + Int(walking.seconds(meters))
                    if best.map({ cost < $0.cost }) ?? true { best = (label, stop, cost) }
                }
            }
            if let label = ready[stop], line.stops[index].boards, aboard.map({ label.cost < $0.cost }) ?? true {
                aboard = Label(cost: label.cost, line: number, board: index)
            }
        }
        return best
    }

    private func walks(_ reached: [Label?]) -> [Label?] {
        var ready: [Label?] = Array(repeating: nil, count: places.count)
        for (stop, label) in reached.enumerated() {
            guard let label else { continue }
            let near =
                [(stop: stop, meters: 0)] + cells.stops(near: places[stop], within: walking.changeReach).prefix(100)
            for (other, meters) in near {
                let cost = label.cost + Self.changeCost + Int(walking.seconds(meters))
                if ready[other].map({ cost < $0.cost }) ?? true {
                    ready[other] = Label(cost: cost, origin: stop, meters: meters)
                }
            }
        }
        return ready
    }

    private func suggestion(
        _ last: Label, _ end: Int, _ egress: Double, _ round: Int, _ ready: [[Label?]], _ arrived: [[Label?]]
    ) -> RideGuide.Suggestion {
        var legs = [walk(egress)], label = last, round = round
        while round > 0 {
            let line = lines[label.line], board = line.stops[label.board], alight = line.stops[label.alight]
            legs.append(
                .ride(
                    RideGuide.Suggestion.Ride(
                        line: label.line, name: line.name, headsign: line.headsign, mode: line.mode,
                        stopCount: label.alight - label.board,
                        seconds: (label.board..<label.alight).reduce(0) { $0 + line.seconds(after: $1) },
                        isEstimate: line.seconds == nil, boardID: board.id, boardName: board.name, alightID: alight.id,
                        alightName: alight.name)))
            round -= 1
            guard let before = ready[round][numbers[label.line][label.board]] else { break }
            legs.append(walk(before.meters))
            guard round > 0, let earlier = arrived[round][before.origin] else { break }
            label = earlier
        }
        return RideGuide.Suggestion(legs: legs.compactMap { $0 }.reversed())
    }

    private func walk(_ meters: Double) -> RideGuide.Suggestion.Leg? {
        meters > 0 ? .walk(meters: meters * walking.factor, seconds: Int(walking.seconds(meters))) : nil
    }
}

extension Timetable {
    /// The stop orders of the timetable, one for each pattern with at least two stops with coordinates.
    ///
    /// Times are those of the pattern's first trip, and are missing if it has no trips.
    public var orderedLines: [RideGuide.Line] {
        patterns.compactMap { pattern in
            let line = lines[Int(pattern.line)]
            let places = pattern.stops.filter { stops[Int(patternStops[$0])].place != nil }
            guard places.count > 1 else { return nil }
            let ordered = places.compactMap { index -> RideGuide.Line.Stop? in
                let stop = stops[Int(patternStops[index])]
                guard let place = stop.place else { return nil }
                var ordered = RideGuide.Line.Stop(id: stop.id, name: stop.name, place: place)
                ordered.boards = patternRules[index].contains(.boards)
                ordered.alights = patternRules[index].contains(.alights)
                return ordered
            }
            var seconds: [Int]?, headsign = ""
            if let trip = pattern.trips.first {
                let first = timeIndex(trip: trip, stop: 0, in: pattern) - pattern.stops.lowerBound
                seconds = zip(places, places.dropFirst()).map {
                    Int(arrivals[first + $1]) - Int(departures[first + $0])
                }
                headsign = self.headsign(trip: trip, time: first + pattern.stops.lowerBound)
            }
            return RideGuide.Line(
                name: line.badge, headsign: headsign.isEmpty ? endName(of: pattern) : headsign, mode: line.mode,
                stops: ordered, seconds: seconds)
        }
    }
}
