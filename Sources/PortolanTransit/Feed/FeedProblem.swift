import PortolanWeb

/// Something wrong in a feed that did not keep the rest of it from being read.
public struct FeedProblem: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// A file that a feed should have is not there.
        case missingFile
        /// A column that a file should have is not there.
        case missingColumn
        /// A row has more values than its file has columns.
        case tooManyValues
        /// A quoted value does not end, or goes on behind its end.
        case quoting
        /// A text is not UTF-8.
        case encoding
        /// A value that must be there is empty.
        case empty
        /// A number, time, date, colour, place or time zone is none.
        case malformed
        /// A number is none of those that have a meaning.
        case unknownValue
        /// An identifier or a place in a trip stands twice.
        case duplicate
        /// What a row names is not in the feed.
        case unknownReference
        /// A trip stops where no one boards: at a station, an entrance, a node.
        case notBoardable
        /// A trip has fewer than two stops.
        case tooFewStops
        /// A trip arrives before it departs from the stop before.
        case backwards
        /// The first or last stop of a trip has no time.
        case untimedEnd
        /// A row is about what this package does not know, as vehicles that come on demand.
        case unsupported
        /// A limit is exceeded.
        case limit
        /// A rule of changing names a trip that does not stop there.
        case neverApplies
        /// No trip stops at a stop.
        case unusedStop
        /// A line has no trip.
        case unusedLine
        /// A trip runs on no day.
        case neverRuns
        /// A trip goes faster than anything of its kind.
        case tooFast
        /// A stop lies far from the shape of a trip that stops there.
        case farFromShape
        /// A stop lies where no stop can be.
        case improbablePlace
        /// The feed tells of no day any more.
        case expired
        /// The feed tells of no day yet.
        case early
    }

    /// How bad it is.
    public enum Severity: Int, Hashable, Comparable, Sendable, Codable {
        /// Worth knowing.
        case notice = 0
        /// A value was left out, or is doubtful.
        case warning = 1
        /// A row, or a trip, was left out.
        case error = 2

        /// Whether one is less bad than another.
        public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
    }

    /// What is wrong.
    public var kind: Kind
    /// How bad it is.
    public var severity: Severity
    /// The file, as "stops.txt".
    public var file: String
    /// The line, from 1; 0 where it is about the whole file.
    public var line: Int
    /// The column, or `nil`.
    public var column: String?
    /// What is wrong, in words.
    public var detail: String

    /// Makes a problem.
    public init(
        _ kind: Kind, _ severity: Severity, file: String, line: Int = 0, column: String? = nil, detail: String
    ) {
        self.kind = kind
        self.severity = severity
        self.file = file
        self.line = line
        self.column = column
        self.detail = detail
    }

    /// As `stops.txt:12 (stop_lat): "x" is no number`.
    public var description: String {
        "\(file)\(line > 0 ? ":\(line)" : "")\(column.map { " (\($0))" } ?? ""): \(detail)"
    }
}

/// The problems of a feed: the first ones each, all of them by number.
public struct FeedProblems: Hashable, Sendable {
    /// A kind of problem in a file.
    public struct Group: Hashable, Sendable {
        /// What is wrong.
        public var kind: FeedProblem.Kind
        /// How bad it is.
        public var severity: FeedProblem.Severity
        /// The file.
        public var file: String
    }

    /// The first ones, at most as many as ``FeedLimits/problemCount``, in the order in which they were found.
    public private(set) var kept: [FeedProblem] = []
    /// How many there are of each kind.
    public private(set) var counts: [Group: Int] = [:]
    private let limit: Int

    /// Makes none.
    public init(limit: Int = FeedLimits().problemCount) { self.limit = limit }

    /// How many there are.
    public var count: Int { counts.values.reduce(0, +) }

    /// How many there are of a severity.
    public func count(of severity: FeedProblem.Severity) -> Int {
        counts.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
    }

    /// How many rows and trips were left out, or were cut at a limit: what is read is without them.
    public var lossCount: Int {
        counts.reduce(0) { sum, group in
            let isCut = group.key.kind == .limit && group.key.severity == .warning
            return sum + (group.key.severity == .error || isCut ? group.value : 0)
        }
    }

    /// How many there are of a kind.
    public func count(of kind: FeedProblem.Kind) -> Int {
        counts.reduce(0) { $0 + ($1.key.kind == kind ? $1.value : 0) }
    }

    /// Takes a problem; its words are made only where it is kept.
    mutating func add(
        _ kind: FeedProblem.Kind, _ severity: FeedProblem.Severity, file: String, line: Int = 0,
        column: String? = nil, _ detail: @autoclosure () -> String
    ) {
        counts[Group(kind: kind, severity: severity, file: file), default: 0] += 1
        guard kept.count < limit else { return }
        // Feeds are strangers', and their values are quoted: line ends and control characters stay out of messages.
        let detail = ReadableText.line(detail(), limit: 300)
        kept.append(FeedProblem(kind, severity, file: file, line: line, column: column, detail: detail))
    }

    /// Takes the problems of rows whose lines are counted from behind another.
    mutating func add(_ more: FeedProblems, behind line: Int) {
        counts.merge(more.counts, uniquingKeysWith: +)
        for var problem in more.kept.prefix(max(0, limit - kept.count)) {
            problem.line += line
            kept.append(problem)
        }
    }
}
