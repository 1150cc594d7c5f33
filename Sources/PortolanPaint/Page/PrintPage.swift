public import PortolanRaster

/// A page around a map: its paper, its margins, and what stands in them.
///
/// ```swift
/// var page = PrintPage()
/// page.paper = PaperSize("A4")
/// page.frame = .degrees
/// page.source = "Data: OpenStreetMap contributors"
/// ```
///
/// A length in millimetres is 96/25.4 view pixels per millimetre, so that lines and texts have the same size on paper at
/// any pixel ratio.
public struct PrintPage: Hashable, Sendable {
    /// A frame around the map, with coordinates along its sides.
    public enum Frame: String, Hashable, Sendable, CaseIterable {
        /// Longitude and latitude.
        case degrees
        /// Kilometres of the UTM zone at the centre of the map, with grid lines over the map.
        case utm
        /// Kilometres inside a square of the Military Grid Reference System, with grid lines over the map.
        case mgrs
    }

    /// A mark at the border of the map that leads to a neighbouring page.
    public struct Neighbor: Hashable, Sendable {
        /// A side of the map.
        public enum Side: Hashable, Sendable, CaseIterable {
            case top, right, bottom, left
        }

        /// The side at which the mark is drawn.
        public var side: Side
        /// The position along the side, 0 at the left or top to 1.
        public var position: Double
        /// The text, such as the number of the page.
        public var text: String
        /// The index of the page in its document, for links; `nil` for none.
        public var page: Int?

        /// Creates a mark.
        public init(side: Side, position: Double = 0.5, text: String, page: Int? = nil) {
            self.side = side
            self.position = position
            self.text = text
            self.page = page
        }
    }

    /// The paper, or `nil` for a picture without a physical size.
    public var paper: PaperSize?
    /// The space around the map in view pixels; more if the frame or the source line need it.
    public var margin: Double
    /// The colour of the margins, or `nil` for white on paper, and else the panel colour of the theme.
    public var color: MapColor?
    /// The frame, or `nil`.
    public var frame: Frame?
    /// A line below the map at the left, such as the source of the data, or `nil`.
    public var source: String?
    /// The number of the page, below the map at the right, or `nil`.
    public var number: String?
    /// The marks that lead to other pages.
    public var neighbors: [Neighbor]
    /// The outlines of other pages over the map.
    package var outlines: [Outline] = []
    /// The corners of the maps of other pages in picture pixels of this map, which may show marks that its border cuts.
    package var others: [[Point]] = []

    /// The outline of another page.
    package struct Outline: Hashable, Sendable {
        /// The corners in picture pixels of the map.
        package var corners: [Point]
        /// The number of the page.
        package var text: String
        /// The index of the page in its document.
        package var page: Int

        /// Creates an outline.
        package init(corners: [Point], text: String, page: Int) {
            self.corners = corners
            self.text = text
            self.page = page
        }
    }

    /// Creates a page.
    public init(
        paper: PaperSize? = nil, margin: Double = 0, color: MapColor? = nil, frame: Frame? = nil,
        source: String? = nil, number: String? = nil, neighbors: [Neighbor] = []
    ) {
        self.paper = paper
        self.margin = margin
        self.color = color
        self.frame = frame
        self.source = source
        self.number = number
        self.neighbors = neighbors
    }

    /// View pixels per millimetre of paper.
    package static let pixelsPerMillimeter = 96 / 25.4

    /// The space for tick marks and coordinates, and for a line of text, in view pixels.
    static let frameWidth = 18.0, lineHeight = 16.0

    /// The size of that text, in view pixels.
    package static let lineSize = 9.0

    /// Whether there is a line of text below the map.
    var hasLine: Bool {
        source?.isEmpty == false || number?.isEmpty == false || frame == .utm || frame == .mgrs
    }

    /// The margins in view pixels: at the sides and the top, and at the bottom.
    package var margins: (sides: Double, bottom: Double) {
        let own = margin.isFinite ? max(margin, 0) : 0, frame = frame == nil ? 0 : Self.frameWidth
        return (max(own, frame), max(own, frame + (hasLine ? Self.lineHeight : 0)))
    }

    /// Returns the size of the map in view pixels on a page of a size in view pixels, or `nil` without room for a map.
    package func mapSize(width: Double, height: Double) -> ImageSize? {
        let (sides, bottom) = margins
        let inner = ((width - 2 * sides).rounded(), (height - sides - bottom).rounded())
        guard inner.0 >= 16, inner.1 >= 16, max(inner.0, inner.1) <= Double(ImageSize.maximumSide) else { return nil }
        return ImageSize(width: Int(inner.0), height: Int(inner.1))
    }
}
