import CPeerCurl
import Foundation
import Portolan
import PortolanFetch

/// Compares the fetching of many tiles with a bare loop over libcurl's multi interface.
@main struct FetchBench {
    private static let usage = """
        usage: fetch-bench portolan|peer URL COUNT CONNECTIONS
               fetch-bench cancel URL COUNT

        Gets COUNT resources, whose addresses are URL followed by 0, 1, 2 and so on, CONNECTIONS at a time, and prints a
        JSON line: milliseconds, bytes of the bodies, peak resident memory in KiB.

        cancel begins COUNT requests, all at once, of a server that does not answer, cancels them when all are under way,
        and prints the milliseconds until the last one has ended and its transfer has stopped, and the descriptors open
        before, during and after.

        Benchmarks/fetch starts a server and runs all of it.
        """

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3, let count = Int(words[2]), count > 0 else { return print(usage) }
        if words[0] == "cancel" { return await cancel(words[1], count) }
        guard words.count == 4, let connections = Int(words[3]), connections > 0 else { return print(usage) }
        let clock = ContinuousClock()
        var bytes = 0
        let start = clock.now
        if words[0] == "peer" {
            bytes = peer_curl_get(words[1], Int32(count), Int32(connections))
        } else {
            bytes = await portolan(words[1], count, connections)
        }
        report([
            "milliseconds": milliseconds(since: start), "bytes": bytes, "peak": status("VmHWM"),
        ])
    }

    /// Fetches all tiles concurrently, like a renderer; the fetcher limits the transfers.
    private static func portolan(_ base: String, _ count: Int, _ connections: Int) async -> Int {
        let fetcher = Fetcher(transport: systemTransport(), maximumConnectionsPerHost: connections, retries: .none)
        return await withTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    guard
                        let response = try? await fetcher.fetch(
                            HTTPRequest(to: NamedURL(base + "\(number)", namedBy: .user))),
                        response.status == 200
                    else { return -1_000_000_000 }
                    return response.body.count
                }
            }
            return await group.reduce(0, +)
        }
    }

    private static func cancel(_ base: String, _ count: Int) async {
        let before = descriptors()
        let fetcher = Fetcher(transport: systemTransport(), maximumConnectionsPerHost: count, retries: .none)
        let tasks = (0..<count).map { number in
            Task { try? await fetcher.fetch(HTTPRequest(to: NamedURL(base + "\(number)", namedBy: .user))) }
        }
        while descriptors() < before + count { try? await Task.sleep(for: .milliseconds(5)) }
        try? await Task.sleep(for: .milliseconds(200))
        let during = descriptors(), start = ContinuousClock.now
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
        let answered = milliseconds(since: start)
        // The transfer thread keeps one or two descriptors for its wake-up.
        while descriptors() > before + 8 { await Task.yield() }
        report([
            "milliseconds": answered, "stopped": milliseconds(since: start), "before": before, "during": during,
            "after": descriptors(), "resident": status("VmRSS"),
        ])
    }

    private static func descriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// Returns a value of /proc/self/status, in KiB.
    private static func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .milliseconds(1)
    }

    private static func report(_ values: [String: any Sendable]) {
        let data = (try? JSONSerialization.data(withJSONObject: values, options: .sortedKeys)) ?? Data()
        print(String(decoding: data, as: UTF8.self))
    }
}
