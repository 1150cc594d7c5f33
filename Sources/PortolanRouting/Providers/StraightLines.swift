public import PortolanGeo

/// Ways without any network: the shortest line on the ground, times a factor for the bends of roads.
public struct StraightLines: RoutingProvider {
    /// What roads are longer than the line between their ends.
    ///
    /// 1.3 unless told, which suits cities.
    public let factor: Double

    /// The speed of each mode in kilometres an hour.
    public let speeds: [TravelMode: Double]

    /// 40 km/h by car, 5 on foot, 15 by bicycle, and 20 by public transport with its waiting.
    public static let standardSpeeds: [TravelMode: Double] = [.car: 40, .foot: 5, .bicycle: 15, .transit: 20]

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - factor: at least 1.
    ///   - speeds: kilometres an hour above zero; modes that are missing have the standard one.
    public init(factor: Double = 1.3, speeds: [TravelMode: Double] = [:]) {
        precondition(factor >= 1 && factor < .infinity, "no way is shorter than the straight line")
        precondition(speeds.values.allSatisfy { $0 > 0 && $0 < .infinity }, "speeds must be above zero")
        self.factor = factor
        self.speeds = StraightLines.standardSpeeds.merging(speeds) { $1 }
    }

    /// `straight lines`.
    public var name: String { "straight lines" }

    /// Straight lines through the places.
    public func route(through places: [Coordinate], mode: TravelMode) throws(RoutingError) -> RouteAnswer {
        guard places.count > 1 else { throw .invalidItinerary("a route needs two places") }
        return RouteAnswer(
            legs: zip(places, places.dropFirst()).map { from, to in
                let meters = meters(from, to)
                return PlannedRoute.Leg(
                    distance: meters, duration: seconds(meters, mode), path: [from, to], isEstimate: true)
            })
    }

    /// Straight lines between all places.
    public func matrix(of places: [Coordinate], mode: TravelMode) throws(RoutingError) -> MatrixAnswer {
        guard places.count <= Itinerary.maximumPlaceCount else {
            throw .invalidItinerary("there are \(places.count) places, more than \(Itinerary.maximumPlaceCount)")
        }
        var matrix = TravelMatrix(count: places.count)
        for from in places.indices {
            for to in places.indices where to > from {
                let meters = meters(places[from], places[to])
                let seconds = seconds(meters, mode)
                matrix.set(from: from, to: to, duration: seconds, distance: meters)
                matrix.set(from: to, to: from, duration: seconds, distance: meters)
            }
        }
        return MatrixAnswer(matrix: matrix)
    }

    private func meters(_ from: Coordinate, _ to: Coordinate) -> Double {
        Geodesic.line(from: from, to: to).meters * factor
    }

    private func seconds(_ meters: Double, _ mode: TravelMode) -> Double { meters * 3.6 / (speeds[mode] ?? 5) }
}
