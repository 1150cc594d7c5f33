import PortolanRaster
import PortolanText

/// Paints a panel of facts in the top left corner.
struct FactsPainter {
    let panel: Furniture.FactsPanel
    let fonts: FontBook
    let theme: Furniture.Theme
    let pixelRatio: Double

    private static let margin = 12.0, padding = 12.0, titleSize = 15.0, textSize = 12.5, noteSize = 11.0
    private static let discRadius = 9.0, gap = 7.0, lineHeight = 1.3

    /// A line of text with its position in the panel.
    private struct Placed {
        var line: TextLine
        var x: Double
        var baseline: Double
        var color: MapColor
    }

    private struct Layout {
        var lines: [Placed] = []
        var marks: [(center: Point, letters: TextLine, color: MapColor)] = []
        var rules: [Double] = []
        var height = 0.0
    }

    /// Returns the box of the panel, or `nil` if there is no room.
    func box(below top: Double, above foot: Double, width: Double) throws(TextError) -> Rectangle? {
        let margin = Self.margin * pixelRatio
        guard let layout = try layout(height: foot - top - 2 * margin, pictureWidth: width) else { return nil }
        return Rectangle(
            minX: margin, minY: top + margin, maxX: margin + panelWidth, maxY: top + margin + layout.height)
    }

    /// Paints the panel, unless the picture has no room for its title and one row.
    func paint(
        below top: Double, above foot: Double, width: Double, on canvas: inout some PaintTarget
    ) throws(TextError) {
        let margin = Self.margin * pixelRatio
        guard let layout = try layout(height: foot - top - 2 * margin, pictureWidth: width) else { return }
        let (left, top) = (margin.rounded(), (top + margin).rounded())
        let outline = Path.roundedRectangle(
            x: left, y: top, width: panelWidth.rounded(.up), height: layout.height.rounded(.up), radius: 4 * pixelRatio)
        canvas.fill(outline, color: theme.paper)
        canvas.stroke(
            outline, style: StrokeStyle(width: pixelRatio), color: theme.rule(50))
        for y in layout.rules {
            canvas.fill(
                .rectangle(
                    x: left + Self.padding * pixelRatio, y: (top + y).rounded(),
                    width: panelWidth - 2 * Self.padding * pixelRatio, height: max(1, pixelRatio.rounded())),
                color: theme.rule(36))
        }
        for mark in layout.marks {
            let center = Point(x: left + mark.center.x, y: top + mark.center.y)
            let radius = Self.discRadius * pixelRatio, half = mark.letters.advance / 2
            let isWide = half > radius
            canvas.fill(
                isWide
                    ? .roundedRectangle(
                        x: center.x - half - 3 * pixelRatio, y: center.y - 0.85 * radius,
                        width: 2 * half + 6 * pixelRatio, height: 1.7 * radius, radius: 3 * pixelRatio)
                    : .circle(center: center, radius: radius), color: mark.color)
            canvas.draw(
                mark.letters, x: center.x - half, baseline: center.y + 0.36 * Self.noteSize * pixelRatio,
                color: mark.color.isLight ? Furniture.Theme.light.ink : .white)
        }
        for placed in layout.lines {
            canvas.draw(placed.line, x: left + placed.x, baseline: top + placed.baseline, color: placed.color)
        }
    }

    private var panelWidth: Double { Furniture.FactsPanel.width * pixelRatio }

