/// How long it takes, and how far it is, from each of some places to each other.
///
/// Both directions may differ, as with one-way streets, and there may be no way.
public struct TravelMatrix: Hashable, Sendable {
    /// The number of places.
    public let count: Int

    // By rows, as they are left; −1 where there is no way.
    private var durations: [Double]
    private var distances: [Double]

    /// The most places there may be.
    public static let maximumCount = 5000

    /// A matrix of which nothing is known yet: no ways but those from a place to itself.
    ///
    /// - Parameter count: at most ``maximumCount``.
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

    /// A matrix of rows, a row for each place that is left; `nil` where there is no way.
    ///
    /// - Throws: ``RoutingError`` where rows are missing or of different lengths, or a number is less than zero.
    public init(durations: [[Double?]], distances: [[Double?]]) throws(RoutingError) {
        guard durations.count <= TravelMatrix.maximumCount else {
            throw .invalidMatrix("it has more than \(TravelMatrix.maximumCount) rows")
        }
        self.init(count: durations.count)
        guard distances.count == count else { throw .invalidMatrix("it has \(count) and \(distances.count) rows") }
        for from in 0..<count {
            guard durations[from].count == count, distances[from].count == count else {
                throw .invalidMatrix("row \(from + 1) has not \(count) columns")
            }
            for to in 0..<count where to != from {
                let (duration, distance) = (durations[from][to], distances[from][to])
                guard (duration ?? 0) >= 0, (distance ?? 0) >= 0, (duration ?? 0) < 1e9, (distance ?? 0) < 1e9 else {
                    throw .invalidMatrix("the way from \(from + 1) to \(to + 1) is of an impossible length")
                }
                if let duration, let distance { set(from: from, to: to, duration: duration, distance: distance) }
            }
        }
    }

    /// The seconds from one place to another, or `nil` where there is no way.
    public func duration(from: Int, to: Int) -> Double? { Self.known(durations[from * count + to]) }

    /// The metres from one place to another, or `nil` where there is no way.
    public func distance(from: Int, to: Int) -> Double? { Self.known(distances[from * count + to]) }

    /// States a way.
    ///
    /// - Parameters:
    ///   - duration: in seconds, below a thousand million.
    ///   - distance: in metres, below a thousand million.
    public mutating func set(from: Int, to: Int, duration: Double, distance: Double) {
        precondition(
            (0..<1e9).contains(duration) && (0..<1e9).contains(distance), "a way of 0 to a thousand million")
        durations[from * count + to] = duration
        distances[from * count + to] = distance
    }

    private static func known(_ value: Double) -> Double? { value < 0 ? nil : value }
}

/// What an order of places is to be good at: time, distance, or both weighed.
public struct Objective: Hashable, Sendable {
    /// What a second costs.
    public let perSecond: Double
    /// What a metre costs.
    public let perMeter: Double

    /// Makes an objective of weights from 0 to a million, not both zero.
    public init(perSecond: Double, perMeter: Double) {
        precondition(
            (0...1e6).contains(perSecond) && (0...1e6).contains(perMeter) && perSecond + perMeter > 0,
            "weights must be from 0 to a million, and not both be zero")
        self.perSecond = perSecond
        self.perMeter = perMeter
    }

    /// The least time.
    public static let time = Objective(perSecond: 1, perMeter: 0)
    /// The shortest way.
    public static let distance = Objective(perSecond: 0, perMeter: 1)
}

/// How much longer ways take by the hour of the day.
public struct TrafficProfile: Hashable, Sendable {
    /// A factor for each hour from midnight on: 1 where ways take as long as the matrix says.
    public let factors: [Double]

    /// When the departure is, in seconds after midnight.
    public let departure: Double

    /// Makes a profile of 24 factors above zero.
    ///
    /// - Throws: ``RoutingError`` for another number of them, and for factors below 0.01 or above 100.
    public init(factors: [Double], departure: Double) throws(RoutingError) {
        guard factors.count == 24, factors.allSatisfy({ (0.01...100).contains($0) }) else {
            throw .invalidItinerary("traffic needs 24 factors from 0.01 to 100, one for each hour")
        }
        guard departure >= 0, departure < 1e9 else {
            throw .invalidItinerary("the departure must be some seconds after midnight")
        }
        self.factors = factors
        self.departure = departure
    }

    /// How long a way takes.
    ///
    /// Each hour lets one go on at its own pace, so that who leaves later never comes sooner.
    ///
    /// - Parameters:
    ///   - leaving: when it begins, in seconds after the departure.
    ///   - duration: how long it takes at a factor of 1, in seconds.
    public func duration(leaving: Double, _ duration: Double) -> Double {
        // A whole day lets one do the same whenever it begins.
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

    /// The least that a way takes of its duration.
    var leastFactor: Double { factors.min() ?? 1 }
}
