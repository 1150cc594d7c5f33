import PortolanGeo

/// The ways on foot between stops, and how long changing takes at each: from places and the feed's rules.
struct Footpaths: Sendable {
    /// Where the ways from each stop begin, and after the last one their count.
    private(set) var starts: [Int32] = [0]
    /// Where each way leads.
    private(set) var ends: [Int32] = []
    /// How long it is walked.
    private(set) var walks: [Int32] = []
    /// After which time the next vehicle can be boarded, from the arrival of the one before.
    private(set) var readies: [Int32] = []
    /// Its metres, the factor for bends included.
    private(set) var meters: [Float] = []

    private struct Way {
        var walk: Int32, ready: Int32, meters: Float
    }

    /// The most ways from one stop that come of nearness, and the most pairs of stops that all rules may stand for.
    private static let mostNeighbors = 400, mostRuled = 4_000_000

    /// The ways from a stop.
    func range(from stop: Int) -> Range<Int> { Int(starts[stop])..<Int(starts[stop + 1]) }

    /// Finds the ways of a timetable.
    ///
    /// - Returns: the ways, and the seconds that a change takes at each stop; ``RunTable/never`` where it is impossible.
    static func ways(
        of timetable: Timetable, _ walking: Walking, _ cells: StopCells, _ stations: StationStops
    ) -> (Footpaths, changes: [Int32]) {
        let stops = timetable.stops, slack = Int32(walking.changeSeconds)
        var changes = Array(repeating: slack, count: stops.count)
        var ruled: [Int64: Way?] = [:]
        _ = Self.eachPair(of: timetable.transfers, stops, stations, most: mostRuled) { rule, from, to in
            let told = rule.seconds.map { Int32(min(max($0, 0), 86_400)) }
            if from == to {
                changes[from] =
                    switch rule.kind {
                    case .impossible: RunTable.never
                    case .guaranteed: 0
                    case .timed: told ?? slack
                    case .recommended: slack
                    }
                return
            }
            let length = distance(stops[from], stops[to])
            let walk = length.map { walking.seconds($0) }
            let meters = Float((length ?? 0) * walking.factor)
            ruled[Int64(from) << 32 | Int64(to)] =
                switch rule.kind {
                case .impossible: .some(nil)
                case .guaranteed: Way(walk: walk ?? 0, ready: walk ?? 0, meters: meters)
                case .recommended: Way(walk: walk ?? 0, ready: (walk ?? 0) + slack, meters: meters)
                case .timed:
                    Way(
                        walk: min(walk ?? .max, told ?? walk ?? 0), ready: told ?? (walk ?? 0) + slack,
                        meters: meters)
                }
        }
        return (Footpaths(stops, walking, cells, ruled, slack), changes)
    }

    /// Goes through the pairs of stops for which rules stand: first those of stations, since what is said of their stops goes before.
    ///
    /// - Returns: how many were gone through: no more than may be.
    static func eachPair(
        of rules: [TransferRule], _ stops: [TransitStop], _ stations: StationStops, most: Int,
        _ body: (TransferRule, Int, Int) -> Void
    ) -> Int {
        func rank(_ rule: TransferRule) -> Int {
            (stops[rule.from].kind == .station ? 0 : 1) + (stops[rule.to].kind == .station ? 0 : 1)
        }
        let known = rules.filter { stops.indices.contains($0.from) && stops.indices.contains($0.to) }
        var count = 0
        for rule in known.sorted(by: { rank($0) < rank($1) }) {
            let ends = stations.boardable(rule.to, stops)
            guard !ends.isEmpty else { continue }
            for from in stations.boardable(rule.from, stops) {
                for to in ends {
                    guard count < most else { return count }
                    count += 1
                    body(rule, from, to)
                }
            }
        }
        return count
    }

    private static func distance(_ a: TransitStop, _ b: TransitStop) -> Double? {
        guard let a = a.place, let b = b.place, a.isFinite, b.isFinite else { return nil }
        return NearMeters.between(a, b)
    }

    private init(
        _ stops: [TransitStop], _ walking: Walking, _ cells: StopCells, _ ruled: [Int64: Way?], _ slack: Int32
    ) {
        var ruledEnds: [Int: [Int]] = [:]
        for (key, way) in ruled where way != nil {
            ruledEnds[Int(key >> 32), default: []].append(Int(key & 0xFFFF_FFFF))
        }
        starts.reserveCapacity(stops.count + 1)
        for (index, stop) in stops.enumerated() {
            defer { starts.append(Int32(ends.count)) }
            guard stop.kind == .stop else { continue }
            if let place = stop.place, walking.changeReach > 0 {
                for near in cells.stops(near: place, within: walking.changeReach).prefix(Self.mostNeighbors) {
                    guard near.stop != index, stops[near.stop].kind == .stop,
                        ruled[Int64(index) << 32 | Int64(near.stop)] == nil
                    else { continue }
                    let walk = walking.seconds(near.meters)
                    add(near.stop, Way(walk: walk, ready: walk + slack, meters: Float(near.meters * walking.factor)))
                }
            }
            for end in (ruledEnds[index] ?? []).sorted() {
                if let way = ruled[Int64(index) << 32 | Int64(end)] ?? nil { add(end, way) }
            }
        }
    }

    private mutating func add(_ end: Int, _ way: Way) {
        ends.append(Int32(end))
        walks.append(way.walk)
        readies.append(way.ready)
        meters.append(way.meters)
    }

    private init() {}

    /// The same ways, walked backwards.
    var reversed: Footpaths {
        var result = Footpaths()
        let stopCount = starts.count - 1
        var counts = Array(repeating: Int32(0), count: stopCount + 1)
        for end in ends { counts[Int(end) + 1] += 1 }
        for stop in 0..<stopCount { counts[stop + 1] += counts[stop] }
        result.starts = counts
        result.ends = Array(repeating: 0, count: ends.count)
        result.walks = result.ends
        result.readies = result.ends
        result.meters = Array(repeating: 0, count: ends.count)
        for stop in 0..<stopCount {
            for way in range(from: stop) {
                let slot = Int(counts[Int(ends[way])])
                counts[Int(ends[way])] += 1
                result.ends[slot] = Int32(stop)
                result.walks[slot] = walks[way]
                result.readies[slot] = readies[way]
                result.meters[slot] = meters[way]
            }
        }
        return result
    }

    /// The way from a stop to another, or `nil`.
    func way(from: Int, to: Int) -> Int? { range(from: from).first { Int(ends[$0]) == to } }
}
