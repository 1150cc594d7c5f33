import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanWeb

/// A routing provider that uses an OSRM server (Open Source Routing Machine, HTTP API 5).
///
/// A server supports one mode, regardless of the URL. A different mode is reported as a ``PlannedRoute/Note``.
public struct OSRMProvider: RoutingProvider {
    /// The permitted distance between places and roads.
    public var roads: RoadDistance

    private let door: JSONClient

    /// The default limit of servers for places in one request.
    private static let placesAtOnce = 100

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - url: the URL of the server, such as `http://localhost:5000`. Its query is kept in each request.
    ///   - headers: additional request headers, such as an API key.
    ///   - timeouts: the time limits of a request.
    ///   - roads: the permitted distance between places and roads.
    public init(
        _ url: NamedURL, fetcher: Fetcher, headers: [HTTPHeader] = [],
        timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(), roads: RoadDistance = RoadDistance()
    ) {
        door = JSONClient(name: "OSRM", base: url, fetcher: fetcher, headers: headers, timeouts: timeouts)
        self.roads = roads
    }

    /// `OSRM`.
    public var name: String { door.name }

    /// Returns the route through places, using the service `route`.
    ///
    /// - Complexity: one request for each hundred places.
    public func route(through places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> RouteAnswer {
        guard places.count > 1 else { throw .invalidItinerary("a route needs two places") }
        try places.checked()
        let profile = try profile(mode)
        var all = RouteAnswer(legs: [])
        var start = 0
        while start < places.count - 1 {
            let end = min(start + Self.placesAtOnce, places.count)
            let part = Array(places[start..<end])
            let path = "route/v1/\(profile)/\(Self.list(part))"
            // U-turns at places are allowed, as they are for tables and trips. By default they are not allowed for car
            // routes.
            let answer = try await door.ask(
                path, query: ["steps=true", "geometries=polyline6", "overview=false", "continue_straight=false"])
            let reader = OSRMReader(door, answer, first: start)
            if reader.code == "NoRoute" { throw try await gap(in: part, first: start, mode, reader.refusal) }
            try reader.checkCode()
            all.notes += try reader.notes(of: "waypoints", count: part.count, roads: roads)
            all.legs += try reader.legs(of: "routes", count: part.count - 1)
            if let other = reader.travels(otherwiseThan: mode), !all.notes.contains(other) { all.notes.append(other) }
            start = end - 1
        }
        return all
    }

    /// Finds the pair of places without a route, because the server does not name it.
    private func gap(
        in places: [Coordinate], first: Int, _ mode: TravelMode, _ refusal: RoutingError
    ) async throws(RoutingError) -> RoutingError {
        guard places.count > 2 else { return .unreachable(from: first, to: first + 1) }
        let matrix: TravelMatrix
        do { matrix = try await self.matrix(of: places, mode: mode).matrix } catch { throw error.at { first + $0 } }
        let gap = places.indices.dropLast().first { matrix.duration(from: $0, to: $0 + 1) == nil }
        return gap.map { .unreachable(from: first + $0, to: first + $0 + 1) } ?? refusal
    }

    /// Returns the travel matrix, using the service `table`.
    ///
    /// - Complexity: one request for up to a hundred places, otherwise one for each block of fifty by fifty.
    public func matrix(of places: [Coordinate], mode: TravelMode) async throws(RoutingError) -> MatrixAnswer {
        guard places.count <= Itinerary.maximumPlaceCount else {
            throw .invalidItinerary("too many places: \(places.count), the limit is \(Itinerary.maximumPlaceCount)")
        }
        var all = MatrixAnswer(matrix: TravelMatrix(count: places.count))
        guard places.count > 1 else { return all }
        try places.checked()
        let profile = try profile(mode)
        let blocks = Blocks(count: places.count, whole: Self.placesAtOnce)
        for (from, to) in blocks.pairs {
            let isWhole = from == to
            let asked = isWhole ? Array(places[from]) : Array(places[from]) + places[to]
            var query = ["annotations=duration,distance"]
            if !isWhole {
                query.append("sources=" + (0..<from.count).map(String.init).joined(separator: ";"))
                query.append(
                    "destinations=" + (from.count..<asked.count).map(String.init).joined(separator: ";"))
            }
            let answer = try await door.ask("table/v1/\(profile)/\(Self.list(asked))", query: query)
            let reader = OSRMReader(door, answer, first: from.lowerBound)
            try reader.checkCode()
            let notes = try reader.notes(of: "sources", count: from.count, roads: roads)
            for note in notes where !all.notes.contains(note) { all.notes.append(note) }
            try reader.fill(&all.matrix, from: from, to: to)
        }
        return all
    }

    /// Returns the order found by the server, using the service `trip`.
    ///
    /// It is exact below ten places and a heuristic from ten.
    ///
    /// - Parameter isRoundTrip: whether the trip returns. Otherwise the first and last place are kept, as servers
    ///   require.
    /// - Returns: the order as indices of `places`, and the legs in that order.
    public func trip(
        through places: [Coordinate], mode: TravelMode, isRoundTrip: Bool = true
    ) async throws(RoutingError) -> (order: [Int], answer: RouteAnswer) {
        guard (2...Self.placesAtOnce).contains(places.count) else {
            throw .invalidItinerary("a trip needs 2 to \(Self.placesAtOnce) places")
        }
        try places.checked()
        var query = ["steps=true", "geometries=polyline6", "overview=false", "roundtrip=\(isRoundTrip)"]
        if !isRoundTrip { query += ["source=first", "destination=last"] }
        let answer = try await door.ask("trip/v1/\(try profile(mode))/\(Self.list(places))", query: query)
        let reader = OSRMReader(door, answer, first: 0)
        try reader.checkCode()
        let notes = try reader.notes(of: "waypoints", count: places.count, roads: roads)
        let order = try reader.tripOrder(count: places.count)
        let legs = try reader.legs(of: "trips", count: isRoundTrip ? places.count : places.count - 1)
        return (order, RouteAnswer(legs: legs, notes: notes))
    }

    /// Returns the road nearest to a coordinate, using the service `nearest`.
    public func nearestRoad(
        to place: Coordinate, mode: TravelMode
    ) async throws(RoutingError) -> (place: Coordinate, name: String?, meters: Double) {
        try [place].checked()
        let answer = try await door.ask("nearest/v1/\(try profile(mode))/\(Self.list([place]))")
        let reader = OSRMReader(door, answer, first: 0)
        try reader.checkCode()
        return try reader.nearest()
    }

    /// Returns the profile in the URL.
    ///
    /// Servers of one mode ignore it, but a gateway to several may not.
    private func profile(_ mode: TravelMode) throws(RoutingError) -> String {
        switch mode {
        case .car: "driving"
        case .foot: "foot"
        case .bicycle: "bicycle"
        case .transit: throw .unsupported(provider: name, what: "public transport")
        }
    }

    /// Formats longitude before latitude with seven decimals (one centimetre).
    private static func list(_ places: [Coordinate]) -> String {
        places.map { "\(Decimals.text($0.x)),\(Decimals.text($0.y))" }.joined(separator: ";")
    }
}

/// The division of a large table into requests within the server limit.
struct Blocks {
    /// The origins and destinations of each request.
    let pairs: [(from: Range<Int>, to: Range<Int>)]

    /// - Parameter whole: the maximum number of places for a single request. Larger tables use half of it on each side.
    init(count: Int, whole: Int) {
        guard count > whole else {
            pairs = [(0..<count, 0..<count)]
            return
        }
        let half = whole / 2
        let blocks = stride(from: 0, to: count, by: half).map { $0..<min($0 + half, count) }
        pairs = blocks.flatMap { from in blocks.map { (from, $0) } }
    }
}
