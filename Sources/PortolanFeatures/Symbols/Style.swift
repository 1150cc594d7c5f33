public import PortolanRaster

/// The style of a feature.
///
/// Parts that are `nil` are not drawn.
///
/// ```swift
/// let style = Style(stroke: LineSymbol(color: .black, width: 2), label: LabelSymbol(template: "${name}"))
/// ```
///
/// Lines and the borders of polygons use `stroke`, polygons `fill`, points `marker`, and all of them `label`.
public struct Style: Hashable, Sendable {
    /// The line symbol, or `nil` to draw no lines.
    public var stroke: LineSymbol?
    /// The fill of polygons, or `nil` for no fill.
    public var fill: FillSymbol?
    /// The marker at points, or `nil` for none.
    public var marker: MarkerSymbol?
    /// The label, or `nil` for none.
    public var label: LabelSymbol? {
        get { if case .text(let symbol) = storedLabel { symbol } else { nil } }
        set { storedLabel = newValue.map { .text($0) } ?? .none }
    }
    /// Whether the feature is hidden.
    public var isHidden: Bool
    /// Whether edges in longitude and latitude are great circles in the shorter direction, as opposed to straight lines
    /// in longitude and latitude (RFC 7946, section 3.1.1).
    public var isGeodesic: Bool
    /// The markers of lines and areas.
    ///
    /// Default: none.
    package var shapeMarks = ShapeMarks.none
    private var storedLabel = StoredLabel.none

    /// A label is larger than the rest of a style, and many features have their own style without a label.
    private enum StoredLabel: Hashable, Sendable {
        case none
        indirect case text(LabelSymbol)
    }

    /// The positions of markers on lines and areas.
    package enum ShapeMarks: Hashable, Sendable {
        /// No markers; these are for points.
        case none
        /// At each vertex.
        case vertices
        /// At one representative point on the line or inside the area.
        case middle
    }

    /// Creates a style.
    public init(
        stroke: LineSymbol? = nil, fill: FillSymbol? = nil, marker: MarkerSymbol? = nil, label: LabelSymbol? = nil,
        isHidden: Bool = false, isGeodesic: Bool = false
    ) {
        self.stroke = stroke
        self.fill = fill
        self.marker = marker
        self.isHidden = isHidden
        self.isGeodesic = isGeodesic
        self.label = label
    }

    /// The default style of a feature: orange lines one pixel wide with round caps, orange areas with opacity 0.4, and
    /// circles with a radius of six pixels.
    public static let standard = StyleDeclaration().style
}

/// The styles of a feature: the normal one, and that of its selected state.
package struct StyleSet: Hashable, Sendable {
    /// The normal style.
    package var `default`: Style
    /// The style while selected, or `nil` for the normal style.
    package var selected: Style?

    /// Creates a style set.
    package init(default: Style, selected: Style? = nil) {
        self.default = `default`
        self.selected = selected
    }

    /// Returns the style for a selection state.
    package func style(selected isSelected: Bool) -> Style { isSelected ? selected ?? `default` : `default` }
}

/// The fill of an area.
public struct FillSymbol: Hashable, Sendable {
    /// The colour with its opacity.
    ///
    /// With a pattern, only the opacity is used.
    public var color: MapColor
    /// The image that is repeated in place of the colour, or `nil`.
    public var pattern: IconMarker.Source.Picture?
    /// The rendering of area borders.
    ///
    /// Default: smooth.
    package var edges = Edges.smooth

    /// The rendering of area borders.
    package enum Edges: Hashable, Sendable {
        /// Each area is antialiased separately.
        case smooth
        /// Antialiased, but without the background showing between opaque neighbours.
        case joined
        /// Along whole pixels.
        case sharp
    }

    /// Creates a fill.
    public init(color: MapColor, pattern: IconMarker.Source.Picture? = nil) {
        self.color = color
        self.pattern = pattern
    }
}

/// The style of a line.
public struct LineSymbol: Hashable, Sendable {
    /// A wider line below another, visible on both sides of it.
    public struct Casing: Hashable, Sendable {
        /// The colour with its opacity.
        public var color: MapColor
        /// The total width in pixels.
        ///
        /// The excess over the width of the line above is visible.
        public var width: Double

        /// Creates a casing.
        public init(color: MapColor, width: Double) {
            self.color = color
            self.width = width
        }
    }

