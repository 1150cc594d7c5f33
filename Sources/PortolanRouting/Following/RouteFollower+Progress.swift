public import PortolanGeo

extension RouteFollower {
    /// The position on a route, and the remaining part.
    public struct Progress: Hashable, Sendable {
        /// The nearest point on the path of the route.
        public let place: Coordinate
        /// The distance between the position and ``place`` in metres.
        public let metersAway: Double
        /// Whether the position is off the route.
        public let isOffRoute: Bool
        /// The index of the current leg.
        public let leg: Int
        /// The index of the current step of the leg, or `nil` if it has no steps.
        public let step: Int?
        /// The distance from the start in metres along the path.
        public let metersDone: Double
        /// The remaining distance in metres.
        public let metersLeft: Double
        /// The remaining travel time in seconds, including future stays but not waiting for time windows.
        public let secondsLeft: Double
        /// The distance to the next manoeuvre in metres, or `nil`.
        public let metersToManoeuvre: Double?
    }
}
