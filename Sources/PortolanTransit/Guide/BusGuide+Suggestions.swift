public import PortolanGeo

extension BusGuide {
    /// The routes as stop sequences for a ``RideGuide``, with the same indices.
    ///
    /// A loop contains its stops twice, so that passengers may ride past its end. The duration of a route, if known, is
    /// divided in proportion to the distances between stops.
    public var orderedLines: [RideGuide.Line] {
        routes.map { route in
            var places = Array(route.stops.indices), measures = route.measures
            if route.isLoop, let last = measures.last, let first = route.stops.first {
                // The end of the loop equals its beginning and is not served twice.
                let again = places.dropFirst(route.stops.last == first ? 1 : 0).dropLast()
                measures += again.map { last + route.measures[$0] }
                places += again
            }
            let called = places.map { index in
                let stop = stops[route.stops[index]]
                return RideGuide.Line.Stop(id: stop.id, name: stop.name, place: stop.place)
            }
            let pace = route.minutes.flatMap { $0 > 0 && route.length > 0 ? $0 * 60 / route.length : nil }
            let seconds = pace.map { pace in
                zip(measures, measures.dropFirst()).map { Int((max(0, $1 - $0) * pace).rounded()) }
            }
            return RideGuide.Line(
                name: route.name, headsign: route.direction, mode: route.mode, stops: called, seconds: seconds)
        }
    }

    /// Returns bus rides between two coordinates, sorted by total walking and riding time.
    ///
    /// Rides that take longer than walking are omitted. Passengers board before they alight in the stop order, so buses
    /// in the opposite direction are excluded. The lines of rides are indices into ``routes``. For repeated queries,
    /// create a ``RideGuide`` from ``orderedLines`` and keep it.
    ///
    /// - Parameters:
    ///   - maximumTransfers: the maximum number of transfers; 0 allows only direct buses.
    ///   - limit: the maximum number of suggestions.
    /// - Complexity: O(stops of all routes × (transfers + 1)).
    public func suggestions(
        from origin: Coordinate, to destination: Coordinate, walking: Walking = Walking(), maximumTransfers: Int = 0,
        limit: Int = 10
    ) -> [RideGuide.Suggestion] {
        let found = RideGuide(orderedLines, walking: walking).suggestions(
            from: origin, to: destination, maximumTransfers: maximumTransfers, limit: routes.count)
        // Rides slower than walking, such as a full round of a loop, are useless.
        let walk = walking.seconds(Geodesic.line(from: origin, to: destination).meters)
        let useful = found.filter { $0.seconds < Int(walk) }
        return Array(useful.prefix(max(0, limit)))
    }
}
