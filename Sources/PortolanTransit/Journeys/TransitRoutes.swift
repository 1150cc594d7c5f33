public import Foundation
public import PortolanGeo
public import PortolanRouting

/// A routing provider that plans routes by public transport.
///
/// Each leg departs when the previous one arrives, because providers do not know the length of stays. The duration of a
/// leg includes the wait for its first vehicle.
public struct TransitRoutes: RoutingProvider {
    /// The journey planner.
    public let planner: JourneyPlanner
    /// The departure time of the first leg.
    public let departure: Date
    /// The maximum number of transfers on a leg.
    public let maximumTransfers: Int

    /// Creates a provider.
    public init(_ planner: JourneyPlanner, departure: Date, maximumTransfers: Int = 4) {
        self.planner = planner
        self.departure = departure
        self.maximumTransfers = maximumTransfers
    }

    /// The publisher of the timetable, or `timetable`.
    public var name: String {
        let publisher = planner.timetable.feed.publisher
        return publisher.isEmpty ? "timetable" : publisher
    }

    /// Returns the route through coordinates.
    ///
    /// The mode must be transit.
    public func route(through places: [Coordinate], mode: TravelMode) throws(RoutingError) -> RouteAnswer {
        try check(mode)
        guard places.count > 1 else { throw .invalidItinerary("a route needs two places") }
        var clock = departure, legs: [PlannedRoute.Leg] = []
        for index in places.indices.dropLast() {
            let journey = try best(places, index, index + 1, clock)
            legs.append(leg(journey, from: places[index], to: places[index + 1], start: clock))
            clock = journey.arrival
        }
        return RouteAnswer(legs: legs)
    }

    /// Returns the travel times between all coordinates, each for the same departure time.
    public func matrix(of places: [Coordinate], mode: TravelMode) throws(RoutingError) -> MatrixAnswer {
        try check(mode)
        guard places.count <= Itinerary.maximumPlaceCount else {
            throw .invalidItinerary("there are \(places.count) places, more than \(Itinerary.maximumPlaceCount)")
        }
        var matrix = TravelMatrix(count: places.count)
        for from in places.indices {
            for to in places.indices where to != from {
                do throws(RoutingError) {
                    let journey = try best(places, from, to, departure)
                    matrix.set(
                        from: from, to: to, duration: max(journey.arrival.timeIntervalSince(departure), 0),
                        distance: length(journey))
                } catch {
                    guard case .unreachable = error else { throw error }
                }
            }
        }
        return MatrixAnswer(matrix: matrix)
    }

    private func check(_ mode: TravelMode) throws(RoutingError) {
        guard mode == .transit else {
            throw .unsupported(provider: name, what: "routes for \(mode.rawValue); only public transport is supported")
        }
    }

    private func best(_ places: [Coordinate], _ from: Int, _ to: Int, _ time: Date) throws(RoutingError) -> Journey {
        let query = JourneyPlanner.Query(
            from: .place(places[from]), to: .place(places[to]), time: .departing(time),
            maximumTransfers: maximumTransfers)
        let journeys: [Journey]
        do throws(JourneyPlanner.QueryError) {
            journeys = try planner.journeys(query)
        } catch {
            switch error {
            case .noStopNear(let place, _): throw .noRoad(place: place == places[from] ? from : to, meters: nil)
            case .nowhere: throw .invalidItinerary("place \(from + 1) or \(to + 1) is outside the earth")
            case .noSuchStop, .impossibleTime: throw .invalidItinerary(error.description)
            }
        }
        guard let journey = journeys.ranked(by: .arrival).first else { throw .unreachable(from: from, to: to) }
        return journey
    }

    private func length(_ journey: Journey) -> Double {
        journey.legs.reduce(0) { sum, leg in
            switch leg {
            case .walk(let walk): sum + walk.meters
            case .ride(let ride): sum + length(planner.timetable.path(of: ride))
            }
        }
    }

    private func length(_ path: [Coordinate]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + NearMeters.between($1.0, $1.1) }
    }

    private func leg(_ journey: Journey, from: Coordinate, to: Coordinate, start: Date) -> PlannedRoute.Leg {
        var path = [from], steps: [PlannedRoute.Step] = [], distance = 0.0, clock = start
        let stops = planner.timetable.stops
        var stop: String?
        func add(_ places: [Coordinate]) {
            for place in places where place != path.last { path.append(place) }
        }
        for leg in journey.legs {
            let begin = path.count - 1, place = path[begin]
            switch leg {
            case .walk(let walk):
                if let end = planner.coordinate(walk.to) { add([end]) }
                distance += walk.meters
                var step = PlannedRoute.Step(
                    PlannedRoute.Manoeuvre(.alight, place: place), reference: stop, distance: walk.meters,
                    duration: max(walk.arrival.timeIntervalSince(clock), 0), start: begin)
                if case .stop(let index) = walk.to { step.name = stops[index].name }
                if steps.isEmpty {
                    let bearing = path.last.map { Geodesic.line(from: place, to: $0).bearing }
                    step.manoeuvre = PlannedRoute.Manoeuvre(.depart, bearingAfter: bearing, place: place)
                    step.name = nil
                }
                steps.append(step)
                clock = walk.arrival
            case .ride(let ride):
                let line = planner.timetable.lines[ride.line], way = planner.timetable.path(of: ride),
                    meters = length(way)
                add(way)
                distance += meters
                steps.append(
                    PlannedRoute.Step(
                        PlannedRoute.Manoeuvre(ride.staysSeated ? .stayOnBoard : .board, place: way.first ?? place),
                        name: line.badge, reference: ride.staysSeated ? nil : stops[ride.board].name,
                        destination: ride.headsign, distance: meters,
                        duration: max(ride.arrival.timeIntervalSince(clock), 0), start: begin))
                clock = ride.arrival
                stop = stops[ride.alight].name
            }
        }
        add([to])
        steps.append(
            PlannedRoute.Step(
                PlannedRoute.Manoeuvre(.arrive, place: to), distance: 0, duration: 0, start: path.count - 1))
        if path.count == 1 { path.append(to) }
        return PlannedRoute.Leg(
            distance: distance, duration: max(journey.arrival.timeIntervalSince(start), 0), path: path, steps: steps)
    }
}
