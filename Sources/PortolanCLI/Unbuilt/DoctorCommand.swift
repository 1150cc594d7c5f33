import ArgumentParser

/// `portolan doctor`, which is not built yet.
struct DoctorCommand: UnbuiltCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Not supported yet: checks a service and names each deviation from its standard.",
        discussion: """
            EXAMPLES
              portolan doctor https://example.org/wms
            """)

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var words: [String] = []
}
