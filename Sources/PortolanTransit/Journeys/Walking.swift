import Foundation
import PortolanGeo

/// How passengers walk to stops, between them and from them.
///
/// Ways on foot are straight lines times a factor for the bends of streets; a feed's own rules of changing go before them.
public struct Walking: Hashable, Sendable {
    /// The speed in metres a second.
    public var speed: Double
    /// How much longer ways are than the straight lines between their ends.
    public var factor: Double
    /// How far passengers walk to the first stop, from the last one, and all the way, in metres of a straight line.
    public var reach: Double
    /// How far they walk from one stop to another to change, in metres of a straight line.
    public var changeReach: Double
    /// The least time between two vehicles in seconds, where no rule of the feed has another.
    public var changeSeconds: Int

    /// Makes rules; numbers that make no sense are replaced by the nearest that do.
    ///
    /// - Parameters:
    ///   - speed: metres a second, 0.1 to 10.
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

    /// The whole seconds that a straight line of so many metres takes, rounded to the nearest.
    func seconds(_ meters: Double) -> Int32 { Int32(min(meters * factor / speed, 1e7).rounded()) }
}

/// Lengths on the ellipsoid between places that lie near one another.
struct NearMeters {
    /// Metres of a degree of longitude, and of latitude.
    let perDegree: (x: Double, y: Double)

    /// Measures around a latitude.
    init(latitude: Double) {
        let radians = min(max(latitude, -90), 90) * .pi / 180
        let sine = sin(radians), e2 = 0.006_694_379_990_141_3, w2 = 1 - e2 * sine * sine
        let normal = 6_378_137 / w2.squareRoot()
        perDegree = (normal * cos(radians) * .pi / 180, normal * (1 - e2) / w2 * .pi / 180)
    }

    /// The metres between two places: right to a millionth of their distance up to some kilometres.
    static func between(_ a: Coordinate, _ b: Coordinate) -> Double {
        let degree = NearMeters(latitude: (a.y + b.y) / 2).perDegree
        var dx = abs(a.x - b.x)
        if dx > 180 { dx = abs(360 - dx) }
        let x = dx * degree.x, y = (a.y - b.y) * degree.y
        return (x * x + y * y).squareRoot()
    }
}

/// Finds the stops around a place: cells of a hundredth of a degree.
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

    /// The stops within so many metres, at most 30,000, the nearest first, and how far they are.
    func stops(near place: Coordinate, within meters: Double) -> [(stop: Int, meters: Double)] {
        guard place.isFinite, abs(place.x) <= 180, abs(place.y) <= 90 else { return [] }
        let reach = min(meters, 30_000)
        let degree = NearMeters(latitude: place.y).perDegree
        // Near a pole the cells of all longitudes are one neighbourhood, which is cut: nothing stops there.
        let dx = min(reach / max(degree.x, 1000), 10) * 1.01, dy = reach / degree.y * 1.01
        // What lies far is told by the metres of a degree here alone, which change little within reach but near a pole.
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
