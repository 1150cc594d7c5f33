import PortolanGeo

/// The directions of a whole route as lines of text.
public struct DirectionsText: Hashable, Sendable {
    /// A line of directions.
    public struct Line: Hashable, Sendable {
        /// The index of the leg.
        public let leg: Int
        /// The instruction.
        public let sentence: String
        /// The distance to the next line in metres.
        public let distance: Double
        /// The duration until the next line in seconds.
        public let duration: Double
        /// The time in seconds after the departure.
        public let time: Double
    }

    /// The lines in order.
    public let lines: [Line]

    /// Creates the directions of a route.
    ///
    /// A leg without steps, such as a straight line, has one line for its start and one for the arrival.
    ///
    /// - Parameter usesProvider: whether to use the instructions of the provider instead of generated sentences.
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

    /// Returns two steps for a leg of which only the ends are known.
    private static func steps(of leg: PlannedRoute.Leg) -> [PlannedRoute.Step] {
        guard let start = leg.path.first, let end = leg.path.last else { return [] }
        let bearing = Geodesic.line(from: start, to: end).bearing
        return [
            PlannedRoute.Step(
                PlannedRoute.Manoeuvre(.depart, bearingAfter: bearing, place: start), distance: leg.distance,
                duration: leg.duration),
            PlannedRoute.Step(
                PlannedRoute.Manoeuvre(.arrive, place: end), distance: 0, duration: 0, start: leg.path.count - 1),
        ]
    }
}
