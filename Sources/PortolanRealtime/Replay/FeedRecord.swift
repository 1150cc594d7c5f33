public import Foundation

/// What a source told, and when: a line of a recording, as JSON.
///
/// A line has `t`, the seconds since 1970, `event`, the kind, and what belongs to it; what is not told is not there.
public struct FeedRecord: Hashable, Sendable {
    /// When it was told.
    public var time: Date
    /// What was told.
    public var event: FeedEvent

    /// Makes a record.
    public init(time: Date, event: FeedEvent) {
        self.time = time
        self.event = event
    }

    /// The longest line that is read: 64 MiB.
    private static let byteLimit = 64 << 20

    /// Reads a line.
    ///
    /// - Throws: ``FeedError``, where it is none.
    public init(line: some Collection<UInt8>, source: String = "recording") throws(FeedError) {
        guard line.count <= Self.byteLimit else {
            throw FeedError(.limitExceeded, source: source, "a line has more than \(Self.byteLimit) bytes")
        }
        do { self = try JSONDecoder().decode(RecordForm.self, from: Data(line)).record } catch {
            throw FeedError(.malformed, source: source, "it is no record of a feed")
        }
    }

    /// The line, without an end; the same record gives the same bytes.
    public var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(RecordForm(self))).map { [UInt8]($0) }) ?? []
    }
}

/// Writes down what a source tells, line by line, so that a ``ReplayFeed`` can tell it again.
public struct FeedRecorder: Sendable {
    /// How many records were made.
    public private(set) var count = 0

    /// Makes a recorder.
    public init() {}

    /// The line of an event, with its end.
    ///
    /// - Parameter time: when it was told.
    public mutating func record(_ event: FeedEvent, at time: Date) -> [UInt8] {
        count += 1
        return FeedRecord(time: time, event: event).line + [UInt8(ascii: "\n")]
    }
}
