import ArgumentParser
package import PortolanRaster

/// The limits that every subcommand keeps: on its time and on its memory.
package struct LimitOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Limit the time to N seconds, 0.001 to 86400 (default: 120).",
            discussion: """
                It counts from the start. A picture shows what has come by then, and the rest is missing; other commands end with \
                69. Services have half of it to tell what they offer, and waits that servers ask for count too. Conversions and \
                examinations have an hour, and what runs until it is interrupted has no limit, unless one is given.
                """, valueName: "seconds"))
    var deadline: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The most memory that features, images and timetables may take, in MiB, 16 to 1048576 (default: 384, or 8 times "
                + "the size of the files given).", valueName: "mib"))
    var memoryLimit: Int?

    package init() {}

    /// The time limit, or `nil` if none is given.
    func time() throws(CommandFailure) -> Duration? {
        guard let deadline else { return nil }
        guard (0.001...86_400).contains(deadline) else {
            throw CommandFailure(.usage, "--deadline \(deadline) is not between 0.001 and 86400 seconds")
        }
        return .seconds(deadline)
    }

    /// The budget for what the command reads.
    package func memory() throws(CommandFailure) -> MemoryBudget {
        guard let memoryLimit else { return MemoryBudget() }
        guard (16...1_048_576).contains(memoryLimit) else {
            throw CommandFailure(.usage, "--memory-limit \(memoryLimit) is not between 16 and 1048576 MiB")
        }
        return MemoryBudget(fixedAt: memoryLimit << 20)
    }
}

/// A subcommand.
///
/// Every one keeps limits, which ``PortolanCommand`` enforces.
protocol LimitedCommand: ParsableCommand {
    /// The limits that are given.
    var limits: LimitOptions { get }

    /// The effect of the time limit.
    var timeLimit: TimeLimit { get }
}

extension LimitedCommand {
    /// The command ends after two minutes.
    var timeLimit: TimeLimit { .ends(usual: .seconds(120)) }
}

/// The effect of a subcommand's time limit.
enum TimeLimit: Equatable, Sendable {
    /// The command ends at the limit that is given, or else after its usual time; `nil` is for work without an end of its own.
    case ends(usual: Duration?)
    /// The command itself draws what has come by then. It ends after as long again, and ten seconds at least.
    case draws
}

extension RunDeadline.Time {
    /// The time of a command, or `nil` if it has no limit.
    init?(of command: some LimitedCommand) throws(CommandFailure) {
        let given = try command.limits.time()
        switch command.timeLimit {
        case .ends(let usual):
            guard let time = given ?? usual else { return nil }
            self.init(limit: time, end: time)
        case .draws:
            let time = given ?? .seconds(120)
            self.init(limit: time, end: time + max(time, .seconds(10)))
        }
    }
}
