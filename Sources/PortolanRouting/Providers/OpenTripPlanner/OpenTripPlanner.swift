import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanWeb

/// A routing provider for public transport that uses an OpenTripPlanner 2 server (GTFS GraphQL API, query `plan`).
///
/// The API has no travel matrix, so all pairs are requested one by one.
public struct OpenTripPlanner: RoutingProvider {
    /// The departure time in seconds after 1970-01-01, or `nil` for now.
    ///
    /// The length of stays is unknown here, so each leg starts when the previous one ends.
    public var departure: Double?

    /// The offset of the timetable's time zone from UTC in seconds.
    ///
    /// Servers interpret times in the time zone of their feed.
    public var timeZone: Double

    private let door: JSONClient

    /// The maximum number of places of a matrix, which needs one request for each pair.
    public static let maximumMatrixCount = 12

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - url: the URL of the API, such as `http://localhost:8080/otp/gtfs/v1`.
    ///   - headers: additional request headers, such as an API key.
    ///   - timeouts: the time limits of a request.
    ///   - departure: the departure time in seconds after 1970-01-01, or `nil` for now.
    ///   - timeZone: the offset of the timetable's time zone from UTC in seconds.
    public init(
        _ url: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(), departure: Double? = nil, timeZone: Double = 0
    ) {
        door = JSONClient(
            name: "OpenTripPlanner", base: url, fetcher: fetcher, headers: headers, timeouts: timeouts)
        self.departure = departure
        self.timeZone = timeZone
    }

    /// `OpenTripPlanner`.
    public var name: String { door.name }

    /// Returns the route through places.
    ///
    /// Each leg starts when the previous one ends.
    ///
    /// - Complexity: one request for each leg.
    public func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
        guard places.count > 1 else { throw .invalidItinerary("a route needs two places") }
        try places.checked()
        var legs: [PlannedRoute.Leg] = []
        var clock = departure
        for index in 0..<places.count - 1 {
            let way = try await way(from: places[index], to: places[index + 1], mode: mode, at: clock)
            guard let way else { throw .unreachable(from: index, to: index + 1) }
            legs.append(way)
            clock = clock.map { $0 + way.duration }
        }
        return RouteAnswer(legs: legs)
    }

    /// Returns the travel matrix at the departure time.
    ///
    /// - Throws: ``RoutingError/unsupported(provider:what:)`` for more than ``maximumMatrixCount`` places.
    /// - Complexity: one request for each pair.
    public func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
        guard places.count <= OpenTripPlanner.maximumMatrixCount else {
            throw .unsupported(
                provider: name, what: "matrix of more than \(OpenTripPlanner.maximumMatrixCount) places")
        }
        try places.checked()
        var matrix = TravelMatrix(count: places.count)
        for from in places.indices {
            for to in places.indices where to != from {
                if let way = try await way(from: places[from], to: places[to], mode: mode, at: departure) {
                    matrix.set(from: from, to: to, duration: way.duration, distance: way.distance)
                }
            }
        }
        return MatrixAnswer(matrix: matrix)
    }

    private static let query = """
        query Way($from: InputCoordinates!, $to: InputCoordinates!, $modes: [TransportMode], $date: String, \
        $time: String) { plan(from: $from, to: $to, transportModes: $modes, date: $date, time: $time, \
        numItineraries: 1) { itineraries { duration startTime endTime legs { mode duration distance startTime endTime \
        headsign route { shortName longName } from { name } to { name } legGeometry { points } } } } }
        """

    /// Returns the first route that the server finds, or `nil`.
    private func way(
        from: Coordinate, to: Coordinate, mode: TravelMode, at clock: Double?
    ) async throws(RoutingError) -> PlannedRoute.Leg? {
        let modes: [String] =
            switch mode {
            case .transit: ["WALK", "TRANSIT"]
            case .foot: ["WALK"]
            case .bicycle: ["BICYCLE"]
            case .car: ["CAR"]
            }
        var variables: Properties = [
            "from": ["lat": .number(from.y), "lon": .number(from.x)],
            "to": ["lat": .number(to.y), "lon": .number(to.x)],
            "modes": .array(modes.map { ["mode": .string($0)] }),
        ]
        if let clock {
            let (date, time) = CivilTime.dateAndTime(clock + timeZone)
            variables["date"] = .string(date)
            variables["time"] = .string(time)
        }
        let body: PropertyValue = ["query": .string(Self.query), "variables": .object(variables)]
        return try OpenTripPlannerReader(door, try await door.ask("", body: body)).way(from: from, to: to, asked: clock)
    }
}
