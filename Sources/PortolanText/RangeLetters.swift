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
    ///   - count: the number of clusters of the line before the run.
    init(
        of run: TextRun, in scalars: [Unicode.Scalar], _ source: GlyphSource?, size: Double, at start: Double,
        after segments: Int, clusters count: Int
    ) {
        let scale = size / GlyphRange.pixelsPerEm
        ascent = GlyphRange.baseline * scale
        descent = size * GlyphRange.descentShare
        self.segments = segments
        end = start
        var place = Int32(clamping: run.range.lowerBound)
        let characters = String(String.UnicodeScalarView(scalars[run.range])).map { character in
            defer { place += Int32(clamping: character.unicodeScalars.count) }
            return (character, place)
        }
        for (character, place) in run.isRightToLeft ? characters.reversed() : characters {
            let first = self.segments, x = end
            // The first glyph of a character stands for all its scalars.
            var texts = place..<place + Int32(clamping: character.unicodeScalars.count)
            for scalar in character.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
                guard let range = source?.range(for: scalar), let outline = range.outline(of: scalar),
                    let advance = range.advance(of: scalar)
                else {
                    missingScalars.append(scalar)
                    continue
                }
                glyphs.append(
                    PlacedGlyph(
                        outline: outline, origin: Point(x: end, y: 0), scale: scale, cluster: count + clusters.count,
                        scalars: texts))
                texts = 0..<0
                self.segments += outline.path.elementCount
                end += advance * scale
            }
            clusters.append(GlyphCluster(elements: first..<self.segments, x: x, advance: max(0, end - x)))
        }
    }
}
#endif
