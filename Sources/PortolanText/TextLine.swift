package import PortolanRaster

/// One line of text as a shape to be filled, with the measures needed to place it.
///
/// The outlines of its glyphs are shared with other lines, so that lines may be kept by the thousand.
package struct TextLine: Sendable {
    let glyphs: [PlacedGlyph]
    private let colorGlyphs: [PlacedColorGlyph]
    /// Whether some of its glyphs bring their colours along.
    var hasColorGlyphs: Bool { !colorGlyphs.isEmpty }
    /// How far the baseline runs, in pixels; spaces at the ends count.
    package let advance: Double
    /// How far the fonts used reach above the baseline, in pixels; never negative.
    package let ascent: Double
    /// How far the fonts used reach below the baseline, in pixels; never negative.
    package let descent: Double
    /// How many glyphs stand for characters that no font has; they are drawn as the font's box for a missing glyph.
    package let missingGlyphCount: Int
    /// The characters that no font has, each once, from left to right.
    package let missingScalars: [Unicode.Scalar]
    /// The words, in reading order.
    package let text: String
    /// The font as a document names it: the families that the words needed, then those asked for.
    package let font: ShapedText.Font
    /// What the letters fill, in pixels about the baseline's beginning, y down; `nil` for blanks.
    package let ink: Rectangle?
    /// The parts that may be set one by one on a bent baseline, from left to right; none where a script joins its
    /// letters, so that the line is to be kept whole.
    package let clusters: [GlyphCluster]
    /// How many segments the outline has.
    let segmentCount: Int

    /// The glyphs' outlines in pixels, y down, unhinted; the line's baseline begins at (0, 0) and runs to the right.
    ///
    /// Glyphs that bring their colours along, such as emoji, are not among them.
    ///
    /// Fill it with the non-zero rule.
    ///
    /// - Complexity: O(segments); the path is made anew each time.
    package var outline: Path {
        var path = Path()
        path.reserveCapacity(segmentCount)
        for glyph in glyphs { glyph.append(to: &path) }
        return path
    }

    init(
        glyphs: [PlacedGlyph], colorGlyphs: [PlacedColorGlyph] = [], advance: Double, ascent: Double, descent: Double,
        missingGlyphCount: Int,
        missingScalars: [Unicode.Scalar], clusters: [GlyphCluster], text: String, font: ShapedText.Font
    ) {
        self.glyphs = glyphs
        self.colorGlyphs = colorGlyphs
        self.text = text
        self.font = font
        self.advance = advance
        self.ascent = ascent
        self.descent = descent
        self.missingGlyphCount = missingGlyphCount
        self.missingScalars = missingScalars
        self.clusters = clusters
        segmentCount = glyphs.reduce(0) { $0 + $1.outline.path.elementCount }
        ink = (glyphs.map(\.bounds) + colorGlyphs.map(\.bounds)).reduce(into: nil) { ink, box in
            guard let box else { return }
            ink = Rectangle(
                minX: min(ink?.minX ?? box.minX, box.minX), minY: min(ink?.minY ?? box.minY, box.minY),
                maxX: max(ink?.maxX ?? box.maxX, box.maxX), maxY: max(ink?.maxY ?? box.maxY, box.maxY))
        }
    }

    /// A line of an outline that is known as a whole.
    package init(
        outline: Path, advance: Double, ascent: Double, descent: Double, missingGlyphCount: Int,
        missingScalars: [Unicode.Scalar] = [], clusters: [GlyphCluster] = [], text: String = "",
        font: ShapedText.Font = ShapedText.Font(families: [], size: 0)
    ) {
        self.init(
            glyphs: [PlacedGlyph(outline: GlyphOutline(outline), origin: Point(x: 0, y: 0), scale: 1)],
            advance: advance, ascent: ascent, descent: descent, missingGlyphCount: missingGlyphCount,
            missingScalars: missingScalars, clusters: clusters, text: text, font: font)
    }

    /// A line of one picture that stands on it.
    ///
    /// - Parameter transform: leads from the coordinates of the content to those of the line.
    package init(picture content: ColorGlyph.Content, transform: AffineTransform, advance: Double, height: Double) {
        let glyph = PlacedColorGlyph(
            figure: ColorFigure(content, transform: transform), origin: Point(x: 0, y: 0), scale: 1, cluster: 0)
        self.init(
            glyphs: [], colorGlyphs: [glyph], advance: advance, ascent: height, descent: 0, missingGlyphCount: 0,
            missingScalars: [], clusters: [GlyphCluster(elements: 0..<0, x: 0, advance: advance)], text: "",
            font: ShapedText.Font(families: [], size: 0))
    }

    /// The numbers of the clusters that bring their colours along.
    package var coloredClusters: Set<Int> { Set(colorGlyphs.map(\.cluster)) }

    /// The line with its letters moved up, or down by less than 0; the baseline stays.
    package func raised(by height: Double) -> TextLine {
        guard height != 0 else { return self }
        func raised(_ origin: Point) -> Point { Point(x: origin.x, y: origin.y - height) }
        return TextLine(
            glyphs: glyphs.map { PlacedGlyph(outline: $0.outline, origin: raised($0.origin), scale: $0.scale) },
            colorGlyphs: colorGlyphs.map {
                PlacedColorGlyph(figure: $0.figure, origin: raised($0.origin), scale: $0.scale, cluster: $0.cluster)
            }, advance: advance, ascent: max(ascent + height, 0), descent: max(descent - height, 0),
            missingGlyphCount: missingGlyphCount, missingScalars: missingScalars, clusters: clusters, text: text,
            font: font)
    }

    /// The line with its letters farther apart, or nearer; one whose letters are joined stays as it is.
    ///
    /// - Parameter space: what is added after each letter, in pixels.
    package func spaced(by space: Double) -> TextLine {
        guard space != 0, !clusters.isEmpty else { return self }
        // The glyphs and the clusters follow one another alike.
        var first = 0
        let glyphs = glyphs.map { glyph in
            let count = glyph.outline.path.elementCount
            defer { first += count }
            guard count > 0, let number = clusters.firstIndex(where: { $0.elements.contains(first) }) else {
                return glyph
            }
            let origin = Point(x: glyph.origin.x + Double(number) * space, y: glyph.origin.y)
            return PlacedGlyph(outline: glyph.outline, origin: origin, scale: glyph.scale)
        }
        let colorGlyphs = colorGlyphs.map { glyph in
            let origin = Point(x: glyph.origin.x + Double(glyph.cluster) * space, y: glyph.origin.y)
            return PlacedColorGlyph(figure: glyph.figure, origin: origin, scale: glyph.scale, cluster: glyph.cluster)
        }
        return TextLine(
            glyphs: glyphs, colorGlyphs: colorGlyphs, advance: max(advance + Double(clusters.count) * space, 0),
            ascent: ascent, descent: descent, missingGlyphCount: missingGlyphCount, missingScalars: missingScalars,
            clusters: clusters.enumerated().map { number, cluster in
                GlyphCluster(
                    elements: cluster.elements, x: cluster.x + Double(number) * space,
                    advance: max(cluster.advance + space, 0))
            }, text: text, font: font)
    }

    /// Lines one behind the other as one, or `nil` for none.
    ///
    /// It may be bent where each of them may.
    package static func joined(_ parts: [TextLine]) -> TextLine? {
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        var glyphs: [PlacedGlyph] = [], colorGlyphs: [PlacedColorGlyph] = [], clusters: [GlyphCluster] = []
        var x = 0.0, elements = 0
        for part in parts {
            glyphs += part.glyphs.map {
                PlacedGlyph(outline: $0.outline, origin: Point(x: $0.origin.x + x, y: $0.origin.y), scale: $0.scale)
            }
            colorGlyphs += part.colorGlyphs.map {
                PlacedColorGlyph(
                    figure: $0.figure, origin: Point(x: $0.origin.x + x, y: $0.origin.y), scale: $0.scale,
                    cluster: $0.cluster + clusters.count)
            }
            clusters += part.clusters.map {
                GlyphCluster(
                    elements: $0.elements.lowerBound + elements..<$0.elements.upperBound + elements, x: $0.x + x,
                    advance: $0.advance)
            }
            x += part.advance
            elements += part.segmentCount
        }
        var missing: [Unicode.Scalar] = []
        for scalar in parts.flatMap(\.missingScalars) where !missing.contains(scalar) { missing.append(scalar) }
        return TextLine(
            glyphs: glyphs, colorGlyphs: colorGlyphs, advance: x, ascent: parts.map(\.ascent).max() ?? 0,
            descent: parts.map(\.descent).max() ?? 0, missingGlyphCount: parts.reduce(0) { $0 + $1.missingGlyphCount },
            missingScalars: missing, clusters: parts.contains { $0.clusters.isEmpty } ? [] : clusters,
            text: parts.map(\.text).joined(), font: first.font)
    }

    /// The line as it is painted with its baseline's beginning moved by `transform`.
    ///
    /// - Complexity: O(segments).
    package func shaped(by transform: AffineTransform) -> ShapedText {
        ShapedText(
            outline: outline.transformed(by: transform), text: text,
            runs: text.isEmpty ? [] : [ShapedText.Run(text: text, transform: transform, advance: advance)], font: font,
            colorGlyphs: colorGlyphs { _ in transform })
    }

    /// The glyphs that bring their colours along, those of each cluster moved by its transform.
    package func colorGlyphs(movedBy transform: (_ cluster: Int) -> AffineTransform) -> [ColorGlyph] {
        colorGlyphs.map { glyph in
            ColorGlyph(
                content: glyph.figure.content, transform: glyph.transform.then(transform(glyph.cluster)))
        }
    }
}

