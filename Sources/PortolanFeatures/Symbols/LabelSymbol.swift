public import PortolanRaster

/// The label of a feature.
///
/// ```swift
/// let label = LabelSymbol(template: "${name}", size: 14, weight: 700)
/// ```
public struct LabelSymbol: Hashable, Sendable {
    /// The horizontal alignment of the text at its point.
    public enum HorizontalAlignment: Hashable, Sendable {
        /// The text starts at the point.
        case left
        /// The text is centred at the point.
        case center
        /// The text ends at the point.
        case right
    }

    /// The vertical alignment of the text at its point.
    public enum VerticalAlignment: Hashable, Sendable {
        /// The text is below the point.
        case top
        /// The text is centred at the point.
        case middle
        /// The text is above the point.
        case bottom
    }

    /// The placement of a label.
    public enum Placement: Hashable, Sendable {
        /// Alignment and offset determine the position: at a point, at the midpoint of a line, or at the centre of an
        /// area's box.
        ///
        /// A label that crosses the edge of the picture is moved inwards, by at most half its width and half its
        /// height. It is omitted if that is insufficient, or if it would overlap another label, furniture or another
        /// feature's marker.
        case fixed
        /// The label is placed where there is free space: around a marker, along a line, or inside an area.
        ///
        /// Alignment and offset are not used.
        ///
        /// It is omitted if there is no free space, or if the same text is drawn nearby.
        case free
    }

    /// An outline (halo) around the letters that separates them from the background.
    public struct Outline: Hashable, Sendable {
        /// The colour with its opacity.
        public var color: MapColor
        /// The width of the outline beyond the letters, in pixels.
        public var width: Double
        /// The width of the fade-out on both sides of the outline's edge, in pixels.
        ///
        /// Default: 0, for a sharp edge.
        package var blur = 0.0

        /// Creates an outline.
        public init(color: MapColor, width: Double) {
            self.color = color
            self.width = width
        }
    }

    /// A box behind the text.
    public struct Background: Hashable, Sendable {
        /// The colour of the box with its opacity.
        public var color: MapColor
        /// The padding of the box around the text, in pixels.
        ///
        /// Default: 2.
        public var padding: Double
        /// The corner radius in pixels, for upright text.
        ///
        /// Default: 0.
        public var cornerRadius: Double
        /// The outline of the box, for upright text, or `nil`.
        public var border: Outline?

        /// Creates a box.
        public init(color: MapColor, padding: Double = 2, cornerRadius: Double = 0, border: Outline? = nil) {
            self.border = border
            self.color = color
            self.padding = padding
            self.cornerRadius = cornerRadius
        }
    }

    /// A marker that is placed together with the text, or without a text.
    public struct Icon: Hashable, Sendable {
        /// The marker.
        ///
        /// Its centre, or the tip of a pin, is at the position.
        public var marker: MarkerSymbol
        /// Whether it is drawn even if it overlaps others.
        public var mayOverlap = false
        /// Whether the text may be drawn without it.
        public var isOptional = false
        /// Whether others may overlap it.
        public var isIgnored = false
        /// The free space around it, in pixels.
        public var padding = 2.0
        /// The offset of its centre to the right, in pixels, before rotation about the position.
        public var offsetX = 0.0
        /// The offset of its centre downwards, in pixels, before rotation about the position.
        public var offsetY = 0.0
        /// The rotation about the position, in degrees clockwise.
        public var rotation = 0.0
        /// The reference of the rotation.
        public var alignment = Alignment.picture
        /// The translation of the drawing.
        ///
        /// Default: none.
        public var translation = Translation()
        /// How it is resized to fit behind the text, or `nil` to keep its size.
        public var fit: Fit?
        /// Whether it is rotated by half a turn on a line that runs to the left.
        ///
        /// Default: `false`.
        package var keepsUpright = false

        /// The reference of an icon's rotation.
        public enum Alignment: Hashable, Sendable {
            /// The picture: the icon is upright.
            case picture
            /// The map.
            case map
            /// The line of the icon, whose direction is to the right of the marker.
            case line
        }

        /// How an image is resized to fit behind a text.
        public struct Fit: Hashable, Sendable {
            /// Whether it is as wide as the text.
            public var isWide: Bool
            /// Whether it is as high as the text.
            public var isHigh: Bool
            /// The padding at the top, right, bottom and left of the text, in pixels.
            public var padding: [Double]

            /// Creates a fit.
            public init(isWide: Bool, isHigh: Bool, padding: [Double] = [0, 0, 0, 0]) {
                self.isWide = isWide
                self.isHigh = isHigh
                self.padding = padding
            }
        }

        /// Creates an icon.
        public init(_ marker: MarkerSymbol) { self.marker = marker }
    }

