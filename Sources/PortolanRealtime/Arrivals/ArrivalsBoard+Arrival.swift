public import Foundation
public import PortolanTransit

extension ArrivalsBoard {
    /// A vehicle on an arrivals board.
    public struct Arrival: Hashable, Sendable {
        /// The identifier of the stop.
        public var stop: String
        /// The identifier of the line.
        public var line: String?
        /// The line label on the vehicle, such as "3T".
        public var label: String
        /// The destination shown on the vehicle.
        public var destination: String
        /// The direction, 0 or 1.
        public var direction: Int?
        /// The scheduled arrival time.
        public var planned: Date?
        /// The expected arrival time.
        public var expected: Date?
        /// The expected departure time.
        public var expectedDeparture: Date?
        /// Whether the trip or the stop is cancelled.
        public var isCancelled = false
        /// The trip.
        public var trip: TripReference?
        /// The vehicle.
        public var vehicle: String?
        /// The position of the stop in the trip.
        public var order: Int?
        /// The time of the report.
        public var time: Date?

        /// Creates an arrival.
        public init(stop: String, label: String, destination: String) {
            self.stop = stop
            self.label = label
            self.destination = destination
        }

        /// The expected arrival time, or the scheduled one without live data.
        public var best: Date? { expected ?? planned }

        /// The delay if both times are known; negative if the vehicle is early.
        public var delay: Duration? {
            guard let planned, let expected else { return nil }
            let seconds = expected.timeIntervalSince(planned)
            return abs(seconds) < 1e9 ? .seconds(Int(seconds.rounded())) : nil
        }
    }
}

/// The arrivals at a stop.
public struct ArrivalsBoard: Hashable, Sendable {
    /// The identifier of the stop.
    public var stop: String
    /// The name of the stop.
    public var name: String
    /// The street, or an empty string.
    public var street = ""
    /// The city, or an empty string.
    public var city = ""
    /// The arrivals in order of time.
    public var arrivals: [ArrivalsBoard.Arrival] = []

    /// Creates a board.
    public init(stop: String, name: String) {
        self.stop = stop
        self.name = name
    }

    /// The arrivals grouped by direction, for example for tabs.
    public var byDirection: [(direction: Int?, arrivals: [ArrivalsBoard.Arrival])] {
        Dictionary(grouping: arrivals, by: \.direction).sorted { ($0.key ?? -1) < ($1.key ?? -1) }
            .map { ($0.key, $0.value) }
    }

    /// Returns the board as lines of text: a title, then one line for each arrival.
    ///
    /// - Parameter now: the time from which minutes are counted.
    public func lines(now: Date, in language: LiveLanguage) -> [String] {
        let title = language.text(.arrivalsAt, ["stop": name])
        guard !arrivals.isEmpty else { return [title, language[.noArrivals]] }
        return [title]
            + arrivals.map { arrival in
                let when =
                    arrival.isCancelled
                    ? language[.cancelled]
                    : arrival.best.map { language.arrival(in: $0.timeIntervalSince(now)) } ?? "–"
                return "\(arrival.label) \(arrival.destination): \(when)"
            }
    }
}
