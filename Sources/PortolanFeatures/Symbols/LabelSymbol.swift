public import PortolanRaster

/// The text drawn at a feature.
public struct LabelSymbol: Hashable, Sendable {
    /// Which side of the text lies at the point, across.
    public enum HorizontalAlignment: Hashable, Sendable {
        /// The text begins at the point.
        case left
        /// The text's middle lies at the point.
        case center
        /// The text ends at the point.
        case right
    }

    /// Which side of the text lies at the point, up and down.
    public enum VerticalAlignment: Hashable, Sendable {
        /// The text hangs below the point.
        case top
        /// The text's middle lies at the point.
        case middle
        /// The text stands on the point.
        case bottom
    }

    /// Who decides where the text goes.
    public enum Placement: Hashable, Sendable {
        /// The text stands where alignment and offset put it: at a point, at the middle of a line, at the middle of an
        /// area's box. Where the picture's border would cut it, it is moved inwards, by at most half its width and half
        /// its height. Where that does not do, and where it would lie over another label, over furniture or over a mark
        /// that is not its own, it is left out.
        case fixed
        /// The painter seeks a free place: around a point's mark, along a line, inside an area; alignment and offset
        /// are not used. Where there is none, and where the same words stand nearby, the text is left out.
        case free
    }

    /// A line around the letters that sets them off from what lies beneath.
    public struct Outline: Hashable, Sendable {
        /// The colour with its opacity.
        public var color: Color
        /// How far the outline reaches beyond the letters, in pixels.
        public var width: Double
        /// How far on both sides of its edge the outline of a text fades out, in pixels; 0, unless set, for a sharp edge.
        package var blur = 0.0

        /// Makes an outline.
        public init(color: Color, width: Double) {
            self.color = color
            self.width = width
        }
    }

    /// A box behind the text.
    public struct Background: Hashable, Sendable {
        /// The colour of the box with its opacity.
        public var color: Color
        /// How far the box reaches beyond the text on each side, in pixels; 2 unless told.
        public var padding: Double
        /// The radius of its corners in pixels, where the text is upright; 0 unless told.
        public var cornerRadius: Double
        /// The line around the box, where the text is upright, or `nil` for none.
        public var border: Outline?

        /// Makes a box.
        public init(color: Color, padding: Double = 2, cornerRadius: Double = 0, border: Outline? = nil) {
            self.border = border
            self.color = color
            self.padding = padding
            self.cornerRadius = cornerRadius
        }
    }

    /// A mark that gets its place together with the text, or without one.
    public struct Icon: Hashable, Sendable {
        /// The mark, whose middle, or the tip of a pin, lies at the place.
        public var marker: MarkerSymbol
        /// Whether it is drawn whatever it lies over.
        public var mayOverlap = false
        /// Whether the text may stand without it.
        public var isOptional = false
        /// Whether others may lie over it.
        public var isIgnored = false
        /// How much is kept free around it, in pixels.
        public var padding = 2.0
        /// How far its middle lies to the right of the place, in pixels, before it is turned about the place.
        public var offsetX = 0.0
        /// How far its middle lies below the place, in pixels, before it is turned about the place.
        public var offsetY = 0.0
        /// How far it is turned about the place, in degrees clockwise.
        public var rotation = 0.0
        /// What it is turned with.
        public var alignment = Alignment.picture
        /// How far it is drawn beside its place; nothing unless set.
        public var translation = Translation()
        /// How it is drawn larger or smaller to lie behind the text, or `nil` where it keeps its size.
        public var fit: Fit?
        /// Whether it is turned by half a turn on a line that runs to the left; `false` unless set.
        package var keepsUpright = false

        /// What an icon is turned with.
        public enum Alignment: Hashable, Sendable {
            /// Nothing: it is upright on the picture.
            case picture
            /// The map.
            case map
            /// The line that it stands on, whose direction is to the right of the mark.
            case line
        }

        /// How a picture is drawn larger or smaller to lie behind a text.
        public struct Fit: Hashable, Sendable {
            /// Whether it becomes as wide.
            public var isWide: Bool
            /// Whether it becomes as high.
            public var isHigh: Bool
            /// How far it reaches beyond the text at the top, right, bottom and left, in pixels.
            public var padding: [Double]

            /// Makes a fit.
            public init(isWide: Bool, isHigh: Bool, padding: [Double] = [0, 0, 0, 0]) {
                self.isWide = isWide
                self.isHigh = isHigh
                self.padding = padding
            }
        }

        /// Makes an icon.
        public init(_ marker: MarkerSymbol) { self.marker = marker }
    }

