/// The travel times and distances between all pairs of places.
///
/// The two directions of a pair may differ, as with one-way streets, and a route may be missing.
public struct TravelMatrix: Hashable, Sendable {
    /// The number of places.
    public let count: Int

    // Rows are origins; −1 means that there is no route.
    private var durations: [Double]
    private var distances: [Double]

    /// The maximum number of places.
    public static let maximumCount = 5000

    /// Creates a matrix without routes, except from each place to itself.
    ///
    /// - Parameter count: the number of places, at most ``maximumCount``.
    public init(count: Int) {
        precondition((0...TravelMatrix.maximumCount).contains(count), "a matrix of 0 to 5000 places")
        self.count = count
        durations = Array(repeating: -1, count: count * count)
        distances = durations
        for place in 0..<count {
            durations[place * count + place] = 0
            distances[place * count + place] = 0
        }
    }

    /// Creates a matrix from rows, one for each origin; `nil` means that there is no route.
    ///
    /// - Throws: ``RoutingError`` if rows are missing or have different lengths, or if a value is negative.
    public init(durations: [[Double?]], distances: [[Double?]]) throws(RoutingError) {
        guard durations.count <= TravelMatrix.maximumCount else {
            throw .invalidMatrix("more than \(TravelMatrix.maximumCount) rows")
        }
        self.init(count: durations.count)
        guard distances.count == count else { throw .invalidMatrix("\(count) and \(distances.count) rows") }
        for from in 0..<count {
            guard durations[from].count == count, distances[from].count == count else {
                throw .invalidMatrix("row \(from + 1) must have \(count) columns")
            }
            for to in 0..<count where to != from {
                let (duration, distance) = (durations[from][to], distances[from][to])
                guard (duration ?? 0) >= 0, (distance ?? 0) >= 0, (duration ?? 0) < 1e9, (distance ?? 0) < 1e9 else {
                    throw .invalidMatrix("invalid length from \(from + 1) to \(to + 1)")
                }
                if let duration, let distance { set(from: from, to: to, duration: duration, distance: distance) }
            }
        }
    }

    /// Returns the travel time between two places in seconds, or `nil` if there is no route.
    public func duration(from: Int, to: Int) -> Double? { Self.known(durations[from * count + to]) }

    /// Returns the distance between two places in metres, or `nil` if there is no route.
    public func distance(from: Int, to: Int) -> Double? { Self.known(distances[from * count + to]) }

    /// Sets the travel time and the distance between two places.
    ///
    /// - Parameters:
    ///   - duration: the time in seconds, below 10⁹.
    ///   - distance: the distance in metres, below 10⁹.
    public mutating func set(from: Int, to: Int, duration: Double, distance: Double) {
        precondition(
            (0..<1e9).contains(duration) && (0..<1e9).contains(distance), "a way of 0 to a thousand million")
        durations[from * count + to] = duration
        distances[from * count + to] = distance
    }

    private static func known(_ value: Double) -> Double? { value < 0 ? nil : value }
}

extension TravelMatrix {
    /// The objective of an order: time, distance or a weighted sum.
    public struct Objective: Hashable, Sendable {
        /// The cost of a second.
        public let perSecond: Double
        /// The cost of a metre.
        public let perMeter: Double

        /// Creates an objective.
        ///
        /// The weights are from 0 to 1,000,000 and not both zero.
        public init(perSecond: Double, perMeter: Double) {
            precondition(
                (0...1e6).contains(perSecond) && (0...1e6).contains(perMeter) && perSecond + perMeter > 0,
                "weights must be from 0 to 1,000,000, and not both zero")
            self.perSecond = perSecond
            self.perMeter = perMeter
        }

        /// The shortest time.
        public static let time = TravelMatrix.Objective(perSecond: 1, perMeter: 0)
        /// The shortest distance.
        public static let distance = TravelMatrix.Objective(perSecond: 0, perMeter: 1)
    }
}

extension TravelMatrix {
    /// The variation of travel times by hour of the day.
    public struct TrafficProfile: Hashable, Sendable {
        /// A factor for each hour from midnight; 1 leaves travel times unchanged.
        public let factors: [Double]

        /// The departure time in seconds after midnight.
        public let departure: Double

        /// Creates a profile from 24 factors.
        ///
        /// - Throws: ``RoutingError`` if there are not exactly 24 factors from 0.01 to 100.
        public init(factors: [Double], departure: Double) throws(RoutingError) {
            guard factors.count == 24, factors.allSatisfy({ (0.01...100).contains($0) }) else {
                throw .invalidItinerary("traffic needs 24 factors from 0.01 to 100, one for each hour")
            }
            guard departure >= 0, departure < 1e9 else {
                throw .invalidItinerary("the departure must be a number of seconds after midnight")
            }
            self.factors = factors
            self.departure = departure
        }

        /// Returns the travel time of a route under this profile.
        ///
        /// The speed changes with each full hour, so a later departure never leads to an earlier arrival.
        ///
        /// - Parameters:
        ///   - leaving: the start in seconds after the departure.
        ///   - duration: the travel time in seconds at a factor of 1.
        public func duration(leaving: Double, _ duration: Double) -> Double {
            // The progress in 24 hours does not depend on the start time.
            let day = factors.reduce(0) { $0 + 3600 / $1 }
            let days = (duration / day).rounded(.down)
            var rest = duration - days * day
            var clock = departure + leaving + days * 86_400
            while true {
                let hour = (clock / 3600).rounded(.down)
                let factor = factors[Int(hour.truncatingRemainder(dividingBy: 24))]
                let untilNext = (hour + 1) * 3600 - clock
                if rest * factor <= untilNext { return clock + rest * factor - departure - leaving }
                rest -= untilNext / factor
                clock = (hour + 1) * 3600
            }
        }

        /// The smallest factor of any hour.
        var leastFactor: Double { factors.min() ?? 1 }
    }
}