/// A part of a line that may be set by itself, such as a letter with its marks.
package struct GlyphCluster: Hashable, Sendable {
    /// Which elements of the line's outline draw it; none for a space.
    package let elements: Range<Int>
    /// Where the part begins on the baseline, in pixels.
    package let x: Double
    /// How far the baseline runs on under it, in pixels; never negative.
    package let advance: Double
}

/// A glyph that brings its colours along, in units of its font, y down; shared as outlines are.
final class ColorFigure: Sendable {
    let content: ColorGlyph.Content
    /// Leads from the content's coordinates to font units.
    let transform: AffineTransform
    /// The smallest rectangle around the glyph, in font units.
    let bounds: Rectangle?

    init(_ content: ColorGlyph.Content, transform: AffineTransform) {
        self.content = content
        self.transform = transform
        switch content {
        case .image(let pixels):
            let corners = [Point(x: 0, y: 0), Point(x: Double(pixels.width), y: Double(pixels.height))]
            bounds = Path.polyline(corners.map { transform($0) }).boundingRectangle
        case .layers(let layers):
            var path = Path()
            for layer in layers { path.append(layer.outline.transformed(by: transform)) }
            bounds = path.boundingRectangle
        }
    }

    /// What the glyph costs to keep, as outlines are counted.
    var cost: Int {
        switch content {
        case .image(let pixels): pixels.size.pixelCount / 16
        case .layers(let layers): layers.reduce(1) { $0 + $1.outline.elementCount }
        }
    }
}