    /// The mark that gets its place together with the text, or `nil` when there is none; the text may then be empty.
    public var icon: Icon?
    /// Whether the icon may stand without the text; `false` unless set.
    public var isOptional = false
    /// Whether other labels may lie over the text; `false` unless set.
    public var isIgnored = false
    /// How much is kept free around the text, in pixels; `nil`, unless set, for 2.
    public var padding: Double?
    /// Whether a text on a line runs along it, rather than upright at places on the line; `true` unless set.
    public var followsLine = true
    /// Whether a text along a line that runs to the left is turned, so that it is not upside down; `true` unless set.
    package var keepsUpright = true
    /// On which side of a line a text that seeks its place runs along it; on the line if `nil`, as it is unless set.
    package var lineSide: LineSide?

    /// A side of a line as a text along it is read.
    package enum LineSide: String, Hashable, Sendable {
        /// Over it.
        case above
        /// Under it.
        case below
    }

    /// Whether ``repetition`` is the gap between two texts along a line, rather than the distance of their middles.
    package var repeatsByGap = false
    /// How a label of a style keeps clear of others and of the picture's border; `nil`, unless set, for as the dialects of
    /// this package have it.
    package var collision: Collision?

    /// How a label of a style keeps clear of others.
    package enum Collision: Hashable, Sendable {
        /// As the MapLibre Style Specification has it: the box of a text is as wide as its lines and as high as they stand,
        /// whatever its halo, and the picture's border may cut it.
        case boxes
        /// The same, and the picture's border cuts nothing.
        case boxesInside
    }

    /// How a style places a text that has no point of its own; `nil`, unless set, where no style does.
    package var anchoring: Anchoring?

    /// How a style places a text that has no point of its own.
    package enum Anchoring: Hashable, Sendable {
        /// By alignment and offset at the middle of an area, as at a point, whether it has room there or not.
        case atMiddle
        /// Along lines and the borders of areas, moved across and along them by alignment and offset, each letter turned by
        /// the rotation at its place.
        case alongLine
    }

    /// Whether lines of one look and one text that meet end to end are labelled as one; `false` unless set.
    public var joinsLines = false
    /// How far a text at a point is turned about that, in degrees clockwise; 0 unless set.
    public var rotation = 0.0
    /// How much more space is between letters, in sizes of the letters; 0 unless set.
    public var letterSpacing = 0.0
    /// The largest angle between a letter and the next on a bent line, in degrees; `nil`, unless set, for 30.
    public var maximumAngle: Double?
    /// Whether the letters slant, where the family has such; `false` unless set.
    public var isItalic = false
    /// How far the text is drawn beside its place, along a line too; nothing unless set.
    public var translation = Translation()
    /// Other places of the text about its point, tried in their order in place of alignment and offset; none unless set.
    public var anchors: [Anchor] = []

    /// How far something is drawn beside its place.
    public struct Translation: Hashable, Sendable {
        /// Pixels to the right.
        public var x: Double
        /// Pixels down.
        public var y: Double
        /// Whether right and down are those of a map with the north up, and turn with it, rather than the picture's.
        public var isOnMap: Bool

        /// Makes a translation; unless told none.
        public init(x: Double = 0, y: Double = 0, isOnMap: Bool = false) {
            self.x = x
            self.y = y
            self.isOnMap = isOnMap
        }
    }

    /// A place of a text about its point.
    public struct Anchor: Hashable, Sendable {
        /// Which side of the text lies at the point, across.
        public var horizontal: HorizontalAlignment
        /// Which side of the text lies at the point, up and down.
        public var vertical: VerticalAlignment
        /// Pixels from the point to the text, to the right.
        public var offsetX: Double
        /// Pixels from the point to the text, down.
        public var offsetY: Double

