/// A target for painting: shapes, images and text, each painted over the previous content.
///
/// Coordinates are pixels of the picture, x to the right and y down. ``Canvas`` paints pixels immediately; ``Drawing``
/// records operations to paint them later, on several threads or into another target. A target that writes a document
/// format, such as SVG, needs ``fill(_:rule:color:)``, ``stroke(_:style:color:)``,
/// ``draw(_:transform:opacity:edges:)`` and ``group(_:_:)``. The rest has default implementations: text as its outline,
/// a mark as its parts, a mesh as the resulting image, a drawing step by step.
///
/// A call costs at most one dynamic dispatch; no method is called per pixel.
public protocol PaintTarget {
    /// Fills a path; open subpaths are closed by a straight segment, and subpaths with a non-finite coordinate are
    /// ignored.
    mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor)

    /// Strokes a path. Each point is painted once, even where the stroke crosses itself.
    mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor)

    /// Draws an image with its top-left pixel at column `x` and row `y`, without scaling.
    ///
    /// `opacity` is clamped to 0 through 1 and applied in steps of 1/255.
    mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double)

    /// Draws an image through `transform`, which maps the image's pixel coordinates to those of the picture.
    ///
    /// Colours are interpolated bilinearly; an image reduced to half or less is averaged first, so that fine detail has
    /// no aliasing. A shift by whole pixels is the same as ``draw(_:atX:y:opacity:)``. A singular or non-finite
    /// transform paints nothing.
    ///
    /// - Complexity: for pixels O(painted pixels), and O(pixels of the image) if it is reduced to half or less.
    mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges)

    /// Draws an image through a mesh that maps the picture's points to those of the image.
    ///
    /// Points outside the image are not painted. Colours are interpolated bilinearly. If on average a step of one
    /// picture pixel passes two or more image pixels, the image is averaged first.
    mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double)

    /// Draws shaped text: first its halo, if it has one, then its letters.
    mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?)

    /// Draws a mark at points in order.
    mutating func draw(_ mark: Mark, at places: [Point])

    /// Paints the operations of `body` as a unit, clipped and with opacity as a whole, so that overlapping shapes of
    /// the group do not show through each other.
    mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Self) throws(E) -> Void) throws(E)

    /// Paints a recorded drawing, on up to `threads` threads if supported; the result does not depend on them.
    mutating func paint(_ drawing: Drawing, threads: Int)
}

extension PaintTarget {
    /// Draws the image through a translation.
    public mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        let place = AffineTransform.translation(x: Double(x), y: Double(y))
        draw(image, transform: place, opacity: opacity, edges: .clamped)
    }

    /// Draws the image that results from the mesh, as pixels.
    public mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        let width = (mesh.columns - 1) * mesh.spacing, height = (mesh.rows - 1) * mesh.spacing
        guard let size = ImageSize(width: width, height: height),
            let own = WarpMesh(
                originX: 0, originY: 0, spacing: mesh.spacing, columns: mesh.columns, rows: mesh.rows,
                sources: mesh.sources, period: mesh.period, details: mesh.details)
        else { return }
        var canvas = Canvas(size: size)
        canvas.draw(image, through: own, opacity: 1)
        draw(PaintImage(canvas.buffer), atX: mesh.originX, y: mesh.originY, opacity: opacity)
    }

    /// Strokes the halo, fills the letters, and paints colour glyphs.
    public mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?) {
        if let halo { stroke(text.outline, style: halo.style, color: halo.color) }
        fill(text.outline, rule: .nonZero, color: color)
        drawColorGlyphs(of: text, color: color)
    }

    /// Paints the mark's parts at each of the points.
    public mutating func draw(_ mark: Mark, at places: [Point]) {
        for place in places { mark.paint(at: place, on: &self) }
    }

    /// Replays the drawing on one thread.
    public mutating func paint(_ drawing: Drawing, threads: Int) { drawing.replay(into: &self) }
}

// Convenience methods.
extension PaintTarget {
    /// Fills a path by the non-zero rule.
    public mutating func fill(_ path: Path, color: MapColor) { fill(path, rule: .nonZero, color: color) }

    /// Draws pixels with the top-left one at column `x` and row `y`.
    public mutating func draw(_ image: PixelBuffer, atX x: Int, y: Int, opacity: Double = 1) {
        draw(PaintImage(image), atX: x, y: y, opacity: opacity)
    }

