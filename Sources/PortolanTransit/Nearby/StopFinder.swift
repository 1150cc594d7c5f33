public import Foundation
public import PortolanGeo
public import PortolanRouting
import PortolanWeb

/// A source of nearby stops and their arrivals: a service or a local timetable.
public protocol StopFinder: Sendable {
    /// The name used in messages.
    var name: String { get }

    /// Returns the stops within a distance in metres of a coordinate, nearest first.
    ///
    /// - Parameter center: longitude and latitude in degrees (WGS 84).
    /// - Throws: ``StopFinderError``.
    func stops(near center: Coordinate, within meters: Double) async throws(StopFinderError) -> NearbyStops

    /// Returns the next arrivals at a stop, earliest first.
    ///
    /// - Parameters:
    ///   - stop: the identifier of a stop returned by ``stops(near:within:)``.
    ///   - time: the start of the time window.
    ///   - limit: the maximum number of arrivals.
    /// - Throws: ``StopFinderError``, including ``StopFinderError/unknownStop(_:)``.
    func arrivals(at stop: String, from time: Date, limit: Int) async throws(StopFinderError) -> [NearbyStops.Arrival]
}

extension NearbyStops {
    /// A stop near a coordinate.
    public struct Stop: Hashable, Sendable, Identifiable {
        /// The identifier in the source, such as "feed:stop".
        public var id: String
        /// The code shown at the stop, or an empty string.
        public var code = ""
        /// The name shown to passengers.
        public var name: String
        /// The coordinate in degrees (WGS 84): x is the longitude, y the latitude.
        public var place: Coordinate
        /// The distance in metres.
        public var meters: Double
        /// The mode of transport, or `nil` if it is unknown.
        public var mode: TransitMode?
        /// The platform, or an empty string.
        public var platform = ""

        /// Creates a stop.
        public init(id: String, name: String, place: Coordinate, meters: Double) {
            self.id = id
            self.name = name
            self.place = place
            self.meters = meters
        }

        /// Orders stops by distance, then by name and identifier.
        static func isBefore(_ a: NearbyStops.Stop, _ b: NearbyStops.Stop) -> Bool {
            (a.meters, a.name, a.id) < (b.meters, b.name, b.id)
        }
    }
}

/// The result of a search for nearby stops.
public struct NearbyStops: Hashable, Sendable {
    /// The kind of distance.
    public enum Distance: Hashable, Sendable {
        /// The straight distance.
        case straight
        /// The walking distance.
        case walking
    }

    /// The stops, nearest first.
    public var stops: [NearbyStops.Stop]
    /// The search radius in metres, which may be smaller than the requested one if a service limits it.
    public var meters: Double
    /// The kind of distance.
    public var distance: Distance
    /// The name of the finder.
    public var source: String
    /// The number of stops omitted because they were invalid.
    public var skippedCount = 0
    /// Whether there are more stops than listed.
    public var isCut = false

    /// Creates a result, and sorts the stops.
    public init(_ stops: [NearbyStops.Stop], within meters: Double, distance: Distance, source: String) {
        self.stops = stops.sorted(by: NearbyStops.Stop.isBefore)
        self.meters = meters
        self.distance = distance
        self.source = source
    }
}

extension NearbyStops {
    /// An arrival of a vehicle at a stop.
    public struct Arrival: Hashable, Sendable {
        /// The line name, such as "9".
        public var line: String
        /// The destination.
        public var headsign = ""
        /// The mode of transport, or `nil` if it is unknown.
        public var mode: TransitMode?
        /// The line colour as RRGGBB, or `nil`.
        public var color: UInt32?
        /// The scheduled arrival time, or the departure time if the vehicle waits.
        public var scheduled: Date
        /// The expected time, or `nil` without live data.
        public var estimated: Date?
        /// Whether the trip or the stop is cancelled.
        public var isCanceled = false
        /// The identifier of the trip, or `nil`.
        public var trip: String?

        /// Creates an arrival.
        public init(line: String, scheduled: Date) {
            self.line = line
            self.scheduled = scheduled
        }

        /// The expected time, or the scheduled one without live data.
        public var time: Date { estimated ?? scheduled }
        /// The delay in seconds, negative if early, or `nil` without live data.
        public var delay: TimeInterval? { estimated.map { $0.timeIntervalSince(scheduled) } }

        static func isBefore(_ a: NearbyStops.Arrival, _ b: NearbyStops.Arrival) -> Bool {
            (a.time, a.line, a.headsign, a.trip ?? "") < (b.time, b.line, b.headsign, b.trip ?? "")
        }
    }
}

/// The reason why stops or arrivals are not available.
public enum StopFinderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The coordinate is not on the earth, or the radius is invalid.
    case invalidPlace
    /// No stop has this identifier.
    case unknownStop(String)
    /// The timetable only covers these days.
    case uncovered(ClosedRange<ServiceDay>?)
    /// The service failed, refused the request or sent an invalid response.
    case service(RoutingError)

    /// A one-line message.
    public var description: String {
        switch self {
        case .invalidPlace: "a stop search needs a coordinate on earth and a radius"
        case .unknownStop(let id): "unknown stop \(ReadableText.line(id.debugDescription, limit: 100))"
        case .uncovered(let days?): "the timetable covers \(days.lowerBound) to \(days.upperBound) only"
        case .uncovered(nil): "the timetable covers no date"
        case .service(let error): "\(error)"
        }
    }

    /// Whether the task was cancelled.
    public var isCancellation: Bool { self == .service(.cancelled) }

    /// Whether the service failed rather than the question, so that another one may be asked.
    var isOutage: Bool {
        switch self {
        case .invalidPlace, .unknownStop: false
        case .uncovered: true
        case .service(let error):
            switch error {
            case .fetch, .malformed, .unsupported, .refused: true
            default: false
            }
        }
    }
}

/// A finder with a fallback, such as an older server version or a local timetable.
public struct FallbackStopFinder: StopFinder {
    /// The primary finder.
    public var first: any StopFinder
    /// The fallback.
    public var second: any StopFinder

    /// Creates a finder.
    public init(_ first: any StopFinder, or second: any StopFinder) {
        self.first = first
        self.second = second
    }

    /// The name of the primary finder.
    public var name: String { first.name }

    /// Returns the stops of the primary finder, or of the fallback if the primary is unavailable.
    public func stops(near center: Coordinate, within meters: Double) async throws(StopFinderError) -> NearbyStops {
        do { return try await first.stops(near: center, within: meters) } catch {
            guard error.isOutage else { throw error }
            return try await second.stops(near: center, within: meters)
        }
    }

    /// Returns the arrivals of the primary finder, or of the fallback if the primary is unavailable.
    public func arrivals(
        at stop: String, from time: Date, limit: Int
    ) async throws(StopFinderError) -> [NearbyStops.Arrival] {
        do { return try await first.arrivals(at: stop, from: time, limit: limit) } catch {
            guard error.isOutage else { throw error }
            return try await second.arrivals(at: stop, from: time, limit: limit)
        }
    }
}
