public import Foundation
public import PortolanGeo
public import PortolanRouting
import PortolanWeb

/// Finds stops around a place, and tells what comes to them: a service, or a timetable on this machine.
public protocol StopFinder: Sendable {
    /// What it is called in messages.
    var name: String { get }

    /// The stops within so many metres of a place, the nearest first.
    ///
    /// - Parameter center: longitude and latitude in degrees (WGS 84).
    /// - Throws: ``StopFinderError``.
    func stops(near center: Coordinate, within meters: Double) async throws(StopFinderError) -> NearbyStops

    /// What comes next to a stop, the soonest first.
    ///
    /// - Parameters:
    ///   - stop: the identifier of a stop as ``stops(near:within:)`` tells it.
    ///   - time: from when on.
    ///   - limit: the most that are wanted.
    /// - Throws: ``StopFinderError``, ``StopFinderError/unknownStop(_:)`` among them.
    func arrivals(at stop: String, from time: Date, limit: Int) async throws(StopFinderError) -> [StopArrival]
}

/// A stop near a place.
public struct NearbyStop: Hashable, Sendable, Identifiable {
    /// The identifier at who knows it, as "feed:stop".
    public var id: String
    /// The code that riders read at the stop, or nothing.
    public var code = ""
    /// The name that riders know.
    public var name: String
    /// Longitude and latitude in degrees (WGS 84).
    public var place: Coordinate
    /// How far it is in metres.
    public var meters: Double
    /// What stops there, where that is known.
    public var mode: TransitMode?
    /// The platform, or nothing.
    public var platform = ""

    /// Makes a stop.
    public init(id: String, name: String, place: Coordinate, meters: Double) {
        self.id = id
        self.name = name
        self.place = place
        self.meters = meters
    }

    /// Whether one stop comes before another: by distance, then by name and identifier.
    static func isBefore(_ a: NearbyStop, _ b: NearbyStop) -> Bool {
        (a.meters, a.name, a.id) < (b.meters, b.name, b.id)
    }
}

/// The stops near a place, and how they were looked for.
public struct NearbyStops: Hashable, Sendable {
    /// How distances are measured.
    public enum Distance: Hashable, Sendable {
        /// Along the shortest line.
        case straight
        /// On foot, along ways.
        case walking
    }

    /// The stops, the nearest first.
    public var stops: [NearbyStop]
    /// Within how many metres they were looked for: what was asked for, or less where a service looks no farther.
    public var meters: Double
    /// How their distances are measured.
    public var distance: Distance
    /// Who found them.
    public var source: String
    /// How many stops of the answer could not be read, and were left out.
    public var skippedCount = 0
    /// Whether there are more stops than are listed.
    public var isCut = false

    /// Makes an answer; the stops are put in order.
    public init(_ stops: [NearbyStop], within meters: Double, distance: Distance, source: String) {
        self.stops = stops.sorted(by: NearbyStop.isBefore)
        self.meters = meters
        self.distance = distance
        self.source = source
    }
}

/// A vehicle that comes to a stop.
public struct StopArrival: Hashable, Sendable {
    /// The name of its line, as "9".
    public var line: String
    /// Where it goes.
    public var headsign = ""
    /// What runs.
    public var mode: TransitMode?
    /// The line's colour as RRGGBB, or `nil`.
    public var color: UInt32?
    /// When it comes by the timetable; where a vehicle waits, when it leaves.
    public var scheduled: Date
    /// When it comes as far as it is known now, or `nil` where only the timetable is known.
    public var estimated: Date?
    /// Whether it does not come.
    public var isCanceled = false
    /// The identifier of its trip, or `nil`.
    public var trip: String?

    /// Makes an arrival.
    public init(line: String, scheduled: Date) {
        self.line = line
        self.scheduled = scheduled
    }

    /// When it comes, as well as it is known.
    public var time: Date { estimated ?? scheduled }
    /// How late it is in seconds, negative when early; `nil` where only the timetable is known.
    public var delay: TimeInterval? { estimated.map { $0.timeIntervalSince(scheduled) } }

    static func isBefore(_ a: StopArrival, _ b: StopArrival) -> Bool {
        (a.time, a.line, a.headsign, a.trip ?? "") < (b.time, b.line, b.headsign, b.trip ?? "")
    }
}

/// Why there are no stops or arrivals.
public enum StopFinderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place is nowhere on earth, or the radius no length.
    case invalidPlace
    /// There is no stop of that identifier.
    case unknownStop(String)
    /// The timetable tells of other days only, from the first to the last of these.
    case uncovered(ClosedRange<ServiceDay>?)
    /// The service cannot be asked, refuses, or answers without sense.
    case service(RoutingError)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .invalidPlace: "stops are looked for around a place on earth, within a length"
        case .unknownStop(let id): "there is no stop \(ReadableText.line(id.debugDescription, limit: 100))"
        case .uncovered(let days?): "the timetable tells of \(days.lowerBound) to \(days.upperBound) only"
        case .uncovered(nil): "the timetable tells of no day"
        case .service(let error): "\(error)"
        }
    }

    /// Whether the task was cancelled.
    public var isCancellation: Bool { self == .service(.cancelled) }

    /// Whether the service, and not the question, is at fault, so that another one may be asked.
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

/// A finder with another one behind it, for when it cannot be asked: a server of an older version, or a timetable on this machine.
public struct FallbackStopFinder: StopFinder {
    /// The one that is asked first.
    public var first: any StopFinder
    /// The one that answers where the first cannot.
    public var second: any StopFinder

    /// Makes a finder.
    public init(_ first: any StopFinder, or second: any StopFinder) {
        self.first = first
        self.second = second
    }

    /// The name of the first.
    public var name: String { first.name }

    /// The stops that the first finds, or else the second.
    public func stops(near center: Coordinate, within meters: Double) async throws(StopFinderError) -> NearbyStops {
        do { return try await first.stops(near: center, within: meters) } catch {
            guard error.isOutage else { throw error }
            return try await second.stops(near: center, within: meters)
        }
    }

    /// The arrivals that the first tells, or else the second.
    public func arrivals(
        at stop: String, from time: Date, limit: Int
    ) async throws(StopFinderError) -> [StopArrival] {
        do { return try await first.arrivals(at: stop, from: time, limit: limit) } catch {
            guard error.isOutage else { throw error }
            return try await second.arrivals(at: stop, from: time, limit: limit)
        }
    }
}
