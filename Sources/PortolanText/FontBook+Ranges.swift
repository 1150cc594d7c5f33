import Synchronization

extension FontBook {
    /// A glyph before its distances are measured, in font units.
    struct FaceGlyph {
        let scalar: Unicode.Scalar
        let outline: GlyphOutline
        let advance: Int
        let ascent: Int
        let unitsPerEm: Int
    }

    /// The sorted names of the faces for ``distanceGlyphs(of:inFaceNamed:)``, such as `Noto Sans Bold`.
    ///
    /// Given fonts that cannot be used are left out.
    package var faceNames: [String] { engine.withLock { $0.faceNames() } }

    /// Returns the glyphs of a face for a range of characters as distance fields, in the order of the characters.
    ///
    /// Given fonts take precedence. Characters that the face lacks are left out.
    ///
    /// - Parameter name: the family and the style, in any case, such as `Noto Sans Regular`.
    /// - Returns: `nil` if no face has the name.
    /// - Throws: `TextError` if a glyph is damaged or exceeds the limits.
    /// - Complexity: O(segments of the outlines). The book is locked only while outlines are loaded.
    package func distanceGlyphs(
        of range: ClosedRange<UInt32>, inFaceNamed name: String
    ) throws(TextError) -> [DistanceGlyph]? {
        let glyphs = try engine.withLock { (engine) throws(TextError) in
            try engine.glyphs(of: range, inFaceNamed: FaceName(name))
        }
        return glyphs.map(Self.measured)
    }

    /// Returns the glyphs of the first face that text of a request is drawn with, as distance fields.
    package func distanceGlyphs(
        of range: ClosedRange<UInt32>, for request: FontRequest
    ) throws(TextError) -> [DistanceGlyph] {
        Self.measured(
            try engine.withLock { (engine) throws(TextError) in try engine.glyphs(of: range, for: request) })
    }

    private static func measured(_ glyphs: [FaceGlyph]) -> [DistanceGlyph] {
        var measured: [DistanceGlyph] = []
        for glyph in glyphs where !Task.isCancelled {
            measured.append(
                DistanceGlyph(
                    glyph.scalar, outline: glyph.outline.path, advance: glyph.advance, ascent: glyph.ascent,
                    unitsPerEm: glyph.unitsPerEm))
        }
        return measured
    }
}
