/// The transfer rules that apply only to some lines or trips, by pair of stops.
struct ChangeRules: Sendable {
    /// The vehicles to which one end of a rule applies.
    enum Who: Hashable, Sendable {
        case all
        case line(Int32)
        /// A trip, by its number in ``ChangeRules/trips``.
        case trip(Int32)
    }

    /// The change to which a rule applies.
    struct Change: Hashable, Sendable {
        var stop: Int32, end: Int32
        var from: Who, to: Who
    }

    /// The effect of a rule.
    struct Rule: Sendable {
        var kind: Timetable.TransferRule.Kind
        /// The minimum time in seconds, at most a day.
        var seconds: Int32?
        /// The order of addition.
        ///
        /// Of equally specific rules the last one applies.
        fileprivate var rank: Int
    }

    private var rules: [Change: Rule] = [:]
    /// The stops that rules connect to each stop, without duplicates.
    private(set) var ends: [Int32: [Int32]] = [:]
    private var pairs: Set<Int64> = []
    private var count = 0
    /// The numbers of the trips that rules refer to.
    private(set) var trips: [String: Int32] = [:]

    var isEmpty: Bool { rules.isEmpty }

    /// The changes with rules.
    var changes: Dictionary<Change, Rule>.Keys { rules.keys }

    /// Adds a rule for a pair of stops.
    ///
    /// Less specific rules must be added first.
    mutating func add(_ rule: Timetable.TransferRule, from: Int, to: Int) {
        let stop = Int32(from), end = Int32(to)
        if pairs.insert(Self.pair(stop, end)).inserted { ends[stop, default: []].append(end) }
        let change = Change(
            stop: stop, end: end, from: who(rule.fromLine, rule.fromTrip), to: who(rule.toLine, rule.toTrip))
        count += 1
        rules[change] = Rule(kind: rule.kind, seconds: rule.leastSeconds, rank: count)
    }

    private mutating func who(_ line: Int?, _ trip: String?) -> Who {
        if let trip {
            let number = trips[trip] ?? Int32(trips.count)
            trips[trip] = number
            return .trip(number)
        }
        return line.map { .line(Int32(clamping: $0)) } ?? .all
    }

    private static func pair(_ stop: Int32, _ end: Int32) -> Int64 { Int64(stop) << 32 | Int64(end) }

    /// Returns the most specific rule for a change between two nodes (GTFS Schedule, transfers.txt).
    func rule(from: StopNodes.Key, to: StopNodes.Key) -> Rule? {
        guard pairs.contains(Self.pair(from.stop, to.stop)) else { return nil }
        func names(_ key: StopNodes.Key) -> (trip: Who?, line: Who?) {
            (key.trip < 0 ? nil : .trip(key.trip), key.line < 0 ? nil : .line(key.line))
        }
        func find(_ a: Who?, _ b: Who?) -> Rule? {
            guard let a, let b else { return nil }
            return rules[Change(stop: from.stop, end: to.stop, from: a, to: b)]
        }
        func later(_ a: Rule?, _ b: Rule?) -> Rule? {
            guard let a, let b else { return a ?? b }
            return a.rank > b.rank ? a : b
        }
        let one = names(from), two = names(to)
        return find(one.trip, two.trip) ?? later(find(one.trip, two.line), find(one.line, two.trip))
            ?? later(find(one.trip, .all), find(.all, two.trip)) ?? find(one.line, two.line)
            ?? later(find(one.line, .all), find(.all, two.line))
    }
}

extension Timetable.TransferRule {
    /// The minimum time in seconds, limited to a day.
    var leastSeconds: Int32? { seconds.map { Int32(min(max($0, 0), 86_400)) } }
}
