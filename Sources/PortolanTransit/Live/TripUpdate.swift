public import Foundation

/// What became of a trip of the timetable: how late it is, or that it does not run (GTFS Realtime, TripUpdate).
public struct TripUpdate: Hashable, Sendable {
    /// What became of the trip.
    public enum Change: Hashable, Sendable {
        /// It runs by its timetable, with the times of ``TripUpdate/stops``.
        case scheduled
        /// It does not run.
        case canceled
        /// It is not in the timetable: its stops and their times are told, or it is a copy of another (``TripUpdate/copyOf``).
        case added
    }

    /// Which trip.
    public var trip: TripReference
    /// What became of it.
    public var change: Change
    /// What becomes of it at its stops, in their order; a delay holds until the next one that is told.
    public var stops: [StopTime]
    /// How late it is where no stop tells; negative when early.
    public var delay: Duration?
    /// Of an added trip: the trip of the timetable of which it is a copy, which runs as that does from its own start on.
    public var copyOf: String?
    /// Of an added trip: what the vehicle shows.
    public var headsign: String?
    /// The vehicle, or `nil`.
    public var vehicle: String?
    /// When it was known.
    public var time: Date?

    /// Makes an update.
    public init(
        trip: TripReference, change: Change = .scheduled, stops: [StopTime] = [], delay: Duration? = nil,
        vehicle: String? = nil, time: Date? = nil
    ) {
        self.trip = trip
        self.change = change
        self.stops = stops
        self.delay = delay
        self.vehicle = vehicle
        self.time = time
    }

    /// What becomes of a trip at a stop.
    public struct StopTime: Hashable, Sendable {
        /// Kinds of news.
        public enum Change: Hashable, Sendable {
            /// It stops, at the times told.
            case scheduled
            /// It does not stop here.
            case skipped
            /// Nothing is known from here on.
            case unknown
        }

        /// The place in the trip as `stop_sequence` has it, or `nil`.
        public var sequence: Int?
        /// The identifier of the stop, or `nil`.
        public var stop: String?
        /// Kind of news.
        public var change: Change
        /// When it arrives.
        public var arrival: Time?
        /// When it departs.
        public var departure: Time?

        /// Makes news of a stop.
        public init(
            sequence: Int? = nil, stop: String? = nil, change: Change = .scheduled, arrival: Time? = nil,
            departure: Time? = nil
        ) {
            self.sequence = sequence
            self.stop = stop
            self.change = change
            self.arrival = arrival
            self.departure = departure
        }
    }

    /// A time, told by itself or by how late it is.
    public enum Time: Hashable, Sendable {
        /// The time itself.
        case at(Date)
        /// How much later than in the timetable.
        case late(Duration)
    }
}

/// A trip as messages name it.
public struct TripReference: Hashable, Sendable {
    /// The identifier in the timetable, or `nil` where line, direction and start tell which.
    public var trip: String?
    /// The identifier of the line.
    public var line: String?
    /// The direction, 0 or 1.
    public var direction: Int?
    /// The day on which it began.
    public var day: ServiceDay?
    /// When it begins, in seconds of the service day.
    public var start: Int?

    /// Makes a reference.
    public init(
        trip: String? = nil, line: String? = nil, direction: Int? = nil, day: ServiceDay? = nil, start: Int? = nil
    ) {
        self.trip = trip
        self.line = line
        self.direction = direction
        self.day = day
        self.start = start
    }
}
