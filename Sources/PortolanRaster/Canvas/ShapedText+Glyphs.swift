extension ShapedText {
    /// The face of a font file that a glyph belongs to.
    package struct FontProgram: Hashable, Sendable {
        /// The path of the file.
        package let file: String
        /// The index of the face; the upper 16 bits select a named instance of a variable font.
        package let index: Int

        /// Creates the identity of a face.
        package init(file: String, index: Int) {
            self.file = file
            self.index = index
        }
    }

    /// A glyph with its characters.
    package struct Glyph: Sendable {
        /// The face, or `nil` for a glyph that is painted in another way, such as an emoji.
        package let program: FontProgram?
        /// The index of the glyph in its face.
        package let index: UInt32
        /// The characters of its cluster in reading order, or an empty text for the other glyphs of the cluster.
        package let text: String
        /// The outline in font units, y down.
        package let outline: Path
        /// The font units per em.
        package let unitsPerEm: Double
        /// The transform from font units, y down, to the picture.
        package let transform: AffineTransform
        /// The bounds of the cluster along the baseline in font units, for text that is selectable but not painted.
        package let advance: Double

        /// Creates a glyph.
        package init(
            program: FontProgram?, index: UInt32, text: String, outline: Path, unitsPerEm: Double,
            transform: AffineTransform, advance: Double
        ) {
            self.program = program
            self.index = index
            self.text = text
            self.outline = outline
            self.unitsPerEm = unitsPerEm
            self.transform = transform
            self.advance = advance
        }
    }

    /// A line with its position in the picture.
    package struct PlacedLine: Sendable {
        /// The line.
        package let line: any GlyphLine
        /// The transform of the whole line, or one for each of its clusters.
        package let transforms: [AffineTransform]

        /// Creates a line with the transform of the whole, or one for each of its clusters.
        package init(_ line: any GlyphLine, by transforms: [AffineTransform]) {
            self.line = line
            self.transforms = transforms
        }

        /// The glyphs from left to right.
        package var glyphs: [Glyph] {
            line.glyphs { cluster in
                transforms.count == 1 ? transforms[0] : transforms.indices.contains(cluster) ? transforms[cluster] : nil
            }
        }
    }
}

/// A line of text that lists its glyphs.
package protocol GlyphLine: Sendable {
    /// The text in reading order.
    var text: String { get }

    /// Returns the glyphs from left to right, each cluster transformed; clusters without a transform are omitted.
    func glyphs(movedBy transform: (_ cluster: Int) -> AffineTransform?) -> [ShapedText.Glyph]
}

extension ShapedText.PlacedLine: Hashable {
    /// Returns whether text and transforms are equal.
    package static func == (left: Self, right: Self) -> Bool {
        left.line.text == right.line.text && left.transforms == right.transforms
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(transforms) }
}