    /// The colour with its opacity.
    public var color: MapColor
    /// The width in pixels.
    public var width: Double
    /// The line caps.
    ///
    /// Default: round.
    public var cap: StrokeStyle.LineCap
    /// The line joins.
    ///
    /// Default: round.
    public var join: StrokeStyle.LineJoin
    /// The alternating lengths of dashes and gaps in pixels; empty for a solid line.
    public var dashes: [Double]
    /// The casing below the line, or `nil`.
    public var casing: Casing?
    /// The maximum miter length, from inner to outer corner, as a multiple of the width.
    ///
    /// Default: 4.
    public var miterLimit: Double
    /// The offset of the line in pixels, to the right of its direction; negative to the left.
    ///
    /// At an area the line is moved inside.
    public var offset: Double
    /// The width of the gap between two lines drawn in place of one, in pixels; 0 for one line.
    public var gapWidth: Double
    /// The width of the fade-out inside the edges, in pixels.
    ///
    /// Default: 0, for sharp edges.
    public var blur = 0.0
    /// The colours of a gradient, evenly spaced from start to end, in place of the single colour.
    ///
    /// Default: none.
    public var gradient: [MapColor] = []
    /// The image that is repeated along the line in place of the colour.
    ///
    /// Default: `nil`, for none.
    ///
    /// It is centred on the line with its upper side to the right. An image higher than the line width is clipped. Only
    /// the opacity of the colour is used.
    public var pattern: IconMarker.Source.Picture?

    /// Creates a line symbol.
    public init(
        color: MapColor, width: Double, cap: StrokeStyle.LineCap = .round, join: StrokeStyle.LineJoin = .round,
        dashes: [Double] = [],
        casing: Casing? = nil, miterLimit: Double = 4, offset: Double = 0, gapWidth: Double = 0
    ) {
        self.miterLimit = miterLimit
        self.offset = offset
        self.gapWidth = gapWidth
        self.color = color
        self.width = width
        self.cap = cap
        self.join = join
        self.dashes = dashes
        self.casing = casing
    }
}

extension LineSymbol {
    /// The distance from a line within which its drawing may be visible, including mitres, in view pixels.
    package var reach: Double {
        let half = max(width, casing?.width ?? 0) / 2, beside = abs(offset) + (gapWidth > 0 ? gapWidth / 2 + half : 0)
        return max(miterLimit, 2) * half + 2 * beside
    }

    /// The dash pattern of a line, independent of its width.
    public enum DashStyle: Hashable, Sendable {
        /// A solid line.
        case solid
        /// Dots with a length of one pixel, four widths apart.
        case dot
        /// Dashes of four widths, four widths apart.
        case dash
        /// Alternating dashes and dots.
        case dashDot
        /// Dashes of eight widths.
        case longDash
        /// Alternating long dashes and dots.
        case longDashDot
        /// Alternating lengths of dashes and gaps in pixels.
        case pixels([Double])

        /// Parses a value of `strokeDashstyle`: a name, or pixels separated by spaces or commas.
        ///
        /// Returns `nil` for other texts.
        public init?(_ text: String) {
            switch text.lowercased() {
            case "solid", "": self = .solid
            case "dot": self = .dot
            case "dash": self = .dash
            case "dashdot": self = .dashDot
            case "longdash": self = .longDash
            case "longdashdot": self = .longDashDot
            default:
                var pixels: [Double] = []
                for part in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
                    guard let length = Double(part) else { return nil }
                    pixels.append(length)
                }
                self.init(pixels: pixels)
            }
        }

        /// Creates a dash style from pixels, or returns `nil` if one is negative or not finite, or their sum is not
        /// positive.
        public init?(pixels: [Double]) {
            guard pixels.count <= 64, pixels.allSatisfy({ $0 >= 0 && $0 <= 1e6 }), pixels.reduce(0, +) > 0 else {
                return nil
            }
            self = .pixels(pixels)
        }

        /// Returns the alternating lengths of dashes and gaps in pixels for a line width; empty for a solid line.
        public func dashes(width: Double) -> [Double] {
            switch self {
            case .solid: []
            case .dot: [1, 4 * width]
            case .dash: [4 * width, 4 * width]
            case .dashDot: [4 * width, 4 * width, 1, 4 * width]
            case .longDash: [8 * width, 4 * width]
            case .longDashDot: [8 * width, 4 * width, 1, 4 * width]
            case .pixels(let pixels): pixels
            }
        }
    }
}
