/// How much text and font a font book takes before it refuses.
public struct TextLimits: Hashable, Sendable {
    /// The most Unicode scalars in one line, and in one paragraph to be wrapped.
    public var scalarsPerLine: Int
    /// The most Unicode scalars in one text to be wrapped.
    public var scalarsPerText: Int
    /// The most segments in one line's outline.
    public var outlineSegments: Int
    /// The most pixels per em.
    public var size: Double
    /// The most bytes in one font file.
    public var fontFileBytes: Int

    /// Makes limits; the defaults suit labels, attributions and captions with any font in use today.
    public init(
        scalarsPerLine: Int = 4096, scalarsPerText: Int = 65_536, outlineSegments: Int = 2_000_000, size: Double = 2048,
        fontFileBytes: Int = 256 << 20
    ) {
        self.scalarsPerLine = scalarsPerLine
        self.scalarsPerText = scalarsPerText
        self.outlineSegments = outlineSegments
        self.size = size
        self.fontFileBytes = fontFileBytes
    }
}
