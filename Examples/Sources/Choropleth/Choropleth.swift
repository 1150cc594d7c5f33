import ArgumentParser
import Portolan

/// Draws maps of countries by their figures, ready to be published.
@main
struct Choropleth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Draws a choropleth of Europe: a table joined to borders, classes, labels, legend, source and locator.",
        discussion: """
            EXAMPLES
              Choropleth --output choropleth.png
              Choropleth --language de --output choropleth.pdf
              Choropleth --bivariate --output bivariate.svg
            """)

    @Flag(help: "Show two figures at once, in nine colours with a square legend.")
    var bivariate = false

    @Option(help: ArgumentHelp("The language of numbers, such as de.", valueName: "tag"))
    var language = "en"

    @Option(name: [.short, .long], help: ArgumentHelp("The PNG, SVG or PDF file to write.", valueName: "file"))
    var output = "choropleth.png"

    func run() async throws {
        let map = try await bivariate ? BivariateMap.map() : DensityMap.map(language: language)
        let result = try await map.refresh()
        if output.hasSuffix(".svg") {
            try result.writeSVG(to: output)
        } else if output.hasSuffix(".pdf") {
            try result.writePDF(to: output)
        } else {
            try result.writePNG(to: output)
        }
        print(output)
    }
}
