import ArgumentParser

/// A subcommand that the contract promises and that is not built yet: it has its help, and refuses everything else.
protocol UnbuiltCommand: ParsableCommand {}

extension UnbuiltCommand {
    func run() throws {
        throw CommandFailure.notSupportedYet("portolan \(Self.configuration.commandName ?? "") is not supported yet")
    }
}

/// `portolan convert`, which is not built yet.
struct ConvertCommand: UnbuiltCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Not supported yet: writes a file of features in another format.",
        discussion: """
            EXAMPLES
              portolan convert walk.gpx walk.geojson
            """)

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var words: [String] = []
}