    /// The marker that is placed together with the text, or `nil`.
    ///
    /// With a marker, the text may be empty.
    public var icon: Icon?
    /// Whether the icon may be drawn without the text.
    ///
    /// Default: `false`.
    public var isOptional = false
    /// Whether the marker of a point is only drawn with the label, and both are left out where they have no place.
    ///
    /// Points with a high priority come first, so that a crowded map shows the most important ones, each with its name.
    /// It applies to labels with ``Placement/free`` placement; selected features are always drawn. Default: `false`.
    public var declutters = false
    /// Whether other labels may overlap the text.
    ///
    /// Default: `false`.
    public var isIgnored = false
    /// The free space around the text, in pixels.
    ///
    /// Default: `nil`, which means 2.
    public var padding: Double?
    /// Whether a text on a line follows the line, as opposed to upright texts at positions on it.
    ///
    /// Default: `true`.
    public var followsLine = true
    /// Whether a text along a line that runs to the left is rotated to be upright.
    ///
    /// Default: `true`.
    package var keepsUpright = true
    /// The side of a line for a freely placed text along it.
    ///
    /// Default: `nil`, for a text on the line.
    package var lineSide: LineSide?

    /// A side of a line, in the reading direction of the text.
    package enum LineSide: String, Hashable, Sendable {
        /// Above the line.
        case above
        /// Below the line.
        case below
    }

    /// Whether ``repetition`` is the gap between two texts along a line, as opposed to the distance of their centres.
    package var repeatsByGap = false
    /// The collision rules of a style's label.
    ///
    /// Default: `nil`, for the rules of the package's own dialects.
    package var collision: Collision?

    /// The collision rules of a style's label.
    package enum Collision: Hashable, Sendable {
        /// The rules of the MapLibre Style Specification: the box of a text is as wide as its lines and as high as all
        /// lines, regardless of its halo, and the edge of the picture may cut it.
        case boxes
        /// The same rules, but the edge of the picture must not cut a label.
        case boxesInside
    }

    /// The anchoring of a style's text without a point.
    ///
    /// Default: `nil`, for no style.
    package var anchoring: Anchoring?

    /// The anchoring of a style's text without a point.
    package enum Anchoring: Hashable, Sendable {
        /// By alignment and offset at the centre of an area, as at a point, even if the area is too small.
        case atMiddle
        /// Along lines and the borders of areas, moved across and along them by alignment and offset.
        ///
        /// Each letter is rotated at its position.
        case alongLine
    }

    /// Whether connected lines with the same style and text are labelled as one.
    ///
    /// Default: `false`.
    public var joinsLines = false
    /// The rotation of a text about its point, in degrees clockwise.
    ///
    /// Default: 0.
    public var rotation = 0.0
    /// Additional letter spacing, in multiples of the font size.
    ///
    /// Default: 0.
    public var letterSpacing = 0.0
    /// The maximum angle between adjacent letters on a bent line, in degrees.
    ///
    /// Default: `nil`, which means 30.
    public var maximumAngle: Double?
    /// Whether the text is italic, if the family has an italic face.
    ///
    /// Default: `false`.
    public var isItalic = false
    /// The translation of the drawing, including texts along lines.
    ///
    /// Default: none.
    public var translation = Translation()
    /// Alternative positions about the point, tried in order instead of alignment and offset.
    ///
    /// Default: none.
    public var anchors: [Anchor] = []

    /// A translation of a drawing.
    public struct Translation: Hashable, Sendable {
        /// Pixels to the right.
        public var x: Double
        /// Pixels down.
        public var y: Double
        /// Whether the translation rotates with the map, as opposed to that of the picture.
        public var isOnMap: Bool

        /// Creates a translation.
        ///
        /// Default: none.
        public init(x: Double = 0, y: Double = 0, isOnMap: Bool = false) {
            self.x = x
            self.y = y
            self.isOnMap = isOnMap
        }
    }

    /// A position of a text about its point.
    public struct Anchor: Hashable, Sendable {
        /// The horizontal alignment at the point.
        public var horizontal: HorizontalAlignment
        /// The vertical alignment at the point.
        public var vertical: VerticalAlignment
        /// The offset from the point to the right, in pixels.
        public var offsetX: Double
        /// The offset from the point downwards, in pixels.
        public var offsetY: Double

