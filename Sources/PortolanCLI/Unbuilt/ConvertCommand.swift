import ArgumentParser

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
