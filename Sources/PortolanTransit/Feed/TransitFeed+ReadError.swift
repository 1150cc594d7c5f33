public import PortolanRaster

extension TransitFeed {
    /// The reason why a feed has no usable timetable.
    ///
    /// Lesser problems are reported as ``TransitFeed/Problem``.
    public enum ReadError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A file or folder cannot be read.
        case unreadable(file: String, what: String)
        /// The archive is invalid or damaged at a byte offset.
        case archive(file: String, byte: Int, what: String)
        /// The archive or one of its files is encrypted.
        case encrypted(file: String, what: String)
        /// A required file is missing.
        case missingFile(String)
        /// A required column is missing.
        case missingColumn(file: String, column: String)
        /// A file exceeds a limit; line 0 means the whole file.
        case limitExceeded(file: String, line: Int, what: String)
        /// A file does not fit in ``TransitFeed/Limits/memory``; line 0 means the whole file.
        case memory(file: String, line: Int, what: String)
        /// The task was cancelled while reading this file.
        case cancelled(file: String)

        /// A one-line message with file, position and cause.
        public var description: String {
            switch self {
            case .unreadable(let file, let what): "\(file): \(what)"
            case .archive(let file, let byte, let what):
                byte == 0 ? "\(file): \(what)" : "\(file), byte \(byte): \(what)"
            case .encrypted(let file, let what): "\(file): \(what)"
            case .missingFile(let file): "\(file) is missing in the feed"
            case .missingColumn(let file, let column): "\(file): the column \(column) is missing"
            case .limitExceeded(let file, let line, let what), .memory(let file, let line, let what):
                line == 0 ? "\(file): \(what)" : "\(file):\(line): \(what)"
            case .cancelled(let file): "\(file): reading was cancelled"
            }
        }
    }
}

extension TransitFeed {
    /// The limits for untrusted feeds.
    public struct Limits: Hashable, Sendable {
        /// The maximum size of a file in bytes, at most 1,900,000,000.
        public var byteCount = 1_900_000_000
        /// The maximum number of rows of a file.
        public var rowCount = 100_000_000
        /// The maximum length of a row in bytes.
        public var rowByteCount = 1 << 20
        /// The maximum number of days from the first to the last day of the calendar.
        public var dayCount = 73_200
        /// The maximum number of days of all services together.
        public var serviceDayCount = 1 << 30
        /// The maximum number of trips created by frequencies.
        public var frequencyTripCount = 1_000_000
        /// The maximum number of stop times, including those created by frequencies.
        public var stopTimeCount = 100_000_000
        /// The maximum number of transfer rules and trip links.
        public var transferCount = 2_000_000
        /// The maximum number of problems kept in full; further ones are only counted.
        public var problemCount = 1000
        /// The memory budget for tables while the feed is read, or `nil` for no budget.
        public var memory: MemoryBudget?

        /// Creates the default limits.
        public init() {}
    }
}
