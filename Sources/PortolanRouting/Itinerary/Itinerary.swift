public import PortolanGeo

/// Places to visit, with constraints on their order.
public struct Itinerary: Hashable, Sendable {
    /// The places in the given order.
    public var places: [Place]

    /// Whether the route returns to its first place; false by default.
    public var isRoundTrip = false

    /// Whether the first given place is visited first; true by default.
    ///
    /// On a round trip it always is.
    public var keepsFirst = true

    /// Whether the last given place is visited last; false by default.
    ///
    /// Ignored on a round trip, which ends at its first place.
    public var keepsLast = false

    /// Places that must be visited before others, such as a pickup before its delivery.
    public var precedences: [Precedence] = []

    /// The maximum number of places.
    public static let maximumPlaceCount = 1000

    /// Creates an itinerary.
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
        /// The name, or `nil`.
        public var name: String?

        /// The coordinate: longitude and latitude in degrees (WGS 84).
        public var coordinate: Coordinate

        /// The duration of the visit in seconds.
        public var stay: Double

        /// The time window for the start of the visit, in seconds after the departure, or `nil` for any time.
        ///
        /// Arrivals before the window opens wait.
        public var window: ClosedRange<Double>?

        /// The required position in the order, from 0, or `nil`.
        public var position: Int?

        /// Creates a place.
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

    /// A constraint that one place is visited before another, by index among the places.
    public struct Precedence: Hashable, Sendable {
        /// The place visited first.
        public var first: Int
        /// The place visited later.
        public var second: Int

        /// Creates a precedence.
        public init(_ first: Int, before second: Int) {
            self.first = first
            self.second = second
        }
    }
}

extension Itinerary {
    /// Returns the required position of each place, or `nil` if it is free, from explicit positions and kept ends.
    ///
    /// - Throws: ``RoutingError`` if requirements conflict or a position is out of range.
    package func pins() throws(RoutingError) -> [Int?] {
        guard places.count <= Itinerary.maximumPlaceCount else {
            throw .invalidItinerary("too many places: \(places.count), the limit is \(Itinerary.maximumPlaceCount)")
        }
        var pins = places.map(\.position)
        var claims: [Int: Int] = [:]
        if keepsFirst || isRoundTrip, !places.isEmpty { try pin(0, at: 0, &pins) }
        if keepsLast, !isRoundTrip, places.count > 1 { try pin(places.count - 1, at: places.count - 1, &pins) }
        for (index, place) in places.enumerated() {
            guard place.coordinate.isFinite, abs(place.coordinate.y) <= 90, abs(place.coordinate.x) <= 360 else {
                throw .invalidItinerary("place \(index + 1) is outside the earth")
            }
            guard place.stay >= 0, place.stay < 1e8, (0..<1e9).contains(place.window?.lowerBound ?? 0) else {
                throw .invalidItinerary("the times of place \(index + 1) are invalid")
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
