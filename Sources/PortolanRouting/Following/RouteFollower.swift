import PortolanFeatures
public import PortolanGeo

/// Follows a route with successive positions.
///
/// A route may pass the same location twice. Each position is therefore searched ahead of the last one first, and
/// elsewhere only if it is not found there.
public struct RouteFollower: Sendable {
    /// The route.
    public let route: PlannedRoute

    /// The distance in metres above which a position is off the route.
    public var offRouteDistance: Double

    private let lines: [GroundLine?]
    // The distance of each leg's start from the start of the route.
    private let starts: [Double]
    // The distance of each step's start from the start of its leg.
    private let stepMeasures: [[Double]]
    private var last: (leg: Int, measure: Double)

    /// The distance ahead in metres that is searched first.
    private static let reach = 500.0

    /// Creates a follower at the start of a route.
    public init(_ route: PlannedRoute, offRouteDistance: Double = 50) {
        self.route = route
        self.offRouteDistance = offRouteDistance
        lines = route.legs.map { GroundLine($0.path) }
        stepMeasures = route.legs.map(Self.measures)
        var starts: [Double] = []
        var sum = 0.0
        for line in lines {
            starts.append(sum)
            sum += line?.length ?? 0
        }
        self.starts = starts
        last = (0, 0)
    }

    /// Updates the position, and returns the progress, or `nil` if the route has no path.
    ///
    /// - Complexity: O(coordinates) of the searched legs; usually only the one of the last position.
    public mutating func update(_ position: Coordinate) -> RouteFollower.Progress? {
        guard let found = ahead(position) ?? anywhere(position) else { return nil }
        let isOff = found.nearest.meters > offRouteDistance
        if !isOff { last = (found.leg, found.nearest.measure) }
        return progress(found.leg, found.nearest, isOff)
    }

    private func ahead(_ position: Coordinate) -> (leg: Int, nearest: GroundLine.Nearest)? {
        var open = Self.reach
        var best: (leg: Int, nearest: GroundLine.Nearest)?
        for leg in last.leg..<lines.count {
            guard let line = lines[leg], open > 0 else { continue }
            let start = leg == last.leg ? max(0, last.measure - Self.reach / 10) : 0
            let end = min(line.length, (leg == last.leg ? last.measure : 0) + open)
            guard end >= start else { continue }
            let nearest = line.nearest(to: position, within: start...end)
            // If the nearest point is the end of the searched part, the position may be beyond it.
            if end < line.length, nearest.measure > end - 1 { break }
            if nearest.meters < (best?.nearest.meters ?? .infinity) { best = (leg, nearest) }
            open -= end - (leg == last.leg ? last.measure : 0)
        }
        return best.flatMap { $0.nearest.meters <= offRouteDistance ? $0 : nil }
    }

    /// Returns the first leg after the last position that is near, or the nearest of all legs.
    private func anywhere(_ position: Coordinate) -> (leg: Int, nearest: GroundLine.Nearest)? {
        var best: (leg: Int, nearest: GroundLine.Nearest)?
        for leg in Array(last.leg..<lines.count) + Array(0..<last.leg) {
            guard let nearest = lines[leg]?.nearest(to: position) else { continue }
            if leg >= last.leg, nearest.meters <= offRouteDistance { return (leg, nearest) }
            if nearest.meters < (best?.nearest.meters ?? .infinity) { best = (leg, nearest) }
        }
        return best
    }

    private func progress(_ leg: Int, _ nearest: GroundLine.Nearest, _ isOff: Bool) -> RouteFollower.Progress {
        let whole = route.legs[leg]
        let length = lines[leg]?.length ?? 0
        // Computed along the path. The lengths given by the provider, which are used in totals, differ slightly.
        let part = length > 0 ? min(1, nearest.measure / length) : 1
        let later = route.legs[(leg + 1)...]
        let stays = route.places[(leg + 1)...].dropLast().reduce(0) { $0 + $1.stay }
        let (step, toManoeuvre) = manoeuvre(leg, nearest.measure)
        return RouteFollower.Progress(
            place: nearest.place, metersAway: nearest.meters, isOffRoute: isOff, leg: leg, step: step,
            metersDone: starts[leg] + nearest.measure,
            metersLeft: whole.distance * (1 - part) + later.reduce(0) { $0 + $1.distance },
            secondsLeft: secondsLeft(whole, step: step, part: part, toManoeuvre: toManoeuvre)
                + later.reduce(0) { $0 + $1.duration } + stays,
            metersToManoeuvre: toManoeuvre)
    }

    /// Returns the remaining seconds of a leg: the rest of the current step and all later steps.
    private func secondsLeft(_ leg: PlannedRoute.Leg, step: Int?, part: Double, toManoeuvre: Double?) -> Double {
        guard let step, let toManoeuvre, leg.steps[step].distance > 0 else { return leg.duration * (1 - part) }
        let open = min(1, toManoeuvre / leg.steps[step].distance)
        return leg.steps[step].duration * open + leg.steps[(step + 1)...].reduce(0) { $0 + $1.duration }
    }

    /// Returns the step at a distance along a leg, and the distance to the next step.
    private func manoeuvre(_ leg: Int, _ measure: Double) -> (step: Int?, meters: Double?) {
        let steps = route.legs[leg].steps
        guard !steps.isEmpty else { return (nil, (lines[leg]?.length).map { $0 - measure }) }
        let measures = stepMeasures[leg]
        let step = max(0, (measures.firstIndex { $0 > measure + 0.01 } ?? steps.count) - 1)
        let next = step + 1 < measures.count ? measures[step + 1] : lines[leg]?.length
        return (step, next.map { max(0, $0 - measure) })
    }

    /// Returns the distance of each step's start along the path of a leg.
    private static func measures(of leg: PlannedRoute.Leg) -> [Double] {
        var measures: [Double] = []
        var sum = 0.0
        var index = 0
        for step in leg.steps {
            while index < step.start, index + 1 < leg.path.count {
                sum += Geodesic.line(from: leg.path[index], to: leg.path[index + 1]).meters
                index += 1
            }
            measures.append(sum)
        }
        return measures
    }
}
