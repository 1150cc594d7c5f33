/// The runs of trips around a base day, grouped into lanes in which no run overtakes another.
///
/// Times are in seconds after the start of the base day. Runs of a pattern share a lane as long as they keep their
/// order, so most patterns have one lane. Runs that overtake others, for example because of delays, use further lanes.
/// A run neither arrives at nor departs from a skipped stop.
struct RunTable: Sendable {
    /// A time later than any other.
    static let never = Int32(1 << 29)
    /// The maximum time of a trip, in seconds of its service day.
    static let longest = 10 * 86_400

    /// A sequence of runs of one pattern without overtaking.
    struct Lane: Sendable {
        /// The index of its first stop in ``RunTable/stops``.
        var stops: Int
        /// The number of stops.
        var count: Int
        /// The index of the first time of its first run.
        var times: Int
        /// The index of its first run.
        var firstRun: Int
        /// The number of runs.
        var runs: Int
        var pattern: Int32
    }

    /// A trip on a day, with its times at the stops of its pattern.
    struct Run {
        var trip: Int32
        /// The day relative to the base day.
        var day: Int32
        var arrivals: [Int32] = []
        var departures: [Int32] = []
    }

    private(set) var lanes: [Lane] = []
    /// The nodes of lanes: the stops of patterns, followed by those of lanes with specific transfer rules.
    private(set) var stops: [Int32] = []
    /// The boarding and alighting rules at ``stops``.
    private(set) var rules: [UInt8] = []
    private(set) var arrivals: [Int32] = []
    private(set) var departures: [Int32] = []
    /// The trip and the day of each run.
    ///
    /// Trips of ``LiveTimes/added`` have the numbers -1 and below.
    private(set) var trips: [Int32] = []
    private(set) var days: [Int32] = []
    /// The lane of each run.
    private(set) var lanesOfRuns: [Int32] = []
    /// The runs that continue each run in the same vehicle, and the index of the first one for each run.
    ///
    /// Both are empty if no run continues as another one.
    private var nextRuns: [Int32] = [], nextStarts: [Int32] = []
    /// The index of the first node of lanes with specific transfer rules.
    private var ownStops: [Int64: Int] = [:]
    /// The index of the first boardable lane of each node, followed by the total count.
    private(set) var boardingStarts: [Int32] = []
    /// The boardable lanes with the index of the stop in each.
    private(set) var boardings: [(lane: Int32, index: Int32)] = []

    /// Collects the runs around a base day.
    ///
    /// - Complexity: O(stop times of running trips).
    init(_ network: JourneyNetwork, base: ServiceDay, starts: (ServiceDay) -> Int, live: LiveTimes) {
        let timetable = network.timetable
        stops = timetable.patternStops
        rules = timetable.patternRules.map(\.rawValue)
        // Trips of previous days may run into the base day. Those of the next two days belong to nights that begin in
        // it.
        let days = (-network.daysBack...2).map { (day: $0, date: base.advanced(by: $0)) }
        let offsets = days.map { starts($0.date) - starts(base) }
        let services = days.map { day in
            (0..<timetable.calendar.serviceCount).map { timetable.calendar.runs($0, on: day.date) }
        }
        for (number, pattern) in timetable.patterns.enumerated() where pattern.stops.count > 1 {
            var runs: [(key: Int64, trip: Int32, day: Int)] = []
            var changed: [Run] = []
            for (slot, day) in days.enumerated() {
                for trip in pattern.trips {
                    let service = Int(timetable.trips.services[trip])
                    guard services[slot].indices.contains(service), services[slot][service] else { continue }
                    if !live.isEmpty, let news = live.news(of: trip, on: day.date) {
                        if case .runs(let times) = news {
                            changed.append(
                                Run(
                                    trip: Int32(trip), day: Int32(day.day),
                                    arrivals: times.arrivals.map { Self.shifted($0, offsets[slot]) },
                                    departures: times.departures.map { Self.shifted($0, offsets[slot]) }))
                        }
                        continue
                    }
                    let first = timetable.timeIndex(trip: trip, stop: 0, in: pattern)
                    let last = first + pattern.stops.count - 1
                    let begin = Int(timetable.departures[first]) + offsets[slot]
                    let end = Int(timetable.arrivals[last]) + offsets[slot]
                    guard end >= 0, begin < 2 * 86_400 + 7200, end <= Self.longest, begin >= -Self.longest else {
                        continue
                    }
                    runs.append((Int64(begin), Int32(trip), slot))
                }
            }
            guard !runs.isEmpty || !changed.isEmpty else { continue }
            runs.sort { ($0.key, $0.day, $0.trip) < ($1.key, $1.day, $1.trip) }
            let timed = runs.map { run in
                let first = timetable.timeIndex(trip: Int(run.trip), stop: 0, in: pattern)
                return (trip: run.trip, day: Int32(days[run.day].day), first: first, offset: offsets[run.day])
            }
            // Trips with specific transfer rules have separate lanes.
            let named = network.nodes.tripNumbers
            if named.isEmpty {
                add(timed, pattern, number, network, -1)
            } else {
                let groups = Dictionary(grouping: timed) { named[Int($0.trip)] }
                for (name, runs) in groups.sorted(by: { $0.key < $1.key }) { add(runs, pattern, number, network, name) }
            }
            for run in changed {
                addAlone(run, pattern, number, network, named.isEmpty ? -1 : named[Int(run.trip)])
            }
        }
        for index in live.added.trips.indices { add(live.added.trips[index], index, network, base, starts(base)) }
        findNextRuns(network)
        findBoardings(stopCount: network.nodes.count)
    }

