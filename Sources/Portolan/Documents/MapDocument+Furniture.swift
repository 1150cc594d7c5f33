public import PortolanPaint
public import PortolanRaster

extension MapDocument {
    /// The elements around a map on its pictures, as described in a map document.
    ///
    /// ```json
    /// {"furniture": {"title": "Trails", "legend": true, "scale-bar": true, "theme": "dark"}, "layers": []}
    /// ```
    public struct Furniture: Hashable, Sendable {
        /// The title at the top of the picture, or `nil`.
        public var title: String?
        /// A smaller line below the title, or `nil`.
        public var subtitle: String?
        /// A line below the map, such as the source of the data, or `nil`.
        public var source: String?
        /// The frame around the map with coordinates along its sides, or `nil`.
        public var frame: PrintPage.Frame?
        /// The pictures of other extents in the corners of the map.
        public var insets: [RenderOptions.Inset] = []
        /// The attribution text; `nil` for the attributions of all layers.
        public var attribution: RenderOptions.Attribution?
        /// The colours, or `nil` for colours that suit the background of the map.
        public var theme: PortolanPaint.Furniture.Theme?
        /// The colour under the lowest layer; `nil` for white.
        public var background: MapColor?
        /// The colour of the earth's disc or sheet, whose outline is then drawn, or `nil`.
        public var sphere: MapColor?
        /// Whether a legend is drawn.
        public var showsLegend = false
        /// The corner of the legend; `nil` for the one that suits the layers.
        public var legendCorner: RenderOptions.Inset.Corner?
        /// Whether a scale bar is drawn.
        public var showsScaleBar = false
        /// The units of the scale bar; `nil` for kilometres and metres.
        public var scaleBarUnits: PortolanPaint.Furniture.LengthUnits?
        /// Whether a north arrow is drawn.
        public var showsNorthArrow = false
        /// The elevation profile below the map, or `nil`.
        public var profile: MapDocument.Furniture.Profile?
        /// The grid of longitudes and latitudes, or `nil`.
        public var graticule: PortolanPaint.Furniture.Graticule?

        /// Creates an empty set of elements.
        public init() {}
    }
}

extension RenderOptions {
    /// Applies the elements of a map document, except its profile, which needs the layers.
    public mutating func apply(_ furniture: MapDocument.Furniture) {
        title = furniture.title ?? title
        subtitle = furniture.subtitle ?? subtitle
        insets = furniture.insets.isEmpty ? insets : furniture.insets
        attribution = furniture.attribution ?? attribution
        theme = furniture.theme ?? theme
        background = furniture.background ?? background
        sphere = furniture.sphere ?? sphere
        showsLegend = showsLegend || furniture.showsLegend
        legendCorner = furniture.legendCorner ?? legendCorner
        showsScaleBar = showsScaleBar || furniture.showsScaleBar
        scaleBarUnits = furniture.scaleBarUnits ?? scaleBarUnits
        showsNorthArrow = showsNorthArrow || furniture.showsNorthArrow
        graticule = furniture.graticule ?? graticule
    }
}

extension RenderOptions.Attribution {
    /// Parses an attribution: `auto`, `none` or a text.
    package init(_ text: String) {
        self =
            switch text {
            case "auto": .automatic
            case "none": .none
            default: .text(text)
            }
    }
}

extension Furniture.Graticule {
    /// Parses a graticule: `auto` or degrees up to 90.
    ///
    /// Returns `nil` for other texts.
    package init?(_ text: String) {
        if text == "auto" {
            self = .automatic
        } else {
            self.init(degrees: Double(text))
        }
    }

    /// Creates lines at an interval in degrees, up to 90.
    init?(degrees: Double?) {
        guard let degrees, degrees > 0, degrees <= 90 else { return nil }
        self = .degrees(degrees)
    }
}

extension Furniture.Theme {
    /// Parses a theme: `light`, `dark`, or the text and panel colours separated by a comma.
    ///
    /// Returns `nil` for other texts.
    public init?(_ text: String) {
        switch text {
        case "light": self = .light
        case "dark": self = .dark
        default:
            // Colours may contain commas in brackets.
            let colors = text.indices.lazy.filter { text[$0] == "," }.compactMap { place in
                MapColor(css: String(text[..<place])).flatMap { ink in
                    MapColor(css: String(text[text.index(after: place)...])).map { (ink, $0) }
                }
            }
            guard let (ink, panel) = colors.first else { return nil }
            self.init(ink: ink, panel: panel)
        }
    }

    /// The theme as text.
    var text: String {
        switch self {
        case .light: "light"
        case .dark: "dark"
        default: "\(ink.cssText),\(panel.cssText)"
        }
    }
}
