public import PortolanRaster
package import PortolanWeb

/// The elements on a picture beside the map: attribution, title, information bar.
///
/// ```swift
/// var furniture = Furniture()
/// furniture.title = "Helsinki"
/// furniture.showsScaleBar = true
/// furniture.infoBar = Furniture.InfoBar(title: "Line 7", facts: ["18 stops", "42 min"])
/// ```
public struct Furniture: Hashable, Sendable {
    /// The attribution in the bottom right corner, or `nil`.
    public var attribution: String?

    /// The rights in the metadata of documents, or `nil` for the attribution.
    package var rights: String?

    /// The parts of the attribution that lead to pages in documents with links, besides addresses that are written in it.
    package var attributionLinks: [AttributionLink] = []

    /// A title along the top, or `nil`.
    public var title: String?

    /// A smaller line below the title, or `nil`.
    public var subtitle: String?

    /// A notice along the top, below the title, or `nil`.
    public var notice: Furniture.Notice?

    /// A bar along the bottom, or `nil`.
    public var infoBar: Furniture.InfoBar?

    /// An elevation profile along the bottom, above the bar, or `nil`.
    public var profile: Furniture.ProfilePanel?

    /// A panel of facts in the top left corner, or `nil`.
    public var panel: Furniture.FactsPanel?

    /// Whether an arrow in the top right corner points north.
    public var showsNorthArrow: Bool

    /// Whether a bar at the bottom left shows a round ground length, valid at the picture centre.
    public var showsScaleBar: Bool

    /// The corner of the legend.
    package var legendCorner = PaintedInset.Corner.automatic

    /// Whether the positions of the elements do not depend on the layers.
    package var isSteady = false

    /// Whether the degrees are at the frame of the page instead of the lines of the graticule.
    package var hasDegreesAtFrame = false

    /// The units of that length.
    ///
    /// Default: kilometres and metres.
    public var scaleBarUnits = Furniture.LengthUnits.metric

    /// Lines of longitude and latitude over the map, or `nil`.
    public var graticule: Furniture.Graticule?

    /// The colours, or `nil` for those that suit the map background.
    public var theme: Furniture.Theme?

    /// Whether the edge of the map's world is drawn, if its projection has one.
    public var showsOutline: Bool

    /// Creates an empty set of elements, unless stated otherwise.
    public init(
        attribution: String? = nil, title: String? = nil, subtitle: String? = nil, notice: Furniture.Notice? = nil,
        infoBar: Furniture.InfoBar? = nil, profile: Furniture.ProfilePanel? = nil,
        panel: Furniture.FactsPanel? = nil, showsNorthArrow: Bool = false, showsScaleBar: Bool = false,
        graticule: Furniture.Graticule? = nil, theme: Furniture.Theme? = nil, showsOutline: Bool = false
    ) {
        self.showsOutline = showsOutline
        self.theme = theme
        self.notice = notice
        self.panel = panel
        self.showsScaleBar = showsScaleBar
        self.graticule = graticule
        self.showsNorthArrow = showsNorthArrow
        self.attribution = attribution
        self.title = title
        self.subtitle = subtitle
        self.infoBar = infoBar
        self.profile = profile
    }
}

extension Furniture {

    /// A notice for viewers across the top of a picture.
    public struct Notice: Hashable, Sendable {
        /// The severity.
        ///
        /// Each level has its own sign and colour.
        public enum Level: Hashable, Sendable, CaseIterable {
            case information, warning, severe
        }

        /// The text, cut after two lines.
        public var text: String
        /// The severity.
        public var level: Level

        /// Creates a notice.
        public init(_ text: String, level: Level = .warning) {
            self.text = text
            self.level = level
        }
    }
}

extension Furniture {

    /// A bar along the bottom of a picture with a title and facts.
    public struct InfoBar: Hashable, Sendable {
        /// The height of a bar, in view pixels.
        public static let height = 44.0

        /// The title, in bold at the left.
        public var title: String

        /// The facts at the right, from left to right.
        public var facts: [String]

        /// Creates a bar.
        public init(title: String, facts: [String] = []) {
            self.title = title
            self.facts = facts
        }
    }
}

extension Furniture {

    /// Facts in rows, such as the legs of a route: a panel in the top left corner of a picture that is at least twice as
    /// wide.
    public struct FactsPanel: Hashable, Sendable {
        /// The width of a panel, in view pixels.
        public static let width = 250.0

        /// The width that content fitted to the view leaves free for a panel at the left, in view pixels; 0 without a panel
        /// or without room for it.
        package static func room(on size: ImageSize?) -> Int {
            guard let size, Double(size.width) >= 2 * width else { return 0 }
            return Int(width) + 12
        }

        /// A row: a mark in a disc, a text, and a fact at the right.
        public struct Row: Hashable, Sendable {
            /// One or two letters in a disc, up to four in a plate, or `nil` for a row that belongs to the previous one.
            public var mark: String?
            /// The colour of the mark if it differs from that of the panel.
            public var color: MapColor?
            /// The text.
            public var text: String
            /// The fact; empty for none.
            public var fact: String

            /// Creates a row.
            public init(mark: String? = nil, text: String, fact: String = "", color: MapColor? = nil) {
                self.mark = mark
                self.color = color
                self.text = text
                self.fact = fact
            }
        }

        /// The title above the rows, in bold.
        public var title: String
        /// The rows.
        ///
        /// If there is no room for all, the remaining ones with a mark are counted.
        public var rows: [Row]
        /// The notes below the rows.
        public var notes: [String]
        /// The colour of the marks.
        public var color: MapColor

        /// Creates a panel.
        public init(
            title: String, rows: [Row], notes: [String] = [], color: MapColor = MapColor(red: 38, green: 42, blue: 48)
        ) {
            self.title = title
            self.rows = rows
            self.notes = notes
            self.color = color
        }
    }
}

extension Furniture {
    /// Lines of equal longitude and latitude over a map.
    public enum Graticule: Hashable, Sendable {
        /// At an interval that leaves room for the labels.
        case automatic
        /// At an interval in degrees.
        case degrees(Double)

        /// Suitable intervals in degrees, the widest first.
        static let intervals: [Double] =
            [90, 45, 30, 20, 10, 5, 2, 1] + [30, 20, 10, 5, 2, 1].map { $0 / 60 }
            + [30, 20, 10, 5, 2, 1].map { $0 / 3600 }

        /// The largest number of lines in one direction; beyond it the interval is widened.
        private static let mostLines = 100.0

        /// Returns the interval for a view with a span in degrees, or `nil` if no interval fits.
        ///
        /// - Parameter room: the number of lines that fit beside each other.
        func interval(forSpan span: Double, room: Double) -> Double? {
            guard span > 0, span.isFinite else { return nil }
            switch self {
            case .automatic: return Self.intervals.last { span / $0 <= max(room, 1) } ?? Self.intervals.first
            case .degrees(let degrees):
                guard degrees > 0, degrees.isFinite else { return nil }
                if span / degrees <= Self.mostLines { return degrees }
                return Self.intervals.last { span / $0 <= Self.mostLines }
            }
        }
    }
}
