public import PortolanGeo

/// Where a position is on a route, and what remains of it.
public struct RouteProgress: Hashable, Sendable {
    /// The place on the line of the route.
    public let place: Coordinate
    /// How far that is from the position, in metres.
    public let metersAway: Double
    /// Whether the position has left the route.
    public let isOffRoute: Bool
    /// The leg one is on.
    public let leg: Int
    /// The step of the leg one is on, or `nil` where it has none.
    public let step: Int?
    /// How far one has come from the beginning, in metres along the line.
    public let metersDone: Double
    /// What remains to the end, in metres.
    public let metersLeft: Double
    /// What remains to the end, in seconds of travel and of stays that are still to come; waits for windows are not counted.
    public let secondsLeft: Double
    /// How far it is to the next manoeuvre, in metres, or `nil` where there is none.
    public let metersToManoeuvre: Double?
}
