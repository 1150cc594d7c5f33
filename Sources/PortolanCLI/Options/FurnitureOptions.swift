import ArgumentParser
import Portolan
import PortolanPaint
import PortolanRaster

/// The options of the map furniture.
struct FurnitureOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Set the background colour, or 'transparent' (default: white).", valueName: "color"))
    var background: String?

    @Option(help: ArgumentHelp("Fill the map's world, as the ocean, and draw its outline.", valueName: "color"))
    var sphere: String?

    @Option(help: ArgumentHelp("Set the attribution: auto, none or a text (default: auto).", valueName: "text"))
    var attribution: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Draw a title at the top.", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "Colour the furniture: auto, light, dark or TEXT,PANEL as '#222,#f4ecd8'.", valueName: "theme"))
    var theme: String?

    @Flag(help: "Draw a north arrow.")
    var northArrow = false

    @Flag(help: "Draw a scale bar, exact at the centre of the picture.")
    var scaleBar = false

    @Option(help: ArgumentHelp("Draw longitude and latitude lines every N degrees, or 'auto'.", valueName: "n"))
    var graticule: String?

    @Flag(help: "Draw a legend with the services' legends and samples of features.")
    var legend = false

    /// The render options for the furniture.
    func options() throws(CommandFailure) -> RenderOptions {
        var options = RenderOptions()
        if let background {
            guard let color = MapColor(css: background) else {
                throw CommandFailure(
                    .usage, "--background \(background): not a valid colour; write #rrggbb, a CSS name or transparent")
            }
            options.background = color
        }
        if let sphere {
            guard let color = MapColor(css: sphere) else {
                throw CommandFailure(
                    .usage, "--sphere \(sphere): not a valid colour; write #rrggbb, a CSS name or transparent")
            }
            options.sphere = color
        }
        options.attribution = attribution.map { RenderOptions.Attribution($0) } ?? .automatic
        options.title = title
        options.theme = try chosenTheme()
        options.showsLegend = legend
        options.showsNorthArrow = northArrow
        options.showsScaleBar = scaleBar
        options.graticule = try graticuleLines()
        return options
    }

    private func chosenTheme() throws(CommandFailure) -> Furniture.Theme? {
        guard let theme, theme != "auto" else { return nil }
        guard let chosen = Furniture.Theme(theme) else {
            throw CommandFailure(
                .usage, "--theme \(theme): must be auto, light, dark or two colours such as '#222,#f4ecd8'")
        }
        return chosen
    }

    private func graticuleLines() throws(CommandFailure) -> Furniture.Graticule? {
        guard let graticule else { return nil }
        guard let lines = Furniture.Graticule(graticule) else {
            throw CommandFailure(
                .usage, "--graticule \(graticule): must be 'auto' or a number of degrees above 0 and up to 90")
        }
        return lines
    }
}
