public import Foundation
public import PortolanTransit

/// A vehicle that comes to a stop, as a board tells it.
public struct LiveArrival: Hashable, Sendable {
    /// The identifier of the stop.
    public var stop: String
    /// The identifier of the line.
    public var line: String?
    /// What riders read on the vehicle, as "3T".
    public var label: String
    /// Where it goes, as it shows.
    public var destination: String
    /// The direction, 0 or 1.
    public var direction: Int?
    /// When it arrives by its timetable.
    public var planned: Date?
    /// When it will arrive.
    public var expected: Date?
    /// When it will depart.
    public var expectedDeparture: Date?
    /// Whether it does not come.
    public var isCancelled = false
    /// The trip.
    public var trip: TripReference?
    /// The vehicle.
    public var vehicle: String?
    /// The place of the stop in the trip.
    public var order: Int?
    /// When this was known.
    public var time: Date?

    /// Makes an arrival.
    public init(stop: String, label: String, destination: String) {
        self.stop = stop
        self.label = label
        self.destination = destination
    }

    /// When it comes, as far as is known.
    public var best: Date? { expected ?? planned }

    /// How late it is, where both times are known; negative when early.
    public var delay: Duration? {
        guard let planned, let expected else { return nil }
        let seconds = expected.timeIntervalSince(planned)
        return abs(seconds) < 1e9 ? .seconds(Int(seconds.rounded())) : nil
    }
}

/// The arrivals at a stop.
public struct ArrivalsBoard: Hashable, Sendable {
    /// The identifier of the stop.
    public var stop: String
    /// Its name.
    public var name: String
    /// Its street, or nothing.
    public var street = ""
    /// Its city, or nothing.
    public var city = ""
    /// What comes, in the order of time.
    public var arrivals: [LiveArrival] = []

    /// Makes a board.
    public init(stop: String, name: String) {
        self.stop = stop
        self.name = name
    }

    /// What comes in each direction: one list where all is of one, as two tabs else.
    public var byDirection: [(direction: Int?, arrivals: [LiveArrival])] {
        Dictionary(grouping: arrivals, by: \.direction).sorted { ($0.key ?? -1) < ($1.key ?? -1) }
            .map { ($0.key, $0.value) }
    }

    /// The board as lines of text: a title, then a line for each arrival.
    ///
    /// - Parameter now: the time from which minutes count.
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
