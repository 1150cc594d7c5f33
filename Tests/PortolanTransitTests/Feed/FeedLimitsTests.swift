import Foundation
import PortolanRaster
import TestHelpers
import Testing

@testable import PortolanTransit

/// Feeds that are small on the way and large in memory.
@Suite struct FeedLimitsTests {
    private static let tables = ["stops.txt", "trips.txt", "shapes.txt", "calendar_dates.txt", "stop_times.txt"]

    /// A table with a number of rows.
    private static func table(_ file: String, _ count: Int) -> String {
        let (names, row): (String, (Int) -> String) =
            switch file {
            case "stops.txt": ("stop_id,stop_name,stop_lat,stop_lon", { "x\($0),n,60,24" })
            case "trips.txt": ("route_id,service_id,trip_id", { "r9,week,x\($0)" })
            case "shapes.txt": ("shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence", { "x,60,24,\($0)" })
            case "calendar_dates.txt": ("service_id,date,exception_type", { "x\($0),20250101,1" })
            // Rows that cannot be used take memory as well, until the whole trip is known.
            default: ("trip_id,arrival_time,departure_time,stop_id,stop_sequence", { _ in "t1,,,s1,1" })
            }
        return names + "\n" + (0..<count).map { row($0) + "\n" }.joined()
    }

    @Test(arguments: tables, [1, 4])
    func `a table above the memory budget is refused by name`(file: String, threads: Int) throws {
        let text = Self.table(file, 100_000)
        var limits = TransitFeed.Limits()
        limits.memory = MemoryBudget(byteLimit: 2 << 20)
        var reader = FeedReader(FeedFiles(FeedSample.bytes([file: text])), limits: limits)
        (reader.threadCount, reader.pieceLength) = (threads, 4096)
        let error = #expect(throws: TransitFeed.ReadError.self) { try reader.read() }
        guard case .memory(let place, _, let what)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(place == file)
        #expect(what.contains("2 MiB"))
        #expect(limits.memory?.highestByteCount ?? 0 <= 2 << 20)
    }

    @Test func `a feed within the memory budget is read and releases its memory`() throws {
        var limits = TransitFeed.Limits()
        let budget = MemoryBudget(byteLimit: 2 << 20)
        limits.memory = budget
        let feed = try FeedSample.feed(limits: limits)
        #expect(feed.timetable == (try FeedSample.feed().timetable) && budget.byteCount == 0)
        #expect(budget.highestByteCount > 0)
    }

    @Test func `all duplicate stop sequences are counted, and only the first ones are kept as problems`() throws {
        var limits = TransitFeed.Limits()
        limits.problemCount = 10
        let feed = try FeedSample.feed(["stop_times.txt": Self.table("stop_times.txt", 5000)], limits: limits)
        #expect(feed.problems.count(of: .duplicate) == 4999)
        #expect(feed.problems.kept.count == 10)
        #expect(feed.problems.kept.filter { $0.kind == .duplicate }.map(\.line).allSatisfy { $0 > 1 })
    }

    @Test func `reading stops when its task is cancelled`() async {
        let files = FeedSample.bytes(["stop_times.txt": Self.table("stop_times.txt", 100_000)])
        let work = Task { () throws(TransitFeed.ReadError) -> TransitFeed in try TransitFeed(files: files) }
        work.cancel()
        let error = await #expect(throws: TransitFeed.ReadError.self) { try await work.value }
        #expect(error == .cancelled(file: "stop_times.txt"))
    }

    @Test(arguments: ["stops.txt", "agency.txt", "stop_times.txt", "shapes.txt"])
    func `a table that is not a regular file is refused immediately`(file: String) throws {
        let folder = try TemporaryFolder()
        try SampleFeed.write(to: folder.path + "/feed")
        let path = folder.path + "/feed/" + file
        try? FileManager.default.removeItem(atPath: path)
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let error = #expect(throws: TransitFeed.ReadError.self) { try TransitFeed(at: folder.path + "/feed") }
        #expect(error == .unreadable(file: file, what: "this is not a regular file"))
    }
}
