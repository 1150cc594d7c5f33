/// The style of a stroke; lengths are in pixels, and the rules are those of SVG 2, clause 13.5.
public struct StrokeStyle: Hashable, Sendable {
    /// The width of the line, 0 or more.
    ///
    /// A line below 1 pixel is painted 1 pixel wide with its opacity multiplied by the width. A width that is not a
    /// positive number paints nothing.
    public var width: Double
    /// The ends of open subpaths and of dashes.
    public var cap: StrokeStyle.LineCap
    /// The corners.
    public var join: StrokeStyle.LineJoin
    /// The maximum miter length, from inner to outer corner, as a multiple of the width.
    public var miterLimit: Double
    /// The alternating lengths of dashes and gaps; empty for a solid line.
    ///
    /// A list of odd length is repeated once. A list with a negative or non-finite entry, or with a sum below a tenth
    /// of a pixel, paints a solid line.
    public var dashes: [Double]
    /// The offset into the dash list at which a subpath begins.
    public var dashPhase: Double

    /// Creates a style; by default a solid line with butt ends and mitered corners.
    public init(
        width: Double = 1, cap: StrokeStyle.LineCap = .butt, join: StrokeStyle.LineJoin = .miter,
        miterLimit: Double = 4,
        dashes: [Double] = [], dashPhase: Double = 0
    ) {
        self.width = width
        self.cap = cap
        self.join = join
        self.miterLimit = miterLimit
        self.dashes = dashes
        self.dashPhase = dashPhase
    }

    /// Half of the painted width: at least half a pixel, and limited where a wider line looks the same.
    var halfWidth: Double { min(max(width, 1), 1e7) / 2 }

    /// The maximum distance of painted points from the path, including caps and corners.
    var reach: Double { halfWidth * (join == .miter && miterLimit > 2 ? min(miterLimit, 1e7) : 2) }
}

extension StrokeStyle {
    /// The shape of the ends of an open line.
    public enum LineCap: Sendable, Hashable {
        /// Cut off at the end point.
        case butt
        /// A half circle around the end point.
        case round
        /// Cut off half a width beyond the end point.
        case square
    }
}

extension StrokeStyle {
    /// The shape of the corners of a line.
    public enum LineJoin: Sendable, Hashable {
        /// The outer edges are extended until they meet; beyond the miter limit it is a `bevel`.
        case miter
        /// A circle around the corner.
        case round
        /// The corner is cut off straight.
        case bevel
    }
}
