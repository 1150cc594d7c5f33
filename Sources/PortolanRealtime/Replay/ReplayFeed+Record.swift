public import Foundation

extension ReplayFeed {
    /// A recorded event with its time: a line of a recording, as JSON.
    ///
    /// A line has `t` (seconds since 1970), `event` (the kind) and the data of that kind. Missing values are omitted.
    public struct Record: Hashable, Sendable {
        /// The time of the event.
        public var time: Date
        /// The event.
        public var event: FeedEvent

        /// Creates a record.
        public init(time: Date, event: FeedEvent) {
            self.time = time
            self.event = event
        }

        /// The maximum length of a line: 64 MiB.
        private static let byteLimit = 64 << 20

        /// Parses a line.
        ///
        /// - Throws: ``FeedError`` if the line is invalid or too long.
        public init(line: some Collection<UInt8>, source: String = "recording") throws(FeedError) {
            guard line.count <= Self.byteLimit else {
                throw FeedError(.limitExceeded, source: source, "a line exceeds \(Self.byteLimit) bytes")
            }
            do { self = try JSONDecoder().decode(RecordForm.self, from: Data(line)).record } catch {
                throw FeedError(.malformed, source: source, "not a record of a feed")
            }
        }

        /// The record as a line without line end.
        ///
        /// Equal records have equal bytes.
        public var line: [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return ((try? encoder.encode(RecordForm(self))).map { [UInt8]($0) }) ?? []
        }
    }
}

extension ReplayFeed {
    /// Encodes the events of a source as lines that a ``ReplayFeed`` can play back.
    public struct Recorder: Sendable {
        /// The number of records.
        public private(set) var count = 0

        /// Creates a recorder.
        public init() {}

        /// Returns the line of an event, including its line end.
        ///
        /// - Parameter time: the time of the event.
        public mutating func record(_ event: FeedEvent, at time: Date) -> [UInt8] {
            count += 1
            return ReplayFeed.Record(time: time, event: event).line + [UInt8(ascii: "\n")]
        }
    }
}
