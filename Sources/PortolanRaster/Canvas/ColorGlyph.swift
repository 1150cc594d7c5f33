/// A glyph that brings its colours along, such as an emoji.
public struct ColorGlyph: Hashable, Sendable {
    /// An outline of one colour.
    public struct Layer: Hashable, Sendable {
        /// What is filled, by the non-zero rule.
        public var outline: Path
        /// Its colour, `nil` for that of the text.
        public var color: Color?

        /// Makes a layer.
        public init(outline: Path, color: Color?) {
            self.outline = outline
            self.color = color
        }
    }

    /// What the glyph is made of.
    public enum Content: Hashable, Sendable {
        /// Pixels.
        case image(PixelBuffer)
        /// Outlines, the lowest first.
        case layers([Layer])
    }

    /// What the glyph is made of.
    public var content: Content
    /// Leads from the coordinates of the content, y down, to the picture; those of an image are its pixels.
    public var transform: AffineTransform

    /// Makes a glyph.
    public init(content: Content, transform: AffineTransform) {
        self.content = content
        self.transform = transform
    }

    /// Paints the glyph, with the opacity of its text.
    func paint(on target: inout some PaintTarget, text color: Color) {
        let opacity = Double(color.alpha) / 255
        switch content {
        case .image(let pixels): target.draw(pixels, transform: transform, opacity: opacity, edges: .smooth)
        case .layers(let layers):
            for layer in layers {
                target.fill(
                    layer.outline.transformed(by: transform), color: layer.color?.withOpacity(opacity) ?? color)
            }
        }
    }
}

extension PaintTarget {
    /// Paints those glyphs of a text that bring their colours along.
    package mutating func drawColorGlyphs(of text: ShapedText, color: Color) {
        for glyph in text.colorGlyphs { glyph.paint(on: &self, text: color) }
    }
}