        /// Creates a position.
        public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment, offsetX: Double, offsetY: Double) {
            self.horizontal = horizontal
            self.vertical = vertical
            self.offsetX = offsetX
            self.offsetY = offsetY
        }
    }

    /// A part of a plain text with a different format.
    public struct Span: Hashable, Sendable {
        /// The number of Unicode scalars.
        public var length: Int
        /// The font size relative to that of the label.
        ///
        /// Default: 1.
        public var scale = 1.0
        /// The font families, as for the label, or `nil` for those of the label.
        public var family: String?
        /// The fonts as a MapLibre style names them, separated by commas, or `nil` for those of the label.
        package var fontStack: String?
        /// The weight, 100 to 900, or `nil` for that of the label.
        public var weight: Int?
        /// Whether the part is italic, or `nil` for the style of the label.
        public var isItalic: Bool?
        /// The colour with its opacity, or `nil` for that of the label.
        ///
        /// For an image, only the opacity is used.
        public var color: MapColor?
        /// The image in place of the text, which then consists of one U+FFFC character; `nil` for text.
        ///
        /// An image that must still be fetched is not drawn.
        public var picture: MarkerSymbol?
        /// The vertical alignment in a line with higher content.
        ///
        /// Default: on the baseline.
        public var verticalAlignment = VerticalAlignment.bottom

        /// Creates a part with the format of the label.
        public init(length: Int) { self.length = length }
    }

    /// The parts of a plain text in order, with the total length of the text, if formats differ.
    ///
    /// Default: empty.
    public var spans: [Span] = []

    /// The text, in which `${name}` is replaced by a property value unless the text is plain.
    ///
    /// `${name:es|name}` is the first of two properties that has a value, and `${population:,.0f}` a number with a
    /// format of Python and D3.
    public var template: String
    /// The language of formatted numbers as a tag such as `de` (BCP 47), or `nil` for English.
    package var language: String?
    /// Whether the text is drawn literally, including `${`.
    ///
    /// Default: `false`.
    public var isPlain: Bool
    /// The maximum line width in pixels.
    ///
    /// Longer texts are broken between words, and after Chinese and Japanese characters, into lines of similar length.
    /// Default: `nil`, for the line breaks of the text only.
    ///
    /// A text along a line is never broken.
    public var maximumWidth: Double?
    /// The distance of baselines, in multiples of the font size.
    ///
    /// Default: 1.25.
    public var lineHeight: Double
    /// The justification of a multi-line text.
    ///
    /// Default: `nil`, for the horizontal alignment.
    public var justification: HorizontalAlignment?
    /// The distance of labels along a long line in pixels, or infinity for one label.
    ///
    /// Default: `nil`, which means 400.
    public var repetition: Double?
    /// Whether the text is drawn even if it overlaps others or the edge of the picture.
    ///
    /// Default: `false`.
    public var mayOverlap: Bool
    /// The colour with its opacity.
    ///
    /// Default: black.
    public var color: MapColor
    /// The font size in pixels.
    ///
    /// Default: 12.
    public var size: Double
    /// The font families in order of preference, separated by commas; `nil` for the default font.
    public var family: String?
    /// The fonts as a MapLibre style names them, separated by commas: the name of their glyph ranges.
    package var fontStack: String?
    /// The weight, 100 (thin) to 900 (heavy); 400 is regular, 700 bold.
    public var weight: Int
    /// The horizontal alignment at the point.
    public var horizontalAlignment: HorizontalAlignment
    /// The vertical alignment at the point.
    public var verticalAlignment: VerticalAlignment
    /// The offset from the point to the right, in pixels.
    public var offsetX: Double
    /// The offset from the point downwards, in pixels.
    public var offsetY: Double
    /// The outline of the letters, or `nil`.
    public var outline: Outline?
    /// The box behind the text and its outline, or `nil`.
    public var background: Background?
    /// The placement.
    ///
    /// Default: by alignment and offset.
    public var placement: Placement
    /// The placement priority; labels with higher values are placed first.
    ///
    /// Default: 0.
    ///
    /// A numeric property `labelPriority` of the feature takes precedence, followed by ``priorityTemplate``.
    public var priority: Double
    /// A template for the priority, in which `${name}` is replaced by a property value.
    ///
    /// It takes precedence over ``priority`` if the result is a number: `${population}`, or `-${rank}` for low ranks
    /// first.
    public var priorityTemplate: String?

    /// Creates a label.
    public init(
        template: String, color: MapColor = .black, size: Double = 12, family: String? = nil, weight: Int = 400,
        horizontalAlignment: HorizontalAlignment = .center, verticalAlignment: VerticalAlignment = .middle,
        offsetX: Double = 0, offsetY: Double = 0, outline: Outline? = nil, placement: Placement = .fixed,
        priority: Double = 0, background: Background? = nil, priorityTemplate: String? = nil, isPlain: Bool = false,
        maximumWidth: Double? = nil, lineHeight: Double = 1.25, justification: HorizontalAlignment? = nil,
        repetition: Double? = nil, mayOverlap: Bool = false
    ) {
        self.lineHeight = lineHeight
        self.justification = justification
        self.repetition = repetition
        self.mayOverlap = mayOverlap
        self.isPlain = isPlain
        self.maximumWidth = maximumWidth
        self.template = template
        self.color = color
        self.size = size
        self.family = family
        self.weight = weight
        self.horizontalAlignment = horizontalAlignment
        self.verticalAlignment = verticalAlignment
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.outline = outline
        self.background = background
        self.placement = placement
        self.priority = priority
        self.priorityTemplate = priorityTemplate
    }

    /// Returns the text for a feature.
    ///
    /// Missing properties are empty, and the result is limited to 65,536 bytes of UTF-8.
    public func text(for properties: Properties) -> String { LabelTemplate(self).text(for: properties).text }
}