    /// The layout of the panel, or `nil` if there is no room for the title and one row.
    private func layout(height room: Double, pictureWidth: Double) throws(TextError) -> Layout? {
        // Part of the map must remain visible beside it.
        guard pictureWidth >= 2 * panelWidth else { return nil }
        let padding = Self.padding * pixelRatio, gap = Self.gap * pixelRatio
        var layout = Layout()
        var y = padding
        func add(
            _ text: String, size: Double, bold: Bool = false, x: Double, width: Double, color: MapColor,
            most: Int = 2
        ) throws(TextError) {
            let lines = try fonts.wrap(
                FurniturePainter.shortened(text), request: FontRequest(weight: bold ? .bold : .regular), size: size,
                maximumWidth: width, most: most)
            for line in lines {
                layout.lines.append(Placed(line: line, x: x, baseline: y + size, color: color))
                y += size * Self.lineHeight
            }
        }
        let inner = panelWidth - 2 * padding
        try add(
            panel.title, size: Self.titleSize * pixelRatio, bold: true, x: padding, width: inner,
            color: theme.ink)
        y += gap / 2
        let notes = try notesHeight(inner)
        let letters = try markLetters()
        let widest = letters.lazy.compactMap { $0?.advance }.max() ?? 0, disc = 2 * Self.discRadius * pixelRatio
        // Marks of two letters are in discs. If one is wider, all texts are indented accordingly.
        let markRoom = widest > disc ? widest + 6 * pixelRatio : disc
        var shown = 0
        for (row, mark) in zip(panel.rows, letters) {
            let before = (layout, y)
            let size = Self.textSize * pixelRatio
            let indent = padding + markRoom + gap
            let fact = try fonts.shape(FurniturePainter.shortened(row.fact), request: FontRequest(), size: size)
            let top = y + gap / 2
            y = top
            let factRoom = row.fact.isEmpty ? 0 : fact.advance + gap
            try add(
                row.text, size: size, bold: row.mark != nil, x: indent,
                width: max(size, panelWidth - padding - indent - factRoom),
                color: row.mark == nil ? theme.faintInk : theme.ink)
            if !row.fact.isEmpty {
                layout.lines.append(
                    Placed(
                        line: fact, x: panelWidth - padding - fact.advance, baseline: top + size,
                        color: theme.faintInk))
            }
            if let mark {
                layout.marks.append(
                    (Point(x: padding + markRoom / 2, y: top + size * 0.62), mark, row.color ?? panel.color))
                y = max(y, top + Self.discRadius * 2 * pixelRatio)
            }
            let isLast = shown == panel.rows.count - 1
            let more = isLast ? 0 : Self.noteSize * pixelRatio * Self.lineHeight
            guard y + notes + more + padding <= room else {
                (layout, y) = before
                break
            }
            shown += 1
        }
        guard shown > 0 || panel.rows.isEmpty, y + notes + padding <= room else { return nil }
        let noteSize = Self.noteSize * pixelRatio
        if shown < panel.rows.count {
            try add(
                "… +\(max(1, panel.rows[shown...].count { $0.mark != nil }))", size: noteSize, x: padding, width: inner,
                color: theme.faintInk)
        }
        if !panel.notes.isEmpty {
            y += gap / 2
            layout.rules.append(y)
            y += gap / 2
            for note in panel.notes {
                try add(note, size: noteSize, x: padding, width: inner, color: theme.faintInk, most: 3)
            }
        }
        layout.height = y + padding
        return layout
    }

    /// The letters of the rows' marks.
    private func markLetters() throws(TextError) -> [TextLine?] {
        var letters: [TextLine?] = []
        for row in panel.rows {
            guard let mark = row.mark else {
                letters.append(nil)
                continue
            }
            letters.append(
                try fonts.shape(
                    String(mark.prefix(4)), request: FontRequest(weight: .bold), size: Self.noteSize * pixelRatio))
        }
        return letters
    }

    /// The height of the notes, including the rule above them.
    private func notesHeight(_ width: Double) throws(TextError) -> Double {
        guard !panel.notes.isEmpty else { return 0 }
        let size = Self.noteSize * pixelRatio
        var lines = 0
        for note in panel.notes {
            let wrapped = try fonts.wrap(
                FurniturePainter.shortened(note), request: FontRequest(), size: size, maximumWidth: width)
            lines += min(wrapped.count, 3)
        }
        return Double(lines) * size * Self.lineHeight + Self.gap * pixelRatio
    }
}
