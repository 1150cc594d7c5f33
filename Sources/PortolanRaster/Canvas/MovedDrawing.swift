/// Records operations at an offset, so that a picture can be painted at any position of another.
package struct MovedDrawing: PaintTarget {
    /// The recorded operations.
    package private(set) var drawing = Drawing()
    private let x: Int
    private let y: Int

    /// Creates an empty recording whose origin is at a column and a row of the other picture.
    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    private var shift: AffineTransform { .translation(x: Double(x), y: Double(y)) }

    package mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) {
        drawing.fill(path.transformed(by: shift), rule: rule, color: color)
    }

    package mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) {
        drawing.stroke(path.transformed(by: shift), style: style, color: color)
    }

    package mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        drawing.draw(image, atX: x + self.x, y: y + self.y, opacity: opacity)
    }

    package mutating func draw(
        _ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges
    ) {
        drawing.draw(image, transform: transform.then(shift), opacity: opacity, edges: edges)
    }

    package mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        guard
            let moved = WarpMesh(
                originX: mesh.originX + x, originY: mesh.originY + y, spacing: mesh.spacing, columns: mesh.columns,
                rows: mesh.rows, sources: mesh.sources)
        else { return }
        drawing.draw(image, through: moved, opacity: opacity)
    }

    package mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?) {
        drawing.draw(text.moved(by: shift), color: color, halo: halo)
    }

    package mutating func draw(_ mark: Mark, at places: [Point]) {
        drawing.draw(mark, at: places.map { Point(x: $0.x + Double(x), y: $0.y + Double(y)) })
    }

    package mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Self) throws(E) -> Void) throws(E) {
        var inner = MovedDrawing(x: x, y: y), moved = group
        moved.clip = group.clip?.transformed(by: shift)
        try body(&inner)
        drawing.group(moved) { $0.paint(inner.drawing) }
    }
}

extension ShapedText {
    /// Returns the text at another position.
    fileprivate func moved(by shift: AffineTransform) -> ShapedText {
        var text = ShapedText(
            outline: outline.transformed(by: shift), text: text,
            runs: runs.map { Run(text: $0.text, transform: $0.transform.then(shift), advance: $0.advance) },
            font: font,
            colorGlyphs: colorGlyphs.map { ColorGlyph(content: $0.content, transform: $0.transform.then(shift)) })
        text.lines = lines.map { PlacedLine($0.line, by: $0.transforms.map { $0.then(shift) }) }
        return text
    }
}
