import PortolanGeo

/// Directions of a whole route, line by line.
public struct DirectionsText: Hashable, Sendable {
    /// A line of directions.
    public struct Line: Hashable, Sendable {
        /// Which leg it belongs to.
        public let leg: Int
        /// What to do.
        public let sentence: String
        /// How far the way goes on from there, in metres.
        public let distance: Double
        /// How long that takes, in seconds.
        public let duration: Double
        /// When one is there, in seconds after the departure.
        public let time: Double
    }

    /// The lines in order.
    public let lines: [Line]

    /// The directions of a route.
    ///
    /// Legs without steps, as straight lines are, have one line that leads on to the next place and one that arrives.
    ///
    /// - Parameter usesProvider: whether what the provider says itself stands in place of our sentences.
    public init(_ route: PlannedRoute, in language: DirectionsLanguage, usesProvider: Bool = false) {
        var lines: [Line] = []
        var clock = 0.0
        for (index, leg) in route.legs.enumerated() {
            let target = route.places[index + 1]
            clock = max(clock, route.places[index].window?.lowerBound ?? 0)
            clock += route.places[index].stay
            var time = clock
            for step in leg.steps.isEmpty ? DirectionsText.steps(of: leg) : leg.steps {
                let own = language.sentence(for: step, place: target.name)
                lines.append(
                    Line(
                        leg: index, sentence: usesProvider ? step.instruction ?? own : own, distance: step.distance,
                        duration: step.duration, time: time))
                time += step.duration
            }
            clock += leg.duration
        }
        self.lines = lines
    }

    /// The two steps of a leg of which nothing but its ends is known.
    private static func steps(of leg: PlannedRoute.Leg) -> [RouteStep] {
        guard let start = leg.path.first, let end = leg.path.last else { return [] }
        let bearing = Geodesic.line(from: start, to: end).bearing
        return [
            RouteStep(
                Manoeuvre(.depart, bearingAfter: bearing, place: start), distance: leg.distance,
                duration: leg.duration),
            RouteStep(Manoeuvre(.arrive, place: end), distance: 0, duration: 0, start: leg.path.count - 1),
        ]
    }
}
