public import PortolanRaster

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

    /// Makes a line symbol.
    public init(
        color: Color, width: Double, cap: LineCap = .round, join: LineJoin = .round, dashes: [Double] = [],
        casing: Casing? = nil
    ) {
        self.color = color
        self.width = width
        self.cap = cap
        self.join = join
        self.dashes = dashes
        self.casing = casing
    }
}
