public import PortolanBeacons
public import PortolanGeo
import PortolanRouting

/// Which buses of a city stop where: cooperatives, routes with their paths, and stops, without a timetable.
///
/// It is made of a KML document and a list of cooperatives (``init(kml:cooperatives:)``), and works without any network.
public struct BusGuide: Hashable, Sendable {
    /// Who runs routes.
    public struct Cooperative: Hashable, Sendable, Identifiable {
        /// The identifier.
        public var id: String
        /// The name.
        public var name: String
        /// An address for mail, or nothing.
        public var mail = ""
        /// A telephone number, or nothing.
        public var phone = ""

        /// Makes a cooperative.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A place where buses stop.
    public struct Stop: Hashable, Sendable, Identifiable {
        /// The identifier, which also stands in its code.
        public var id: String
        /// The name.
        public var name: String
        /// Longitude and latitude in degrees (WGS 84).
        public var place: Coordinate
        /// Its beacon, or `nil` where it has none.
        public var beacon: BeaconIdentity?

        /// Makes a stop.
        public init(id: String, name: String, place: Coordinate, beacon: BeaconIdentity? = nil) {
            self.id = id
            self.name = name
            self.place = place
            self.beacon = beacon
        }
    }

    /// One direction of a bus line.
    public struct Route: Hashable, Sendable, Identifiable {
        /// The identifier.
        public var id: String
        /// The name.
        public var name: String
        /// The cooperative that runs it, as an index of ``BusGuide/cooperatives``; `nil` where that is not known.
        public var cooperative: Int?
        /// What runs on it; buses, unless the data tell of trolleybuses, trams or others.
        public var mode = TransitMode.bus
        /// Where it goes, or nothing.
        public var direction = ""
        /// When the first bus leaves, as "05:30", or nothing.
        public var firstHour = ""
        /// When the last bus leaves, or nothing.
        public var lastHour = ""
        /// How long it takes from end to end in minutes, or `nil`.
        public var minutes: Double?
        /// Whether it begins again where it ends, so that one may ride on past its end.
        public var isLoop = false
        /// The way, in degrees.
        public var path: [Coordinate]
        /// The stops in the order in which buses stop, as indices of ``BusGuide/stops``.
        public internal(set) var stops: [Int] = []
        /// How far along the way each of ``stops`` is, in metres, not below the one before.
        public internal(set) var measures: [Double] = []
        /// The length of the way in metres.
        public internal(set) var length = 0.0
    }

    /// The cooperatives, by name.
    public internal(set) var cooperatives: [Cooperative] = []
    /// The stops, by name.
    public internal(set) var stops: [Stop] = []
    /// The routes, by name and direction.
    public internal(set) var routes: [Route] = []
    /// What is to be told beside the data, such as whose they are, or nothing.
    public internal(set) var notice = ""
    /// What was wrong in the data, and left out; 100 at most.
    public internal(set) var problems: [String] = []

    /// The routes that stop at each stop.
    var routesOfStops: [[Int]] = []
    /// The plain names of cooperatives, routes and stops, for the search.
    var plainNames = PlainNames()
    private var stopsByID: [String: Int] = [:]
    private var stopsByBeacon: [BeaconIdentity: Int] = [:]

    /// The most of a kind: cooperatives, routes or stops.
    public static let maximumCount = 20_000
    /// The most stops of a route.
    public static let maximumStopCount = 1000

    /// Makes an empty guide.
    init() {}

    /// Names as ``PlainName`` has them, in the order of what they name.
    struct PlainNames: Hashable, Sendable {
        var cooperatives: [String] = []
        var routes: [String] = []
        var stops: [String] = []
    }

    /// Makes ready what is looked up.
    mutating func index() {
        stopsByID = Dictionary(stops.indices.map { (stops[$0].id, $0) }) { first, _ in first }
        stopsByBeacon = Dictionary(
            stops.indices.compactMap { index in stops[index].beacon.map { ($0, index) } }
        ) { first, _ in first }
        routesOfStops = Array(repeating: [], count: stops.count)
        for (index, route) in routes.enumerated() {
            for stop in Set(route.stops) { routesOfStops[stop].append(index) }
        }
        plainNames = PlainNames(
            cooperatives: cooperatives.map { PlainName.of($0.name) },
            routes: routes.map { PlainName.of("\($0.name) \($0.direction)") },
            stops: stops.map { PlainName.of($0.name) })
    }

    /// The index of the stop of an identifier, or `nil`.
    public func stop(id: String) -> Int? { stopsByID[id] }

    /// The index of the stop of a beacon, or `nil`.
    public func stop(beacon: BeaconIdentity) -> Int? { stopsByBeacon[beacon] }

    /// The routes that stop at a stop, by name.
    public func routes(at stop: Int) -> [Route] { routesOfStops[stop].map { routes[$0] } }

    /// The routes of a cooperative, by name.
    ///
    /// - Complexity: O(routes).
    public func routes(of cooperative: Int) -> [Route] { routes.filter { $0.cooperative == cooperative } }

    /// The stops within so many metres of a place, the nearest first.
    ///
    /// - Parameter limit: the most that are wanted; 5 unless told, as Q-Bus showed.
    /// - Complexity: O(stops).
    public func stops(
        near place: Coordinate, within meters: Double, limit: Int = 5
    ) -> [(stop: Int, meters: Double)] {
        // A degree of latitude is never shorter than this.
        let reach = meters / 110_500
        let near = stops.indices.filter { abs(stops[$0].place.y - place.y) <= reach }.map { index in
            (stop: index, meters: Geodesic.line(from: place, to: stops[index].place).meters)
        }
        let order = near.filter { $0.meters <= meters }.sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
        return Array(order.prefix(max(0, limit)))
    }
}

/// Why there is no guide, or no stop in it.
public enum BusGuideError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A document cannot be read, and why.
    case malformed(document: String, what: String)
    /// There is more than so many of something.
    case tooMany(String, limit: Int)
    /// No stop has that code or beacon.
    case unknownStop(StopCode)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .malformed(let document, let what): "\(document): \(what)"
        case .tooMany(let what, let limit): "there are more than \(limit) \(what)"
        case .unknownStop: "this stop is not in the guide"
        }
    }

    /// What to tell the person in a language (BCP 47): Spanish for `es`, else English.
    public func words(in language: String = "en") -> String {
        let isSpanish = RiderLanguage(language) == .spanish
        return switch self {
        case .unknownStop: isSpanish ? "Esta parada no está en la guía." : "This stop is not in the guide."
        default: isSpanish ? "Los datos de la guía no se pueden leer." : "The data of the guide cannot be read."
        }
    }
}