/// A glyph of colours of its own where it stands on a line.
struct PlacedColorGlyph: Sendable {
    let figure: ColorFigure
    /// Where the glyph's own origin lies, in pixels.
    let origin: Point
    /// Pixels a font unit.
    let scale: Double
    /// The number of its cluster in the line.
    let cluster: Int

    private var placed: AffineTransform {
        AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: origin.x, ty: origin.y)
    }

    /// Leads from the content's coordinates to the line's.
    var transform: AffineTransform { figure.transform.then(placed) }

    /// What the glyph fills, in pixels.
    var bounds: Rectangle? {
        figure.bounds.map { box in
            Rectangle(
                minX: origin.x + box.minX * scale, minY: origin.y + box.minY * scale,
                maxX: origin.x + box.maxX * scale, maxY: origin.y + box.maxY * scale)
        }
    }
}

/// The outline of a glyph in units of its font, y down; shared by all lines that the glyph stands in.
final class GlyphOutline: Sendable {
    let path: Path
    /// The smallest rectangle around the path, `nil` for a blank.
    let bounds: Rectangle?

    init(_ path: Path) {
        self.path = path
        bounds = path.boundingRectangle
    }
}

/// A glyph where it stands on a line.
struct PlacedGlyph: Sendable {
    let outline: GlyphOutline
    /// Where the glyph's own origin lies, in pixels.
    let origin: Point
    /// Pixels a font unit.
    let scale: Double

    /// What the glyph fills, in pixels; `nil` for a blank.
    var bounds: Rectangle? {
        outline.bounds.map { box in
            Rectangle(
                minX: origin.x + box.minX * scale, minY: origin.y + box.minY * scale,
                maxX: origin.x + box.maxX * scale, maxY: origin.y + box.maxY * scale)
        }
    }

    /// Adds the outline in pixels to a path.
    func append(to path: inout Path) {
        path.append(
            outline.path,
            transformedBy: AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: origin.x, ty: origin.y))
    }
}
