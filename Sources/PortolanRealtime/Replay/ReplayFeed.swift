public import Foundation
package import PortolanFetch
import PortolanTransit

/// A source that tells again what was recorded: lines of vehicles (``VehicleLine``), or records of any source (``FeedRecord``).
///
/// What was told at the same moment comes at once. At its end it says so.
public struct ReplayFeed: VehicleFeed {
    /// How fast a recording is played.
    public enum Speed: Hashable, Sendable {
        /// So many times as fast as it was recorded.
        case times(Double)
        /// All of it at once.
        case whole
    }

    /// What it is called.
    public let name: String
    /// What was told, in its order.
    public let records: [FeedRecord]
    /// How fast it is played.
    public let speed: Speed
    private let clock: FetchClock

    /// Makes a source of a recording.
    ///
    /// - Parameters:
    ///   - records: what was told; put into the order of its times.
    ///   - speed: what is not more than nothing plays at once.
    public init(_ records: [FeedRecord], name: String = "recording", speed: Speed = .times(1)) {
        self.init(records, name: name, speed: speed, clock: .system)
    }

    /// Makes a source with a clock of its own.
    package init(_ records: [FeedRecord], name: String, speed: Speed, clock: FetchClock) {
        self.name = name
        let order = records.indices.sorted { (records[$0].time, $0) < (records[$1].time, $1) }
        self.records = order.map { records[$0] }
        self.speed = speed
        self.clock = clock
    }

    /// Reads a recording of either kind: its first bytes tell which.
    ///
    /// - Parameter start: when a recording of lines was begun, which does not tell it.
    /// - Throws: ``FeedFault``; a record that cannot be read is one, with its line.
    public static func records(_ bytes: [UInt8], source: String, start: Date) throws(FeedFault) -> [FeedRecord] {
        guard let first = bytes.first(where: { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }) else { return [] }
        guard first == UInt8(ascii: "{") else {
            return gathered(try VehicleLines(bytes, source: source, start: start).lines)
        }
        var records: [FeedRecord] = [], offset = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            defer { offset += line.count + 1 }
            guard let begin = line.firstIndex(of: UInt8(ascii: "{")) else {
                guard line.allSatisfy({ $0 <= 0x20 }) else {
                    throw FeedFault(.malformed, source: source, offset: offset, "a line is no record of a feed")
                }
                continue
            }
            do { records.append(try FeedRecord(line: line[begin...], source: source)) } catch {
                throw FeedFault(error.code, source: source, offset: offset, error.reason)
            }
        }
        return records
    }

    /// Lines of one moment as one report.
    private static func gathered(_ lines: [VehicleLine]) -> [FeedRecord] {
        var records: [FeedRecord] = [], open: [VehicleReport] = []
        for line in lines {
            if let time = open.first?.time, time != line.report.time {
                records.append(FeedRecord(time: time, event: .reports(open)))
                open = []
            }
            open.append(line.report)
        }
        if let time = open.first?.time { records.append(FeedRecord(time: time, event: .reports(open))) }
        return records
    }

    /// What was recorded, at its times; an interest is not asked for.
    ///
    /// Each event is told when it is asked for, so that none waits in memory for a slow listener.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        let playback = Playback(self)
        return AsyncStream { await playback.next() }
    }

    /// How far a recording has been played.
    private actor Playback {
        private let feed: ReplayFeed
        private var step = Step.begin
        private var begun = Duration.zero

        private enum Step { case begin, record(Int), end }

        init(_ feed: ReplayFeed) { self.feed = feed }

        /// The next event when its time has come; `nil` after the last, or when the task is cancelled.
        func next() async -> FeedEvent? {
            switch step {
            case .begin where !feed.records.isEmpty:
                (step, begun) = (.record(0), feed.clock.now())
                return .state(.live)
            case .record(let index) where index < feed.records.count:
                await feed.wait(for: index, since: begun)
                if Task.isCancelled { return nil }
                step = .record(index + 1)
                return feed.records[index].event
            case .begin, .record:
                step = .end
                return .state(.ended(nil))
            case .end: return nil
            }
        }
    }

    private func wait(for index: Int, since begun: Duration) async {
        guard case .times(let factor) = speed, factor > 0, let start = records.first?.time else { return }
        let due = Duration.seconds(min(records[index].time.timeIntervalSince(start) / factor, 1e9))
        let wait = due - (clock.now() - begun)
        if wait > .zero { await clock.sleep(wait) }
    }
}
