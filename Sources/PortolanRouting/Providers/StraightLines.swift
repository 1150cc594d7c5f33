public import PortolanGeo

/// A provider without network access: geodesic lines multiplied by a detour factor.
public struct StraightLines: RoutingProvider {
    /// The ratio of road length to straight distance.
    ///
    /// The default of 1.3 suits cities.
    public let factor: Double

    /// The speed of each mode in kilometres per hour.
    public let speeds: [TravelMode: Double]

    /// The default speeds: 40 km/h by car, 5 on foot, 15 by bicycle, and 20 by public transport including waiting.
    public static let standardSpeeds: [TravelMode: Double] = [.car: 40, .foot: 5, .bicycle: 15, .transit: 20]

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - factor: the detour factor, at least 1.
    ///   - speeds: positive speeds in kilometres per hour. Missing modes have the default speed.
    public init(factor: Double = 1.3, speeds: [TravelMode: Double] = [:]) {
        precondition(factor >= 1 && factor < .infinity, "no way is shorter than the straight line")
        precondition(speeds.values.allSatisfy { $0 > 0 && $0 < .infinity }, "speeds must be above zero")
        self.factor = factor
        self.speeds = StraightLines.standardSpeeds.merging(speeds) { $1 }
    }

    /// `straight lines`.
    public var name: String { "straight lines" }

    /// Returns straight lines through the places.
    public func route(through places: [Coordinate], mode: TravelMode) throws(RoutingError) -> RouteAnswer {
        guard places.count > 1 else { throw .invalidItinerary("a route needs two places") }
        return RouteAnswer(
            legs: zip(places, places.dropFirst()).map { from, to in
                let meters = meters(from, to)
                return PlannedRoute.Leg(
                    distance: meters, duration: seconds(meters, mode), path: [from, to], isEstimate: true)
            })
    }

    /// Returns the distances and times along straight lines between all places.
    public func matrix(of places: [Coordinate], mode: TravelMode) throws(RoutingError) -> MatrixAnswer {
        guard places.count <= Itinerary.maximumPlaceCount else {
            throw .invalidItinerary("too many places: \(places.count), the limit is \(Itinerary.maximumPlaceCount)")
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
