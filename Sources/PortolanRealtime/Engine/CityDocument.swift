public import Foundation
public import PortolanFetch
public import PortolanGeo
public import PortolanTransit

/// A city as an app needs it before anything moves: its area, its lines and its stops, each with the time of its last change.
///
/// It is one JSON document, so that an app asks for what is newer than what it has, and keeps it.
public struct CityDocument: Hashable, Sendable {
    /// A line, with the ways of its directions.
    public struct Line: Hashable, Sendable, Codable {
        /// The identifier.
        public var id: String
        /// What riders call it.
        public var name: String
        /// What else it is called, as where it goes.
        public var longName: String?
        /// What runs on it.
        public var mode: TransitMode
        /// Its colour, as "E33699".
        public var color: String?
        /// Its ways: longitudes and latitudes in degrees by turns.
        public var ways: [[Double]]

        /// Makes a line.
        public init(
            id: String, name: String, longName: String? = nil, mode: TransitMode, color: String? = nil,
            ways: [[Coordinate]]
        ) {
            self.id = id
            self.name = name
            self.longName = longName
            self.mode = mode
            self.color = color
            self.ways = ways.map { $0.flatMap { [$0.x, $0.y] } }
        }

        /// Its ways as places.
        public var coordinates: [[Coordinate]] {
            ways.map { way in
                stride(from: 0, to: way.count - 1, by: 2).map { Coordinate(longitude: way[$0], latitude: way[$0 + 1]) }
            }
        }
    }

    /// A stop.
    public struct Stop: Hashable, Sendable, Codable {
        /// The identifier.
        public var id: String
        /// What riders call it.
        public var name: String
        /// What stops there.
        public var mode: TransitMode
        /// Degrees (WGS 84).
        public var longitude: Double, latitude: Double
        /// The identifiers of its lines.
        public var lines: [String]

        /// Makes a stop.
        public init(id: String, name: String, mode: TransitMode, place: Coordinate, lines: [String]) {
            self.id = id
            self.name = name
            self.mode = mode
            (longitude, latitude) = (place.x, place.y)
            self.lines = lines
        }
    }

    /// When its parts were changed last.
    public struct Updates: Hashable, Sendable {
        /// The city itself, its lines, its stops.
        public var city: Date, lines: Date, stops: Date

        /// Makes times.
        public init(city: Date, lines: Date, stops: Date) {
            self.city = city
            self.lines = lines
            self.stops = stops
        }

        /// The latest of them.
        public var latest: Date { max(city, lines, stops) }
    }

    /// The name of the city.
    public var name: String
    /// The area beyond which a map need not go: degrees (WGS 84).
    public var area: Extent
    /// The levels of zoom that make sense, the least and the most.
    public var zooms: ClosedRange<Double>
    /// Where the data come from, as must be shown.
    public var attribution: String
    /// The lines.
    public var lines: [Line] = []
    /// The stops.
    public var stops: [Stop] = []
    /// When its parts were changed last.
    public var updates: Updates

    /// Makes a city without lines.
    public init(name: String, area: Extent, zooms: ClosedRange<Double> = 10...19, attribution: String, updates: Updates)
    {
        self.name = name
        self.area = area
        self.zooms = zooms
        self.attribution = attribution
        self.updates = updates
    }

    /// The city as a server gives it to those who do not have it yet.
    public var document: ConditionalDocument { ConditionalDocument(json, modified: updates.latest) }

    /// The city that an answer to a request for it holds; the one that is there already where nothing has changed.
    ///
    /// - Throws: ``FeedError``, where it holds none; the one that is there is of use still.
    public static func updated(
        _ known: CityDocument?, by response: HTTPResponse, source: String
    ) throws(FeedError) -> CityDocument {
        if response.status == 304, let known { return known }
        guard response.isSuccessful else {
            throw FeedError(.reported, source: source, "the server answers \(response.status)")
        }
        return try CityDocument(json: response.body, source: source)
    }
}
