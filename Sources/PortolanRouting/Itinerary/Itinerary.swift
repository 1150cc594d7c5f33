public import PortolanGeo

/// Places that are to be visited, and what is said about their order.
public struct Itinerary: Hashable, Sendable {
    /// The places, in the order in which they were given.
    public var places: [Place]

    /// Whether the way ends where it began.
    ///
    /// False unless told.
    public var isRoundTrip = false

    /// Whether the first place given is the first visited.
    ///
    /// True unless told.
    public var keepsFirst = true

    /// Whether the last place given is the last visited; nothing on a round trip, which ends at its first.
    ///
    /// False unless told.
    public var keepsLast = false

    /// Places that must be visited before others, as what is picked up before it is brought.
    public var precedences: [Precedence] = []

    /// The most places there may be.
    public static let maximumPlaceCount = 1000

    /// Makes an itinerary.
    public init(
        _ places: [Place], isRoundTrip: Bool = false, keepsFirst: Bool = true, keepsLast: Bool = false,
        precedences: [Precedence] = []
    ) {
        self.places = places
        self.isRoundTrip = isRoundTrip
        self.keepsFirst = keepsFirst
        self.keepsLast = keepsLast
        self.precedences = precedences
    }

    /// A place to visit.
    public struct Place: Hashable, Sendable {
        /// What it is called, or `nil` when it has no name.
        public var name: String?

        /// Where it is: longitude and latitude in degrees on WGS 84.
        public var coordinate: Coordinate

        /// How long the visit takes, in seconds.
        public var stay: Double

        /// When the visit may begin, in seconds after the departure; `nil` for any time.
        ///
        /// Who comes too early waits.
        public var window: ClosedRange<Double>?

        /// Which one in order it must be, from 0 on, or `nil` where that is free.
        public var position: Int?

        /// Makes a place.
        public init(
            name: String? = nil, coordinate: Coordinate, stay: Double = 0, window: ClosedRange<Double>? = nil,
            position: Int? = nil
        ) {
            self.name = name
            self.coordinate = coordinate
            self.stay = stay
            self.window = window
            self.position = position
        }
    }

    /// One place that must be visited before another, by their indices among the places.
    public struct Precedence: Hashable, Sendable {
        /// The one visited before.
        public var first: Int
        /// The one visited after it.
        public var second: Int

        /// Makes a precedence.
        public init(_ first: Int, before second: Int) {
            self.first = first
            self.second = second
        }
    }
}

extension Itinerary {
    /// The position that each place must have, or `nil` where it is free: what is pinned, and both ends where they are kept.
    ///
    /// - Throws: ``RoutingError`` where two places claim one position, or one two, or a number is impossible.
    package func pins() throws(RoutingError) -> [Int?] {
        guard places.count <= Itinerary.maximumPlaceCount else {
            throw .invalidItinerary("there are \(places.count) places, more than \(Itinerary.maximumPlaceCount)")
        }
        var pins = places.map(\.position)
        var claims: [Int: Int] = [:]
        if keepsFirst || isRoundTrip, !places.isEmpty { try pin(0, at: 0, &pins) }
        if keepsLast, !isRoundTrip, places.count > 1 { try pin(places.count - 1, at: places.count - 1, &pins) }
        for (index, place) in places.enumerated() {
            guard place.coordinate.isFinite, abs(place.coordinate.y) <= 90, abs(place.coordinate.x) <= 360 else {
                throw .invalidItinerary("place \(index + 1) is nowhere on earth")
            }
            guard place.stay >= 0, place.stay < 1e8, (0..<1e9).contains(place.window?.lowerBound ?? 0) else {
                throw .invalidItinerary("the times of place \(index + 1) are impossible")
            }
            guard let position = pins[index] else { continue }
            guard places.indices.contains(position) else {
                throw .invalidItinerary("place \(index + 1) cannot be number \(position + 1) of \(places.count)")
            }
            if let other = claims.updateValue(index, forKey: position) {
                throw .invalidItinerary(
                    "places \(other + 1) and \(index + 1) cannot both be number \(position + 1)")
            }
        }
        return pins
    }

    private func pin(_ index: Int, at position: Int, _ pins: inout [Int?]) throws(RoutingError) {
        if let other = pins[index], other != position {
            throw .invalidItinerary("place \(index + 1) is kept as number \(position + 1) and pinned as \(other + 1)")
        }
        pins[index] = position
    }
}
