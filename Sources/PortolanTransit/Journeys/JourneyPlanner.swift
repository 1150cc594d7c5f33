public import Foundation
import Synchronization

/// Finds journeys through a timetable.
///
/// Create a planner once for each timetable and share it between threads. Journeys board and alight only where the
/// trips allow it, include walks to and between stops, stay seated in vehicles that continue as another trip, and use
/// trips that began the day before. Trips by frequency without exact times are treated as if their times were exact.
public struct JourneyPlanner: Sendable {
    let network: JourneyNetwork
    let live: LiveTimes
    let clock: DayClock
    private let memory = PlannerCache()

    /// Creates a planner for a timetable.
    ///
    /// Its service days follow ``ServiceDay/Clock``.
    ///
    /// - Complexity: O(stops × stops within reach + times).
    public init(_ timetable: Timetable, walking: Walking = Walking()) {
        clock = ServiceDay.Clock(timetable).days
        network = JourneyNetwork(timetable, walking)
        live = LiveTimes()
    }

    private init(_ planner: JourneyPlanner, live: LiveTimes) {
        network = planner.network
        clock = planner.clock
        self.live = live
    }

    /// The timetable.
    public var timetable: Timetable { network.timetable }
    /// The walking parameters.
    public var walking: Walking { network.walking }

    /// Returns the footpaths from a stop to other stops where passengers may change.
    public func ways(from stop: Int) -> [JourneyPlanner.StopWalk] {
        guard network.timetable.stops.indices.contains(stop) else { return [] }
        let ways = network.footpaths.range(from: stop).filter { network.nodes.isStop(network.footpaths.ends[$0]) }
        return ways.map { way in
            JourneyPlanner.StopWalk(
                stop: Int(network.footpaths.ends[way]), meters: Double(network.footpaths.meters[way]),
                seconds: Int(network.footpaths.walks[way]))
        }
    }

    /// The stops, as indices into ``Timetable/stops``, whose transfer rules for lines and trips are ignored because
    /// they would create more than four million footpaths.
    public var stopsWithoutNarrowRules: [Int] { network.nodes.leftOut }

    /// The applied updates that no journey uses.
    ///
    /// These are updates that match no trip of the timetable, and added trips that cannot be used: with an unknown line
    /// or stop, with decreasing times, or beyond the limit of 10,000.
    public var unmatchedUpdates: [TripUpdate] { live.unmatched }

    /// Returns a planner with these live updates, which replace all earlier ones.
    ///
    /// A delay holds until the next stop with live data. Skipped stops are passed, cancelled trips do not run, trips
    /// may overtake each other, and added trips are included.
    ///
    /// - Parameter now: the current time. Updates without a date apply to the trips that run next.
    /// - Complexity: O(updates); the first query of each day then collects its trips again.
    public func applying(_ updates: [TripUpdate], now: Date) -> JourneyPlanner {
        JourneyPlanner(self, live: LiveTimes(updates, network.timetable, clock, now: now))
    }

    /// Returns the Pareto-optimal journeys by arrival time and number of rides, fewest rides first.
    ///
    /// For queries by arrival time, the departure time is optimized instead. The result is empty if there is no journey
    /// within ``JourneyPlanner/Query/maximumSeconds``.
    public func journeys(_ query: JourneyPlanner.Query) throws(JourneyPlanner.QueryError) -> [Journey] {
        let isMirrored: Bool, time: Int
        switch query.time {
        case .departing(let date): (isMirrored, time) = (false, try seconds(date, rounded: .up))
        case .arriving(let date): (isMirrored, time) = (true, try seconds(date, rounded: .down))
        }
        let ends = try ends(query)
        // A journey that arrives today may have begun yesterday.
        let base = clock.day(at: time).advanced(by: isMirrored ? -1 : 0)
        let zero = clock.start(of: base)
        let table = table(base, isMirrored: isMirrored)
        let start = Int32(isMirrored ? zero - time : time - zero)
        var search = memory.search(network.changes.count, table.lanes.count, query.mostRides)
        defer { memory.keep(search) }
        search.search(
            table, isMirrored ? network.reversedFootpaths : network.footpaths, changes: network.changes,
            from: isMirrored ? ends.to : ends.from, to: isMirrored ? ends.from : ends.to, start: start,
            limit: start + query.longest + 1, direct: ends.direct.map { start + $0.seconds })
        var journeys: [Journey] = []
        if let direct = ends.direct, direct.seconds <= query.longest {
            let departure = Date(timeIntervalSince1970: Double(isMirrored ? time - Int(direct.seconds) : time))
            journeys.append(walk(query.from, query.to, direct, departure))
        }
        let maker = JourneyMaker(
            planner: self, table: table, zero: zero, isMirrored: isMirrored, query: query, ends: ends)
        for (round, target) in search.targets.enumerated() {
            guard let target else { continue }
            let spans = search.rides(table, to: target.stop, round: round)
            if let journey = maker.journey(spans) { journeys.append(journey) }
        }
        return journeys
    }

