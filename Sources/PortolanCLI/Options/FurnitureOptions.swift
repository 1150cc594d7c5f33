import ArgumentParser
import Portolan
import PortolanPaint
import PortolanRaster

/// The options of the map furniture.
struct FurnitureOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Set the background, or 'transparent' (default: white).", valueName: "color"))
    var background: String?

    @Option(help: ArgumentHelp("Fill the map's world, as the ocean, with an outline.", valueName: "color"))
    var sphere: String?

    @Option(help: ArgumentHelp("Set the attribution: auto (default), none or a text.", valueName: "text"))
    var attribution: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Draw a title at the top.", valueName: "text"))
    var title: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Draw a smaller line below the title.", valueName: "text"))
    var subtitle: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Write a line below the map, such as the data source.", valueName: "text"))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "Draw coordinates along the sides: degrees, utm, mgrs.", valueName: "grid"))
    var frame: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Draw another extent: 'bbox=…;at=top-left;size=30%'. Repeatable.", valueName: "inset"))
    var inset: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Draw an overview with the extent: auto, or as --inset.", valueName: "inset"))
    var locator: String?

    @Option(
        help: ArgumentHelp(
            "Colour the furniture: auto, light, dark or TEXT,PANEL as '#222,#f4ecd8'.", valueName: "theme"))
    var theme: String?

    @Flag(help: "Draw a north arrow.")
    var northArrow = false

    @Flag(help: "Draw a scale bar, exact at the centre of the picture.")
    var scaleBar = false

    @Option(
        help: ArgumentHelp("Set the units: metric (default), imperial, nautical.", valueName: "units"))
    var units: String?

    @Option(help: ArgumentHelp("Draw the graticule every N degrees, or 'auto'.", valueName: "n"))
    var graticule: String?

    @Flag(help: "Draw a legend of the services and the features.")
    var legend = false

    @Option(
        help: ArgumentHelp(
            "Draw it at top-left … bottom-right (default: auto).", valueName: "corner"))
    var legendAt: String?

    /// Whether a legend is drawn.
    var hasLegend: Bool { legend || legendAt != nil }

    @Flag(help: "Draw the topmost line's elevations below the map.")
    var profile = false

    @Option(
        help: ArgumentHelp("Draw the profile of this layer, or of a file.", valueName: "layer"))
    var profileOf: String?

    @Flag(help: "Colour the profile by slope.")
    var profileSlopes = false

    @Option(
        help: ArgumentHelp("Take its elevations from this DEM (profile --help).", valueName: "dem"))
    var profileElevation: String?

    /// Whether a profile is drawn.
    var hasProfile: Bool { profile || profileOf != nil || profileSlopes || profileElevation != nil }

    /// The height of the bar and the profile along the bottom, in view pixels.
    ///
    /// - Parameter furniture: the furniture of the map document.
    func footHeight(hasBar: Bool, over furniture: MapDocument.Furniture) -> Double {
        let hasProfile = hasProfile || furniture.profile != nil
        return (hasBar ? Furniture.InfoBar.height : 0) + (hasProfile ? Furniture.ProfilePanel.height : 0)
    }

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
        options.subtitle = subtitle
        options.insets = try insets()
        options.theme = try chosenTheme()
        options.showsLegend = hasLegend
        options.legendCorner = try chosenCorner() ?? .automatic
        options.showsNorthArrow = northArrow
        let lengths = try chosenUnits()
        options.showsScaleBar = scaleBar || lengths != nil
        options.scaleBarUnits = lengths ?? .metric
        options.graticule = try graticuleLines()
        return options
    }

    /// Adds the elements of a map document, which options override, and the page.
    ///
    /// - Parameter boxCRS: the CRS of `--bbox`, in which the extents of insets are stated, too, if it is stated.
    func add(
        _ furniture: MapDocument.Furniture, on page: PrintPage?, boxCRS: CRS?, to options: inout RenderOptions
    ) {
        var furniture = furniture
        for number in options.insets.indices where options.insets[number].extent != nil {
            options.insets[number].crs = options.insets[number].crs ?? boxCRS
        }
        if title != nil { furniture.title = nil }
        if subtitle != nil { furniture.subtitle = nil }
        if !inset.isEmpty { furniture.insets.removeAll { !$0.isLocator } }
        if locator != nil { furniture.insets.removeAll(where: \.isLocator) }
        furniture.insets = options.insets + furniture.insets
        if attribution != nil { furniture.attribution = nil }
        if theme != nil { furniture.theme = nil }
        if background != nil { furniture.background = nil }
        if sphere != nil { furniture.sphere = nil }
        if graticule != nil { furniture.graticule = nil }
        if units != nil { furniture.scaleBarUnits = nil }
        if legendAt != nil { furniture.legendCorner = nil }
        options.apply(furniture)
        options.page = page
        if options.background.alpha < 255 { options.page?.color = .clear }
    }

    /// Writes the elements to those of a map document, which they replace.
    func write(to furniture: inout MapDocument.Furniture) throws(CommandFailure) {
        let options = try options()
        furniture.title = title ?? furniture.title
        furniture.subtitle = subtitle ?? furniture.subtitle
        furniture.source = source ?? furniture.source
        furniture.frame = try chosenFrame() ?? furniture.frame
        if !inset.isEmpty { furniture.insets.removeAll { !$0.isLocator } }
        if locator != nil { furniture.insets.removeAll(where: \.isLocator) }
        furniture.insets = options.insets + furniture.insets
        if attribution != nil { furniture.attribution = options.attribution }
        if theme != nil { furniture.theme = options.theme }
        if background != nil { furniture.background = options.background }
        furniture.sphere = options.sphere ?? furniture.sphere
        furniture.showsLegend = furniture.showsLegend || hasLegend
        furniture.legendCorner = try chosenCorner() ?? furniture.legendCorner
        furniture.showsScaleBar = furniture.showsScaleBar || options.showsScaleBar
        if units != nil { furniture.scaleBarUnits = options.scaleBarUnits }
        furniture.showsNorthArrow = furniture.showsNorthArrow || northArrow
        furniture.graticule = options.graticule ?? furniture.graticule
        guard hasProfile else { return }
        if profileElevation != nil {
            throw CommandFailure(.usage, "--profile-elevation: a map document cannot state it; pass it to render")
        }
        var profile = furniture.profile ?? .init()
        profile.layer = profileOf ?? profile.layer
        profile.showsSlopes = profile.showsSlopes || profileSlopes
        furniture.profile = profile
    }

    /// What stands in the margins of the map, or `nil` for nothing.
    func surroundings(over furniture: MapDocument.Furniture) throws(CommandFailure) -> PrintPage? {
        let frame = try chosenFrame() ?? furniture.frame, source = source ?? furniture.source
        guard frame != nil || source?.isEmpty == false else { return nil }
        return PrintPage(frame: frame, source: source)
    }

    private func chosenFrame() throws(CommandFailure) -> PrintPage.Frame? {
        guard let frame else { return nil }
        guard let chosen = PrintPage.Frame(rawValue: frame) else {
            throw CommandFailure(.usage, "--frame \(frame): must be degrees, utm or mgrs")
        }
        return chosen
    }

    private func insets() throws(CommandFailure) -> [RenderOptions.Inset] {
        var insets: [RenderOptions.Inset] = []
        for (text, isLocator) in inset.map({ ($0, false) }) + [locator].compactMap(\.self).map({ ($0, true) }) {
            do throws(RenderOptions.Inset.Malformed) {
                insets.append(try RenderOptions.Inset(text, isLocator: isLocator))
            } catch {
                throw CommandFailure(
                    .usage, "\(isLocator ? "--locator" : "--inset") \(text): expected \(error.wanted)")
            }
        }
        return insets
    }

    private func chosenUnits() throws(CommandFailure) -> Furniture.LengthUnits? {
        guard let units else { return nil }
        guard let chosen = Furniture.LengthUnits(rawValue: units) else {
            throw CommandFailure(.usage, "--units \(units): must be metric, imperial or nautical")
        }
        return chosen
    }

    /// The stated corner of the legend.
    func chosenCorner() throws(CommandFailure) -> RenderOptions.Inset.Corner? {
        guard let legendAt else { return nil }
        guard let corner = RenderOptions.Inset.Corner(rawValue: legendAt) else {
            let names = RenderOptions.Inset.Corner.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "--legend-at \(legendAt): must be one of \(names)")
        }
        return corner
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
