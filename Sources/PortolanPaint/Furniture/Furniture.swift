public import PortolanRaster

/// What stands on a picture beside the map: attribution, title, information bar.
public struct Furniture: Hashable, Sendable {
    /// Who is to be named, in the bottom right corner, or `nil`.
    public var attribution: String?

    /// A title along the top, or `nil`.
    public var title: String?

    /// A notice along the top, below the title, or `nil`.
    public var notice: Furniture.Notice?

    /// A bar along the foot, or `nil`.
    public var infoBar: Furniture.InfoBar?

    /// A panel of facts in the top left corner, or `nil`.
    public var panel: Furniture.FactsPanel?

    /// Whether an arrow points north, in the top right corner.
    public var showsNorthArrow: Bool

    /// Whether a bar at the bottom left shows a round length on the ground, true at the picture's centre.
    public var showsScaleBar: Bool

    /// Lines of longitude and latitude over the map, or `nil`.
    public var graticule: Furniture.Graticule?

    /// The colours, or `nil` for those that suit the ground of the map.
    public var theme: Furniture.Theme?

    /// Makes furniture; none by default.
    public init(
        attribution: String? = nil, title: String? = nil, notice: Furniture.Notice? = nil,
        infoBar: Furniture.InfoBar? = nil,
        panel: Furniture.FactsPanel? = nil, showsNorthArrow: Bool = false, showsScaleBar: Bool = false,
        graticule: Furniture.Graticule? = nil, theme: Furniture.Theme? = nil
    ) {
        self.theme = theme
        self.notice = notice
        self.panel = panel
        self.showsScaleBar = showsScaleBar
        self.graticule = graticule
        self.showsNorthArrow = showsNorthArrow
        self.attribution = attribution
        self.title = title
        self.infoBar = infoBar
    }
}

extension Furniture {
    /// A notice across the top of a picture: what its viewers must know.
    public struct Notice: Hashable, Sendable {
        /// How much it matters; each level has a sign and a colour of its own.
        public enum Level: Hashable, Sendable, CaseIterable {
            case information, warning, severe
        }

        /// What there is to say; cut after two lines.
        public var text: String
        /// How much it matters.
        public var level: Level

        /// Makes a notice.
        public init(_ text: String, level: Level = .warning) {
            self.text = text
            self.level = level
        }
    }
}

extension Furniture {
    /// A bar along the foot of a picture: what is shown, and some facts about it.
    public struct InfoBar: Hashable, Sendable {
        /// How high a bar is, in view pixels.
        public static let height = 44.0

        /// What is shown, in bold at the left.
        public var title: String

        /// Facts about it, at the right, from left to right.
        public var facts: [String]

        /// Makes a bar.
        public init(title: String, facts: [String] = []) {
            self.title = title
            self.facts = facts
        }
    }
}

extension Furniture {
    /// Facts in rows, as the legs of a route: a panel in the top left corner of a picture that is at least twice as wide.
    public struct FactsPanel: Hashable, Sendable {
        /// How wide a panel is, in view pixels.
        public static let width = 250.0

        /// What fits leave free for a panel at the left of a picture, in view pixels: nothing where there is none, or no room for it.
        package static func room(on size: ImageSize?) -> Int {
            guard let size, Double(size.width) >= 2 * width else { return 0 }
            return Int(width) + 12
        }

        /// A row: a mark in a disc, what it is, and a fact at the right.
        public struct Row: Hashable, Sendable {
            /// One or two letters in a disc, up to four in a plate, or `nil` for a row that goes with the one above.
            public var mark: String?
            /// The colour of the mark where it is another than the panel's.
            public var color: MapColor?
            /// What the row is about.
            public var text: String
            /// What is said of it; empty for nothing.
            public var fact: String

            /// Makes a row.
            public init(mark: String? = nil, text: String, fact: String = "", color: MapColor? = nil) {
                self.mark = mark
                self.color = color
                self.text = text
                self.fact = fact
            }
        }

        /// What stands above the rows, in bold.
        public var title: String
        /// The rows; where they have no room those with a mark are counted.
        public var rows: [Row]
        /// What stands below the rows.
        public var notes: [String]
        /// The colour of the marks.
        public var color: MapColor

        /// Makes a panel.
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
        /// As many as leave room for their degrees.
        case automatic
        /// One every so many degrees.
        case degrees(Double)

        /// Intervals that read well, in degrees, the widest first.
        static let intervals: [Double] =
            [90, 45, 30, 20, 10, 5, 2, 1] + [30, 20, 10, 5, 2, 1].map { $0 / 60 }
            + [30, 20, 10, 5, 2, 1].map { $0 / 3600 }

        /// The most lines drawn in one direction; with more the interval is widened.
        private static let mostLines = 100.0

        /// The interval for a view that spans so many degrees across, or `nil` when there is none.
        ///
        /// - Parameter room: how many lines have room beside each other.
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
