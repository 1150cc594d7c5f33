public import Foundation

/// A way through a timetable: walks and rides in turn.
public struct Journey: Hashable, Sendable {
    /// Walks and rides, in order.
    public var legs: [Leg]
    /// When one sets out: as late as the journey allows.
    public var departure: Date
    /// When one is there.
    public var arrival: Date

    /// A part of a journey.
    public enum Leg: Hashable, Sendable {
        /// On foot.
        case walk(Walk)
        /// In a vehicle.
        case ride(Ride)
    }

    /// A way on foot.
    public struct Walk: Hashable, Sendable {
        /// From where to where.
        public var from: JourneyPlace, to: JourneyPlace
        /// How long it is.
        public var meters: Double
        /// How long it takes.
        public var seconds: Int
        /// When it begins.
        public var departure: Date
        /// When it ends.
        public var arrival: Date { departure.addingTimeInterval(Double(seconds)) }
    }

    /// A way in a vehicle.
    public struct Ride: Hashable, Sendable {
        /// The line, as an index of ``Timetable/lines``.
        public var line: Int
        /// The direction, 0 or 1, or `nil`.
        public var direction: Int?
        /// The trip, by its number in the timetable (-1 where it was added) and its identifier.
        public var trip: Int, tripID: String
        /// Whether it is not in the timetable, but was told of live.
        public var isAdded: Bool { trip < 0 }
        /// The day on which it began.
        public var day: ServiceDay
        /// What the vehicle shows where it is boarded.
        public var headsign: String
        /// Whether passengers sit in the vehicle already, since it ran the trip of the leg before.
        public var staysSeated: Bool
        /// The least seconds from leaving the vehicle before to boarding this one, where the feed tells them, or `nil`.
        public var minimumTransferTime: Int?
        /// How far apart trips run whose times are not exact, in seconds, or `nil`.
        public var headway: Int?
        /// Where it stops: where one boards first, where one leaves last.
        public var calls: [Call]

        /// The index of the stop where one boards.
        public var board: Int { calls[0].stop }
        /// The index of the stop where one leaves.
        public var alight: Int { calls[calls.count - 1].stop }
        /// When it leaves, by what is known.
        public var departure: Date { calls[0].expectedDeparture ?? calls[0].departure }
        /// When it arrives, by what is known.
        public var arrival: Date { calls[calls.count - 1].expectedArrival ?? calls[calls.count - 1].arrival }
        /// The number of stops from the first on, the last included.
        public var stopCount: Int { calls.dropFirst().count { !$0.isSkipped } }
    }

    /// A vehicle at a stop.
    public struct Call: Hashable, Sendable {
        /// The stop, as an index of ``Timetable/stops``.
        public var stop: Int
        /// When it arrives by the timetable.
        public var arrival: Date
        /// When it departs by the timetable.
        public var departure: Date
        /// When it is expected to arrive, where something is known.
        public var expectedArrival: Date?
        /// When it is expected to depart, where something is known.
        public var expectedDeparture: Date?
        /// Whether it passes without stopping.
        public var isSkipped = false
    }

    /// The rides, in order.
    public var rides: [Ride] {
        legs.compactMap { if case .ride(let ride) = $0 { ride } else { nil } }
    }

    /// How often one changes; staying seated is no change.
    public var transfers: Int { max(0, rides.count { !$0.staysSeated } - 1) }
    /// How far one walks, in metres.
    public var walkMeters: Double { legs.reduce(0) { if case .walk(let walk) = $1 { $0 + walk.meters } else { $0 } } }
    /// How long one walks and rides, in seconds, without waiting.
    public var movingSeconds: Int {
        legs.reduce(0) { sum, leg in
            switch leg {
            case .walk(let walk): sum + walk.seconds
            case .ride(let ride): sum + Int(ride.arrival.timeIntervalSince(ride.departure))
            }
        }
    }

    /// What makes one journey better than another.
    public enum Ranking: Hashable, Sendable {
        /// Who is there first; of those who are there at one time, who changes less and sets out later.
        case arrival
        /// Who walks and rides least, as Q-Bus had it; then who is there first.
        case moving
    }
}

extension Sequence<Journey> {
    /// The journeys, the best first.
    public func ranked(by ranking: Journey.Ranking) -> [Journey] {
        sorted { a, b in
            switch ranking {
            case .arrival: (a.arrival, a.transfers, b.departure) < (b.arrival, b.transfers, a.departure)
            case .moving: (a.movingSeconds, a.arrival) < (b.movingSeconds, b.arrival)
            }
        }
    }
}
