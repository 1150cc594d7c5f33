/// How a path is stroked; lengths are in pixels, and the rules are those of SVG 2, clause 13.5.
public struct StrokeStyle: Hashable, Sendable {
    /// The width of the line, 0 or more.
    ///
    /// A line below 1 pixel is painted 1 pixel wide with its opacity multiplied by the width.
    /// A width that is not a positive number paints nothing.
    public var width: Double
    /// The ends of open subpaths and of dashes.
    public var cap: LineCap
    /// The corners.
    public var join: LineJoin
    /// The longest miter, from inner to outer corner, as a multiple of the width.
    public var miterLimit: Double
    /// The lengths of dashes and gaps in turn; empty for a solid line.
    ///
    /// A list of odd length is repeated once. A list with an entry that is negative or not finite, or with a sum
    /// below a tenth of a pixel, paints a solid line.
    public var dashes: [Double]
    /// How far into the dash list a subpath begins.
    public var dashPhase: Double

    /// Makes a style; by default a solid line with flat ends and mitered corners.
    public init(
        width: Double = 1, cap: LineCap = .butt, join: LineJoin = .miter, miterLimit: Double = 4,
        dashes: [Double] = [], dashPhase: Double = 0
    ) {
        self.width = width
        self.cap = cap
        self.join = join
        self.miterLimit = miterLimit
        self.dashes = dashes
        self.dashPhase = dashPhase
    }

    /// Half of the width that is painted: at least half a pixel, and bounded where a wider line looks no different.
    var halfWidth: Double { min(max(width, 1), 1e7) / 2 }

    /// How far from the path something may be painted, caps and corners included.
    var reach: Double { halfWidth * (join == .miter && miterLimit > 2 ? min(miterLimit, 1e7) : 2) }
}

/// How the ends of an open line look.
public enum LineCap: Sendable, Hashable {
    /// Cut off at the end point.
    case butt
    /// A half circle around the end point.
    case round
    /// Cut off half a width beyond the end point.
    case square
}

/// How the corners of a line look.
public enum LineJoin: Sendable, Hashable {
    /// The outer sides go on until they meet, unless that is beyond the miter limit; then as `bevel`.
    case miter
    /// A circle around the corner.
    case round
    /// The corner is cut off straight.
    case bevel
}
