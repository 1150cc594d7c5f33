public import Foundation
public import PortolanGeo

extension Journey {
    /// The start or the end of a journey.
    public enum Location: Hashable, Sendable {
        /// A stop, or any stop of a station, as an index into ``Timetable/stops``.
        case stop(Int)
        /// Any of several stops, such as both sides of a street, as indices into ``Timetable/stops``.
        case stops([Int])
        /// A coordinate: longitude and latitude in degrees (WGS 84).
        case place(Coordinate)
    }
}

extension Journey.Location {
    /// The stops, as indices into ``Timetable/stops``; empty for a coordinate.
    var stops: [Int] {
        switch self {
        case .stop(let stop): [stop]
        case .stops(let stops): stops
        case .place: []
        }
    }

    /// Returns the coordinate in degrees (WGS 84), which is that of the first stop for several stops.
    ///
    /// - Returns: `nil` for a stop without a coordinate or outside of the timetable.
    public func coordinate(in timetable: Timetable) -> Coordinate? {
        if case .place(let place) = self { return place }
        return stops.first.flatMap { timetable.stops.indices.contains($0) ? timetable.stops[$0].place : nil }
    }
}

extension JourneyPlanner {
    /// A query for a ``JourneyPlanner``.
    public struct Query: Hashable, Sendable {
        /// The time condition of a query.
        public enum Time: Hashable, Sendable {
            /// Depart at this time or later.
            case departing(Date)
            /// Arrive at this time or earlier.
            case arriving(Date)
        }

        /// The start and the end.
        public var from: Journey.Location, to: Journey.Location
        /// The time condition.
        public var time: Time
        /// The maximum number of transfers, 0 to 15.
        public var maximumTransfers: Int
        /// The maximum duration in seconds from the requested departure to the arrival, or from the departure to the
        /// requested arrival; at most a day.
        public var maximumSeconds: Int

        /// Creates a query.
        public init(
            from: Journey.Location, to: Journey.Location, time: Time, maximumTransfers: Int = 4,
            maximumSeconds: Int = 86_400
        ) {
            self.from = from
            self.to = to
            self.time = time
            self.maximumTransfers = maximumTransfers
            self.maximumSeconds = maximumSeconds
        }

        /// The maximum number of rides.
        var mostRides: Int { min(max(maximumTransfers, 0), 15) + 1 }
        /// The maximum duration in seconds.
        var longest: Int32 { Int32(min(max(maximumSeconds, 0), 86_400)) }
    }
}

extension JourneyPlanner {
    /// The reason why a query is invalid.
    public enum QueryError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The timetable has no stop with this index.
        case noSuchStop(Int)
        /// A coordinate is not on the earth.
        case nowhere
        /// No stop and not the other end is within walking reach, in metres, of a coordinate.
        case noStopNear(Coordinate, meters: Double)
        /// The time is outside of the years 1900 to 2200.
        case impossibleTime

        /// A one-line message.
        public var description: String {
            switch self {
            case .noSuchStop(let index): "the timetable has no stop \(index)"
            case .nowhere: "a coordinate is outside the earth"
            case .noStopNear(let place, let meters):
                "no stop within \(Int(min(meters, 1e9))) m of \(place.x), \(place.y)"
            case .impossibleTime: "the time must be in the years 1900 to 2200"
            }
        }
    }
}
