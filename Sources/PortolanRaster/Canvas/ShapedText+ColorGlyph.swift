extension ShapedText {
    /// A glyph with its own colours, such as an emoji.
    public struct ColorGlyph: Hashable, Sendable {
        /// An outline of one colour.
        public struct Layer: Hashable, Sendable {
            /// The outline, filled by the non-zero rule.
            public var outline: Path
            /// The colour, or `nil` for that of the text.
            public var color: MapColor?

            /// Creates a layer.
            public init(outline: Path, color: MapColor?) {
                self.outline = outline
                self.color = color
            }
        }

        /// The content of a glyph.
        public enum Content: Hashable, Sendable {
            /// Pixels.
            case image(PixelBuffer)
            /// Outlines, bottom first.
            case layers([Layer])
        }

        /// The content of the glyph.
        public var content: Content
        /// The transform from the coordinates of the content, y down, to the picture.
        ///
        /// The coordinates of an image are its pixels.
        public var transform: AffineTransform

        /// Creates a glyph.
        public init(content: Content, transform: AffineTransform) {
            self.content = content
            self.transform = transform
        }

        /// Paints the glyph with the opacity of its text.
        func paint(on target: inout some PaintTarget, text color: MapColor) {
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
}

extension PaintTarget {
    /// Paints the colour glyphs of a text.
    package mutating func drawColorGlyphs(of text: ShapedText, color: MapColor) {
        for glyph in text.colorGlyphs { glyph.paint(on: &self, text: color) }
    }
}
