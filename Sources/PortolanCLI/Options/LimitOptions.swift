import ArgumentParser
package import PortolanRaster

/// The limits of time and memory of every subcommand.
package struct LimitOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Limit the total time to N seconds (default: 120, or 3600 for convert, tile, film and doctor). Pictures "
                + "leave out what is not received by then.", valueName: "n"))
    var deadline: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Limit the memory for features, images and timetables to N MiB (default: 384, or 8 times the size of the "
                + "input files).", valueName: "n"))
    var memoryLimit: Int?

    package init() {}

    /// The time limit, or `nil` if none is given.
    func time() throws(CommandFailure) -> Duration? {
        guard let deadline else { return nil }
        guard (0.001...86_400).contains(deadline) else {
            throw CommandFailure(.usage, "--deadline \(deadline): must be between 0.001 and 86400 seconds")
        }
        return .seconds(deadline)
    }

    /// The budget for what the command reads.
    package func memory() throws(CommandFailure) -> MemoryBudget {
        guard let memoryLimit else { return MemoryBudget() }
        guard (16...1_048_576).contains(memoryLimit) else {
            throw CommandFailure(.usage, "--memory-limit \(memoryLimit): must be between 16 and 1048576 MiB")
        }
        return MemoryBudget(fixedAt: memoryLimit << 20)
    }
}

/// A subcommand.
///
/// Every subcommand has limits, which ``PortolanCommand`` enforces.
protocol LimitedCommand: ParsableCommand {
    /// The given limits.
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
    /// The command ends at the given limit, or else after its usual time; `nil` is for work without an end.
    case ends(usual: Duration?)
    /// The command draws the resources received by then. It is ended after twice the limit, or at least 10 seconds more.
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
