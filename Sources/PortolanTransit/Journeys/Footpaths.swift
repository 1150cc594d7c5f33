import PortolanGeo

/// The footpaths between stops and the transfer times at each stop, from coordinates and the feed's rules.
struct Footpaths: Sendable {
    /// The index of the first footpath of each stop, followed by the total count.
    private(set) var starts: [Int32] = [0]
    /// The stop at the end of each footpath.
    private(set) var ends: [Int32] = []
    /// The walking time of each footpath in seconds.
    private(set) var walks: [Int32] = []
    /// The time in seconds from an arrival until the next vehicle can be boarded, for each footpath.
    private(set) var readies: [Int32] = []
    /// The length of each footpath in metres, including the detour factor.
    private(set) var meters: [Float] = []

    fileprivate struct Way {
        var walk: Int32, ready: Int32, meters: Float
    }

    /// The maximum number of footpaths from a stop to its neighbours.
    private static let mostNeighbors = 400
    /// The maximum number of stop pairs of all rules, and of footpaths between nodes.
    static let mostRuled = 4_000_000

    /// Returns the indices of the footpaths from a stop.
    func range(from stop: Int) -> Range<Int> { Int(starts[stop])..<Int(starts[stop + 1]) }

    /// The effect of transfer rules on changes between or at stops.
    struct Ruled {
        /// The footpaths created by general rules, or `nil` for forbidden changes, by pair of stops.
        fileprivate var ways: [Int64: Way?] = [:]
        /// The minimum transfer time of general rules, by pair of stops.
        var seconds: [Int64: Int32] = [:]
        /// The rules for some lines or trips only.
        var rules = ChangeRules()
    }

    /// Returns the footpaths of a timetable for vehicles without specific rules.
    ///
    /// - Returns: the footpaths, the transfer time in seconds at each stop (``RunTable/never`` if it is impossible),
    ///   and the rules.
    static func ways(
        of timetable: Timetable, _ walking: Walking, _ cells: StopCells, _ stations: StationStops
    ) -> (Footpaths, changes: [Int32], ruled: Ruled) {
        let stops = timetable.stops
        var changes = Array(repeating: Int32(walking.changeSeconds), count: stops.count)
        var ruled = Ruled()
        _ = Self.eachPair(of: timetable.transfers, stops, stations, most: mostRuled) { rule, from, to in
            let pair = Int64(from) << 32 | Int64(to)
            guard rule.specificity == 0 else {
                ruled.rules.add(rule, from: from, to: to)
                return
            }
            let way = way(rule.kind, rule.leastSeconds, walking, stops[from], stops[to], isSame: from == to)
            ruled.seconds[pair] = way == nil ? nil : rule.leastSeconds
            if from == to { changes[from] = way?.ready ?? RunTable.never } else { ruled.ways[pair] = .some(way) }
        }
        return (Footpaths(stops, walking, cells, ruled.ways, Int32(walking.changeSeconds)), changes, ruled)
    }

    /// Returns the footpath that a rule creates, or `nil` if it forbids the change.
    private static func way(
        _ kind: Timetable.TransferRule.Kind, _ told: Int32?, _ walking: Walking, _ from: Timetable.Stop,
        _ to: Timetable.Stop,
        isSame: Bool
    ) -> Way? {
        let slack = Int32(walking.changeSeconds), length = isSame ? 0 : distance(from, to)
        let walk = isSame ? 0 : length.map { walking.seconds($0) }, meters = Float((length ?? 0) * walking.factor)
        switch kind {
        case .impossible: return nil
        case .guaranteed:
            return Way(walk: min(walk ?? .max, told ?? walk ?? 0), ready: told ?? walk ?? 0, meters: meters)
        case .recommended, .timed:
            return Way(
                walk: min(walk ?? .max, told ?? walk ?? 0), ready: told ?? (walk ?? 0) + slack, meters: meters)
        }
    }

    /// Returns the footpaths between nodes, which apply the rules for some lines or trips.
    ///
    /// - Parameter changes: the transfer time in seconds at each stop; those of additional nodes are appended.
    func split(
        _ nodes: StopNodes, _ rules: ChangeRules, _ timetable: Timetable, _ walking: Walking, changes: inout [Int32]
    ) -> Footpaths {
        let stops = timetable.stops
        func way(_ rule: ChangeRules.Rule, _ from: Int, _ to: Int) -> Way? {
            Self.way(rule.kind, rule.seconds, walking, stops[from], stops[to], isSame: from == to)
        }
        for node in stops.count..<nodes.count { changes.append(changes[nodes.stop(node)]) }
        for node in 0..<nodes.count {
            guard let rule = nodes.rule(from: node, to: node) else { continue }
            changes[node] = way(rule, nodes.stop(node), nodes.stop(node))?.ready ?? RunTable.never
        }
        var result = Footpaths()
        result.starts.reserveCapacity(nodes.count + 1)
        for node in 0..<nodes.count {
            let from = nodes.stop(node)
            func add(_ to: Int, _ usual: Way?) {
                for end in nodes.nodes(of: to) where Int(end) != node {
                    let way = nodes.rule(from: node, to: Int(end)).map { way($0, from, to) } ?? usual
                    if let way { result.add(Int(end), way) }
                }
            }
            let change = changes[from]
            add(from, change < RunTable.never ? Way(walk: 0, ready: change, meters: 0) : nil)
            var known: Set<Int32> = [Int32(from)]
            for index in range(from: from) {
                known.insert(ends[index])
                add(Int(ends[index]), Way(walk: walks[index], ready: readies[index], meters: meters[index]))
            }
            for end in rules.ends[Int32(from)] ?? [] where !known.contains(end) { add(Int(end), nil) }
            result.starts.append(Int32(result.ends.count))
        }
        return result
    }

    /// Calls a closure for each pair of stops with a rule, less specific rules first.
    ///
    /// Of equally specific rules, those of stations precede those of stops, which override them.
    ///
    /// - Returns: the number of pairs, at most the limit.
    static func eachPair(
        of rules: [Timetable.TransferRule], _ stops: [Timetable.Stop], _ stations: StationStops, most: Int,
        _ body: (Timetable.TransferRule, Int, Int) -> Void
    ) -> Int {
        func rank(_ rule: Timetable.TransferRule) -> Int {
            rule.specificity * 3 + (stops[rule.from].kind == .station ? 0 : 1)
                + (stops[rule.to].kind == .station ? 0 : 1)
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

    private static func distance(_ a: Timetable.Stop, _ b: Timetable.Stop) -> Double? {
        guard let a = a.place, let b = b.place, a.isFinite, b.isFinite else { return nil }
        return NearMeters.between(a, b)
    }

    private init(
        _ stops: [Timetable.Stop], _ walking: Walking, _ cells: StopCells, _ ruled: [Int64: Way?], _ slack: Int32
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

    /// The footpaths in the opposite direction.
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

    /// Returns the index of the footpath between two stops, or `nil`.
    func way(from: Int, to: Int) -> Int? { range(from: from).first { Int(ends[$0]) == to } }
}