    /// Draws pixels through a transform.
    public mutating func draw(
        _ image: PixelBuffer, transform: AffineTransform, opacity: Double = 1, edges: PaintImage.Edges = .clamped
    ) {
        draw(PaintImage(image), transform: transform, opacity: opacity, edges: edges)
    }

    /// Draws pixels through a mesh.
    public mutating func draw(_ image: PixelBuffer, through mesh: WarpMesh, opacity: Double = 1) {
        draw(PaintImage(image), through: mesh, opacity: opacity)
    }

    /// Paints a recorded drawing on one thread.
    public mutating func paint(_ drawing: Drawing) { paint(drawing, threads: 1) }
}

/// The properties of a group.
public struct PaintGroup: Hashable, Sendable {
    /// The name of the content, such as a map layer, for targets that support names.
    public var name: String?
    /// The opacity of the group, 0 through 1.
    public var opacity: Double
    /// The clipping path, or `nil` for none.
    public var clip: Path?
    /// The fill rule of the clipping path.
    public var clipRule: Path.FillRule

    /// Creates a group; by default it is opaque and unclipped.
    public init(name: String? = nil, opacity: Double = 1, clip: Path? = nil, clipRule: Path.FillRule = .nonZero) {
        self.name = name
        self.opacity = opacity
        self.clip = clip
        self.clipRule = clipRule
    }

    /// Whether the group looks the same as its parts painted individually.
    package var isPlain: Bool { opacity >= 1 && clip == nil }
}

/// Shaped text: its outline, its characters and its font.
///
/// Pixel targets paint the outline; a target that supports text may write the runs instead.
public struct ShapedText: Hashable, Sendable {
    /// A font description for documents.
    public struct Font: Hashable, Sendable {
        /// The family names, preferred first, including the generic `serif`, `sans-serif` and `monospace`.
        public var families: [String]
        /// The size in pixels per em.
        public var size: Double
        /// Whether the font is bold.
        public var isBold: Bool
        /// Whether the font is italic.
        public var isItalic: Bool

        /// Creates a font description.
        public init(families: [String], size: Double, isBold: Bool = false, isItalic: Bool = false) {
            self.families = families
            self.size = size
            self.isBold = isBold
            self.isItalic = isItalic
        }
    }

    /// A part of the text on one straight baseline.
    public struct Run: Hashable, Sendable {
        /// The text in reading order.
        public var text: String
        /// The transform to the picture from a horizontal baseline that starts at (0, 0).
        public var transform: AffineTransform
        /// The length of the baseline, in pixels before the transform.
        public var advance: Double

        /// Creates a run.
        public init(text: String, transform: AffineTransform, advance: Double) {
            self.text = text
            self.transform = transform
            self.advance = advance
        }
    }

    /// The letters of all runs at their positions in the picture, to be filled by the non-zero rule.
    public var outline: Path
    /// The colour glyphs, which are not part of the outline.
    public var colorGlyphs: [ShapedText.ColorGlyph]
    /// The text in reading order, with a line break between lines.
    public var text: String
    /// The parts of the text, in reading order; empty if the text can only be painted.
    public var runs: [Run]
    /// The font of all runs.
    public var font: Font
    /// The lines with their glyphs, for documents that embed fonts; empty if the text can only be painted.
    package var lines: [PlacedLine] = []
    /// The precomputed outline of the halo, if available.
    package var halo: PlacedHalo?
    /// A mask that pixel targets draw instead of the outline and its halo.
    package var mask: PlacedTextMask?

    /// Creates shaped text.
    public init(outline: Path, text: String, runs: [Run], font: Font, colorGlyphs: [ShapedText.ColorGlyph] = []) {
        self.outline = outline
        self.colorGlyphs = colorGlyphs
        self.text = text
        self.runs = runs
        self.font = font
    }
}

extension ShapedText {
    /// A stroke around letters that separates them from the background.
    public struct Halo: Hashable, Sendable {
        /// The width of the stroke, half of which is outside the letters.
        public var width: Double
        /// The colour of the stroke.
        public var color: MapColor

        /// Creates a halo.
        public init(width: Double, color: MapColor) {
            self.width = width
            self.color = color
        }

        /// The flattening tolerance under a halo, which hides larger deviations: half as many segments as for letters.
        package static let tolerance = 1.0 / 16

        /// The stroke style, with round corners.
        public var style: StrokeStyle { StrokeStyle(width: width, join: .round) }
    }
}
