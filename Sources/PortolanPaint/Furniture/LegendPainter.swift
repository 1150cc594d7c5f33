import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb

/// Paints a legend: a panel in a corner that avoids the other elements.
struct LegendPainter {
    private static let margin = 12.0, padding = 10.0

    /// The largest share of the picture width for a legend.
    ///
    /// In a small picture it may use more: a width in view pixels in which words need not be broken, up to a larger
    /// share.
    private static let widestShare = 0.45, leastWidth = 140.0, largestShare = 0.7

    let legend: Legend
    let images: [NamedURL: PixelBuffer]
    let fonts: FontBook
    let theme: Furniture.Theme
    let pixelRatio: Double

    /// A panel.
    struct Panel {
        let columns: [LegendLayout.Column]
        /// In picture pixels.
        fileprivate(set) var box: Rectangle
        /// The top and the bottom of the free space in which it is.
        fileprivate var room: (top: Double, bottom: Double)?

        /// The panels along the side of this one, from the top to the bottom.
        func slid(by step: Double) -> [Panel] {
            guard let room else { return [] }
            return stride(from: room.top, through: room.bottom - box.height, by: step).map { top in
                var panel = self
                panel.box = box.moved(x: 0, y: top.rounded() - box.minY)
                return panel
            }
        }

        /// The number of entries without room.
        var leftOver: Int { columns.lazy.flatMap(\.rows).map(\.leftOver).max() ?? 0 }
    }

    /// Returns the panel in a corner of a picture, as near to its top or bottom as `taken` allows, or `nil` if there is no
    /// room for a row.
    func panel(
        at corner: PaintedInset.Corner = .topRight, above foot: Double, beside taken: [Rectangle],
        width fullWidth: Double
    ) throws(TextError) -> Panel? {
        let margin = Self.margin * pixelRatio, padding = Self.padding * pixelRatio
        func span(_ width: Double) -> (left: Double, right: Double) {
            corner.isLeft ? (margin, margin + width) : (fullWidth - margin - width, fullWidth - margin)
        }
        let widest = max(
            fullWidth * Self.widestShare - margin,
            min(Self.leastWidth * pixelRatio, fullWidth * Self.largestShare - margin))
        guard widest > 3 * padding else { return nil }
        let layout = LegendLayout(legend: legend, images: images, fonts: fonts, pixelRatio: pixelRatio)
        // First avoids everything that the widest possible panel may meet, then only what the resulting panel meets.
        var taking = widest
        for _ in 0..<2 {
            let (left, right) = span(taking)
            let (top, bottom) = free(from: left, to: right, above: foot, beside: taken)
            guard bottom - top > 2 * padding else { return nil }
            let columns = try layout.columns(width: widest - 2 * padding, height: bottom - top - 2 * padding)
            guard !columns.isEmpty else { return nil }
            let width = columns.reduce(2 * padding) { $0 + $1.width } + gaps(columns)
            let height = (columns.map(\.height).max() ?? 0) + 2 * padding
            if taking == widest, width < widest {
                taking = width
                // The narrower panel may extend higher, but must not become wider because of that.
                let (left, right) = span(width)
                let again = free(from: left, to: right, above: foot, beside: taken)
                if again != (top, bottom), again.bottom - again.top > bottom - top { continue }
            }
            let own = span(width), start = corner.isTop ? top : bottom - height
            return Panel(
                columns: columns,
                box: Rectangle(minX: own.left, minY: start, maxX: own.right, maxY: start + height),
                room: (top, bottom))
        }
        return nil
    }

    /// Returns the panel alone, in its natural size or as large as `exact` requires, or `nil` if it is empty.
    func picture(within size: ImageSize, exact: Bool) throws(TextError) -> PixelBuffer? {
        let padding = Self.padding * pixelRatio
        let layout = LegendLayout(legend: legend, images: images, fonts: fonts, pixelRatio: pixelRatio)
        let columns = try layout.columns(
            width: Double(size.width) - 2 * padding, height: Double(size.height) - 2 * padding)
        guard !columns.isEmpty else { return nil }
        let width = columns.reduce(2 * padding) { $0 + $1.width } + gaps(columns)
        let height = (columns.map(\.height).max() ?? 0) + 2 * padding
        let own = ImageSize(
            width: min(Int(width.rounded(.up)), size.width), height: min(Int(height.rounded(.up)), size.height))
        var canvas = Canvas(size: exact ? size : own ?? size, background: .white)
        let box = Rectangle(minX: 0, minY: 0, maxX: width, maxY: height)
        paint(Panel(columns: columns, box: box), on: &canvas)
        return canvas.buffer
    }

    private func gaps(_ columns: [LegendLayout.Column]) -> Double {
        Double(columns.count - 1) * LegendLayout.columnGap * pixelRatio
    }

