public import Foundation
public import PortolanGeo

/// Where a journey begins or ends.
public enum JourneyPlace: Hashable, Sendable {
    /// A stop, or any stop of a station, as an index of ``Timetable/stops``.
    case stop(Int)
    /// Any of several stops, as those of both sides of a street, as indices of ``Timetable/stops``.
    case stops([Int])
    /// A place, by longitude and latitude in degrees (WGS 84).
    case place(Coordinate)
}

extension JourneyPlace {
    /// The stops, as indices of ``Timetable/stops``; none for a place.
    var stops: [Int] {
        switch self {
        case .stop(let stop): [stop]
        case .stops(let stops): stops
        case .place: []
        }
    }

    /// Where it lies, in degrees (WGS 84): of several stops, where the first of them lies.
    ///
    /// - Returns: `nil` for a stop without a place, and for one that is not in the timetable.
    public func coordinate(in timetable: Timetable) -> Coordinate? {
        if case .place(let place) = self { return place }
        return stops.first.flatMap { timetable.stops.indices.contains($0) ? timetable.stops[$0].place : nil }
    }
}

/// What is asked of a ``JourneyPlanner``.
public struct JourneyQuery: Hashable, Sendable {
    /// When.
    public enum Time: Hashable, Sendable {
        /// Not before this time.
        case departing(Date)
        /// Not after this time.
        case arriving(Date)
    }

    /// Where from and where to.
    public var from: JourneyPlace, to: JourneyPlace
    /// When.
    public var time: Time
    /// The most changes of vehicle, 0 to 15.
    public var maximumTransfers: Int
    /// The longest time from the asked departure to the arrival, or from the departure to the asked arrival, in seconds; at most a
    /// day.
    public var maximumSeconds: Int

    /// Makes a query.
    public init(
        from: JourneyPlace, to: JourneyPlace, time: Time, maximumTransfers: Int = 4, maximumSeconds: Int = 86_400
    ) {
        self.from = from
        self.to = to
        self.time = time
        self.maximumTransfers = maximumTransfers
        self.maximumSeconds = maximumSeconds
    }

    /// The most rides.
    var mostRides: Int { min(max(maximumTransfers, 0), 15) + 1 }
    /// The longest time.
    var longest: Int32 { Int32(min(max(maximumSeconds, 0), 86_400)) }
}

/// Why no journey can be looked for.
public enum JourneyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no stop of this index.
    case noSuchStop(Int)
    /// A place is nowhere on earth.
    case nowhere
    /// Neither a stop nor the other end lies within reach of a place on foot, in metres.
    case noStopNear(Coordinate, meters: Double)
    /// The time is outside of the years 1900 to 2200.
    case impossibleTime

    /// A sentence for people.
    public var description: String {
        switch self {
        case .noSuchStop(let index): "the timetable has no stop \(index)"
        case .nowhere: "a place is nowhere on earth"
        case .noStopNear(let place, let meters):
            "no stop lies within \(Int(min(meters, 1e9))) m of \(place.x), \(place.y)"
        case .impossibleTime: "the time is outside of the years 1900 to 2200"
        }
    }
}