    /// Converts a time of a service day to the base day, except for plus and minus ``never``.
    private static func shifted(_ time: Int32, _ offset: Int) -> Int32 {
        time == never || time == -never ? time : fitted(time, offset)
    }

    /// Converts a time of a service day to the base day, limited to ``longest``.
    @inline(__always)
    private static func fitted(_ time: Int32, _ offset: Int) -> Int32 {
        Int32(truncatingIfNeeded: min(max(Int(time) + offset, -longest), longest))
    }

    /// Adds runs sorted by start, each to the first lane of its pattern whose last run it does not overtake.
    private mutating func add(
        _ runs: [(trip: Int32, day: Int32, first: Int, offset: Int)], _ pattern: Timetable.Pattern, _ number: Int,
        _ network: JourneyNetwork, _ name: Int32
    ) {
        let count = pattern.stops.count, timetable = network.timetable
        var open: [[Int]] = []
        for (index, run) in runs.enumerated() {
            // Only the last eight lanes are tried, so that the cost stays linear for runs in any order.
            let lane = open.indices.suffix(8).first { lane in
                guard let last = open[lane].last.map({ runs[$0] }) else { return true }
                return (0..<count).allSatisfy { stop in
                    let shift = run.offset - last.offset, one = last.first + stop, two = run.first + stop
                    return Int(timetable.arrivals[one]) <= Int(timetable.arrivals[two]) + shift
                        && Int(timetable.departures[one]) <= Int(timetable.departures[two]) + shift
                }
            }
            if let lane { open[lane].append(index) } else { open.append([index]) }
        }
        for members in open {
            openLane(pattern, number, runs: members.count, network, name)
            for member in members {
                let run = runs[member]
                trips.append(run.trip)
                days.append(run.day)
                for time in run.first..<run.first + count {
                    arrivals.append(Self.fitted(timetable.arrivals[time], run.offset))
                    departures.append(Self.fitted(timetable.departures[time], run.offset))
                }
            }
        }
    }

    private mutating func addAlone(
        _ run: Run, _ pattern: Timetable.Pattern, _ number: Int, _ network: JourneyNetwork, _ name: Int32
    ) {
        guard run.arrivals.count == pattern.stops.count, run.departures.count == pattern.stops.count else { return }
        openLane(pattern, number, runs: 1, network, name)
        trips.append(run.trip)
        days.append(run.day)
        arrivals += run.arrivals
        departures += run.departures
    }

