import ArgumentParser

/// A subcommand that the contract promises and that is not built yet: it has its help, and refuses everything else.
protocol UnbuiltCommand: ParsableCommand {}

extension UnbuiltCommand {
    func run() throws {
        throw CommandFailure.notSupportedYet("portolan \(Self.configuration.commandName ?? "")")
    }
}
