import ArgumentParser

/// `portolan identify`, which is not built yet.
struct IdentifyCommand: UnbuiltCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Not supported yet: tells what lies under a point, as JSON.",
        discussion: """
            EXAMPLES
              portolan identify -l route.geojson --bbox 660000,4600000,690000,4625000 --at 512,384
              portolan identify map.json --lonlat 24.94,60.17
            """)

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var words: [String] = []
}
