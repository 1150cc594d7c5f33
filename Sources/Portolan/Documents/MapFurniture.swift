public import PortolanPaint
public import PortolanRaster

/// What stands on the pictures of a map beside it, as a map document says it.
///
/// ```json
/// {"furniture": {"title": "Trails", "legend": true, "scale-bar": true, "theme": "dark"}, "layers": []}
/// ```
public struct MapFurniture: Hashable, Sendable {
    /// A title on top of the picture, or `nil`.
    public var title: String?
    /// What to write of the layers' attributions; those of all layers where `nil`.
    public var attribution: RenderOptions.Attribution?
    /// The colours, or `nil` for those that suit the ground of the map.
    public var theme: FurnitureTheme?
    /// The colour under the bottommost layer; white where `nil`.
    public var background: Color?
    /// Whether a panel explains the layers.
    public var showsLegend = false
    /// Whether a bar shows a length on the ground.
    public var showsScaleBar = false
    /// Whether an arrow points north.
    public var showsNorthArrow = false
    /// Lines of longitude and latitude, or `nil`.
    public var graticule: Graticule?

    /// Makes furniture of which there is none.
    public init() {}
}

extension RenderOptions {
    /// Takes what a map document says.
    public mutating func apply(_ furniture: MapFurniture) {
        title = furniture.title ?? title
        attribution = furniture.attribution ?? attribution
        theme = furniture.theme ?? theme
        background = furniture.background ?? background
        showsLegend = showsLegend || furniture.showsLegend
        showsScaleBar = showsScaleBar || furniture.showsScaleBar
        showsNorthArrow = showsNorthArrow || furniture.showsNorthArrow
        graticule = furniture.graticule ?? graticule
    }
}

extension RenderOptions.Attribution {
    /// Reads an attribution: `auto`, `none` or a text.
    package init(_ text: String) {
        self =
            switch text {
            case "auto": .automatic
            case "none": .none
            default: .text(text)
            }
    }
}

extension Graticule {
    /// Reads a graticule: `auto` or degrees up to 90; `nil` for other texts.
    package init?(_ text: String) {
        if text == "auto" {
            self = .automatic
        } else {
            self.init(degrees: Double(text))
        }
    }

    /// Lines every so many degrees up to 90.
    init?(degrees: Double?) {
        guard let degrees, degrees > 0, degrees <= 90 else { return nil }
        self = .degrees(degrees)
    }
}

extension FurnitureTheme {
    /// Reads a theme: `light`, `dark`, or the colours of letters and of panels with a comma between; `nil` for other texts.
    public init?(_ text: String) {
        switch text {
        case "light": self = .light
        case "dark": self = .dark
        default:
            // Colours have commas of their own, in brackets.
            let colors = text.indices.lazy.filter { text[$0] == "," }.compactMap { place in
                Color(css: String(text[..<place])).flatMap { ink in
                    Color(css: String(text[text.index(after: place)...])).map { (ink, $0) }
                }
            }
            guard let (ink, panel) = colors.first else { return nil }
            self.init(ink: ink, panel: panel)
        }
    }

    /// The theme as it is read.
    var text: String {
        switch self {
        case .light: "light"
        case .dark: "dark"
        default: "\(ink.cssText),\(panel.cssText)"
        }
    }
}
