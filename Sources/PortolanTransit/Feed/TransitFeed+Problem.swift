import PortolanWeb

extension TransitFeed {
    /// A problem in a feed that does not prevent the rest from being read.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The kind of problem.
        public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
            /// A recommended file is missing.
            case missingFile
            /// A required column of an optional file is missing, so the file is not read.
            case missingColumn
            /// A row has more values than the file has columns.
            case tooManyValues
            /// A quoted value is not closed, or is followed by more text.
            case quoting
            /// A text is not valid UTF-8.
            case encoding
            /// A required value is empty.
            case empty
            /// A number, time, date, colour, coordinate or time zone is invalid.
            case malformed
            /// A number has no defined meaning.
            case unknownValue
            /// An identifier or a position in a trip occurs twice.
            case duplicate
            /// A row refers to something that is not in the feed.
            case unknownReference
            /// A trip stops where passengers cannot board: at a station, an entrance or a node.
            case notBoardable
            /// A trip has fewer than two stops.
            case tooFewStops
            /// A trip arrives at a stop before it departs from the previous one.
            case backwards
            /// The first or the last stop of a trip has no time.
            case untimedEnd
            /// A row describes an unsupported feature, such as demand-responsive services.
            case unsupported
            /// A limit was exceeded.
            case limit
            /// A transfer rule refers to a trip that does not stop at its stop.
            case neverApplies
            /// A stop is not used by any trip.
            case unusedStop
            /// A line has no trips.
            case unusedLine
            /// A trip does not run on any day.
            case neverRuns
            /// A trip is faster than the maximum for its mode.
            case tooFast
            /// A stop is far from the shape of a trip that stops there.
            case farFromShape
            /// A stop has an implausible coordinate.
            case improbablePlace
            /// The feed is no longer valid.
            case expired
            /// The feed is not valid yet.
            case early
        }

        /// The severity of a problem.
        public enum Severity: Int, Hashable, Comparable, Sendable, Codable {
            /// A remark.
            case notice = 0
            /// A value was omitted or is doubtful.
            case warning = 1
            /// A row or a trip was omitted.
            case error = 2

            /// Returns whether the first severity is lower than the second.
            public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
        }

        /// The kind of problem.
        public var kind: Kind
        /// The severity.
        public var severity: Severity
        /// The file name, such as "stops.txt".
        public var file: String
        /// The line number, from 1, or 0 for problems of the whole file.
        public var line: Int
        /// The column name, or `nil`.
        public var column: String?
        /// A description of the problem.
        public var detail: String

        /// Creates a problem.
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

        /// A one-line message, such as `stops.txt:12 (stop_lat): …`.
        public var description: String {
            "\(file)\(line > 0 ? ":\(line)" : "")\(column.map { " (\($0))" } ?? ""): \(detail)"
        }
    }
}

extension TransitFeed {
    /// The problems of a feed: the first ones in full, and the total number of each kind.
    public struct Problems: Hashable, Sendable {
        /// A kind of problem in a file, as a key of the counts.
        public struct Group: Hashable, Sendable {
            /// The kind of problem.
            public var kind: TransitFeed.Problem.Kind
            /// The severity.
            public var severity: TransitFeed.Problem.Severity
            /// The file name.
            public var file: String
        }

        /// The first problems in the order in which they were found, at most ``TransitFeed/Limits/problemCount``.
        public private(set) var kept: [TransitFeed.Problem] = []
        /// The number of problems by kind, severity and file.
        public private(set) var counts: [Group: Int] = [:]
        private let limit: Int

        /// Creates an empty collection that keeps at most `limit` problems in full.
        public init(limit: Int = TransitFeed.Limits().problemCount) { self.limit = limit }

        /// The total number of problems.
        public var count: Int { counts.values.reduce(0, +) }

        /// Returns the number of problems of a severity.
        public func count(of severity: TransitFeed.Problem.Severity) -> Int {
            counts.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
        }

        /// The number of rows and trips that were omitted, or cut off at a limit.
        public var lossCount: Int {
            counts.reduce(0) { sum, group in
                let isCut = group.key.kind == .limit && group.key.severity == .warning
                return sum + (group.key.severity == .error || isCut ? group.value : 0)
            }
        }

        /// Returns the number of problems of a kind.
        public func count(of kind: TransitFeed.Problem.Kind) -> Int {
            counts.reduce(0) { $0 + ($1.key.kind == kind ? $1.value : 0) }
        }

        /// Adds a problem.
        ///
        /// The detail is evaluated only if the problem is kept.
        mutating func add(
            _ kind: TransitFeed.Problem.Kind, _ severity: TransitFeed.Problem.Severity, file: String, line: Int = 0,
            column: String? = nil, _ detail: @autoclosure () -> String
        ) {
            counts[Group(kind: kind, severity: severity, file: file), default: 0] += 1
            guard kept.count < limit else { return }
            // Feeds are untrusted and details quote their values, so line breaks and control characters are removed.
            let detail = ReadableText.line(detail(), limit: 300)
            kept.append(TransitFeed.Problem(kind, severity, file: file, line: line, column: column, detail: detail))
        }

        /// Adds problems whose line numbers are relative to another line.
        mutating func add(_ more: TransitFeed.Problems, behind line: Int) {
            counts.merge(more.counts, uniquingKeysWith: +)
            for var problem in more.kept.prefix(max(0, limit - kept.count)) {
                problem.line += line
                kept.append(problem)
            }
        }
    }
}
