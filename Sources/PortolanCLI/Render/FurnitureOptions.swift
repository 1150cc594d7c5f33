import ArgumentParser
import Portolan

/// The options that say what stands on a picture beside the map.
struct FurnitureOptions: ParsableArguments {
    @Option(help: "The colour under the bottommost layer, or 'transparent' (default: white).")
    var background: String?

    @Option(help: "What to write of the sources: auto, none or a text (default: auto).")
    var attribution: String?

    @Option(parsing: .unconditional, help: "A title on top of the picture.")
    var title: String?

    @Flag(help: "Draw an arrow that points north.")
    var northArrow = false

    @Flag(help: "Not supported yet: draw a scale bar.")
    var scaleBar = false

    @Option(parsing: .unconditional, help: "Not supported yet: draw lines every DEG degrees, or 'auto'.")
    var graticule: String?

    @Flag(help: "Not supported yet: draw the layers' legends.")
    var legend = false

    /// How the picture is to look.
    func options() throws(CommandFailure) -> RenderOptions {
        if scaleBar { throw .notSupportedYet("--scale-bar") }
        if graticule != nil { throw .notSupportedYet("--graticule") }
        if legend { throw .notSupportedYet("--legend") }
        var options = RenderOptions()
        if let background {
            guard let color = Color(css: background) else {
                throw CommandFailure(
                    .usage, "--background \(background) is not a colour; write #rrggbb, a CSS name or transparent")
            }
            options.background = color
        }
        options.attribution =
            switch attribution {
            case nil, "auto": .automatic
            case "none": .none
            case .some(let text): .text(text)
            }
        options.title = title
        options.showsNorthArrow = northArrow
        return options
    }
}
