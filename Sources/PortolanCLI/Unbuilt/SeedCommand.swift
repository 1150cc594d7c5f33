import ArgumentParser

/// `portolan seed`, which is not built yet.
struct SeedCommand: UnbuiltCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Not supported yet: fetches a pyramid of tiles for use without a network.",
        discussion: """
            EXAMPLES
              portolan seed -l 'xyz:https://example.org/{z}/{x}/{y}.png' --zooms 10-14 \\
                --bbox 2776000,8437000,2781000,8442000 -o helsinki.mbtiles
            """)

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var words: [String] = []
}
