import ArgumentParser
import Portolan

/// `portolan plan`: prints what a picture would need.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Prints what a picture needs, as JSON: each request in drawing order and where its image goes.",
        discussion: """
            Services are asked what they offer, but no map is fetched.

            EXAMPLES
              portolan plan -l 'xyz:https://example.org/{z}/{x}/{y}.png' --center 24.94,60.17 --zoom 14
              portolan plan map.json --size 512x512
            """)

    @OptionGroup var map: MapOptions

    func run() async throws {
        let options = map
        let map = try await Interruption.cancelling { try await options.map() }
        let plan = MapPlanner(viewport: map.viewport).plan(map.layers)
        let missing = map.missing.flatMap { layer in layer.failed.map { "layer '\(layer.name)': \($0.error)" } }
        try OutputFile(path: "-").write(
            JSONText.bytes(PlanDocument(plan, warnings: map.warnings + missing)))
        if !map.missing.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }
}