    /// Adds a trip outside of the timetable as a separate lane.
    private mutating func add(
        _ trip: AddedTrips.Trip, _ index: Int, _ network: JourneyNetwork, _ base: ServiceDay, _ zero: Int
    ) {
        guard let first = trip.calls.first, let last = trip.calls.last, trip.calls.count > 1,
            last.arrival >= zero, first.departure - zero < 2 * 86_400 + 7200, last.departure - zero <= Self.longest
        else { return }
        let own = trip.calls.map(\.stop)
        lanesOfRuns.append(Int32(lanes.count))
        lanes.append(
            Lane(
                stops: stops.count, count: own.count, times: arrivals.count, firstRun: trips.count, runs: 1, pattern: -1
            ))
        stops += network.nodes.nodes(of: own[...], line: trip.line, trip: -1) ?? own
        for call in trip.calls {
            let rule: Timetable.StopRules = call.boards ? call.alights ? [.boards, .alights] : .boards : .alights
            rules.append(rule.rawValue)
            arrivals.append(Self.fitted(0, call.arrival - zero))
            departures.append(Self.fitted(0, call.departure - zero))
        }
        trips.append(Int32(-1 - index))
        days.append(Int32(clamping: trip.day.daysSince1970 - base.daysSince1970))
    }

    private mutating func openLane(
        _ pattern: Timetable.Pattern, _ number: Int, runs: Int, _ network: JourneyNetwork, _ name: Int32
    ) {
        for _ in 0..<runs { lanesOfRuns.append(Int32(lanes.count)) }
        let key = Int64(number) << 32 | Int64(name + 1)
        var first = ownStops[key] ?? pattern.stops.lowerBound
        let own = network.timetable.patternStops[pattern.stops]
        if ownStops[key] == nil, let nodes = network.nodes.nodes(of: own, line: pattern.line, trip: name) {
            first = stops.count
            ownStops[key] = first
            stops += nodes
            rules += rules[pattern.stops]
        }
        lanes.append(
            Lane(
                stops: first, count: pattern.stops.count, times: arrivals.count,
                firstRun: trips.count, runs: runs, pattern: Int32(number)))
    }

    private mutating func findNextRuns(_ network: JourneyNetwork) {
        let links = network.links
        guard !network.nextTrips.isEmpty || !links.isEmpty else { return }
        var runOf: [Int64: Int32] = [:]
        func key(_ trip: Int32, _ day: Int32) -> Int64 { Int64(trip) << 16 | Int64(day + 1000) }
        for run in trips.indices where trips[run] >= 0 { runOf[key(trips[run], days[run])] = Int32(run) }
        var pairs: [(run: Int32, next: Int32)] = []
        for run in trips.indices where trips[run] >= 0 {
            let trip = trips[run]
            var nexts = links.next(after: trip).compactMap { runOf[key($0.trip, days[run] + $0.day)] }
            if nexts.isEmpty, !network.nextTrips.isEmpty {
                let next = network.nextTrips[Int(trip)]
                if next >= 0, !links.separates(trip, next), let run = runOf[key(next, days[run])] { nexts = [run] }
            }
            for next in nexts { pairs.append((Int32(run), next)) }
        }
        join(pairs)
    }

    /// Stores the continuations of runs, grouped by run.
    private mutating func join(_ pairs: [(run: Int32, next: Int32)]) {
        guard !pairs.isEmpty else { return }
        nextStarts = Array(repeating: 0, count: trips.count + 1)
        for pair in pairs { nextStarts[Int(pair.run) + 1] += 1 }
        for run in trips.indices { nextStarts[run + 1] += nextStarts[run] }
        nextRuns = pairs.sorted { ($0.run, $0.next) < ($1.run, $1.next) }.map(\.next)
    }

    /// Whether any run continues as another one.
    var hasNextRuns: Bool { !nextRuns.isEmpty }

    /// Returns whether a run continues as others.
    ///
    /// Requires ``hasNextRuns``.
    func goesOn(_ run: Int) -> Bool { nextStarts[run] < nextStarts[run + 1] }

