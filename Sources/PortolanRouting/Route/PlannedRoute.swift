public import PortolanGeo

/// A way through places, leg by leg.
public struct PlannedRoute: Hashable, Sendable {
    /// The places in the order in which they are visited; on a round trip the first one stands at the end again.
    public var places: [Itinerary.Place]

    /// The ways from each place to the next.
    public var legs: [Leg]

    /// How one travels.
    public var mode: TravelMode

    /// What is known about the order of the places, or `nil` where it was given.
    public var order: VisitingOrder?

    /// What there is to know about it, such as that straight lines stand in for roads.
    public var notes: [RouteNote]

    /// Makes a route; there is one leg less than places.
    public init(
        places: [Itinerary.Place], legs: [Leg], mode: TravelMode, order: VisitingOrder? = nil, notes: [RouteNote] = []
    ) {
        precondition(legs.count == max(0, places.count - 1), "a leg from each place to the next")
        self.places = places
        self.legs = legs
        self.mode = mode
        self.order = order
        self.notes = notes
    }

    /// How long it is, in metres.
    public var distance: Double { legs.reduce(0) { $0 + $1.distance } }

    /// How long its ways take, in seconds, without stays.
    public var duration: Double { legs.reduce(0) { $0 + $1.duration } }

    /// When each place is reached, in seconds after the departure, with the stays and the waiting before it.
    public var arrivals: [Double] {
        var clock = 0.0
        return places.indices.map { index in
            if index > 0 { clock += legs[index - 1].duration }
            let arrival = clock
            clock = max(clock, places[index].window?.lowerBound ?? 0) + places[index].stay
            return arrival
        }
    }

    /// How long it takes from the departure to the end, in seconds, with stays and the waiting before them.
    public var total: Double {
        guard let last = places.last, let arrival = arrivals.last else { return 0 }
        // Home again, nobody stays for the visit that began there.
        let isHome = places.count > 2 && places.first == last
        return isHome ? arrival : max(arrival, last.window?.lowerBound ?? 0) + last.stay
    }

    /// Its line: longitudes and latitudes.
    public var path: [Coordinate] {
        var path: [Coordinate] = []
        for leg in legs { path += leg.path.first == path.last ? leg.path.dropFirst() : leg.path[...] }
        return path
    }

    /// The way from one place to the next.
    public struct Leg: Hashable, Sendable {
        /// How long it is, in metres.
        public var distance: Double
        /// How long it takes, in seconds.
        public var duration: Double
        /// Its line: longitudes and latitudes.
        public var path: [Coordinate]
        /// What one does on the way; empty when that is not known.
        public var steps: [RouteStep]
        /// Whether it is a straight line with a guess of its length and time.
        public var isEstimate: Bool

        /// Makes a leg.
        public init(
            distance: Double, duration: Double, path: [Coordinate], steps: [RouteStep] = [], isEstimate: Bool = false
        ) {
            self.distance = distance
            self.duration = duration
            self.path = path
            self.steps = steps
            self.isEstimate = isEstimate
        }
    }
}

/// What there is to know about a route.
public enum RouteNote: Hashable, Sendable {
    /// Straight lines stand in for roads, because of this.
    case estimated(RoutingError)
    /// A place, by its index in the route, lies so many metres from the road that the route takes.
    case awayFromRoad(place: Int, meters: Double)
    /// The provider travels in another way than was asked for.
    case otherMode(asked: TravelMode, provider: String)
}

extension RouteNote {
    /// Whether ways are guesses, since a provider did not answer.
    public var isEstimate: Bool { if case .estimated = self { true } else { false } }
}

extension RouteNote: CustomStringConvertible {
    /// A sentence for people; places are counted from 1.
    public var description: String {
        switch self {
        case .estimated(let error): "distances and times are guesses along straight lines: \(error)"
        case .awayFromRoad(let place, let meters):
            "place \(place + 1) lies \(Int(min(meters, 1e9).rounded())) m from the road of the route"
        case .otherMode(let asked, let provider): "asked for \(asked.rawValue), the provider routes for \(provider)"
        }
    }
}
