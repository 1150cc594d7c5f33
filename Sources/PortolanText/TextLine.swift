public import PortolanRaster

/// One line of text as a shape to be filled, with the measures needed to place it.
public struct TextLine: Sendable {
    /// The glyphs' outlines in pixels, y down, unhinted; the line's baseline begins at (0, 0) and runs to the right.
    ///
    /// Fill it with the non-zero rule.
    public let outline: Path
    /// How far the baseline runs, in pixels; spaces at the ends count.
    public let advance: Double
    /// How far the fonts used reach above the baseline, in pixels; never negative.
    public let ascent: Double
    /// How far the fonts used reach below the baseline, in pixels; never negative.
    public let descent: Double
    /// How many glyphs stand for characters that no font has; they are drawn as the font's box for a missing glyph.
    public let missingGlyphCount: Int
    /// The characters that no font has, each once, from left to right.
    public let missingScalars: [Unicode.Scalar]
    /// The parts that may be set one by one on a bent baseline, from left to right; none where a script joins its
    /// letters, so that the line is to be kept whole.
    package let clusters: [GlyphCluster]

    package init(
        outline: Path, advance: Double, ascent: Double, descent: Double, missingGlyphCount: Int,
        missingScalars: [Unicode.Scalar] = [], clusters: [GlyphCluster] = []
    ) {
        self.outline = outline
        self.advance = advance
        self.ascent = ascent
        self.descent = descent
        self.missingGlyphCount = missingGlyphCount
        self.missingScalars = missingScalars
        self.clusters = clusters
    }
}
