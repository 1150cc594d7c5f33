public import Foundation
public import PortolanFetch
public import PortolanGeo
public import PortolanTransit

/// The static data of a city for an app: its area, lines and stops, with the time of the last change of each.
///
/// The city is a single JSON document, so that apps can cache it and request it conditionally.
public struct CityDocument: Hashable, Sendable {
    /// A line with the paths of its directions.
    public struct Line: Hashable, Sendable, Codable {
        /// The identifier.
        public var id: String
        /// The name shown to passengers.
        public var name: String
        /// A longer name, such as the route.
        public var longName: String?
        /// The mode of transport.
        public var mode: TransitMode
        /// The colour, such as "E33699".
        public var color: String?
        /// The paths as alternating longitudes and latitudes in degrees.
        public var ways: [[Double]]

        /// Creates a line.
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

        /// The paths as coordinates.
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
        /// The name shown to passengers.
        public var name: String
        /// The mode of transport.
        public var mode: TransitMode
        /// The coordinate in degrees (WGS 84).
        public var longitude: Double, latitude: Double
        /// The identifiers of its lines.
        public var lines: [String]

        /// Creates a stop.
        public init(id: String, name: String, mode: TransitMode, place: Coordinate, lines: [String]) {
            self.id = id
            self.name = name
            self.mode = mode
            (longitude, latitude) = (place.x, place.y)
            self.lines = lines
        }
    }

    /// The times of the last changes.
    public struct Updates: Hashable, Sendable {
        /// The last changes of the city, its lines and its stops.
        public var city: Date, lines: Date, stops: Date

        /// Creates the times.
        public init(city: Date, lines: Date, stops: Date) {
            self.city = city
            self.lines = lines
            self.stops = stops
        }

        /// The latest change.
        public var latest: Date { max(city, lines, stops) }
    }

    /// The name of the city.
    public var name: String
    /// The area that a map needs to cover, in degrees (WGS 84).
    public var area: Extent
    /// The range of useful zoom levels.
    public var zooms: ClosedRange<Double>
    /// The attribution of the data, which must be shown.
    public var attribution: String
    /// The lines.
    public var lines: [Line] = []
    /// The stops.
    public var stops: [Stop] = []
    /// The times of the last changes.
    public var updates: Updates

    /// Creates a city without lines and stops.
    public init(name: String, area: Extent, zooms: ClosedRange<Double> = 10...19, attribution: String, updates: Updates)
    {
        self.name = name
        self.area = area
        self.zooms = zooms
        self.attribution = attribution
        self.updates = updates
    }

    /// The city as a document for conditional requests.
    public var document: CityDocument.ConditionalDocument {
        CityDocument.ConditionalDocument(json, modified: updates.latest)
    }

    /// Returns the city of a response, or the known one if it has not changed.
    ///
    /// - Throws: ``FeedError`` if the response contains no city. The known one remains valid.
    public static func updated(
        _ known: CityDocument?, by response: HTTPResponse, source: String
    ) throws(FeedError) -> CityDocument {
        if response.status == 304, let known { return known }
        guard response.isSuccessful else {
            throw FeedError(.reported, source: source, "the server responded with status \(response.status)")
        }
        return try CityDocument(json: response.body, source: source)
    }
}
