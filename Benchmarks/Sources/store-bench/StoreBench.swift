import Foundation
import Portolan
import PortolanDiskCache
import PortolanFetch
import PortolanRedis

/// Measures how many responses per second can be read from and written to a store.
@main struct StoreBench {
    private static let usage = """
        usage: store-bench ADDRESS|FOLDER COUNT TASKS [BYTES]

        Puts COUNT answers of BYTES bytes (20000) into the store on the Redis server at ADDRESS (redis://…, unix:///…), or in
        an SQLite file in FOLDER, and looks each up in a mixed order, TASKS at a time; prints a JSON line. What is in the
        store under the benchmark's own key prefix is removed.
        """

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3, let count = Int(words[1]), let tasks = Int(words[2]), count > 0, tasks > 0 else {
            return print(usage)
        }
        let byteCount = words.count > 3 ? Int(words[3]) ?? 20_000 : 20_000
        var settings = RedisStore.Settings()
        settings.keyPrefix = "portolan-bench:"
        let store: any ResponseStore =
            words[0].contains("://")
            ? try RedisStore(url: words[0], settings: settings) : SQLiteStore(folder: words[0], byteBudget: 4 << 30)
        let keys = (0..<count).compactMap {
            StoreKey(HTTPRequest(to: NamedURL("http://bench.example/\($0).png", namedBy: .user)))
        }
        let entry = StoredResponse(
            status: 200, headers: [HTTPHeader(name: "Content-Type", value: "image/png")],
            body: (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) },
            responseTime: Int(Date().timeIntervalSince1970))
        let place = StoredResponse.Location(url: "http://bench.example/")
        _ = try await store.removeAll(StoreSelection())
        let puts = try await rate(count, tasks) { number in
            try await store.put(entry, for: keys[number], place: place)
        }
        try await store.flush()
        // Twice: the first time is a warm-up.
        var gets = 0.0
        for _ in 0..<2 {
            gets = try await rate(count, tasks) { number in
                guard try await store.entry(for: keys[number * 7919 % count])?.body.count == byteCount else {
                    throw StoreError(.damaged, place: words[0], detail: "an answer is not there")
                }
            }
        }
        _ = try await store.removeAll(StoreSelection())
        print("{\"tasks\": \(tasks), \"bytes\": \(byteCount), \"puts\": \(Int(puts)), \"gets\": \(Int(gets))}")
    }

    /// Returns how often per second `work` is done by a number of tasks.
    private static func rate(
        _ count: Int, _ tasks: Int, _ work: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in stride(from: task, to: count, by: tasks) { try await work(number) }
                }
            }
            try await group.waitForAll()
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }
}
