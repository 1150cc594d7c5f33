import PortolanGeo

/// The stops at both ends of a query, and the direct walk.
struct JourneyEnds {
    struct Direct { var seconds: Int32, meters: Float }

    var from: [RoundSearch.Access], to: [RoundSearch.Access]
    var direct: Direct?
}

extension JourneyPlanner {
    /// Finds the stops at both ends of a query.
    func ends(_ query: JourneyPlanner.Query) throws(JourneyPlanner.QueryError) -> JourneyEnds {
        let from = try accesses(query.from, network.footpaths), to = try accesses(query.to, network.reversedFootpaths)
        let direct = direct(query.from, query.to, from)
        if direct == nil {
            for (end, stops) in [(query.from, from), (query.to, to)] {
                if case .place(let place) = end, stops.isEmpty {
                    throw .noStopNear(place, meters: network.walking.reach)
                }
            }
        }
        return JourneyEnds(from: from, to: to, direct: direct)
    }

    /// Returns the nodes near an end, without duplicates, with the walking time to each.
    ///
    /// Only general transfer rules apply at the ends of a journey.
    func accesses(
        _ end: Journey.Location, _ footpaths: Footpaths
    ) throws(JourneyPlanner.QueryError) -> [RoundSearch.Access] {
        let stops = try stops(near: end, footpaths)
        guard network.nodes.count > network.timetable.stops.count else { return stops }
        return stops.flatMap { access in
            network.nodes.nodes(of: Int(access.stop)).map { node in
                RoundSearch.Access(stop: node, seconds: access.seconds, meters: access.meters)
            }
        }
    }

    private func stops(
        near end: Journey.Location, _ footpaths: Footpaths
    ) throws(JourneyPlanner.QueryError) -> [RoundSearch.Access] {
        switch end {
        case .place(let place):
            guard place.isFinite, abs(place.x) <= 180, abs(place.y) <= 90 else { throw .nowhere }
            return network.cells.stops(near: place, within: network.walking.reach).map { near in
                RoundSearch.Access(
                    stop: Int32(near.stop), seconds: network.walking.seconds(near.meters),
                    meters: Float(near.meters * network.walking.factor))
            }
        case .stop, .stops:
            for stop in end.stops where !network.timetable.stops.indices.contains(stop) { throw .noSuchStop(stop) }
            let members = end.stops.flatMap { network.boardable($0) }
            var found: [Int32: RoundSearch.Access] = [:]
            for member in members {
                found[Int32(member)] = RoundSearch.Access(stop: Int32(member), seconds: 0, meters: 0)
            }
            for member in members {
                for way in footpaths.range(from: member) {
                    let end = footpaths.ends[way]
                    guard network.nodes.isStop(end), footpaths.walks[way] < found[end]?.seconds ?? .max else {
                        continue
                    }
                    found[end] = RoundSearch.Access(
                        stop: end, seconds: footpaths.walks[way], meters: footpaths.meters[way])
                }
            }
            return found.values.sorted { ($0.seconds, $0.stop) < ($1.seconds, $1.stop) }
        }
    }

    private func direct(
        _ from: Journey.Location, _ to: Journey.Location, _ accesses: [RoundSearch.Access]
    ) -> JourneyEnds.Direct? {
        if !to.stops.isEmpty, !from.stops.isEmpty {
            let ends = Set(to.stops.flatMap { network.boardable($0) }.map { Int32($0) })
            return accesses.first { ends.contains($0.stop) }.map {
                JourneyEnds.Direct(seconds: $0.seconds, meters: $0.meters)
            }
        }
        guard let a = coordinate(from), let b = coordinate(to) else { return nil }
        let meters = NearMeters.between(a, b), walking = network.walking
        guard meters <= walking.reach else { return nil }
        return JourneyEnds.Direct(seconds: walking.seconds(meters), meters: Float(meters * walking.factor))
    }

    /// Returns the coordinate of an end, or `nil`.
    func coordinate(_ end: Journey.Location) -> Coordinate? { end.coordinate(in: network.timetable) }
}
