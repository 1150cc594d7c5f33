import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanWeb

/// Ways by public transport, and on foot to it, by a server of OpenTripPlanner 2 (GTFS GraphQL API, query `plan`).
///
/// It has no table of ways: the ways between all places are asked for one by one.
public struct OpenTripPlanner: RoutingProvider {
    /// When one departs: seconds after 1970-01-01, or `nil` for now.
    ///
    /// Stays are not known here: each leg is asked for when the one before it ends.
    public var departure: Double?

    /// How far the clocks of the timetable are ahead of universal time, in seconds: servers read times as those of their feed.
    public var timeZone: Double

    private let door: JSONClient

    /// The most places between which all ways are asked for, a request each.
    public static let maximumMatrixCount = 12

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - url: the address of the API, as `http://localhost:8080/otp/gtfs/v1`.
    ///   - headers: fields that the server wants, such as a key.
    ///   - timeouts: the limits of a request.
    ///   - departure: when one departs: seconds after 1970-01-01, or `nil` for now.
    ///   - timeZone: how far the clocks of the timetable are ahead of universal time, in seconds.
    public init(
        _ url: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: ConnectionTimeouts = ConnectionTimeouts(), departure: Double? = nil, timeZone: Double = 0
    ) {
        door = JSONClient(
            name: "OpenTripPlanner", base: url, fetcher: fetcher, headers: headers, timeouts: timeouts)
        self.departure = departure
        self.timeZone = timeZone
    }

    /// `OpenTripPlanner`.
    public var name: String { door.name }

    /// The way through places; each leg begins when the one before it has ended.
    ///
    /// - Complexity: a request a leg.
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

    /// The ways between all places, at the time of the departure.
    ///
    /// - Throws: ``RoutingError/unsupported(provider:what:)`` beyond ``maximumMatrixCount`` places.
    /// - Complexity: a request for each pair.
    public func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
        guard places.count <= OpenTripPlanner.maximumMatrixCount else {
            throw .unsupported(
                provider: name, what: "table of more than \(OpenTripPlanner.maximumMatrixCount) places")
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

    /// The first way that the server finds, or `nil` when there is none.
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
