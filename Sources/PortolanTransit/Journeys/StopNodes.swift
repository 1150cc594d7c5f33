/// The nodes of the search graph: stops, split where transfer rules apply only to some lines or trips.
///
/// Such a stop has one node for each of these lines and trips, and one for all others, so that data of a node apply to
/// every vehicle that stops there.
///
/// Nodes are numbered: first the stops in the order of ``Timetable/stops``, then the nodes of lines and trips.
struct StopNodes: Sendable {
    /// The stop of a node and the line or trip that stops there, or -1 for all other vehicles.
    struct Key: Hashable {
        var stop: Int32
        /// The line index, or -1.
        var line: Int32 = -1
        /// The trip number of the rules, or -1.
        var trip: Int32 = -1
    }

    /// The lines and trips with rules at a stop.
    private struct Named {
        var lines: Set<Int32> = [], trips: Set<Int32> = []
    }

    private let stopCount: Int
    /// The additional nodes after the stops.
    private var keys: [Key] = []
    private var numbers: [Key: Int32] = [:]
    /// The additional nodes of each stop.
    private var members: [Int32: [Int32]] = [:]
    private var named: [Int32: Named] = [:]
    /// The stops whose specific rules are ignored because they would create too many footpaths.
    private(set) var leftOut: [Int] = []
    /// The number of each trip in the rules, or -1; empty if no rule refers to trips.
    private(set) var tripNumbers: [Int32] = []
    private let rules: ChangeRules

    /// Creates the nodes of a timetable.
    ///
    /// Stops with too many footpaths are not split, and their specific rules are ignored.
    ///
    /// - Parameters:
    ///   - footpaths: the footpaths between stops.
    ///   - most: the maximum number of footpaths between nodes.
    init(_ timetable: Timetable, _ rules: ChangeRules, _ footpaths: Footpaths, most: Int) {
        stopCount = timetable.stops.count
        self.rules = rules
        guard !rules.isEmpty else { return }
        for change in rules.changes {
            insert(change.from, at: change.stop)
            insert(change.to, at: change.end)
        }
        if !rules.trips.isEmpty {
            tripNumbers = Array(repeating: -1, count: timetable.tripCount)
            let names = TripNames(timetable, wanted: Array(rules.trips.keys))
            for (name, number) in rules.trips { for trip in names.trips(named: name) { tripNumbers[trip] = number } }
        }
        var found: Set<Key> = []
        for pattern in timetable.patterns {
            var trips: Set<Int32> = []
            if tripNumbers.isEmpty {
                trips = [-1]
            } else {
                for trip in pattern.trips { trips.insert(tripNumbers[trip]) }
            }
            for stop in timetable.patternStops[pattern.stops] where named[stop] != nil {
                for trip in trips { found.insert(key(stop, pattern.line, trip)) }
            }
        }
        keep(found, footpaths, most: most)
    }

    private mutating func insert(_ who: ChangeRules.Who, at stop: Int32) {
        switch who {
        case .all: break
        case .line(let line): named[stop, default: Named()].lines.insert(line)
        case .trip(let trip): named[stop, default: Named()].trips.insert(trip)
        }
    }

    private func key(_ stop: Int32, _ line: Int32, _ trip: Int32) -> Key {
        guard let named = named[stop] else { return Key(stop: stop) }
        return Key(
            stop: stop, line: named.lines.contains(line) ? line : -1, trip: named.trips.contains(trip) ? trip : -1)
    }

    /// Numbers the nodes stop by stop, as long as the number of footpaths stays within the limit.
    private mutating func keep(_ found: Set<Key>, _ footpaths: Footpaths, most: Int) {
        var groups: [Int32: [Key]] = [:]
        for key in found where key.line >= 0 || key.trip >= 0 { groups[key.stop, default: []].append(key) }
        var neighbors: [Int32: Set<Int32>] = [:]
        func join(_ a: Int32, _ b: Int32) {
            neighbors[a, default: []].insert(b)
            neighbors[b, default: []].insert(a)
        }
        for (stop, ends) in rules.ends { for end in ends { join(stop, end) } }
        for stop in 0..<stopCount {
            for way in footpaths.range(from: stop)
            where groups[Int32(stop)] != nil || groups[footpaths.ends[way]] != nil {
                join(Int32(stop), footpaths.ends[way])
            }
        }
        var count = footpaths.ends.count
        for (stop, keys) in groups.sorted(by: { $0.key < $1.key }) {
            let others = (neighbors[stop] ?? []).reduce(0) { $0 + 1 + (members[$1]?.count ?? 0) }
            let more = keys.count * (keys.count + 1 + 2 * others)
            guard count + more <= most else {
                named[stop] = nil
                leftOut.append(Int(stop))
                continue
            }
            count += more
            for key in keys.sorted(by: { ($0.line, $0.trip) < ($1.line, $1.trip) }) {
                let number = Int32(stopCount + self.keys.count)
                self.keys.append(key)
                numbers[key] = number
                members[stop, default: []].append(number)
            }
        }
    }

    /// The number of nodes.
    var count: Int { stopCount + keys.count }

    /// Returns the stop of a node.
    func stop(_ node: Int) -> Int { node < stopCount ? node : Int(keys[node - stopCount].stop) }

    /// Returns whether a node is a stop.
    func isStop(_ node: Int32) -> Bool { node < stopCount }

    /// Returns the nodes of a stop.
    func nodes(of stop: Int) -> [Int32] { [Int32(stop)] + (members[Int32(stop)] ?? []) }

    /// Returns the nodes at which a trip of a line stops, or `nil` if these are the stops themselves.
    func nodes(of stops: ArraySlice<Int32>, line: Int32, trip: Int32) -> [Int32]? {
        guard !keys.isEmpty else { return nil }
        let nodes = stops.map { stop in numbers[key(stop, line, trip)] ?? stop }
        return nodes.elementsEqual(stops) ? nil : nodes
    }

    /// Returns the most specific rule for some lines or trips between two nodes, or `nil`.
    func rule(from: Int, to: Int) -> ChangeRules.Rule? {
        rules.isEmpty ? nil : rules.rule(from: key(of: from), to: key(of: to))
    }

    private func key(of node: Int) -> Key { node < stopCount ? Key(stop: Int32(node)) : keys[node - stopCount] }
}
