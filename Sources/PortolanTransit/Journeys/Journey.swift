public import Foundation

/// A journey through a timetable: alternating walks and rides.
public struct Journey: Hashable, Sendable {
    /// The walks and rides in order.
    public var legs: [Leg]
    /// The departure time, as late as the journey allows.
    public var departure: Date
    /// The arrival time.
    public var arrival: Date

    /// A part of a journey.
    public enum Leg: Hashable, Sendable {
        /// A walk.
        case walk(Walk)
        /// A ride in a vehicle.
        case ride(Ride)
    }

    /// A part of a journey on foot.
    public struct Walk: Hashable, Sendable {
        /// The start and the end.
        public var from: Journey.Location, to: Journey.Location
        /// The length in metres.
        public var meters: Double
        /// The duration in seconds.
        public var seconds: Int
        /// The departure time.
        public var departure: Date
        /// The arrival time.
        public var arrival: Date { departure.addingTimeInterval(Double(seconds)) }
    }

    /// A part of a journey in a vehicle.
    public struct Ride: Hashable, Sendable {
        /// The line, as an index into ``Timetable/lines``.
        public var line: Int
        /// The direction, 0 or 1, or `nil`.
        public var direction: Int?
        /// The trip: its index in the timetable (-1 for added trips) and its identifier.
        public var trip: Int, tripID: String
        /// Whether the trip is missing from the timetable and was added by live data.
        public var isAdded: Bool { trip < 0 }
        /// The service day of the trip.
        public var day: ServiceDay
        /// The headsign at the boarding stop.
        public var headsign: String
        /// Whether passengers stay in the vehicle of the previous leg, which continues as this trip.
        public var staysSeated: Bool
        /// The feed's minimum transfer time in seconds between the previous vehicle and this one, or `nil`.
        public var minimumTransferTime: Int?
        /// The headway in seconds for trips without exact times, or `nil`.
        public var headway: Int?
        /// The calls from the boarding stop to the alighting stop, inclusive.
        public var calls: [Call]

        /// The boarding stop, as an index into ``Timetable/stops``.
        public var board: Int { calls[0].stop }
        /// The alighting stop, as an index into ``Timetable/stops``.
        public var alight: Int { calls[calls.count - 1].stop }
        /// The expected departure time, or the scheduled one without live data.
        public var departure: Date { calls[0].expectedDeparture ?? calls[0].departure }
        /// The expected arrival time, or the scheduled one without live data.
        public var arrival: Date { calls[calls.count - 1].expectedArrival ?? calls[calls.count - 1].arrival }
        /// The number of stops after boarding, including the alighting stop.
        public var stopCount: Int { calls.dropFirst().count { !$0.isSkipped } }
    }

    /// A call of a vehicle at a stop.
    public struct Call: Hashable, Sendable {
        /// The stop, as an index into ``Timetable/stops``.
        public var stop: Int
        /// The scheduled arrival time.
        public var arrival: Date
        /// The scheduled departure time.
        public var departure: Date
        /// The expected arrival time, or `nil` without live data.
        public var expectedArrival: Date?
        /// The expected departure time, or `nil` without live data.
        public var expectedDeparture: Date?
        /// Whether the vehicle passes without stopping.
        public var isSkipped = false
    }

    /// The rides in order.
    public var rides: [Ride] {
        legs.compactMap { if case .ride(let ride) = $0 { ride } else { nil } }
    }

    /// The number of transfers.
    ///
    /// Staying seated does not count.
    public var transfers: Int { max(0, rides.count { !$0.staysSeated } - 1) }
    /// The total walking distance in metres.
    public var walkMeters: Double { legs.reduce(0) { if case .walk(let walk) = $1 { $0 + walk.meters } else { $0 } } }
    /// The total walking and riding time in seconds, without waiting.
    public var movingSeconds: Int {
        legs.reduce(0) { sum, leg in
            switch leg {
            case .walk(let walk): sum + walk.seconds
            case .ride(let ride): sum + Int(ride.arrival.timeIntervalSince(ride.departure))
            }
        }
    }

    /// The sort order of journeys.
    public enum Ranking: Hashable, Sendable {
        /// Earliest arrival.
        ///
        /// Ties: fewer transfers, then later departure.
        case arrival
        /// Least walking and riding time.
        ///
        /// Ties: earlier arrival.
        case moving
    }
}

extension Sequence<Journey> {
    /// Returns the journeys sorted by a ranking, best first.
    public func ranked(by ranking: Journey.Ranking) -> [Journey] {
        sorted { a, b in
            switch ranking {
            case .arrival: (a.arrival, a.transfers, b.departure) < (b.arrival, b.transfers, a.departure)
            case .moving: (a.movingSeconds, a.arrival) < (b.movingSeconds, b.arrival)
            }
        }
    }
}
