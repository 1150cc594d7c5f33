import ArgumentParser

/// `portolan routes`, which is not built yet.
struct RoutesCommand: UnbuiltCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Not supported yet: keeps a book of routes: import, list, show, next, remove, snapshot.",
        discussion: """
            EXAMPLES
              portolan routes import walk.geojson
              portolan routes list
            """)

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var words: [String] = []
}
