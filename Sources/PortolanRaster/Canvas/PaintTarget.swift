/// A way out for a picture: shapes, images and text, each painted over what came before.
///
/// Coordinates are pixels of the picture, x to the right and y down. ``Canvas`` paints pixels at once; ``Drawing`` records
/// to be painted later, by several threads or into any other target. A target that writes a document, such as SVG, needs
/// ``fill(_:rule:color:)``, ``stroke(_:style:color:)``, ``draw(_:transform:opacity:edges:)`` and ``group(_:_:)``; for the
/// rest there are default implementations: text as its outline, a mark as its parts, a mesh as the image that it gives, a
/// drawing step by step.
///
/// A call of a target costs one dynamic dispatch at most; nothing here is called for each pixel.
public protocol PaintTarget {
    /// Paints the inside of a path; open subpaths are closed by a straight segment, and subpaths with a coordinate that is
    /// not finite are left out.
    mutating func fill(_ path: Path, rule: FillRule, color: Color)

    /// Paints the outline of a path, each place once, even where the stroke crosses itself.
    mutating func stroke(_ path: Path, style: StrokeStyle, color: Color)

    /// Draws an image with its top-left pixel at column `x` and row `y`; its pixels are the picture's.
    ///
    /// `opacity` is clamped to 0 through 1 and applied in steps of 1/255.
    mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double)

    /// Draws an image through `transform`, which leads from the image's pixel coordinates to the picture's.
    ///
    /// Colours are interpolated bilinearly; an image shrunk to half or less is averaged first, so fine detail does not break
    /// up. A shift by whole pixels is the same as ``draw(_:atX:y:opacity:)``. A transform that flattens the image or is not
    /// finite paints nothing.
    ///
    /// - Complexity: for pixels O(painted pixels), and O(pixels of the image) when it is shrunk to half or less.
    mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: ImageEdges)

    /// Draws an image through a mesh that gives for each place of the picture the place in the image.
    ///
    /// Places outside the image are not painted. Colours are interpolated bilinearly; where on average over the mesh a step
    /// of one pixel of the picture passes two or more of the image, the image is averaged first.
    mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double)

    /// Draws shaped text: first its halo, where it has one, then its letters.
    mutating func draw(_ text: ShapedText, color: Color, halo: TextHalo?)

    /// Draws a mark at places in their order.
    mutating func draw(_ mark: Mark, at places: [Point])

    /// Paints what `body` paints as one: cut to the group's clip and faded as a whole, so that where shapes of the group
    /// overlap, one does not show through the other.
    mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Self) throws(E) -> Void) throws(E)

    /// Paints a recorded drawing, by up to `threads` threads where the target can; what is painted does not depend on them.
    mutating func paint(_ drawing: Drawing, threads: Int)
}

extension PaintTarget {
    /// Draws the image through the shift.
    public mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        let place = AffineTransform.translation(x: Double(x), y: Double(y))
        draw(image, transform: place, opacity: opacity, edges: .clamped)
    }

    /// Draws the image that the mesh gives, made of pixels where the mesh lies.
    public mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        let width = (mesh.columns - 1) * mesh.spacing, height = (mesh.rows - 1) * mesh.spacing
        guard let size = ImageSize(width: width, height: height),
            let own = WarpMesh(
                originX: 0, originY: 0, spacing: mesh.spacing, columns: mesh.columns, rows: mesh.rows,
                sources: mesh.sources)
        else { return }
        var canvas = Canvas(size: size)
        canvas.draw(image, through: own, opacity: 1)
        draw(PaintImage(canvas.buffer), atX: mesh.originX, y: mesh.originY, opacity: opacity)
    }

    /// Strokes the halo, fills the letters, and paints those that have colours of their own.
    public mutating func draw(_ text: ShapedText, color: Color, halo: TextHalo?) {
        if let halo { stroke(text.outline, style: halo.style, color: halo.color) }
        fill(text.outline, rule: .nonZero, color: color)
        drawColorGlyphs(of: text, color: color)
    }

    /// Paints the mark's parts at each of the places.
    public mutating func draw(_ mark: Mark, at places: [Point]) {
        for place in places { mark.paint(at: place, on: &self) }
    }

    /// Replays the drawing, by one thread.
    public mutating func paint(_ drawing: Drawing, threads: Int) { drawing.replay(into: &self) }
}

// What is mostly meant.
extension PaintTarget {
    /// Paints the inside of a path by the non-zero rule.
    public mutating func fill(_ path: Path, color: Color) { fill(path, rule: .nonZero, color: color) }

