import Foundation
import PortolanGeo
import PortolanRouting

/// Finds the shortest round trip of TSPLIB 95 problems, and prints a JSON line per file.
///
///     tour-bench FILE.tsp|FILE.atsp... [--budget MS] [--seed N]
///
/// `length` and `bound` are in TSPLIB distances, `optimal` is whether the result is proven optimal, and `ms` is the time
/// of the search and its bound on one thread, without reading. A search ended by the budget may give another order on
/// another machine.
@main struct TourBench {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func take(_ name: String) -> Int? {
            guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(place...(place + 1)) }
            return Int(arguments[place + 1])
        }
        let budget = take("--budget").map { Duration.milliseconds($0) }
        let seed = take("--seed").map { UInt64(clamping: $0) } ?? 1
        guard !arguments.isEmpty else {
            print("usage: tour-bench FILE.tsp|FILE.atsp... [--budget MS] [--seed N]")
            exit(64)
        }
        for file in arguments {
            let problem: TSPLIB
            do { problem = try TSPLIB(file: file) } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                continue
            }
            let rows = problem.distances.map { $0.map { Double?(Double($0)) } }
            let matrix = try TravelMatrix(durations: rows, distances: rows)
            let places = rows.indices.map { Itinerary.Place(coordinate: Coordinate(x: Double($0) / 100, y: 0)) }
            let search = OrderSearch(seed: seed, budget: budget)
            let clock = ContinuousClock()
            let start = clock.now
            let found = try search.bestOrder(of: Itinerary(places, isRoundTrip: true), by: matrix)
            let taken = start.duration(to: clock.now)
            let milliseconds = Double(taken.components.seconds) * 1000 + Double(taken.components.attoseconds) / 1e15
            print(
                """
                {"name": "\(problem.name)", "length": \(Int(found.cost)), "bound": \(Int(found.bound)), \
                "optimal": \(found.isProven), "ms": \(String(format: "%.1f", milliseconds))}
                """)
        }
    }
}
