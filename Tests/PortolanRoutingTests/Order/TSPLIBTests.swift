import Foundation
import PortolanGeo
import PortolanRouting
import Testing

/// Problems of TSPLIB 95 with their published optima.
@Suite struct TSPLIBTests {
    struct Problem: CustomTestStringConvertible, Sendable {
        var file: String
        var optimum: Double
        var testDescription: String { file }
    }

    @Test(arguments: [
        Problem(file: "burma14.tsp", optimum: 3323), Problem(file: "br17.atsp", optimum: 39),
        Problem(file: "ftv33.atsp", optimum: 1286), Problem(file: "att48.tsp", optimum: 10628),
    ])
    func `the published optimum is found, and the lower bound does not exceed it`(_ problem: Problem) throws {
        let distances = try Self.distances(problem.file)
        let itinerary = Itinerary(
            distances.indices.map { Itinerary.Place(coordinate: Coordinate(x: Double($0), y: 0)) }, isRoundTrip: true)
        let matrix = try TravelMatrix(durations: distances, distances: distances)
        let found = try OrderSearch().bestOrder(of: itinerary, by: matrix)
        #expect(found.cost == problem.optimum)
        #expect(found.bound <= problem.optimum)
        #expect(found.excess < 0.06)
    }

    /// The distances of a file, as chapter 2 of TSPLIB 95 defines them.
    private static func distances(_ file: String) throws -> [[Double?]] {
        let text = String(decoding: try Fixtures.bytes("tsplib/\(file)"), as: UTF8.self)
        let count = try #require(text.firstMatch(of: /DIMENSION\s*:\s*(\d+)/).flatMap { Int($0.1) })
        func numbers(after section: String) -> [Double] {
            let words = text.components(separatedBy: section)[1].split { $0.isWhitespace }
            return words.prefix { $0 != "EOF" && Double($0) != nil }.compactMap { Double($0) }
        }
        if text.contains("FULL_MATRIX") {
            let all = numbers(after: "EDGE_WEIGHT_SECTION")
            return (0..<count).map { row in (0..<count).map { $0 == row ? 0 : all[row * count + $0] } }
        }
        let values = numbers(after: "NODE_COORD_SECTION")
        let places: [(Double, Double)] = (0..<count).map { (values[$0 * 3 + 1], values[$0 * 3 + 2]) }
        let measure = text.contains("GEO") ? onEarth : onPlane
        return places.map { a in places.map { b in a == b ? 0 : measure(a, b) } }
    }

    private static func onPlane(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
        let (x, y) = (a.0 - b.0, a.1 - b.1)
        return ((x * x + y * y) / 10).squareRoot().rounded(.up)
    }

    private static func onEarth(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
        func radians(_ value: Double) -> Double {
            let degrees = value.rounded(.towardZero)
            let minutes = value - degrees
            return 3.141592 * (degrees + 5 * minutes / 3) / 180
        }
        let q1 = cos(radians(a.1) - radians(b.1))
        let q2 = cos(radians(a.0) - radians(b.0))
        let q3 = cos(radians(a.0) + radians(b.0))
        let angle: Double = acos(0.5 * ((1 + q1) * q2 - (1 - q1) * q3))
        return (6378.388 * angle + 1).rounded(.down)
    }
}
