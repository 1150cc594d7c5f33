import Foundation
import PortolanTransit

/// Measures GTFS Schedule feeds: `transit-bench FEED... [--runs N]`, with a JSON line for each.
///
/// With `--answers N` a line has the walking connections and the arrivals of N random journeys instead, for comparison
/// with another program.
@main
struct TransitBench {
    private static let usage = "usage: transit-bench FEED... [--runs N] [--answers N]"

    static func main() {
        var feeds: [String] = [], runs = 5, answers = 0
        var arguments = CommandLine.arguments.dropFirst().makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--help", "-h": return print(usage)
            case "--runs": runs = number(arguments.next(), of: argument)
            case "--answers": answers = number(arguments.next(), of: argument)
            case _ where argument.hasPrefix("-"): end("transit-bench: unknown option \(argument)\n\(usage)", code: 64)
            default: feeds.append(argument)
            }
        }
        if feeds.isEmpty { end(usage, code: 64) }
        for path in feeds {
            do {
                var facts =
                    answers > 0
                    ? try JourneyBench(TransitFeed(at: path).timetable).answers(count: answers)
                    : try reading(path, runs: runs)
                facts["feed"] = URL(filePath: path).lastPathComponent
                let line = try JSONSerialization.data(withJSONObject: facts, options: [.sortedKeys])
                print(String(decoding: line, as: UTF8.self))
            } catch { end("transit-bench: \(error)", code: 1) }
        }
    }

    private static func number(_ text: String?, of option: String) -> Int {
        guard let number = text.flatMap({ Int($0) }), number > 0 else {
            end("transit-bench: \(option) wants a number above 0\n\(usage)", code: 64)
        }
        return number
    }

    private static func end(_ words: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((words + "\n").utf8))
        exit(code)
    }

    /// Measures reading a feed, including its patterns.
    static func reading(_ path: String, runs: Int) throws -> [String: Any] {
        var feed = try TransitFeed(at: path)
        let read = try median(runs) { feed = try TransitFeed(at: path) }
        let snapshot = Timetable.Snapshot(feed.timetable).bytes
        let opened = try median(runs) { _ = try Timetable.Snapshot(snapshot) }
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

    /// Returns the median wall and processor times of `body`.
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

    /// Returns the peak memory of the process.
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
