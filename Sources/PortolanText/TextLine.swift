package import PortolanRaster

/// A line of text as a shape to fill, with its metrics.
///
/// Lines share the outlines of their glyphs, so that thousands of lines can be cached.
package struct TextLine: Sendable {
    let glyphs: [PlacedGlyph]
    private let colorGlyphs: [PlacedColorGlyph]
    /// Whether it has colour glyphs.
    var hasColorGlyphs: Bool { !colorGlyphs.isEmpty }
    /// The length of the baseline in pixels, including spaces at the ends.
    package let advance: Double
    /// The ascent of the used fonts in pixels; never negative.
    package let ascent: Double
    /// The descent of the used fonts in pixels; never negative.
    package let descent: Double
    /// The number of glyphs for characters that no font has; they are drawn as the font's box for a missing glyph.
    package let missingGlyphCount: Int
    /// The distinct characters that no font has, from left to right.
    package let missingScalars: [Unicode.Scalar]
    /// The text in reading order.
    package let text: String
    /// The font for documents: the families that the text needed, then the requested ones.
    package let font: ShapedText.Font
    /// The bounds of the glyphs in pixels relative to the start of the baseline, y down; `nil` for white space.
    package let ink: Rectangle?
    /// The parts that can be placed individually on a curved baseline, from left to right.
    ///
    /// It is empty if a script joins its letters, so that the line must stay whole.
    package let clusters: [GlyphCluster]
    /// The number of segments of the outline.
    let segmentCount: Int

    /// The unhinted outlines of the glyphs in pixels, y down.
    ///
    /// The baseline starts at (0, 0) and runs to the right.
    ///
    /// Colour glyphs, such as emoji, are not included. Fill it with the non-zero rule.
    ///
    /// - Complexity: O(segments); the path is created on each access.
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

    /// Creates a line from a known outline.
    package init(
        outline: Path, advance: Double, ascent: Double, descent: Double, missingGlyphCount: Int,
        missingScalars: [Unicode.Scalar] = [], clusters: [GlyphCluster] = [], text: String = "",
        font: ShapedText.Font = ShapedText.Font(families: [], size: 0)
    ) {
        self.init(
            glyphs: [
                PlacedGlyph(
                    outline: GlyphOutline(outline), origin: Point(x: 0, y: 0), scale: 1, cluster: 0,
                    scalars: 0..<Int32(clamping: text.unicodeScalars.count))
            ],
            advance: advance, ascent: ascent, descent: descent, missingGlyphCount: missingGlyphCount,
            missingScalars: missingScalars, clusters: clusters, text: text, font: font)
    }

    /// Creates a line of one picture placed on the baseline.
    ///
    /// - Parameter transform: maps the coordinates of the content to those of the line.
    package init(
        picture content: ShapedText.ColorGlyph.Content, transform: AffineTransform, advance: Double, height: Double
    ) {
        let glyph = PlacedColorGlyph(
            figure: ColorFigure(content, transform: transform), origin: Point(x: 0, y: 0), scale: 1, cluster: 0,
            scalars: 0..<0)
        self.init(
            glyphs: [], colorGlyphs: [glyph], advance: advance, ascent: height, descent: 0, missingGlyphCount: 0,
            missingScalars: [], clusters: [GlyphCluster(elements: 0..<0, x: 0, advance: advance)], text: "",
            font: ShapedText.Font(families: [], size: 0))
    }

    /// The bounds of the glyphs of each cluster in pixels relative to the start of the baseline, `nil` for a blank.
    package var clusterInks: [Rectangle?] {
        var inks = [Rectangle?](repeating: nil, count: clusters.count)
        func add(_ box: Rectangle?, _ cluster: Int) {
            guard let box, inks.indices.contains(cluster) else { return }
            let known = inks[cluster] ?? box
            inks[cluster] = Rectangle(
                minX: min(known.minX, box.minX), minY: min(known.minY, box.minY), maxX: max(known.maxX, box.maxX),
                maxY: max(known.maxY, box.maxY))
        }
        for glyph in glyphs { add(glyph.bounds, glyph.cluster) }
        for glyph in colorGlyphs { add(glyph.bounds, glyph.cluster) }
        return inks
    }

    /// The indices of the clusters with colour glyphs.
    package var coloredClusters: Set<Int> { Set(colorGlyphs.map(\.cluster)) }

    /// Returns the line with its letters raised, or lowered for negative values; the baseline stays.
    package func raised(by height: Double) -> TextLine {
        guard height != 0 else { return self }
        func raised(_ origin: Point) -> Point { Point(x: origin.x, y: origin.y - height) }
        return TextLine(
            glyphs: glyphs.map { $0.moved(to: raised($0.origin)) },
            colorGlyphs: colorGlyphs.map { $0.moved(to: raised($0.origin)) }, advance: advance,
            ascent: max(ascent + height, 0), descent: max(descent - height, 0),
            missingGlyphCount: missingGlyphCount, missingScalars: missingScalars, clusters: clusters, text: text,
            font: font)
    }

    /// Returns the line with another letter spacing; a line with joined letters is unchanged.
    ///
    /// - Parameter space: the space added after each letter, in pixels.
    package func spaced(by space: Double) -> TextLine {
        guard space != 0, !clusters.isEmpty else { return self }
        let glyphs = glyphs.map { glyph in
            glyph.moved(to: Point(x: glyph.origin.x + Double(glyph.cluster) * space, y: glyph.origin.y))
        }
        let colorGlyphs = colorGlyphs.map { glyph in
            glyph.moved(to: Point(x: glyph.origin.x + Double(glyph.cluster) * space, y: glyph.origin.y))
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

    /// Concatenates lines, or returns `nil` for an empty list.
    ///
    /// The result can be curved if each part can.
    package static func joined(_ parts: [TextLine]) -> TextLine? {
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        var glyphs: [PlacedGlyph] = [], colorGlyphs: [PlacedColorGlyph] = [], clusters: [GlyphCluster] = []
        var x = 0.0, elements = 0, scalars: Int32 = 0
        for part in parts {
            glyphs += part.glyphs.map {
                $0.moved(to: Point(x: $0.origin.x + x, y: $0.origin.y), clusters: clusters.count, scalars: scalars)
            }
            colorGlyphs += part.colorGlyphs.map {
                $0.moved(to: Point(x: $0.origin.x + x, y: $0.origin.y), clusters: clusters.count, scalars: scalars)
            }
            clusters += part.clusters.map {
                GlyphCluster(
                    elements: $0.elements.lowerBound + elements..<$0.elements.upperBound + elements, x: $0.x + x,
                    advance: $0.advance)
            }
            x += part.advance
            elements += part.segmentCount
            scalars += Int32(clamping: part.text.unicodeScalars.count)
        }
        var missing: [Unicode.Scalar] = []
        for scalar in parts.flatMap(\.missingScalars) where !missing.contains(scalar) { missing.append(scalar) }
        return TextLine(
            glyphs: glyphs, colorGlyphs: colorGlyphs, advance: x, ascent: parts.map(\.ascent).max() ?? 0,
            descent: parts.map(\.descent).max() ?? 0, missingGlyphCount: parts.reduce(0) { $0 + $1.missingGlyphCount },
            missingScalars: missing, clusters: parts.contains { $0.clusters.isEmpty } ? [] : clusters,
            text: parts.map(\.text).joined(), font: first.font)
    }

    /// Returns the line for painting, with the start of its baseline moved by `transform`.
    ///
    /// - Complexity: O(segments).
    package func shaped(by transform: AffineTransform) -> ShapedText {
        var shaped = ShapedText(
            outline: outline.transformed(by: transform), text: text,
            runs: text.isEmpty ? [] : [ShapedText.Run(text: text, transform: transform, advance: advance)], font: font,
            colorGlyphs: colorGlyphs { _ in transform })
        shaped.lines = [placed(by: [transform])]
        return shaped
    }

    /// Returns the line for documents, with the transform of the whole, or one for each of its clusters.
    package func placed(by transforms: [AffineTransform]) -> ShapedText.PlacedLine {
        ShapedText.PlacedLine(self, by: transforms)
    }

    /// Returns the colour glyphs, each cluster transformed.
    package func colorGlyphs(movedBy transform: (_ cluster: Int) -> AffineTransform) -> [ShapedText.ColorGlyph] {
        colorGlyphs.map { glyph in
            ShapedText.ColorGlyph(
                content: glyph.figure.content, transform: glyph.transform.then(transform(glyph.cluster)))
        }
    }
}

extension TextLine: GlyphLine {
    package func glyphs(movedBy transform: (_ cluster: Int) -> AffineTransform?) -> [ShapedText.Glyph] {
        let scalars = Array(text.unicodeScalars)
        func characters(_ range: Range<Int32>) -> String {
            let range = Int(range.lowerBound)..<Int(range.upperBound)
            guard range.lowerBound >= 0, range.upperBound <= scalars.count else { return "" }
            return String(String.UnicodeScalarView(scalars[range]))
        }
        /// The length of a cluster in font units, or of the glyph's bounds if the line has no clusters.
        func advance(_ cluster: Int, _ scale: Double, _ bounds: Rectangle?) -> Double {
            let known = clusters.indices.contains(cluster) ? clusters[cluster].advance : 0
            return (known > 0 ? known : bounds.map(\.width) ?? 0) / scale
        }
        var glyphs: [(cluster: Int, glyph: ShapedText.Glyph)] = []
        for glyph in self.glyphs {
            guard let own = transform(glyph.cluster) else { continue }
            let outline = glyph.outline
            let placed = AffineTransform(
                a: glyph.scale, b: 0, c: 0, d: glyph.scale, tx: glyph.origin.x, ty: glyph.origin.y)
            glyphs.append(
                (
                    glyph.cluster,
                    ShapedText.Glyph(
                        program: outline.program, index: outline.index, text: characters(glyph.scalars),
                        outline: outline.path, unitsPerEm: outline.unitsPerEm ?? font.size / glyph.scale,
                        transform: placed.then(own), advance: advance(glyph.cluster, glyph.scale, glyph.bounds))
                ))
        }
        for glyph in colorGlyphs {
            guard let own = transform(glyph.cluster), glyph.scale > 0 else { continue }
            glyphs.append(
                (
                    glyph.cluster,
                    ShapedText.Glyph(
                        program: nil, index: 0, text: characters(glyph.scalars), outline: Path(),
                        unitsPerEm: font.size / glyph.scale, transform: glyph.placed.then(own),
                        advance: advance(glyph.cluster, glyph.scale, glyph.bounds))
                ))
        }
        guard !colorGlyphs.isEmpty else { return glyphs.map(\.glyph) }
        return glyphs.enumerated().sorted { ($0.element.cluster, $0.offset) < ($1.element.cluster, $1.offset) }
            .map(\.element.glyph)
    }
}

/// A part of a line that can be placed individually, such as a letter with its marks.
package struct GlyphCluster: Hashable, Sendable {
    /// The elements of the line's outline that draw it; empty for a space.
    package let elements: Range<Int>
    /// The start of the part on the baseline, in pixels.
    package let x: Double
    /// The length of its baseline in pixels; never negative.
    package let advance: Double
}

/// A colour glyph in font units, y down; shared by all its lines.
final class ColorFigure: Sendable {
    let content: ShapedText.ColorGlyph.Content
    /// Maps the coordinates of the content to font units.
    let transform: AffineTransform
    /// The bounding rectangle of the glyph, in font units.
    let bounds: Rectangle?

    init(_ content: ShapedText.ColorGlyph.Content, transform: AffineTransform) {
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

    /// The cost of the glyph in the cache, in segments.
    var cost: Int {
        switch content {
        case .image(let pixels): pixels.size.pixelCount / 16
        case .layers(let layers): layers.reduce(1) { $0 + $1.outline.elementCount }
        }
    }
}

/// A colour glyph at its position on a line.
struct PlacedColorGlyph: Sendable {
    let figure: ColorFigure
    /// The position of the glyph's origin, in pixels.
    let origin: Point
    /// The number of pixels per font unit.
    let scale: Double
    /// The index of its cluster in the line.
    let cluster: Int
    /// The range of its cluster's scalars in the line, or an empty range for the other glyphs of the cluster.
    let scalars: Range<Int32>

    /// Maps font units to those of the line.
    var placed: AffineTransform {
        AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: origin.x, ty: origin.y)
    }

    /// Returns the glyph at another position, with its cluster and scalars counted from the start of a longer line.
    func moved(to origin: Point, clusters: Int = 0, scalars count: Int32 = 0) -> PlacedColorGlyph {
        PlacedColorGlyph(
            figure: figure, origin: origin, scale: scale, cluster: cluster + clusters,
            scalars: scalars.lowerBound + count..<scalars.upperBound + count)
    }

    /// Maps the coordinates of the content to those of the line.
    var transform: AffineTransform { figure.transform.then(placed) }

    /// The bounds of the glyph, in pixels.
    var bounds: Rectangle? {
        figure.bounds.map { box in
            Rectangle(
                minX: origin.x + box.minX * scale, minY: origin.y + box.minY * scale,
                maxX: origin.x + box.maxX * scale, maxY: origin.y + box.maxY * scale)
        }
    }
}

/// The outline of a glyph in font units, y down; shared by all its lines.
final class GlyphOutline: Sendable {
    let path: Path
    /// The bounding rectangle of the path, or `nil` for white space.
    let bounds: Rectangle?
    /// The face that it belongs to, or `nil` if unknown.
    let program: ShapedText.FontProgram?
    /// Its index in the face.
    let index: UInt32
    /// The font units per em, or `nil` if unknown.
    let unitsPerEm: Double?

    init(_ path: Path, of program: ShapedText.FontProgram? = nil, index: UInt32 = 0, unitsPerEm: Double? = nil) {
        self.path = path
        bounds = path.boundingRectangle
        self.program = program
        self.index = index
        self.unitsPerEm = unitsPerEm
    }
}

/// A glyph at its position on a line.
struct PlacedGlyph: Sendable {
    let outline: GlyphOutline
    /// The position of the glyph's origin, in pixels.
    let origin: Point
    /// The number of pixels per font unit.
    let scale: Double
    /// The index of its cluster in the line.
    let cluster: Int
    /// The range of its cluster's scalars in the line, or an empty range for the other glyphs of the cluster.
    let scalars: Range<Int32>

    /// Returns the glyph at another position, with its cluster and scalars counted from the start of a longer line.
    func moved(to origin: Point, clusters: Int = 0, scalars count: Int32 = 0) -> PlacedGlyph {
        PlacedGlyph(
            outline: outline, origin: origin, scale: scale, cluster: cluster + clusters,
            scalars: scalars.lowerBound + count..<scalars.upperBound + count)
    }

    /// The bounds of the glyph in pixels, or `nil` for white space.
    var bounds: Rectangle? {
        outline.bounds.map { box in
            Rectangle(
                minX: origin.x + box.minX * scale, minY: origin.y + box.minY * scale,
                maxX: origin.x + box.maxX * scale, maxY: origin.y + box.maxY * scale)
        }
    }

    /// Appends the outline in pixels to a path.
    func append(to path: inout Path) {
        path.append(
            outline.path,
            transformedBy: AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: origin.x, ty: origin.y))
    }
}
