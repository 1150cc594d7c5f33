public import Foundation
public import PortolanFeatures
import PortolanGeo

extension JourneyPlanner {
    /// The stops that can be reached from a start, and the time it takes.
    public struct Reach: Sendable {
        /// A reached stop and its travel time.
        public struct Stop: Hashable, Sendable {
            /// The stop, as an index into ``Timetable/stops``.
            public let stop: Int
            /// The seconds after the departure.
            public let seconds: Int
        }

        /// The departure time.
        public let departure: Date
        /// The reached stops, by increasing travel time.
        public let stops: [Stop]
        /// The centres from which passengers continue on foot, with the seconds elapsed.
        let centers: [(place: Coordinate, seconds: Int)]
        let walking: Walking

        /// Returns the area reached within each of the given times as features with `seconds` and `minutes`, longest first.
        ///
        /// From the start and from every stop, walking is possible in all directions, limited by ``Walking/reach`` and the
        /// remaining time. Borders are accurate to one cell, and holes wider than two cells are kept.
        ///
        /// - Parameters:
        ///   - seconds: the times in seconds.
        ///   - cell: the cell size in metres, 5 to 1,000. It is enlarged if the area has more than four million cells.
        /// - Complexity: O(cells of all discs) for each time.
        public func areas(within seconds: [Int], cell: Double = 25) -> FeatureCollection {
            let width = cell.isNaN ? 25 : min(max(cell, 5), 1000)
            var features: [Feature] = []
            for limit in Set(seconds).sorted(by: >) {
                var discs: [DiscUnion.Disc] = []
                for center in centers {
                    let rest = Double(limit - center.seconds) * walking.speed / walking.factor
                    if rest > 0 { discs.append(DiscUnion.Disc(center: center.place, radius: min(rest, walking.reach))) }
                }
                let properties: Properties = [
                    "seconds": .integer(limit), "minutes": .number(Double(limit) / 60),
                    "departure": .string(departure.formatted(.iso8601)),
                ]
                features.append(Feature(geometry: DiscUnion(discs, cell: width).geometry, properties: properties))
            }
            return FeatureCollection(features: features)
        }
    }
}

extension JourneyPlanner {
    /// Returns the stops that are reached within a time limit.
    ///
    /// - Parameters:
    ///   - limit: the time limit in seconds, at most a day.
    ///   - maximumTransfers: the maximum number of transfers, 0 to 15.
    public func reach(
        from: Journey.Location, at date: Date, within limit: Int, maximumTransfers: Int = 4
    ) throws(JourneyPlanner.QueryError) -> JourneyPlanner.Reach {
        let query = JourneyPlanner.Query(
            from: from, to: from, time: .departing(date), maximumTransfers: maximumTransfers, maximumSeconds: limit)
        let time = try seconds(date, rounded: .up), base = clock.day(at: time)
        let accesses = try accesses(from, network.footpaths)
        let table = table(base, isMirrored: false)
        let start = Int32(time - clock.start(of: base))
        var search = makeSearch(table, mostRides: query.mostRides)
        defer { keep(search) }
        search.search(
            table, network.footpaths, changes: network.changes, from: accesses, to: [], start: start,
            limit: start + query.longest + 1, direct: nil)
        let nodes = network.nodes
        var best = Array(repeating: Int32.max, count: network.timetable.stops.count)
        for access in accesses where access.seconds <= query.longest && nodes.isStop(access.stop) {
            best[Int(access.stop)] = access.seconds
        }
        var centers: [(place: Coordinate, seconds: Int)] = []
        if let place = coordinate(from) { centers.append((place, 0)) }
        for stop in best.indices {
            let arrival = nodes.nodes(of: stop).lazy.map { search.arrival(at: Int($0)) }.min() ?? RunTable.never
            guard arrival < RunTable.never else { continue }
            best[stop] = min(best[stop], arrival - start)
            if let place = network.timetable.stops[stop].place { centers.append((place, Int(arrival - start))) }
            for way in network.footpaths.range(from: stop) where nodes.isStop(network.footpaths.ends[way]) {
                let there = arrival - start + network.footpaths.walks[way]
                if there <= query.longest {
                    best[Int(network.footpaths.ends[way])] = min(best[Int(network.footpaths.ends[way])], there)
                }
            }
        }
        let stops = best.indices.filter { best[$0] < .max }.map {
            JourneyPlanner.Reach.Stop(stop: $0, seconds: Int(best[$0]))
        }
        .sorted { ($0.seconds, $0.stop) < ($1.seconds, $1.stop) }
        return JourneyPlanner.Reach(departure: date, stops: stops, centers: centers, walking: network.walking)
    }
}
