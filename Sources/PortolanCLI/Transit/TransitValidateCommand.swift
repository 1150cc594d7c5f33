import ArgumentParser
import PortolanTransit

/// `portolan transit validate`.
struct TransitValidateCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Lists the problems of a timetable, by file, line and column.",
        discussion: """
            The exit code is 3 if anything was left out or is doubtful.

            EXAMPLES
              portolan transit validate kuopio.zip
              portolan transit validate kuopio.zip --json
            """)

    @OptionGroup var feed: FeedOptions

    @Option(help: "Print at most N problems of a kind, 1 to 1000.")
    var most = 5

    var limits: LimitOptions { feed.network.limits }

    func validate() throws {
        guard (1...1000).contains(most) else { throw ValidationError("--most \(most): must be between 1 and 1000") }
    }

    func run() async throws {
        var options = feed
        options.quiet = true
        let feed = try await options.read()
        let document = TransitProblemsDocument(feed, most: most)
        try options.print(document, or: document.text)
        if document.errors + document.warnings > 0 { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }
}

/// The problems of a timetable, as printed.
struct TransitProblemsDocument: Encodable {
    struct Group: Encodable {
        var kind, severity, file: String
        var count: Int
    }

    struct Problem: Encodable {
        var kind, severity, file: String
        var line: Int?
        var column: String?
        var detail: String
    }

    var errors, warnings, notices: Int
    var groups: [Group]
    var problems: [Problem]

    init(_ feed: TransitFeed, most: Int) {
        let found = feed.problems
        errors = found.count(of: .error)
        warnings = found.count(of: .warning)
        notices = found.count(of: .notice)
        groups = found.counts.map { group, count in
            Group(kind: group.kind.rawValue, severity: group.severity.word, file: group.file, count: count)
        }.sorted { ($0.severity, $1.count, $0.kind, $0.file) < ($1.severity, $0.count, $1.kind, $1.file) }
        var seen: [[String]: Int] = [:]
        problems = found.kept.compactMap { problem in
            let group = [problem.kind.rawValue, problem.severity.word, problem.file]
            seen[group, default: 0] += 1
            guard seen[group, default: 0] <= most else { return nil }
            return Problem(
                kind: problem.kind.rawValue, severity: problem.severity.word, file: problem.file,
                line: problem.line > 0 ? problem.line : nil, column: problem.column, detail: problem.detail)
        }
    }

    var text: String {
        guard !groups.isEmpty else { return "no problems\n" }
        var text = "\(errors) errors, \(warnings) warnings, \(notices) notices\n\n"
        for group in groups {
            text += "\(group.severity)  \(group.kind)  \(group.file)  \(group.count)\n"
            let own = problems.filter {
                $0.kind == group.kind && $0.file == group.file && $0.severity == group.severity
            }
            for problem in own {
                let place = problem.line.map { ":\($0)" } ?? ""
                let column = problem.column.map { " (\($0))" } ?? ""
                text += "    " + PlainText.oneLine("\(problem.file)\(place)\(column): \(problem.detail)") + "\n"
            }
            if group.count > own.count, !own.isEmpty { text += "    … \(group.count - own.count) more\n" }
        }
        return text
    }
}

extension TransitFeed.Problem.Severity {
    /// The name; the alphabetical order is that of severity, worst first.
    fileprivate var word: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        }
    }
}
