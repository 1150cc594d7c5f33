#if Text && !canImport(CoreText)
import PortolanRaster

/// The letters of a run that are drawn from glyph ranges.
///
/// As in MapLibre, each character has its own glyph: letters are not joined or combined, and there is no kerning.
struct RangeLetters {
    private(set) var glyphs: [PlacedGlyph] = []
    private(set) var clusters: [GlyphCluster] = []
    /// The visible characters without a glyph, which take no space.
    private(set) var missingScalars: [Unicode.Scalar] = []
    /// The number of segments of the line up to the end of the run.
    private(set) var segments: Int
    /// The end of the run on the baseline, in pixels.
    private(set) var end: Double
    /// The pixels above and below the baseline.
    let ascent: Double, descent: Double

    /// Places the letters of a run.
    ///
    /// - Parameters:
    ///   - start: the beginning of the run on the baseline, in pixels.
    ///   - segments: the number of segments of the line before the run.
    init(
        of run: TextRun, in scalars: [Unicode.Scalar], _ source: GlyphSource?, size: Double, at start: Double,
        after segments: Int
    ) {
        let scale = size / GlyphRange.pixelsPerEm
        ascent = GlyphRange.baseline * scale
        descent = size * GlyphRange.descentShare
        self.segments = segments
        end = start
        let characters = Array(String(String.UnicodeScalarView(scalars[run.range])))
        for character in run.isRightToLeft ? characters.reversed() : characters {
            let first = self.segments, x = end
            for scalar in character.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
                guard let range = source?.range(for: scalar), let outline = range.outline(of: scalar),
                    let advance = range.advance(of: scalar)
                else {
                    missingScalars.append(scalar)
                    continue
                }
                glyphs.append(PlacedGlyph(outline: outline, origin: Point(x: end, y: 0), scale: scale))
                self.segments += outline.path.elementCount
                end += advance * scale
            }
            clusters.append(GlyphCluster(elements: first..<self.segments, x: x, advance: max(0, end - x)))
        }
    }
}
#endif