        /// Makes a place.
        public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment, offsetX: Double, offsetY: Double) {
            self.horizontal = horizontal
            self.vertical = vertical
            self.offsetX = offsetX
            self.offsetY = offsetY
        }
    }

    /// A part of a plain text that looks otherwise than the rest.
    public struct Span: Hashable, Sendable {
        /// How many Unicode scalars of the text it has.
        public var length: Int
        /// How many times as large as the label's its letters are; 1 unless set.
        public var scale = 1.0
        /// The names of font families, as those of the label, or `nil` for the label's font.
        public var family: String?
        /// The weight, 100 to 900, or `nil` for the label's.
        public var weight: Int?
        /// Whether its letters slant, or `nil` for as those of the label.
        public var isItalic: Bool?
        /// The colour with its opacity, or `nil` for that of the label; of a picture its opacity counts.
        public var color: Color?
        /// The picture that stands in place of its letters, of which the text then has one (U+FFFC); `nil` for letters.
        ///
        /// One that is yet to be fetched is not drawn.
        public var picture: MarkerSymbol?
        /// Where it stands in a line that has something higher; with its foot on the line unless set.
        public var verticalAlignment = VerticalAlignment.bottom

        /// Makes a part that looks as the label.
        public init(length: Int) { self.length = length }
    }

    /// The parts of a plain text in their order, where some look otherwise, together as long as it; empty unless set.
    public var spans: [Span] = []

    /// The text, with `${name}` where the value of a property is to stand, unless it is plain.
    public var template: String
    /// Whether the text is drawn as it stands, `${` and all; `false` unless told.
    public var isPlain: Bool
    /// How wide the lines are at most, in pixels: longer texts are broken between words into lines about as long as one
    /// another; `nil`, unless told, for lines that end where the text has breaks.
    ///
    /// Along a line a text is never broken.
    public var maximumWidth: Double?
    /// How far apart the baselines of lines are, in sizes of the letters; 1.25 unless told.
    public var lineHeight: Double
    /// How the lines of a text of several lie to one another; `nil`, unless told, for as the text lies to its point.
    public var justification: HorizontalAlignment?
    /// How far apart, in pixels, the labels of a long line are; `nil`, unless told, for 400, and infinity for one label.
    public var repetition: Double?
    /// Whether the text is drawn whatever it lies over, a part of it outside the picture included; `false` unless told.
    public var mayOverlap: Bool
    /// The colour with its opacity; black unless told.
    public var color: Color
    /// The size of the letters in pixels; 12 unless told.
    public var size: Double
    /// The names of font families, separated by commas, the most wanted first; `nil` for the usual font.
    public var family: String?
    /// 100 (thin) to 900 (heavy): 400 is regular, 700 bold.
    public var weight: Int
    /// Which side of the text lies at the point, across.
    public var horizontalAlignment: HorizontalAlignment
    /// Which side of the text lies at the point, up and down.
    public var verticalAlignment: VerticalAlignment
    /// Pixels from the point to the text, to the right.
    public var offsetX: Double
    /// Pixels from the point to the text, down.
    public var offsetY: Double
    /// The line around the letters, or `nil` when there is none.
    public var outline: Outline?
    /// The box behind the text, under its outline, or `nil` when there is none.
    public var background: Background?
    /// Who decides where the text goes; alignment and offset unless told.
    public var placement: Placement
    /// How early the label gets its place, higher values first; 0 unless told.
    ///
    /// A numeric property `labelPriority` of the feature counts instead where there is one, then ``priorityTemplate``.
    public var priority: Double
    /// A number with `${name}` where the value of a property is to stand, which counts in place of ``priority`` where it is
    /// one: `${population}`, or `-${rank}` for low ranks first.
    public var priorityTemplate: String?

    /// Makes a label.
    public init(
        template: String, color: Color = .black, size: Double = 12, family: String? = nil, weight: Int = 400,
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

    /// The text for a feature: the template with its properties put in, nothing where one is missing; at most
    /// 65,536 bytes of UTF-8 of it.
    public func text(for properties: Properties) -> String { LabelTemplate(self).text(for: properties).text }
}

/// The text of labels, with the places where properties stand found once.
package struct LabelTemplate: Sendable {
    /// More bytes than this are not put together; far fewer letters are drawn.
    private static let byteLimit = 1 << 16

    /// What stands before each property.
    private var texts: [String] = []
    private var names: [String] = []
    private var end = ""

    /// The text of a label.
    package init(_ label: LabelSymbol) {
        self.init(label.isPlain ? "" : label.template)
        if label.isPlain { end = label.template }
    }

    /// Reads a template in which `${name}` stands for the value of a property.
    package init(_ template: String) {
        var rest = template[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            texts.append(String(rest[..<start.lowerBound]))
            names.append(String(rest[start.upperBound..<end]))
            rest = rest[rest.index(after: end)...]
        }
        end = String(rest)
    }

    /// The number that the text is for a feature, or `nil` where it is none; two signs before it are none.
    package func number(for properties: Properties) -> Double? {
        let text = text(for: properties).text
        guard let number = Double(text.starts(with: "--") ? String(text.dropFirst(2)) : text), number.isFinite else {
            return nil
        }
        return number
    }

    /// The text with the properties of a feature put in, nothing where one is missing, and whether it was cut off for its
    /// length.
    package func text(for properties: Properties) -> (text: String, isCut: Bool) {
        var result = ""
        /// Adds a text, or as much of it as has room, and tells whether that was all.
        func add(_ text: String) -> Bool {
            let room = Self.byteLimit - result.utf8.count
            guard text.utf8.count > room else {
                result += text
                return true
            }
            var end = text.utf8.index(text.startIndex, offsetBy: room)
            while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
            result.unicodeScalars += text.unicodeScalars[..<end]
            return false
        }
        for (text, name) in zip(texts, names) {
            guard add(text), add(properties[name]?.displayText ?? "") else { return (result, true) }
        }
        let isWhole = add(end)
        return (result, !isWhole)
    }
}
