import Foundation
import PortolanTransit

/// Times feeds of GTFS Schedule: `transit-bench FEED... [--runs N]`; a line of JSON each.
///
/// With `--answers N` a line has the ways on foot and the arrivals of so many journeys at random instead, for a peer.
@main
struct TransitBench {
    static func main() throws {
        var feeds: [String] = [], runs = 5, answers = 0
        var arguments = CommandLine.arguments.dropFirst().makeIterator()
        while let argument = arguments.next() {
            if argument == "--runs" {
                runs = arguments.next().flatMap { Int($0) } ?? runs
            } else if argument == "--answers" {
                answers = arguments.next().flatMap { Int($0) } ?? answers
            } else {
                feeds.append(argument)
            }
        }
        guard !feeds.isEmpty else {
            print("usage: transit-bench FEED... [--runs N]")
            return
        }
        for path in feeds {
            var facts =
                answers > 0
                ? try JourneyBench(TransitFeed(at: path).timetable).answers(count: answers)
                : try reading(path, runs: runs)
            facts["feed"] = URL(filePath: path).lastPathComponent
            let line = try JSONSerialization.data(withJSONObject: facts, options: [.sortedKeys])
            print(String(decoding: line, as: UTF8.self))
        }
    }

    /// Reads a feed, patterns and all.
    static func reading(_ path: String, runs: Int) throws -> [String: Any] {
        var feed = try TransitFeed(at: path)
        let read = try median(runs) { feed = try TransitFeed(at: path) }
        let snapshot = TimetableSnapshot(feed.timetable).bytes
        let opened = try median(runs) { _ = try TimetableSnapshot(snapshot) }
        let board = median(runs) { _ = StopBoard(feed.timetable) }
        let facts: [String: Any] = [
            "open_ms": opened.milliseconds, "open_cpu_ms": opened.processor,
            "snapshot_mb": Double(snapshot.count) / 1e6,
            "board_cpu_ms": board.processor,
            "stops": feed.timetable.stops.count, "lines": feed.timetable.lines.count,
            "trips": feed.timetable.tripCount, "stop_times": feed.timetable.stopTimeCount,
            "problems": feed.problems.count, "read_ms": read.milliseconds, "read_cpu_ms": read.processor,
            "peak_mb": peakMegabytes(),
        ]
        return facts.merging(try JourneyBench(feed.timetable).medians(count: 500)) { $1 }
    }

    /// The median times of a body, as clocks on the wall and processors have them.
    static func median(_ runs: Int, _ body: () throws -> Void) rethrows -> (milliseconds: Double, processor: Double) {
        var wall: [Double] = [], processor: [Double] = []
        for _ in 0..<max(1, runs) {
            let clock = ContinuousClock(), before = processorTime()
            wall.append(try clock.measure(body) / .milliseconds(1))
            processor.append(processorTime() - before)
        }
        func middle(_ times: [Double]) -> Double { (times.sorted()[times.count / 2] * 1000).rounded() / 1000 }
        return (middle(wall), middle(processor))
    }

    private static func processorTime() -> Double { Double(clock()) * 1000 / Double(CLOCKS_PER_SEC) }

    /// The most memory that the process had.
    static func peakMegabytes() -> Double {
        #if os(Linux)
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? 0) / 1024
        #else
        return 0
        #endif
    }
}
