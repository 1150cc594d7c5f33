public import PortolanRaster

/// How one feature looks: what is `nil` is not drawn.
///
/// Lines and the borders of polygons use `stroke`, polygons `fill`, points `marker`, and all of them `label`.
public struct Style: Hashable, Sendable {
    /// The line, or `nil` when lines are not drawn.
    public var stroke: LineSymbol?
    /// The inside of polygons, or `nil` when it is left open.
    public var fill: FillSymbol?
    /// The mark at points, or `nil` when points have none.
    public var marker: MarkerSymbol?
    /// The text, or `nil` when there is none.
    public var label: LabelSymbol? {
        get { if case .text(let symbol) = storedLabel { symbol } else { nil } }
        set { storedLabel = newValue.map { .text($0) } ?? .none }
    }
    /// Whether the feature is not drawn at all.
    public var isHidden: Bool
    /// Whether the edges of lines and areas in longitude and latitude are great circles, the short way, and not straight
    /// between their longitudes and latitudes (RFC 7946, section 3.1.1).
    public var isGeodesic: Bool
    /// Where the mark stands of lines and areas; they have none unless set.
    package var shapeMarks = ShapeMarks.none
    private var storedLabel = StoredLabel.none

    /// A label takes more memory than all else of a style, and many features have a style of their own without any.
    private enum StoredLabel: Hashable, Sendable {
        case none
        indirect case text(LabelSymbol)
    }

    /// Where the mark of a line or an area stands.
    package enum ShapeMarks: Hashable, Sendable {
        /// Nowhere: marks are for points.
        case none
        /// At each vertex.
        case vertices
        /// At one point that stands for the whole: on the line, or inside the area.
        case middle
    }

    /// Makes a style.
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

    /// The look of a feature about which nothing is said: orange lines one pixel wide with round ends, orange areas at
    /// four tenths of full opacity, circles of six pixels' radius.
    public static let standard = StyleDeclaration().style
}

/// The looks of one feature: the usual one, and the one it has while it is selected.
package struct StyleSet: Hashable, Sendable {
    /// The usual look.
    package var `default`: Style
    /// The look while selected, or `nil` when it is the usual one.
    package var selected: Style?

    /// Makes a set.
    package init(default: Style, selected: Style? = nil) {
        self.default = `default`
        self.selected = selected
    }

    /// The look in one of the two states.
    package func style(selected isSelected: Bool) -> Style { isSelected ? selected ?? `default` : `default` }
}

/// How an area is filled.
public struct FillSymbol: Hashable, Sendable {
    /// The colour with its opacity; of a pattern its opacity alone counts.
    public var color: Color
    /// The picture that is repeated in place of the colour, or `nil` for none.
    public var pattern: IconSource.Picture?
    /// What the borders of areas look like; smooth unless set.
    package var edges = Edges.smooth

    /// What the borders of areas look like.
    package enum Edges: Hashable, Sendable {
        /// Each area by itself.
        case smooth
        /// Smooth, without anything beneath that shows between opaque neighbours.
        case joined
        /// Along whole pixels.
        case sharp
    }

    /// Makes a fill.
    public init(color: Color, pattern: IconSource.Picture? = nil) {
        self.color = color
        self.pattern = pattern
    }
}

/// How a line is drawn.
public struct LineSymbol: Hashable, Sendable {
    /// A wider line beneath another, which shows on both sides of it.
    public struct Casing: Hashable, Sendable {
        /// The colour with its opacity.
        public var color: Color
        /// The whole width in pixels; what is more than the width of the line above shows.
        public var width: Double

        /// Makes a casing.
        public init(color: Color, width: Double) {
            self.color = color
            self.width = width
        }
    }

    /// The colour with its opacity.
    public var color: Color
    /// The width in pixels.
    public var width: Double
    /// How the ends look; round unless told.
    public var cap: LineCap
    /// How corners look; round unless told.
    public var join: LineJoin
    /// Pixels drawn and left out by turns along the line; empty for a solid line.
    public var dashes: [Double]
    /// What lies beneath the line, or `nil` when nothing does.
    public var casing: Casing?
    /// The longest miter, from inner to outer corner, as a multiple of the width; 4 unless told.
    public var miterLimit: Double
    /// How far beside its place the line is drawn, in pixels to the right of its direction; to the left for a negative number.
    ///
    /// Around an area it is drawn so far inside.
    public var offset: Double
    /// How wide the gap between two lines is that are drawn in place of one, in pixels; 0 for one line.
    public var gapWidth: Double
    /// How far inside its edges the line fades out, in pixels; 0, unless set, for sharp edges.
    public var blur = 0.0
    /// Colours evenly from the line's beginning to its end, drawn in place of the one colour; none unless set.
    public var gradient: [Color] = []
    /// The picture that is repeated along the line in place of the colour, or `nil`, unless set, for none.
    ///
    /// Its middle lies on the line's, its upper side to the right; what is higher than the line is wide is cut. Of the colour
    /// the opacity alone counts.
    public var pattern: IconSource.Picture?

    /// Makes a line symbol.
    public init(
        color: Color, width: Double, cap: LineCap = .round, join: LineJoin = .round, dashes: [Double] = [],
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

/// How a line is broken, before its width is known.
public enum DashStyle: Hashable, Sendable {
    /// Not broken.
    case solid
    /// Dots as long as one pixel, four widths apart.
    case dot
    /// Dashes of four widths, four widths apart.
    case dash
    /// A dash and a dot by turns.
    case dashDot
    /// Dashes of eight widths.
    case longDash
    /// A long dash and a dot by turns.
    case longDashDot
    /// Pixels drawn and left out by turns.
    case pixels([Double])

    /// Reads a value of `strokeDashstyle`: a name, or pixels separated by spaces or commas; `nil` when it is neither.
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

    /// Makes a dash style from pixels, or `nil` when one is negative or not finite, or their sum is not above zero.
    public init?(pixels: [Double]) {
        guard pixels.count <= 64, pixels.allSatisfy({ $0 >= 0 && $0 <= 1e6 }), pixels.reduce(0, +) > 0 else {
            return nil
        }
        self = .pixels(pixels)
    }

    /// Pixels drawn and left out by turns on a line of a width; empty for a solid line.
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
