import ArgumentParser
import CustomKinds
import Portolan

/// Draws a map with a layer kind, a projection and a feature format defined outside Portolan.
@main
struct CustomLayer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws the large cities of the world, counted in hexagons, in a custom projection.",
        discussion: "Example: CustomLayer --output cities.png")

    @Option(help: ArgumentHelp("The PNG or SVG file to write.", valueName: "file"))
    var output = "cities.png"

    func run() async throws {
        let result = try await CityMap.draw()
        if output.hasSuffix(".svg") { try result.writeSVG(to: output) } else { try result.writePNG(to: output) }
        print(output)
    }
}
