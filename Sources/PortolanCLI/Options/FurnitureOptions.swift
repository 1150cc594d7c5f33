import ArgumentParser
import Portolan
import PortolanPaint
import PortolanRaster

/// The options that say what stands on a picture beside the map.
struct FurnitureOptions: ParsableArguments {
    @Option(help: "The colour under the bottommost layer, or 'transparent' (default: white).")
    var background: String?

    @Option(help: "The attribution of the sources: auto, none or a text (default: auto).")
    var attribution: String?

    @Option(parsing: .unconditional, help: "A title on top of the picture.")
    var title: String?

    @Option(
        help: ArgumentHelp(
            "The colours of title, legend, scale bar and attribution: auto, light, dark, or those of letters and of panels, as "
                + "'#222,#f4ecd8' (default: auto, as the ground of the map wants it).", valueName: "theme"))
    var theme: String?

    @Flag(help: "Draw an arrow that points north.")
    var northArrow = false

    @Flag(help: "Draw a scale bar, true at the picture's centre.")
    var scaleBar = false

    @Option(help: ArgumentHelp("Draw lines of longitude and latitude every DEG degrees, or 'auto'.", valueName: "deg"))
    var graticule: String?

    @Flag(
        help: ArgumentHelp(
            "Draw a panel that explains the layers: services' legends, and samples of features.",
            discussion:
                "A legend that a service does not provide, or that does not fit, is reported and counts as missing."))
    var legend = false

    /// How the picture is to look.
    func options() throws(CommandFailure) -> RenderOptions {
        var options = RenderOptions()
        if let background {
            guard let color = Color(css: background) else {
                throw CommandFailure(
                    .usage, "--background \(background) is not a colour; write #rrggbb, a CSS name or transparent")
            }
            options.background = color
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

    private func chosenTheme() throws(CommandFailure) -> FurnitureTheme? {
        guard let theme, theme != "auto" else { return nil }
        guard let chosen = FurnitureTheme(theme) else {
            throw CommandFailure(
                .usage, "--theme \(theme) is neither auto, light or dark, nor two colours such as '#222,#f4ecd8'")
        }
        return chosen
    }

    private func graticuleLines() throws(CommandFailure) -> Graticule? {
        guard let graticule else { return nil }
        guard let lines = Graticule(graticule) else {
            throw CommandFailure(.usage, "--graticule \(graticule) is neither 'auto' nor degrees up to 90")
        }
        return lines
    }
}
