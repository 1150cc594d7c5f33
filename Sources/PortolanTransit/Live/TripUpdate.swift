public import Foundation

/// A live update of a trip: its delay or cancellation, or an added trip (GTFS Realtime, TripUpdate).
public struct TripUpdate: Hashable, Sendable {
    /// The kind of update.
    public enum Change: Hashable, Sendable {
        /// The trip runs, with the times of ``TripUpdate/stops``.
        case scheduled
        /// The trip does not run.
        case canceled
        /// The trip is not in the timetable.
        ///
        /// It has its own stops and times, or copies another trip (``TripUpdate/copyOf``).
        case added
    }

    /// The trip.
    public var trip: TripReference
    /// The kind of update.
    public var change: Change
    /// The updates of its stops in order.
    ///
    /// A delay holds until the next stop in the list.
    public var stops: [StopTime]
    /// The delay if no stop gives one; negative if the trip is early.
    public var delay: Duration?
    /// For added trips: the scheduled trip that this one copies, shifted to its own start time.
    public var copyOf: String?
    /// For added trips: the headsign.
    public var headsign: String?
    /// The identifier of the vehicle, or `nil`.
    public var vehicle: String?
    /// The time of the update, or `nil`.
    public var time: Date?

    /// Creates an update.
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

    /// The update of a trip at a stop.
    public struct StopTime: Hashable, Sendable {
        /// The kind of stop update.
        public enum Change: Hashable, Sendable {
            /// The vehicle stops, at the given times.
            case scheduled
            /// The vehicle does not stop here.
            case skipped
            /// No live data are available from this stop on.
            case unknown
        }

        /// The `stop_sequence` of the stop, or `nil`.
        public var sequence: Int?
        /// The identifier of the stop, or `nil`.
        public var stop: String?
        /// The kind of stop update.
        public var change: Change
        /// The arrival time, or `nil`.
        public var arrival: Time?
        /// The departure time, or `nil`.
        public var departure: Time?

        /// Creates a stop update.
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

    /// An absolute time or a delay.
    public enum Time: Hashable, Sendable {
        /// The absolute time.
        case at(Date)
        /// The delay relative to the timetable.
        case late(Duration)
    }
}

/// A reference to a trip in live messages.
public struct TripReference: Hashable, Sendable {
    /// The identifier in the timetable, or `nil` if line, direction and start identify the trip.
    public var trip: String?
    /// The identifier of the line.
    public var line: String?
    /// The direction, 0 or 1.
    public var direction: Int?
    /// The service day of the trip.
    public var day: ServiceDay?
    /// The start time, in seconds of the service day.
    public var start: Int?

    /// Creates a reference.
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