    /// Draws pixels with the top-left one at column `x` and row `y`.
    public mutating func draw(_ image: PixelBuffer, atX x: Int, y: Int, opacity: Double = 1) {
        draw(PaintImage(image), atX: x, y: y, opacity: opacity)
    }

    /// Draws pixels through a transform.
    public mutating func draw(
        _ image: PixelBuffer, transform: AffineTransform, opacity: Double = 1, edges: ImageEdges = .clamped
    ) {
        draw(PaintImage(image), transform: transform, opacity: opacity, edges: edges)
    }

    /// Draws pixels through a mesh.
    public mutating func draw(_ image: PixelBuffer, through mesh: WarpMesh, opacity: Double = 1) {
        draw(PaintImage(image), through: mesh, opacity: opacity)
    }

    /// Paints a recorded drawing by one thread.
    public mutating func paint(_ drawing: Drawing) { paint(drawing, threads: 1) }
}

/// What holds for all that is painted in a group.
public struct PaintGroup: Hashable, Sendable {
    /// A name for what is painted, such as that of a map's layer, for targets that can keep it.
    public var name: String?
    /// How much of the group covers what is below, 0 through 1.
    public var opacity: Double
    /// The path outside which nothing of the group is seen, or `nil`.
    public var clip: Path?
    /// What is inside the clip.
    public var clipRule: FillRule

    /// Makes a group; by default it is opaque and not cut.
    public init(name: String? = nil, opacity: Double = 1, clip: Path? = nil, clipRule: FillRule = .nonZero) {
        self.name = name
        self.opacity = opacity
        self.clip = clip
        self.clipRule = clipRule
    }

    /// Whether the group looks the same as its parts painted one by one.
    var isPlain: Bool { opacity >= 1 && clip == nil }
}

/// Text that has been shaped: what it looks like, what it says, and in which font.
///
/// Targets of pixels paint the outline; one that can write text may write the runs instead.
public struct ShapedText: Hashable, Sendable {
    /// A font as documents name it.
    public struct Font: Hashable, Sendable {
        /// Names of families, preferred first; `serif`, `sans-serif` and `monospace` mean any such font.
        public var families: [String]
        /// Pixels per em.
        public var size: Double
        /// Whether the letters are bold.
        public var isBold: Bool
        /// Whether the letters slant.
        public var isItalic: Bool

        /// Makes a font's description.
        public init(families: [String], size: Double, isBold: Bool = false, isItalic: Bool = false) {
            self.families = families
            self.size = size
            self.isBold = isBold
            self.isItalic = isItalic
        }
    }

    /// A part of the text on one straight baseline.
    public struct Run: Hashable, Sendable {
        /// The words, in reading order.
        public var text: String
        /// Leads from the baseline's beginning at (0, 0), the baseline to the right, to the picture.
        public var transform: AffineTransform
        /// How far the baseline runs, in pixels before the transform.
        public var advance: Double

        /// Makes a run.
        public init(text: String, transform: AffineTransform, advance: Double) {
            self.text = text
            self.transform = transform
            self.advance = advance
        }
    }

    /// The letters of all runs where they stand on the picture, to be filled by the non-zero rule.
    public var outline: Path
    /// The letters that are not in the outline, since they bring their colours along.
    public var colorGlyphs: [ColorGlyph]
    /// The words, in reading order, with a line break between lines.
    public var text: String
    /// The parts of the text, in reading order; none where it can only be painted.
    public var runs: [Run]
    /// The font of all of them.
    public var font: Font
    /// The outline of the halo that the text is to be drawn with, where it has been worked out.
    package var halo: PlacedHalo?
    /// What is drawn in place of the outline and its halo, on targets of pixels alone.
    package var mask: PlacedTextMask?

    /// Makes shaped text.
    public init(outline: Path, text: String, runs: [Run], font: Font, colorGlyphs: [ColorGlyph] = []) {
        self.outline = outline
        self.colorGlyphs = colorGlyphs
        self.text = text
        self.runs = runs
        self.font = font
    }
}

/// What sets letters off from what is below: a stroke around them.
public struct TextHalo: Hashable, Sendable {
    /// The width of the stroke, half of which lies outside the letters.
    public var width: Double
    /// The stroke's colour.
    public var color: Color

    /// Makes a halo.
    public init(width: Double, color: Color) {
        self.width = width
        self.color = color
    }

    /// How far the pieces of curves may be from them under a halo, which shows no more of them than this: half as many pieces
    /// as letters have, that is.
    package static let tolerance = 1.0 / 16

    /// The stroke, with round corners.
    public var style: StrokeStyle { StrokeStyle(width: width, join: .round) }
}
