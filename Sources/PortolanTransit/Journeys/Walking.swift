import Foundation
import PortolanGeo

/// The walking parameters of passengers.
///
/// Footpaths are straight lines multiplied by a detour factor. Transfer rules of the feed take precedence.
public struct Walking: Hashable, Sendable {
    /// The walking speed in metres per second.
    public var speed: Double
    /// The detour factor: the ratio of street length to straight distance.
    public var factor: Double
    /// The maximum straight distance in metres to the first stop, from the last stop and for journeys entirely on foot.
    public var reach: Double
    /// The maximum straight distance in metres between stops for a transfer.
    public var changeReach: Double
    /// The minimum transfer time in seconds if the feed has no rule.
    public var changeSeconds: Int

    /// Creates parameters.
    ///
    /// Values outside of their range are clamped.
    ///
    /// - Parameters:
    ///   - speed: metres per second, 0.1 to 10.
    ///   - factor: 1 to 10.
    ///   - reach: metres, 0 to 20,000.
    ///   - changeReach: metres, 0 to 5,000.
    ///   - changeSeconds: 0 to 3,600.
    public init(
        speed: Double = 1.2, factor: Double = 1.3, reach: Double = 1000, changeReach: Double = 300,
        changeSeconds: Int = 0
    ) {
        func fit(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
        }
        self.speed = fit(speed, 0.1...10)
        self.factor = fit(factor, 1...10)
        self.reach = fit(reach, 0...20_000)
        self.changeReach = fit(changeReach, 0...5000)
        self.changeSeconds = min(max(changeSeconds, 0), 3600)
    }

    /// Returns the walking time in whole seconds for a straight distance in metres.
    func seconds(_ meters: Double) -> Int32 { Int32(min(meters * factor / speed, 1e7).rounded()) }
}

/// Approximate distances on the ellipsoid between nearby coordinates.
struct NearMeters {
    /// The length of a degree of longitude and of latitude in metres.
    let perDegree: (x: Double, y: Double)

    /// Creates a scale for a latitude in degrees.
    init(latitude: Double) {
        let radians = min(max(latitude, -90), 90) * .pi / 180
        let sine = sin(radians), e2 = 0.006_694_379_990_141_3, w2 = 1 - e2 * sine * sine
        let normal = 6_378_137 / w2.squareRoot()
        perDegree = (normal * cos(radians) * .pi / 180, normal * (1 - e2) / w2 * .pi / 180)
    }

    /// Returns the distance in metres, with a relative error of about 10⁻⁶ up to several kilometres.
    static func between(_ a: Coordinate, _ b: Coordinate) -> Double {
        let degree = NearMeters(latitude: (a.y + b.y) / 2).perDegree
        var dx = abs(a.x - b.x)
        if dx > 180 { dx = abs(360 - dx) }
        let x = dx * degree.x, y = (a.y - b.y) * degree.y
        return (x * x + y * y).squareRoot()
    }
}

/// A spatial index of stops with cells of 0.01°.
struct StopCells: Sendable {
    private var cells: [Int64: [Int32]] = [:]
    private let places: [Coordinate?]

    init(_ places: [Coordinate?]) {
        self.places = places
        for (index, place) in places.enumerated() {
            guard let place, place.isFinite, abs(place.x) <= 180, abs(place.y) <= 90 else { continue }
            cells[Self.key(Self.cell(place.x), Self.cell(place.y)), default: []].append(Int32(index))
        }
    }

    /// Returns the stops within a distance in metres (at most 30,000) and their distances, nearest first.
    func stops(near place: Coordinate, within meters: Double) -> [(stop: Int, meters: Double)] {
        guard place.isFinite, abs(place.x) <= 180, abs(place.y) <= 90 else { return [] }
        let reach = min(meters, 30_000)
        let degree = NearMeters(latitude: place.y).perDegree
        // Near a pole the column range is limited, because there are no stops.
        let dx = min(reach / max(degree.x, 1000), 10) * 1.01, dy = reach / degree.y * 1.01
        // Distant stops are rejected with the scale at the centre, which changes little within reach except near a
        // pole.
        let rough = abs(place.y) < 80 ? reach * reach * 1.2 : .infinity
        var found: [(stop: Int, meters: Double)] = []
        for row in Self.cell(place.y - dy)...Self.cell(place.y + dy) {
            for column in Self.cell(place.x - dx)...Self.cell(place.x + dx) {
                let wrapped = column < -18_000 ? column + 36_000 : column > 17_999 ? column - 36_000 : column
                for stop in cells[Self.key(wrapped, row)] ?? [] {
                    guard let other = places[Int(stop)] else { continue }
                    let turn = abs(place.x - other.x), x = min(turn, 360 - turn) * degree.x
                    let y = (place.y - other.y) * degree.y
                    guard x * x + y * y <= rough else { continue }
                    let meters = NearMeters.between(place, other)
                    if meters <= reach { found.append((Int(stop), meters)) }
                }
            }
        }
        return found.sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
    }

    private static func cell(_ degrees: Double) -> Int { Int((degrees * 100).rounded(.down)) }
    private static func key(_ column: Int, _ row: Int) -> Int64 { Int64(column) << 32 | Int64(row + 1 << 20) }
}
