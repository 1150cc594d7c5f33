public import Foundation
package import PortolanFetch
import PortolanTransit
import PortolanWeb

/// A source that plays back a recording: vehicle lines, or records of any source (``ReplayFeed/Record``).
///
/// Events with the same time are delivered together. The last event reports the end of the source.
public struct ReplayFeed: VehicleFeed {
    /// The playback speed.
    public enum Speed: Hashable, Sendable {
        /// A multiple of the recorded speed.
        case times(Double)
        /// Everything at once.
        case whole
    }

    /// The name used in messages.
    public let name: String
    /// The events in order.
    public let records: [ReplayFeed.Record]
    /// The playback speed.
    public let speed: Speed
    private let clock: FetchClock

    /// Creates a source from records.
    ///
    /// - Parameters:
    ///   - records: the events, which are sorted by time.
    ///   - speed: the playback speed. Factors of zero and below play everything at once.
    public init(_ records: [ReplayFeed.Record], name: String = "recording", speed: Speed = .times(1)) {
        self.init(records, name: name, speed: speed, clock: .system)
    }

    /// Creates a source with a custom clock.
    package init(_ records: [ReplayFeed.Record], name: String, speed: Speed, clock: FetchClock) {
        self.name = name
        let order = records.indices.sorted { (records[$0].time, $0) < (records[$1].time, $1) }
        self.records = order.map { records[$0] }
        self.speed = speed
        self.clock = clock
    }

    /// Parses a recording.
    ///
    /// Its format is detected from the first lines. Invalid lines are omitted and reported in the first record.
    ///
    /// - Parameter start: the start time for vehicle lines, which only have relative times.
    /// - Throws: ``FeedError`` if there are lines and all are invalid.
    public static func records(_ bytes: [UInt8], source: String, start: Date) throws(FeedError) -> [ReplayFeed.Record] {
        let text = bytes.withoutByteOrderMark
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        func begin(_ line: ArraySlice<UInt8>) -> UInt8? { line.first { $0 > 0x20 } }
        let isOfObjects = lines.lazy.compactMap(begin).prefix(20).contains(UInt8(ascii: "{"))
        var records: [ReplayFeed.Record] = [], losses = FeedLosses()
        if isOfObjects {
            for (number, line) in lines.enumerated() where begin(line) != nil {
                do throws(FeedError) { records.append(try ReplayFeed.Record(line: line, source: source)) } catch {
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
        return [ReplayFeed.Record(time: first, event: .losses(losses))] + records
    }

    /// Returns one record for all lines with the same time.
    private static func gathered(_ lines: [VehicleLine]) -> [ReplayFeed.Record] {
        var records: [ReplayFeed.Record] = [], open: [VehicleReport] = []
        for line in lines {
            if let time = open.first?.time, time != line.report.time {
                records.append(ReplayFeed.Record(time: time, event: .reports(open)))
                open = []
            }
            open.append(line.report)
        }
        if let time = open.first?.time { records.append(ReplayFeed.Record(time: time, event: .reports(open))) }
        return records
    }

    /// Returns the recorded events at their times.
    ///
    /// Interests are ignored. Events are produced on demand, so that none are buffered for a slow listener.
    public func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        let playback = Playback(self)
        return AsyncStream { await playback.next() }
    }

    /// The playback position in a recording.
    private actor Playback {
        private let feed: ReplayFeed
        private var step = Step.begin
        private var begun = Duration.zero

        private enum Step { case begin, record(Int), end }

        init(_ feed: ReplayFeed) { self.feed = feed }

        /// Waits for the time of the next event and returns it, or `nil` after the last one or if the task is
        /// cancelled.
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