    /// Returns the runs that continue a run with its passengers.
    func nextRuns(after run: Int) -> ArraySlice<Int32> {
        nextRuns.isEmpty ? [] : nextRuns[Int(nextStarts[run])..<Int(nextStarts[run + 1])]
    }

    private mutating func findBoardings(stopCount: Int) {
        func forEach(_ body: (Int, Int32, Int32) -> Void) {
            for (number, lane) in lanes.enumerated() {
                // Passengers cannot board at the last stop of a trip.
                for index in 0..<lane.count - 1
                where rules[lane.stops + index] & Timetable.StopRules.boards.rawValue != 0 {
                    body(Int(stops[lane.stops + index]), Int32(number), Int32(index))
                }
            }
        }
        var starts = Array(repeating: Int32(0), count: stopCount + 1)
        forEach { stop, _, _ in starts[stop + 1] += 1 }
        for stop in 0..<stopCount { starts[stop + 1] += starts[stop] }
        var next = starts
        var found = Array(repeating: (lane: Int32(0), index: Int32(0)), count: Int(starts[stopCount]))
        forEach { stop, lane, index in
            found[Int(next[stop])] = (lane, index)
            next[stop] += 1
        }
        boardingStarts = starts
        boardings = found
    }

    /// Returns the table with time reversed, for searches by arrival time.
    ///
    /// The lanes keep their numbers; their stops and runs are in reverse order.
    func mirrored(stopCount: Int) -> RunTable {
        var result = self
        let swap = Timetable.StopRules.self
        for lane in lanes {
            for index in 0..<lane.count {
                let other = lane.stops + lane.count - 1 - index
                result.stops[lane.stops + index] = stops[other]
                let rule = rules[other]
                result.rules[lane.stops + index] =
                    (rule & swap.boards.rawValue != 0 ? swap.alights.rawValue : 0)
                    | (rule & swap.alights.rawValue != 0 ? swap.boards.rawValue : 0)
            }
            let total = lane.runs * lane.count
            for time in 0..<total {
                result.arrivals[lane.times + time] = -departures[lane.times + total - 1 - time]
                result.departures[lane.times + time] = -arrivals[lane.times + total - 1 - time]
            }
        }
        for run in trips.indices {
            let other = mirror(Int32(run))
            result.trips[Int(other)] = trips[run]
            result.days[Int(other)] = days[run]
        }
        result.join(
            trips.indices.flatMap { run in nextRuns(after: run).map { (mirror($0), mirror(Int32(run))) } })
        result.findBoardings(stopCount: stopCount)
        return result
    }

    /// Returns the number of a run in the mirrored table.
    func mirror(_ run: Int32) -> Int32 {
        let lane = lanes[Int(lanesOfRuns[Int(run)])]
        return Int32(2 * lane.firstRun + lane.runs - 1) - run
    }

    /// Returns the lanes of the same pattern.
    func lanesBeside(_ lane: Int32) -> Range<Int> {
        let pattern = lanes[Int(lane)].pattern
        var first = Int(lane), last = first
        guard pattern >= 0 else { return first..<first + 1 }
        while first > 0, lanes[first - 1].pattern == pattern { first -= 1 }
        while last + 1 < lanes.count, lanes[last + 1].pattern == pattern { last += 1 }
        return first..<last + 1
    }

    /// Returns the lane of a run.
    func lane(of run: Int32) -> Lane { lanes[Int(lanesOfRuns[Int(run)])] }

    /// Returns the index of the first time of a run.
    func times(of run: Int32) -> Int {
        let lane = lane(of: run)
        return lane.times + (Int(run) - lane.firstRun) * lane.count
    }

    func arrival(_ run: Int32, at index: Int32) -> Int32 { arrivals[times(of: run) + Int(index)] }
    func departure(_ run: Int32, at index: Int32) -> Int32 { departures[times(of: run) + Int(index)] }
    func stop(_ run: Int32, at index: Int32) -> Int { Int(stops[lane(of: run).stops + Int(index)]) }
}
