public import PortolanBeacons
public import PortolanGeo
import PortolanRouting
import PortolanWeb

/// The bus network of a city without a timetable: cooperatives, routes with their paths, and stops.
///
/// A guide is read from a KML document and a list of cooperatives (``init(kml:cooperatives:)``). It needs no network
/// access.
public struct BusGuide: Hashable, Sendable {
    /// An operator of routes.
    public struct Cooperative: Hashable, Sendable, Identifiable {
        /// The identifier.
        public var id: String
        /// The name.
        public var name: String
        /// The email address, or an empty string.
        public var mail = ""
        /// The phone number, or an empty string.
        public var phone = ""

        /// Creates a cooperative.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A bus stop.
    public struct Stop: Hashable, Sendable, Identifiable {
        /// The identifier, which the stop's code also contains.
        public var id: String
        /// The name.
        public var name: String
        /// The coordinate in degrees (WGS 84): x is the longitude, y the latitude.
        public var place: Coordinate
        /// The beacon of the stop, or `nil`.
        public var beacon: BeaconAdvertisement.Identity?

        /// Creates a stop.
        public init(id: String, name: String, place: Coordinate, beacon: BeaconAdvertisement.Identity? = nil) {
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
        /// The cooperative, as an index into ``BusGuide/cooperatives``, or `nil` if it is unknown.
        public var cooperative: Int?
        /// The mode of transport; bus unless the data specify another one.
        public var mode = TransitMode.bus
        /// The destination, or an empty string.
        public var direction = ""
        /// The time of the first departure, such as "05:30", or an empty string.
        public var firstHour = ""
        /// The time of the last departure, or an empty string.
        public var lastHour = ""
        /// The duration from end to end in minutes, or `nil`.
        public var minutes: Double?
        /// Whether the route is a loop, so that passengers may ride past its end.
        public var isLoop = false
        /// The path, in degrees (WGS 84).
        public var path: [Coordinate]
        /// The stops in service order, as indices into ``BusGuide/stops``.
        public internal(set) var stops: [Int] = []
        /// The distance of each of ``stops`` along the path in metres, never decreasing.
        public internal(set) var measures: [Double] = []
        /// The length of the path in metres.
        public internal(set) var length = 0.0
    }

    /// The cooperatives, sorted by name.
    public internal(set) var cooperatives: [Cooperative] = []
    /// The stops, sorted by name.
    public internal(set) var stops: [Stop] = []
    /// The routes, sorted by name and direction.
    public internal(set) var routes: [Route] = []
    /// A notice about the data, such as the attribution, or an empty string.
    public internal(set) var notice = ""
    /// Descriptions of the problems in the data, at most 100.
    public internal(set) var problems: [String] = []

    /// The routes that serve each stop.
    var routesOfStops: [[Int]] = []
    /// The normalized names for the search.
    var plainNames = PlainNames()
    private var stopsByID: [String: Int] = [:]
    private var stopsByBeacon: [BeaconAdvertisement.Identity: Int] = [:]

    /// The maximum number of cooperatives, of routes and of stops.
    public static let maximumCount = 20_000
    /// The maximum number of stops of a route.
    public static let maximumStopCount = 1000

    /// Creates an empty guide.
    init() {}

    /// Names normalized by ``PlainName``, in the order of the named objects.
    struct PlainNames: Hashable, Sendable {
        var cooperatives: [String] = []
        var routes: [String] = []
        var stops: [String] = []
    }

    /// Builds the lookup tables.
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

    /// Returns the index of the stop with an identifier, or `nil`.
    public func stop(id: String) -> Int? { stopsByID[id] }

    /// Returns the index of the stop with a beacon, or `nil`.
    public func stop(beacon: BeaconAdvertisement.Identity) -> Int? { stopsByBeacon[beacon] }

    /// Returns the routes that serve a stop, by name.
    public func routes(at stop: Int) -> [Route] { routesOfStops[stop].map { routes[$0] } }

    /// Returns the routes of a cooperative, by name.
    ///
    /// - Complexity: O(routes).
    public func routes(of cooperative: Int) -> [Route] { routes.filter { $0.cooperative == cooperative } }

    /// Returns the stops within a distance in metres of a coordinate, nearest first.
    ///
    /// - Parameter limit: the maximum number of stops.
    /// - Complexity: O(stops).
    public func stops(
        near place: Coordinate, within meters: Double, limit: Int = 5
    ) -> [(stop: Int, meters: Double)] {
        // A lower bound for the length of a degree of latitude.
        let reach = meters / 110_500
        let near = stops.indices.filter { abs(stops[$0].place.y - place.y) <= reach }.map { index in
            (stop: index, meters: Geodesic.line(from: place, to: stops[index].place).meters)
        }
        let order = near.filter { $0.meters <= meters }.sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
        return Array(order.prefix(max(0, limit)))
    }
}

extension BusGuide {
    /// The reason why a guide or one of its stops is not available.
    public enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A document is invalid.
        case malformed(document: String, what: String)
        /// A document exceeds a limit.
        case tooMany(String, limit: Int)
        /// No stop has this code or beacon.
        case unknownStop(StopCode)

        /// A one-line message.
        public var description: String {
            switch self {
            case .malformed(let document, let what): "\(document): \(what)"
            case .tooMany(let what, let limit): "more than \(limit) \(what)"
            case .unknownStop: "this stop is not in the guide"
            }
        }

        /// Returns a message for passengers in a language (BCP 47): Spanish for `es`, otherwise English.
        public func words(in language: String = "en") -> String {
            GuidePhrase.languages.preferred([language]).text(phrase)
        }

        /// The sentence that says so.
        var phrase: GuidePhrase { if case .unknownStop = self { .unknownStop } else { .unreadable } }
    }
}

/// The sentences of guides.
enum GuidePhrase {
    case unknownStop, unreadable, empty, notUpdated, damaged, unwritable

    /// The tables, English first.
    static let languages = [
        Phrases<GuidePhrase>(
            "en",
            [
                .unknownStop: "This stop is not in the guide.", .unreadable: "The guide data cannot be read.",
                .empty: "No data yet. Connect to the internet once to download them.",
                .notUpdated: "The guide could not be updated. The latest stored data are shown.",
                .damaged: "The stored data are damaged.", .unwritable: "The guide could not be stored.",
            ]),
        Phrases<GuidePhrase>(
            "es",
            [
                .unknownStop: "Esta parada no está en la guía.",
                .unreadable: "Los datos de la guía no se pueden leer.",
                .empty: "Aún no hay datos guardados. Conéctese a internet una vez para descargarlos.",
                .notUpdated: "No se pudo actualizar la guía. Se muestran los últimos datos.",
                .damaged: "Los datos guardados están dañados.", .unwritable: "No se pudo guardar la guía.",
            ]),
    ]
}
