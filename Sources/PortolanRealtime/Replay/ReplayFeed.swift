public import Foundation
package import PortolanFetch
import PortolanTransit
import PortolanWeb

/// A source that tells again what was recorded: lines of vehicles, or records of any source (``FeedRecord``).
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

    /// Reads a recording of either kind: its first lines tell which.
    ///
    /// Lines that cannot be read are left out; how many there are, and which, is the first record.
    ///
    /// - Parameter start: when a recording of lines was begun, which does not tell it.
    /// - Throws: ``FeedError``, where there are lines and none can be read.
    public static func records(_ bytes: [UInt8], source: String, start: Date) throws(FeedError) -> [FeedRecord] {
        let text = bytes.withoutByteOrderMark
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        func begin(_ line: ArraySlice<UInt8>) -> UInt8? { line.first { $0 > 0x20 } }
        let isOfObjects = lines.lazy.compactMap(begin).prefix(20).contains(UInt8(ascii: "{"))
        var records: [FeedRecord] = [], losses = FeedLosses()
        if isOfObjects {
            for (number, line) in lines.enumerated() where begin(line) != nil {
                do throws(FeedError) { records.append(try FeedRecord(line: line, source: source)) } catch {
                    losses.add(FeedError(error.code, source: source, line: number + 1, error.reason))
                }
            }
            if records.isEmpty, let fault = losses.faults.first { throw fault }
        } else {
            let read = try VehicleLines(Array(text), source: source, start: start)
            records = gathered(read.lines)
            losses = read.losses
        }
        guard losses.count > 0, let first = records.map(\.time).min() else { return records }
        return [FeedRecord(time: first, event: .losses(losses))] + records
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
