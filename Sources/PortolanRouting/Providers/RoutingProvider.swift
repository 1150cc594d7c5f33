public import PortolanGeo

/// A source of routes and travel times: a service or an estimate.
///
/// Providers do not optimize the order of places; this is the task of ``OrderSearch``.
public protocol RoutingProvider: Sendable {
    /// The name used in messages.
    var name: String { get }

    /// Returns the route through places in this order.
    ///
    /// - Parameter places: longitudes and latitudes in degrees, at least two.
    /// - Throws: ``RoutingError`` with indices of `places`.
    func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer

    /// Returns the travel times and distances between all pairs of places.
    ///
    /// - Throws: ``RoutingError`` with indices of `places`.
    func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer
}

/// The legs between consecutive places, with notes.
public struct RouteAnswer: Hashable, Sendable {
    /// One leg from each place to the next.
    public var legs: [PlannedRoute.Leg]
    /// The notes about the legs.
    public var notes: [PlannedRoute.Note]

    /// Creates a response.
    public init(legs: [PlannedRoute.Leg], notes: [PlannedRoute.Note] = []) {
        self.legs = legs
        self.notes = notes
    }
}

/// A travel matrix, with notes.
public struct MatrixAnswer: Hashable, Sendable {
    /// The travel matrix.
    public var matrix: TravelMatrix
    /// The notes about the matrix.
    public var notes: [PlannedRoute.Note]

    /// Creates a response.
    public init(matrix: TravelMatrix, notes: [PlannedRoute.Note] = []) {
        self.matrix = matrix
        self.notes = notes
    }
}

extension Coordinate {
    /// Whether the coordinate is a valid position on the earth, in degrees.
    package var isOnEarth: Bool { abs(x) <= 360 && abs(y) <= 90 }
}

extension Sequence<Coordinate> {
    /// Throws if a coordinate is not on the earth.
    func checked() throws(RoutingError) {
        for (index, place) in enumerated() where !place.isOnEarth {
            throw .invalidItinerary("place \(index + 1) is outside the earth")
        }
    }
}

/// The permitted distance between a place and the road that a service uses for it.
///
/// Services use the nearest road at any distance: for a place in the Gulf of Guinea, a server for Helsinki returns a
/// road in Helsinki.
public struct RoadDistance: Hashable, Sendable {
    /// The distance in metres above which a place counts as having no road.
    public var limit: Double
    /// The distance in metres above which a note is added.
    public var told: Double

    /// Creates distances; by default 1,000 m and 100 m.
    public init(limit: Double = 1000, told: Double = 100) {
        self.limit = limit
        self.told = told
    }

    /// Returns the note for a place at this distance from its road, or `nil` if it is near; throws beyond the limit.
    func note(place: Int, meters: Double) throws(RoutingError) -> PlannedRoute.Note? {
        guard meters <= limit else { throw .noRoad(place: place, meters: meters) }
        return meters > told ? .awayFromRoad(place: place, meters: meters) : nil
    }
}
