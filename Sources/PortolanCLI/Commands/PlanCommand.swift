import ArgumentParser
import Portolan

/// `portolan plan`: prints what a picture would need.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Prints what a picture needs, as JSON: each request in drawing order and where its image goes.",
        usage: "portolan plan [<map.json>] [-l <layer>]... [<options>]",
        discussion: """
            Services are asked what they offer, but no map is fetched. A line of render can be
            planned as it is: -o and --report are taken, and nothing is written to them.

            EXAMPLES
              portolan plan -l 'xyz:https://example.org/{z}/{x}/{y}.png' \\
                --center 24.94,60.17 --zoom 14
              portolan plan map.json --size 512x512

            EXIT CODES
              0 planned whole; 3 planned without the layers that failed; the others are those of render.
            """)

    @OptionGroup var map: MapOptions
    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions
    @OptionGroup(title: "Output") var picture: PictureOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    func run() async throws {
        let drawing = try furniture.options()
        _ = try picture.maximumMissing()
        if let output = picture.output { _ = try picture.format(of: OutputFile(path: output)) }
        let options = map, network = network
        let map = try await Interruption.cancelling { try await options.map(network) }
        if map.layers.isEmpty, let failure = map.failure { throw failure }
        let plan = MapPlanner(viewport: map.viewport, background: drawing.background, showsLegend: drawing.showsLegend)
            .plan(map.layers)
        let missing = map.missing.flatMap { layer in layer.failed.map { "layer '\(layer.name)': \($0.error)" } }
        try OutputFile(path: "-").write(
            JSONText.bytes(PlanDocument(plan, warnings: map.warnings + missing)))
        if !picture.quiet { missing.forEach(StandardError.warn) }
        if !map.missing.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }
}
