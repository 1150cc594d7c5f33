package import PortolanRaster

// Text (ISO 32000-1, clause 9).
extension PDFTarget {
    /// Writes text: its halo as a stroke of its outline, its letters as glyphs of embedded fonts.
    package mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?) {
        if let halo { stroke(text.outline, style: halo.style, color: halo.color) }
        guard color.alpha > 0 else { return }
        flush()
        if options.text == .outlines || text.lines.isEmpty {
            fill(text.outline, rule: .nonZero, color: color)
        } else {
            for line in text.lines { write(line, color) }
        }
        drawColorGlyphs(of: text, color: color)
    }

    /// A glyph of a line with its code in a font of the document.
    private struct Shown {
        let entry: PDFFonts.Entry
        /// The font size in pixels.
        let size: Double
        /// The position and direction of the glyph in the picture, y up; its unit is a pixel.
        let matrix: AffineTransform

        /// Creates a glyph whose em has the sides `x` and `y`, the latter up.
        init(_ entry: PDFFonts.Entry, x: Point, y: Point, origin: Point, size: Double) {
            self.entry = entry
            self.size = size
            matrix = AffineTransform(
                a: x.x / size, b: x.y / size, c: y.x / size, d: y.y / size, tx: origin.x, ty: origin.y)
        }

        /// Whether both have the same font, size and direction.
        func joins(_ other: Shown) -> Bool {
            let slack = 1e-6
            return entry.number == other.entry.number && abs(size - other.size) < slack
                && abs(matrix.a - other.matrix.a) < slack && abs(matrix.b - other.matrix.b) < slack
                && abs(matrix.c - other.matrix.c) < slack && abs(matrix.d - other.matrix.d) < slack
        }
    }

    private mutating func write(_ line: ShapedText.PlacedLine, _ color: MapColor) {
        var shown: [Shown] = [], isReadable = true
        for glyph in line.glyphs {
            let t = glyph.transform, em = glyph.unitsPerEm
            let size = ((t.a * t.a + t.b * t.b) * em * em).squareRoot()
            guard em.isFinite, size > 1e-3, size.isFinite, t.tx.isFinite, t.ty.isFinite else { continue }
            let y = Point(x: -t.c * em, y: -t.d * em), origin = Point(x: t.tx, y: t.ty)
            if let entry = fonts.entry(for: glyph, &file) {
                isReadable = isReadable && entry.isMapped && !entry.isSilent
                shown.append(Shown(entry, x: Point(x: t.a * em, y: t.b * em), y: y, origin: origin, size: size))
                continue
            }
            if !glyph.outline.isEmpty {
                fill(glyph.outline.transformed(by: t), rule: .nonZero, color: color)
            }
            guard !glyph.text.isEmpty, glyph.advance > 0 else { continue }
            let width = Point(x: t.a * glyph.advance, y: t.b * glyph.advance)
            shown.append(
                Shown(fonts.invisibleEntry(for: glyph.text, &file), x: width, y: y, origin: origin, size: size))
        }
        guard let first = shown.first else { return }
        // Readers join the letters of words along straight upright lines only.
        let isUpright = abs(first.matrix.b) < 1e-6 && shown.allSatisfy { abs($0.matrix.b - first.matrix.b) < 1e-6 }
        let isReplaced = !isReadable || !isUpright
        content.setFill(color, &file, &states)
        if isReplaced { content.add("/Span<</ActualText<FEFF\(PDFText.utf16(line.line.text))>>>BDC\n") }
        content.add("BT\n")
        var rest = shown[...]
        while let first = rest.first {
            let run = rest.prefix { $0.joins(first) && abs(Self.offset(of: $0, from: first).across) < 0.01 }
            show(run)
            rest.removeFirst(run.count)
        }
        content.add(isReplaced ? "ET\nEMC\n" : "ET\n")
        split()
    }

    /// Returns the distance from one glyph to another along and across the baseline, in pixels.
    private static func offset(of glyph: Shown, from first: Shown) -> (along: Double, across: Double) {
        let m = first.matrix, x = glyph.matrix.tx - m.tx, y = glyph.matrix.ty - m.ty
        let length = m.a * m.a + m.b * m.b
        return ((x * m.a + y * m.b) / length, y * m.a - x * m.b)
    }

    /// Shows glyphs of one font on one straight baseline.
    private mutating func show(_ run: ArraySlice<Shown>) {
        guard let first = run.first else { return }
        let number = first.entry.number
        if content.state.font?.number != number || content.state.font?.size != first.size {
            content.state.font = (number, first.size)
            content.add("/\(content.resources.use(.font, number)) ")
            content.add([first.size], decimals: 3, "Tf")
        }
        content.add(first.matrix, "Tm")
        content.add("[<")
        // The pen in thousandths of the font size, after the glyphs so far.
        var pen = 0.0
        for glyph in run {
            let place = Self.offset(of: glyph, from: first).along / first.size * 1000
            let change = (pen - place).rounded()
            if change != 0 { content.add(">\(Int(min(max(change, -1e6), 1e6)))<") }
            pen += glyph.entry.advance - change
            content.add(String(PDFText.hexadecimal(glyph.entry.code).suffix(glyph.entry.digits)))
        }
        content.add(">]TJ\n")
    }
}