    /// The free space at a side between the elements at the top and at the bottom.
    private func free(
        from left: Double, to right: Double, above foot: Double, beside taken: [Rectangle]
    ) -> (top: Double, bottom: Double) {
        let margin = Self.margin * pixelRatio
        var top = margin, bottom = foot - margin
        for other in taken where other.maxX > left - margin && other.minX < right + margin {
            if other.minY + other.maxY < foot {
                top = max(top, other.maxY + margin * 0.7)
            } else {
                bottom = min(bottom, other.minY - margin * 0.7)
            }
        }
        return (top, bottom)
    }

    /// Paints the panel.
    func paint(_ panel: Panel, on canvas: inout some PaintTarget) {
        let box = panel.box
        let outline = Path.roundedRectangle(
            x: box.minX.rounded(), y: box.minY.rounded(), width: box.width.rounded(.up),
            height: box.height.rounded(.up), radius: 4 * pixelRatio)
        // Opaque, since service images usually are, and would be visible on a translucent panel.
        canvas.fill(outline, color: theme.panel)
        canvas.stroke(
            outline, style: StrokeStyle(width: pixelRatio), color: theme.rule(60))
        var x = box.minX + Self.padding * pixelRatio
        for column in panel.columns {
            var y = box.minY + Self.padding * pixelRatio
            for (number, row) in column.rows.enumerated() {
                if number > 0 { y += row.gap }
                paint(row, x: x, y: y, on: &canvas)
                y += row.height
            }
            x += column.width + LegendLayout.columnGap * pixelRatio
        }
    }

    private func paint(_ row: LegendLayout.Row, x: Double, y: Double, on canvas: inout some PaintTarget) {
        let middle = y + row.height / 2
        switch row.mark {
        case .none: break
        case .image(let image, let width, let height):
            let scale = AffineTransform.scale(x: width / Double(image.width), y: height / Double(image.height))
            // Images and samples beside text are centred in a column.
            let swatch = row.lines.isEmpty ? width : max(width, LegendLayout.swatchWidth * pixelRatio)
            let place = AffineTransform.translation(
                x: (x + (swatch - width) / 2).rounded(), y: (middle - height / 2).rounded())
            canvas.draw(image, transform: scale.then(place))
        case .symbol(let symbol):
            let width = row.swatch.width, height = row.swatch.height
            // The texts of a scale extend above and below it.
            let top = row.ticks.isEmpty ? middle - height / 2 : y + 1.3 * LegendLayout.textSize * pixelRatio / 2
            let box = Rectangle(
                minX: x.rounded(), minY: top.rounded(), maxX: (x + width).rounded(), maxY: (top + height).rounded())
            let painter = LegendSymbolPainter(
                symbol: symbol, images: images, pixelRatio: pixelRatio, panel: theme.panel,
                markScale: row.swatch.scale)
            // A sample has the opacity of its layer, as a whole.
            var sample = Drawing()
            sample.group(PaintGroup(opacity: row.opacity)) { painter.paint(in: box, on: &$0) }
            canvas.paint(sample)
            paintTicks(row, of: symbol, beside: box, y: y, on: &canvas)
        }
        let size = (row.lines.isEmpty ? 0 : row.lines[0].ascent + row.lines[0].descent)
        let pitch = row.lines.isEmpty ? 0 : max(size, 1.3 * LegendLayout.textSize * pixelRatio)
        let block = pitch * Double(row.lines.count)
        for (number, line) in row.lines.enumerated() {
            let lineTop = middle - block / 2 + pitch * Double(number)
            let baseline = lineTop + (pitch - size) / 2 + line.ascent
            let place = AffineTransform.translation(x: (x + row.markWidth).rounded(), y: baseline.rounded())
            canvas.draw(line.shaped(by: place), color: theme.ink, halo: nil)
        }
    }

    /// Paints the texts of a scale, and lines that lead to them.
    private func paintTicks(
        _ row: LegendLayout.Row, of symbol: Legend.Symbol, beside box: Rectangle, y: Double,
        on canvas: inout some PaintTarget
    ) {
        let ratio = pixelRatio, width = max(ratio.rounded(), 1), half = width / 2
        for tick in row.ticks {
            // A thin line is sharp in the middle of pixels.
            let own = (y + tick.y).rounded() + half, text = (y + tick.textY).rounded() + half
            let start = Point(x: symbol.kind == .discs ? box.center.x : box.maxX, y: own)
            let lead = [
                start, Point(x: box.maxX + 1 * ratio, y: own), Point(x: box.maxX + 6 * ratio, y: text),
            ]
            canvas.stroke(.polyline(lead), style: StrokeStyle(width: width), color: theme.rule(120))
            let baseline = y + tick.textY + (tick.line.ascent - tick.line.descent) / 2
            let place = AffineTransform.translation(
                x: (box.minX + row.markWidth).rounded(), y: baseline.rounded())
            canvas.draw(tick.line.shaped(by: place), color: theme.ink, halo: nil)
        }
    }
}
