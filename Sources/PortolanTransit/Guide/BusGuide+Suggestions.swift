public import PortolanGeo

extension BusGuide {
    /// The routes as orders of stops, for a ``RideGuide``; each in the place of its route.
    ///
    /// A loop has its stops twice, so that one may ride on past its end. The times between stops are the shares of the ways in the
    /// duration, where a route tells one.
    public var orderedLines: [OrderedLine] {
        routes.map { route in
            var places = Array(route.stops.indices), measures = route.measures
            if route.isLoop, let last = measures.last, let first = route.stops.first {
                // The end is the beginning: it is not stopped at twice.
                let again = places.dropFirst(route.stops.last == first ? 1 : 0).dropLast()
                measures += again.map { last + route.measures[$0] }
                places += again
            }
            let called = places.map { index in
                let stop = stops[route.stops[index]]
                return OrderedLine.Stop(id: stop.id, name: stop.name, place: stop.place)
            }
            let pace = route.minutes.flatMap { $0 > 0 && route.length > 0 ? $0 * 60 / route.length : nil }
            let seconds = pace.map { pace in
                zip(measures, measures.dropFirst()).map { Int((max(0, $1 - $0) * pace).rounded()) }
            }
            return OrderedLine(
                name: route.name, headsign: route.direction, mode: route.mode, stops: called, seconds: seconds)
        }
    }

    /// The buses from one place to another, the shortest in walks and ride together first.
    ///
    /// A bus that takes longer than to walk all the way is none. One boards before one alights in the order of a route's stops, so that a bus of the other direction is none. The lines of rides
    /// are indices of ``routes``. Who asks often makes a ``RideGuide`` of ``orderedLines`` and keeps it.
    ///
    /// - Parameters:
    ///   - maximumTransfers: how often one changes at most; Q-Bus knew direct buses alone.
    ///   - limit: the most that are wanted.
    /// - Complexity: O(stops of all routes × (transfers + 1)).
    public func suggestions(
        from origin: Coordinate, to destination: Coordinate, walking: Walking = Walking(), maximumTransfers: Int = 0,
        limit: Int = 10
    ) -> [RideSuggestion] {
        let found = RideGuide(orderedLines, walking: walking).suggestions(
            from: origin, to: destination, maximumTransfers: maximumTransfers, limit: routes.count)
        // What takes longer than to walk, such as a whole round of a loop, is of no use.
        let walk = walking.seconds(Geodesic.line(from: origin, to: destination).meters)
        let useful = found.filter { $0.seconds < Int(walk) }
        return Array(useful.prefix(max(0, limit)))
    }
}
