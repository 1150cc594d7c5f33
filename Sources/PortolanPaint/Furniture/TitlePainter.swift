import PortolanRaster
import PortolanText

/// Paints title and subtitle on a panel at the top.
struct TitlePainter {
    /// The lines of text, and the box of their panel.
    struct Panel {
        let lines: [(line: TextLine, size: Double)]
        var box: Rectangle
    }

    private static let padding = 10.0

    let title: String?
    let subtitle: String?
    let fonts: FontBook
    let theme: Furniture.Theme
    let pixelRatio: Double

    /// Returns the panel at the centre, at the left and at the right.
    ///
    /// - Parameters:
    ///   - top: the top of the free part of the picture.
    ///   - width: the width of the picture.
    ///   - corner: the width of the corner at the right that stays free.
    func panels(below top: Double, width fullWidth: Double, corner: Double) throws(TextError) -> [Panel] {
        let padding = Self.padding * pixelRatio, room = fullWidth - corner
        var lines: [(line: TextLine, size: Double)] = []
        for (text, size, weight) in [
            (title, 20 * pixelRatio, FontRequest.Weight.bold), (subtitle, 13 * pixelRatio, .regular),
        ] {
            guard let text, !text.isEmpty else { continue }
            let available = max(min(room - 3 * padding, fullWidth - 6 * padding), size)
            lines += try fonts.wrap(
                FurniturePainter.shortened(text), request: FontRequest(weight: weight), size: size,
                maximumWidth: available
            ).map { ($0, size) }
        }
        let width = (lines.map(\.line.advance).max() ?? 0) + 2 * padding
        let height = lines.reduce(0) { $0 + 1.3 * $1.size } + padding, top = top + padding
        let right = room - width - (corner > 0 ? 0 : padding)
        return [min((fullWidth - width) / 2, room - width), min(padding, right), right].map { left in
            Panel(lines: lines, box: Rectangle(minX: left, minY: top, maxX: left + width, maxY: top + height))
        }
    }

    /// Paints the panel.
    ///
    /// - Parameter hasBorder: whether it has a border, as it hides a part of the map.
    func paint(_ panel: Panel, hasBorder: Bool, on canvas: inout some PaintTarget) {
        let box = panel.box
        let outline = Path.roundedRectangle(
            x: box.minX, y: box.minY, width: box.width, height: box.height, radius: 5 * pixelRatio)
        canvas.fill(outline, color: theme.panel)
        if hasBorder { canvas.stroke(outline, style: StrokeStyle(width: pixelRatio), color: theme.rule(60)) }
        var top = box.minY + Self.padding * pixelRatio / 2
        for (line, size) in panel.lines {
            let left = box.minX + (box.width - line.advance) / 2
            canvas.draw(line, x: left, baseline: top + size, color: theme.ink)
            top += 1.3 * size
        }
    }
}
