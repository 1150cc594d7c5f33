public import PortolanRaster

/// Why no timetable can be had of a feed; what can be left out of one is a ``FeedProblem``.
public enum TransitFeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file or folder cannot be read.
    case unreadable(file: String, what: String)
    /// The archive is none, or damaged, at a byte.
    case archive(file: String, byte: Int, what: String)
    /// The archive, or a file of it, is encrypted.
    case encrypted(file: String, what: String)
    /// A file without which there is no timetable is not there.
    case missingFile(String)
    /// A column without which a file says nothing is not there.
    case missingColumn(file: String, column: String)
    /// A file has more than a limit allows; line 0 stands for the whole.
    case limitExceeded(file: String, line: Int, what: String)
    /// There is no room for what a file has in ``FeedLimits/memory``; line 0 stands for the whole.
    case memory(file: String, line: Int, what: String)
    /// The task that was reading the feed was cancelled, in this file.
    case cancelled(file: String)

    /// File, place and cause in one line.
    public var description: String {
        switch self {
        case .unreadable(let file, let what): "\(file): \(what)"
        case .archive(let file, let byte, let what): byte == 0 ? "\(file): \(what)" : "\(file), byte \(byte): \(what)"
        case .encrypted(let file, let what): "\(file): \(what)"
        case .missingFile(let file): "\(file) is not in the feed"
        case .missingColumn(let file, let column): "\(file): the column \(column) is missing"
        case .limitExceeded(let file, let line, let what), .memory(let file, let line, let what):
            line == 0 ? "\(file): \(what)" : "\(file):\(line): \(what)"
        case .cancelled(let file): "\(file): reading it was cancelled"
        }
    }
}

/// What feeds of strangers are held to.
public struct FeedLimits: Hashable, Sendable {
    /// The most bytes of a file, at most 1,900,000,000.
    public var byteCount = 1_900_000_000
    /// The most rows of a file.
    public var rowCount = 100_000_000
    /// The most bytes of a row.
    public var rowByteCount = 1 << 20
    /// The most days from the first of a calendar to its last.
    public var dayCount = 73_200
    /// The most days of all services together.
    public var serviceDayCount = 1 << 30
    /// The most trips that frequencies make.
    public var frequencyTripCount = 1_000_000
    /// The most times of trips at stops, those that frequencies make among them.
    public var stopTimeCount = 100_000_000
    /// The most rules of changing, and links of trips.
    public var transferCount = 2_000_000
    /// The most problems that are kept; beyond it they are counted.
    public var problemCount = 1000
    /// The budget that tables are charged to while the feed is read; `nil` for none.
    public var memory: MemoryBudget?

    /// Makes the limits that are usual.
    public init() {}
}
