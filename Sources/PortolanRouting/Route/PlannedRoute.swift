public import PortolanGeo

/// A planned route through places, leg by leg.
public struct PlannedRoute: Hashable, Sendable {
    /// The places in visiting order.
    ///
    /// A round trip has its first place at the end again.
    public var places: [Itinerary.Place]

    /// The legs from each place to the next.
    public var legs: [Leg]

    /// The travel mode.
    public var mode: TravelMode

    /// The evaluation of an optimized order, or `nil` for a given order.
    public var order: OrderSearch.VisitingOrder?

    /// The notes, for example that straight lines replace roads.
    public var notes: [PlannedRoute.Note]

    /// Creates a route.
    ///
    /// There must be one leg fewer than places.
    public init(
        places: [Itinerary.Place], legs: [Leg], mode: TravelMode, order: OrderSearch.VisitingOrder? = nil,
        notes: [PlannedRoute.Note] = []
    ) {
        precondition(legs.count == max(0, places.count - 1), "a leg from each place to the next")
        self.places = places
        self.legs = legs
        self.mode = mode
        self.order = order
        self.notes = notes
    }

    /// The length in metres.
    public var distance: Double { legs.reduce(0) { $0 + $1.distance } }

    /// The travel time in seconds, without stays.
    public var duration: Double { legs.reduce(0) { $0 + $1.duration } }

    /// The arrival time at each place in seconds after the departure, including previous stays and waiting.
    public var arrivals: [Double] {
        var clock = 0.0
        return places.indices.map { index in
            if index > 0 { clock += legs[index - 1].duration }
            let arrival = clock
            clock = max(clock, places[index].window?.lowerBound ?? 0) + places[index].stay
            return arrival
        }
    }

    /// The total time in seconds, including stays and waiting.
    public var total: Double {
        guard let last = places.last, let arrival = arrivals.last else { return 0 }
        // The visit of the first place is not repeated at the end of a round trip.
        let isHome = places.count > 2 && places.first == last
        return isHome ? arrival : max(arrival, last.window?.lowerBound ?? 0) + last.stay
    }

    /// The path: longitudes and latitudes in degrees.
    public var path: [Coordinate] {
        var path: [Coordinate] = []
        for leg in legs { path += leg.path.first == path.last ? leg.path.dropFirst() : leg.path[...] }
        return path
    }

    /// The part of a route from one place to the next.
    public struct Leg: Hashable, Sendable {
        /// The length in metres.
        public var distance: Double
        /// The duration in seconds.
        public var duration: Double
        /// The path: longitudes and latitudes in degrees.
        public var path: [Coordinate]
        /// The steps; empty if they are unknown.
        public var steps: [PlannedRoute.Step]
        /// Whether the leg is a straight line with estimated length and duration.
        public var isEstimate: Bool

        /// Creates a leg.
        public init(
            distance: Double, duration: Double, path: [Coordinate], steps: [PlannedRoute.Step] = [],
            isEstimate: Bool = false
        ) {
            self.distance = distance
            self.duration = duration
            self.path = path
            self.steps = steps
            self.isEstimate = isEstimate
        }
    }
}

extension PlannedRoute {
    /// A note about a route.
    public enum Note: Hashable, Sendable {
        /// Straight lines replace roads because of this error.
        case estimated(RoutingError)
        /// A place, given by its index in the route, is this far in metres from the road that the route uses.
        case awayFromRoad(place: Int, meters: Double)
        /// The provider uses a different mode than requested.
        case otherMode(asked: TravelMode, provider: String)
    }
}

extension PlannedRoute.Note {
    /// Whether routes are estimates because a provider failed.
    public var isEstimate: Bool { if case .estimated = self { true } else { false } }
}

extension PlannedRoute.Note: CustomStringConvertible {
    /// A message for users.
    ///
    /// Places are counted from 1.
    public var description: String {
        switch self {
        case .estimated(let error): "distances and times are estimated along straight lines: \(error)"
        case .awayFromRoad(let place, let meters):
            "place \(place + 1) is \(Int(min(meters, 1e9).rounded())) m from the road of the route"
        case .otherMode(let asked, let provider):
            "the request was for \(asked.rawValue), but the provider routes for \(provider)"
        }
    }
}
