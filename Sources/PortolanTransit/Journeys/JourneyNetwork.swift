import PortolanGeo

/// The part of a timetable that journey searches need on any day: footpaths, transfer times and vehicle links.
struct JourneyNetwork: Sendable {
    let timetable: Timetable
    let walking: Walking
    let cells: StopCells
    /// The nodes of the search graph.
    let nodes: StopNodes
    /// The footpaths between nodes.
    let footpaths: Footpaths
    let reversedFootpaths: Footpaths
    /// The transfer time in seconds at each node, or ``RunTable/never`` if it is impossible.
    let changes: [Int32]
    private let leastSeconds: [Int64: Int32]
    /// The next trip of each trip's vehicle for passengers who stay seated, or -1; empty if there are no such trips.
    let nextTrips: [Int32]
    /// The trip links of the feed, which override blocks.
    let links: TripLinks
    /// The number of days before the current one on which a running trip may have started.
    let daysBack: Int
    let stations: StationStops

    init(_ timetable: Timetable, _ walking: Walking) {
        self.timetable = timetable
        self.walking = walking
        cells = StopCells(timetable.stops.map { $0.kind == .stop ? $0.place : nil })
        stations = StationStops(timetable.stops)
        var (ways, changes, ruled) = Footpaths.ways(of: timetable, walking, cells, stations)
        nodes = StopNodes(timetable, ruled.rules, ways, most: Footpaths.mostRuled)
        if !ruled.rules.isEmpty { ways = ways.split(nodes, ruled.rules, timetable, walking, changes: &changes) }
        (footpaths, reversedFootpaths, self.changes) = (ways, ways.reversed, changes)
        leastSeconds = ruled.seconds
        nextTrips = Self.nextTrips(of: timetable)
        links = TripLinks(timetable)
        let latest = timetable.arrivals.lazy.map { Int($0) }.filter { $0 <= RunTable.longest }.max() ?? 0
        daysBack = min(max(latest / 86_400, 1), 10)
    }

    /// Returns the next trip within each block.
    ///
    /// A trip follows another one if it runs on all of its days, departs no earlier than the other arrives, and starts
    /// at the other's last stop or at another stop of that station (GTFS Schedule, "block_id").
    private static func nextTrips(of timetable: Timetable) -> [Int32] {
        let trips = timetable.trips, calendar = timetable.calendar
        var blocks: [Int32: [Int]] = [:]
        for trip in trips.blocks.indices where trips.blocks[trip] >= 0 && trips.headways[trip] == 0 {
            blocks[trips.blocks[trip], default: []].append(trip)
        }
        guard !blocks.isEmpty else { return [] }
        func ends(_ trip: Int) -> (begin: Int32, end: Int32, first: Int, last: Int)? {
            let pattern = timetable.patterns[Int(trips.patterns[trip])]
            guard pattern.stops.count > 1 else { return nil }
            let index = timetable.timeIndex(trip: trip, stop: 0, in: pattern)
            return (
                timetable.departures[index], timetable.arrivals[index + pattern.stops.count - 1],
                Int(timetable.patternStops[pattern.stops.lowerBound]),
                Int(timetable.patternStops[pattern.stops.upperBound - 1])
            )
        }
        func isSamePlace(_ a: Int, _ b: Int) -> Bool {
            a == b || (timetable.stops[a].parent != nil && timetable.stops[a].parent == timetable.stops[b].parent)
        }
        func covers(_ next: Int, _ trip: Int) -> Bool {
            let a = Int(trips.services[trip]), b = Int(trips.services[next])
            if a == b { return true }
            let words = calendar.wordCount
            return (0..<words).allSatisfy { calendar.bits[a * words + $0] & ~calendar.bits[b * words + $0] == 0 }
        }
        var next = Array(repeating: Int32(-1), count: trips.services.count)
        var isTaken = Array(repeating: false, count: next.count)
        for members in blocks.values {
            let timed = members.compactMap { trip in ends(trip).map { (trip: trip, times: $0) } }
                .sorted { ($0.times.begin, $0.times.end, $0.trip) < ($1.times.begin, $1.times.end, $1.trip) }
            for (place, one) in timed.enumerated() {
                // A block is the work of one vehicle on one day, so the successor is among the next few trips even if
                // their days differ.
                for other in timed[(place + 1)...].prefix(64)
                where other.times.begin >= one.times.end && covers(other.trip, one.trip) {
                    if !isTaken[other.trip], isSamePlace(one.times.last, other.times.first) {
                        next[one.trip] = Int32(other.trip)
                        isTaken[other.trip] = true
                    }
                    break
                }
            }
        }
        return isTaken.contains(true) ? next : []
    }

    /// Returns the minimum transfer time in seconds between two nodes if a rule gives one.
    func leastSeconds(from: Int, to: Int) -> Int? {
        if let rule = nodes.rule(from: from, to: to) { return rule.seconds.map { Int($0) } }
        return leastSeconds[Int64(nodes.stop(from)) << 32 | Int64(nodes.stop(to))].map { Int($0) }
    }

    /// Returns the boardable stops for a stop or station.
    func boardable(_ stop: Int) -> [Int] { stations.boardable(stop, timetable.stops) }
}