    /// Returns the Pareto-optimal journeys by departure, arrival and number of rides that depart within a time window,
    /// sorted by departure.
    ///
    /// A journey entirely on foot is not returned, but journeys that are worse than it are omitted.
    ///
    /// - Parameters:
    ///   - query: the query; its time, even an arrival time, is the start of the window.
    ///   - length: the length of the window in seconds, at most a day.
    /// - Complexity: one search for each vehicle departure near the start; the results of later departures bound
    ///   earlier ones.
    public func profile(
        _ query: JourneyPlanner.Query, seconds length: Int
    ) throws(JourneyPlanner.QueryError) -> [Journey] {
        let date: Date
        switch query.time {
        case .departing(let time), .arriving(let time): date = time
        }
        let time = try seconds(date, rounded: .up)
        let ends = try ends(query)
        let base = clock.day(at: time), zero = clock.start(of: base)
        let table = table(base, isMirrored: false)
        let first = Int32(time - zero), last = first + Int32(min(max(length, 0), 86_400))
        var search = RoundSearch(
            stopCount: network.changes.count, laneCount: table.lanes.count, mostRides: query.mostRides, isRange: true)
        let maker = JourneyMaker(planner: self, table: table, zero: zero, isMirrored: false, query: query, ends: ends)
        var journeys: [Journey] = []
        for start in departures(table, ends.from, first...last).reversed() {
            search.search(
                table, network.footpaths, changes: network.changes, from: ends.from, to: ends.to, start: start,
                limit: start + query.longest + 1, direct: ends.direct.map { start + $0.seconds })
            for (round, target) in search.targets.enumerated() {
                guard let target else { continue }
                let spans = search.rides(table, to: target.stop, round: round)
                if let journey = maker.journey(spans) { journeys.append(journey) }
            }
        }
        return journeys.reversed()
    }

    /// Returns the distinct departure times that catch a vehicle, in order.
    private func departures(
        _ table: RunTable, _ accesses: [RoundSearch.Access], _ range: ClosedRange<Int32>
    ) -> [Int32] {
        var times: Set<Int32> = []
        for access in accesses {
            for slot in Int(table.boardingStarts[Int(access.stop)])..<Int(table.boardingStarts[Int(access.stop) + 1]) {
                let (lane, index) = table.boardings[slot]
                let one = table.lanes[Int(lane)]
                for run in 0..<one.runs {
                    let time = table.departures[one.times + run * one.count + Int(index)] - access.seconds
                    if range.contains(time) { times.insert(time) }
                }
            }
        }
        return times.sorted()
    }

    /// Returns the runs around a day.
    func table(_ base: ServiceDay, isMirrored: Bool) -> RunTable {
        memory.table(base, isMirrored: isMirrored) { forward in
            isMirrored
                ? (forward ?? table(base, isMirrored: false)).mirrored(stopCount: network.nodes.count)
                : RunTable(network, base: base, starts: clock.start(of:), live: live)
        }
    }

    func makeSearch(_ table: RunTable, mostRides: Int) -> RoundSearch {
        memory.search(network.changes.count, table.lanes.count, mostRides)
    }

    func keep(_ search: RoundSearch) { memory.keep(search) }

    /// Returns a date in whole seconds after 1970-01-01.
    func seconds(_ date: Date, rounded rule: FloatingPointRoundingRule) throws(JourneyPlanner.QueryError) -> Int {
        let seconds = date.timeIntervalSince1970.rounded(rule)
        guard (-2_208_988_800...7_258_118_400).contains(seconds) else { throw .impossibleTime }
        return Int(seconds)
    }

    private func walk(
        _ from: Journey.Location, _ to: Journey.Location, _ way: JourneyEnds.Direct, _ departure: Date
    ) -> Journey {
        let walk = Journey.Walk(
            from: from, to: to, meters: Double(way.meters), seconds: Int(way.seconds), departure: departure)
        return Journey(
            legs: way.seconds > 0 || way.meters > 0 ? [.walk(walk)] : [], departure: departure, arrival: walk.arrival)
    }
}

extension JourneyPlanner {
    /// A footpath to a stop.
    public struct StopWalk: Hashable, Sendable {
        /// The stop, as an index into ``Timetable/stops``.
        public let stop: Int
        /// The length in metres.
        public let meters: Double
        /// The walking time in seconds.
        public let seconds: Int
    }
}

/// The reusable state of a planner: the runs of a few days and the memory of searches.
private final class PlannerCache: Sendable {
    private struct Kept {
        var tables: [(base: ServiceDay, isMirrored: Bool, table: RunTable)] = []
        var searches: [RoundSearch] = []
    }

    private static let mostTables = 6, mostSearches = 8
    private let kept = Mutex(Kept())

    func table(_ base: ServiceDay, isMirrored: Bool, _ make: (RunTable?) -> RunTable) -> RunTable {
        let (found, forward) = kept.withLock { kept in
            (
                kept.tables.first { $0.base == base && $0.isMirrored == isMirrored }?.table,
                kept.tables.first { $0.base == base && !$0.isMirrored }?.table
            )
        }
        if let found { return found }
        let made = make(forward)
        kept.withLock { kept in
            kept.tables.append((base, isMirrored, made))
            if kept.tables.count > Self.mostTables { kept.tables.removeFirst() }
        }
        return made
    }

    func search(_ stopCount: Int, _ laneCount: Int, _ mostRides: Int) -> RoundSearch {
        let found = kept.withLock { kept in
            kept.searches.lastIndex { $0.serves(stopCount: stopCount, laneCount: laneCount, mostRides: mostRides) }
                .map { kept.searches.remove(at: $0) }
        }
        guard var search = found else {
            return RoundSearch(stopCount: stopCount, laneCount: laneCount, mostRides: mostRides, isRange: false)
        }
        search.reset()
        return search
    }

    func keep(_ search: RoundSearch) {
        kept.withLock { if $0.searches.count < Self.mostSearches { $0.searches.append(search) } }
    }
}
