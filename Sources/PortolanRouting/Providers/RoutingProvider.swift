public import PortolanGeo

/// Finds ways between places: a service, or a guess.
///
/// Providers ask no more than they must, state what they were told, and leave the order of places to ``OrderSearch``.
public protocol RoutingProvider: Sendable {
    /// What it is called in messages.
    var name: String { get }

    /// The way through places in this order.
    ///
    /// - Parameter places: longitudes and latitudes, at least two.
    /// - Throws: ``RoutingError``, with the indices of `places`.
    func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer

    /// How long it takes and how far it is from each place to each other.
    ///
    /// - Throws: ``RoutingError``, with the indices of `places`.
    func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer
}

/// The ways between places that follow one another, and what there is to know about them.
public struct RouteAnswer: Hashable, Sendable {
    /// A leg from each place to the next.
    public var legs: [PlannedRoute.Leg]
    /// What there is to know about them.
    public var notes: [RouteNote]

    /// Makes an answer.
    public init(legs: [PlannedRoute.Leg], notes: [RouteNote] = []) {
        self.legs = legs
        self.notes = notes
    }
}

/// The ways between all places, and what there is to know about them.
public struct MatrixAnswer: Hashable, Sendable {
    /// The ways.
    public var matrix: TravelMatrix
    /// What there is to know about them.
    public var notes: [RouteNote]

    /// Makes an answer.
    public init(matrix: TravelMatrix, notes: [RouteNote] = []) {
        self.matrix = matrix
        self.notes = notes
    }
}

extension Coordinate {
    /// Whether it is a place on earth, in degrees.
    package var isOnEarth: Bool { abs(x) <= 360 && abs(y) <= 90 }
}

extension Sequence<Coordinate> {
    /// Refuses what is nowhere on earth.
    func checked() throws(RoutingError) {
        for (index, place) in enumerated() where !place.isOnEarth {
            throw .invalidItinerary("place \(index + 1) is nowhere on earth")
        }
    }
}

/// How far a place may lie from the road that a service takes for it.
///
/// Services go to the next road however far that is: asked for the Gulf of Guinea, a server of Helsinki answers with Helsinki.
public struct RoadDistance: Hashable, Sendable {
    /// From here on the place has no road, in metres.
    public var limit: Double
    /// From here on it is told, in metres.
    public var told: Double

    /// Makes distances; 1,000 m and 100 m unless told.
    public init(limit: Double = 1000, told: Double = 100) {
        self.limit = limit
        self.told = told
    }

    /// The note about a place that lies so far from its road, or `nil` when it is near.
    func note(place: Int, meters: Double) throws(RoutingError) -> RouteNote? {
        guard meters <= limit else { throw .noRoad(place: place, meters: meters) }
        return meters > told ? .awayFromRoad(place: place, meters: meters) : nil
    }
}
