package import PortolanRaster

#if Text && !canImport(CoreText)
import Synchronization
#endif

/// The properties of a face for a document that embeds a subset of it; lengths are in thousandths of an em.
package struct EmbeddableFont: Hashable, Sendable {
    /// The format of the outlines.
    package enum Outlines: Hashable, Sendable {
        /// TrueType, for a font file with the table `glyf`.
        case trueType
        /// Compact Font Format, for the table `CFF` alone.
        case cff
    }

    /// The PostScript name.
    package let name: String
    /// The format of the outlines.
    package let outlines: Outlines
    /// The bounding box of all glyphs, y up.
    package let bounds: Rectangle
    /// The height above the baseline.
    package let ascent: Double
    /// The depth below the baseline, positive.
    package let descent: Double
    /// Whether the face is italic.
    package let isItalic: Bool
    /// Whether the face is bold.
    package let isBold: Bool
    /// Whether all glyphs have the same advance.
    package let isFixedPitch: Bool
}

extension FontBook {
    /// Returns the properties of a face that has shaped text, or `nil` if it cannot or must not be embedded.
    ///
    /// A face is not embedded if its licence flags forbid embedding or subsetting (OpenType, table `OS/2`, field
    /// `fsType`), or if it is an instance of a variable font.
    package func embeddable(_ program: ShapedText.FontProgram) -> EmbeddableFont? {
        #if Text && !canImport(CoreText)
        engine.withLock { $0.face(of: program)?.embeddable }
        #else
        nil
        #endif
    }

    /// Returns the character identifier (CID) of a glyph in a subset, and its advance in thousandths of an em.
    package func identifier(
        of glyph: UInt32, in program: ShapedText.FontProgram
    ) -> (code: UInt32, advance: Double)? {
        #if Text && !canImport(CoreText)
        engine.withLock { $0.face(of: program)?.identifier(of: glyph) }
        #else
        nil
        #endif
    }

    /// Returns a font file, or the table `CFF`, with the given glyphs at their indices and without hints.
    ///
    /// - Throws: ``TextError/unreadableFont(file:detail:)`` for a damaged font.
    /// - Complexity: O(size of the font).
    package func subset(of program: ShapedText.FontProgram, glyphs: [UInt32]) throws(TextError) -> [UInt8] {
        #if Text && !canImport(CoreText)
        let subset = engine.withLock { $0.face(of: program)?.subset(glyphs) }
        guard let subset else {
            throw .unreadableFont(file: program.file, detail: "it is damaged, so that no subset can be embedded")
        }
        return subset
        #else
        throw .notBuiltIn
        #endif
    }
}
