public import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanWeb

/// A routing provider that uses a Valhalla server (API 3), with instructions in many languages.
public struct ValhallaProvider: RoutingProvider {
    /// The language of instructions, such as `en-US` or `es-ES`.
    public var language: String
    /// The permitted distance between places and roads.
    public var roads: RoadDistance

    private let door: JSONClient

    /// The default limits of servers for places in one request.
    private static let placesAtOnce = 20
    private static let tableSide = 50

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - url: the URL of the server, such as `http://localhost:8002`. Its query is kept in each request.
    ///   - headers: additional request headers, such as an API key.
    ///   - timeouts: the time limits of a request.
    ///   - language: the language of instructions, `en-US` by default.
    ///   - roads: the permitted distance between places and roads.
    public init(
        _ url: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(), language: String = "en-US",
        roads: RoadDistance = RoadDistance()
    ) {
        door = JSONClient(name: "Valhalla", base: url, fetcher: fetcher, headers: headers, timeouts: timeouts)
        self.language = language
        self.roads = roads
    }

    /// `Valhalla`.
    public var name: String { door.name }

    /// Returns the route through places, using the service `route`.
    ///
    /// - Complexity: one request for each twenty places.
    public func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
        guard places.count > 1 else { throw .invalidItinerary("a route needs two places") }
        try places.checked()
        var all = RouteAnswer(legs: [])
        var start = 0
        while start < places.count - 1 {
            let end = min(start + Self.placesAtOnce, places.count)
            let part = Array(places[start..<end])
            let answer = try await door.ask("route", body: try question(part, mode))
            let reader = ValhallaReader(door, answer, first: start)
            try reader.checkTrip(isPair: part.count == 2)
            all.notes += try reader.notes(of: part, roads: roads)
            all.legs += try reader.legs(count: part.count - 1)
            start = end - 1
        }
        return all
    }

    /// Returns the travel matrix, using the service `sources_to_targets`.
    ///
    /// - Complexity: one request for each block of fifty by fifty places.
    public func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
        guard places.count <= Itinerary.maximumPlaceCount else {
            throw .invalidItinerary("too many places: \(places.count), the limit is \(Itinerary.maximumPlaceCount)")
        }
        var all = MatrixAnswer(matrix: TravelMatrix(count: places.count))
        guard places.count > 1 else { return all }
        try places.checked()
        let blocks = stride(from: 0, to: places.count, by: Self.tableSide)
            .map { $0..<min($0 + Self.tableSide, places.count) }
        for from in blocks {
            for to in blocks {
                let body: PropertyValue = [
                    "sources": .array(places[from].map(Self.location)),
                    "targets": .array(places[to].map(Self.location)), "costing": .string(try costing(mode)),
                ]
                let reader = ValhallaReader(door, try await door.ask("sources_to_targets", body: body), first: 0)
                try reader.fill(&all.matrix, from: from, to: to)
            }
        }
        return all
    }

    /// Returns the order found by the server, using the service `optimized_route`.
    ///
    /// The first and last place are kept.
    ///
    /// - Parameter places: at least four places. For a round trip, repeat the first one at the end.
    /// - Returns: the order as indices of `places`, and the legs in that order.
    public func trip(
        through places: [Coordinate], mode: TravelMode
    ) async throws(RoutingError) -> (order: [Int], answer: RouteAnswer) {
        guard places.count >= 4 else { throw .invalidItinerary("an optimized route needs four places") }
        try places.checked()
        let answer = try await door.ask("optimized_route", body: try question(places, mode))
        let reader = ValhallaReader(door, answer, first: 0)
        try reader.checkTrip(isPair: false)
        return (
            try reader.tripOrder(count: places.count), RouteAnswer(legs: try reader.legs(count: places.count - 1))
        )
    }

    /// Returns the areas that can be reached within the given times, longest first.
    ///
    /// - Parameter minutes: the times in minutes; servers accept at most four.
    /// - Returns: features in degrees with the property `contour`, the time in minutes.
    public func isochrone(
        from place: Coordinate, minutes: [Double], mode: TravelMode
    ) async throws(RoutingError) -> FeatureCollection {
        guard !minutes.isEmpty, minutes.allSatisfy({ $0 > 0 && $0 < 1e4 }) else {
            throw .invalidItinerary("an isochrone needs at least one minute")
        }
        try [place].checked()
        let body: PropertyValue = [
            "locations": [Self.location(place)], "costing": .string(try costing(mode)), "polygons": true,
            "contours": .array(minutes.map { ["time": .number($0)] }),
        ]
        let answer = try await door.ask("isochrone", body: body)
        return try ValhallaReader(door, answer, first: 0).features()
    }

    private func question(
        _ places: [Coordinate], _ mode: TravelMode
    ) throws(RoutingError) -> PropertyValue {
        [
            "locations": .array(places.map(Self.location)), "costing": .string(try costing(mode)),
            "units": "kilometers", "language": .string(language),
        ]
    }

    private static func location(_ place: Coordinate) -> PropertyValue {
        ["lat": .number(place.y), "lon": .number(place.x)]
    }

    private func costing(_ mode: TravelMode) throws(RoutingError) -> String {
        switch mode {
        case .car: "auto"
        case .foot: "pedestrian"
        case .bicycle: "bicycle"
        // Multimodal routes need a date and tiles with timetables, and support only two places.
        case .transit: throw .unsupported(provider: name, what: "public transport here")
        }
    }
}
