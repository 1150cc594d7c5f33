/// Paints operations on rows of a picture, with the working memory that one painting leaves for the next.
struct RowPainter: Sendable {
    private var rasterizer = Rasterizer()
    private var flat = FlatPath()
    private var dasher = Dasher()
    private var stroker = Stroker()
    var imageRows = ImageRows()
    /// Colours sampled for a row.
    var samples: [UInt32] = []

    /// Paints what of a drawing lies on the rows.
    mutating func paint(_ drawing: Drawing, on rows: PixelRows) {
        let top = Double(rows.range.lowerBound), bottom = Double(rows.range.upperBound)
        for (operation, extent) in drawing.operations {
            if let extent, extent.upperBound < top || extent.lowerBound > bottom { continue }
            paint(operation, on: rows)
        }
    }

    /// Paints what of an operation lies on the rows.
    mutating func paint(_ operation: DrawingOperation, on rows: PixelRows) {
        switch operation {
        case .clear(let pixel): rows.fill(pixel)
        case .fill(let path, let survey, let rule, let color): fill(path, survey, rule, color, on: rows)
        case .stroke(let path, let survey, let style, let color): stroke(path, survey, style, color, on: rows)
        case .draw(let image, let x, let y, let opacity): draw(image.pixels, x, y, opacity, on: rows)
        case .copy(let image, let x, let y): copy(image, x, y, on: rows)
        case .transform(let image, let opacity): draw(image, opacity, on: rows)
        case .warp(let image, let opacity): draw(image, opacity, on: rows)
        case .text(let text, let survey, let color, let halo):
            if let halo { stroke(text.outline, survey, halo.style, halo.color, on: rows) }
            fill(text.outline, survey, .nonZero, color, on: rows)
        case .group(let drawing, let group): paint(drawing, as: group, on: rows)
        case .cut(let path, let survey, let rule): cut(path, survey, rule, on: rows)
        }
    }

    mutating func fill(
        _ path: Path, _ survey: PathSurvey, _ rule: FillRule, _ color: Color, on rows: PixelRows
    ) {
        guard color.alpha > 0, !survey.misses(rows, reach: 1) else { return }
        rasterizer.begin(rows)
        if survey.isStraight, survey.isFinite {
            rasterizer.add(straight: path)
        } else {
            flat.removeAll()
            var flattener = PathFlattener()
            flattener.flatten(path, into: &flat)
            rasterizer.add(flat)
        }
        rasterizer.paint(rule, Pixel(color), on: rows)
    }

    private mutating func stroke(
        _ path: Path, _ survey: PathSurvey, _ style: StrokeStyle, _ color: Color, on rows: PixelRows
    ) {
        // Thinner lines fade instead of breaking up.
        let color = style.width < 1 ? color.withOpacity(style.width) : color
        guard color.alpha > 0, style.width > 0, !survey.misses(rows, reach: style.reach + 1) else { return }
        flat.removeAll()
        var flattener = PathFlattener()
        flattener.flatten(path, into: &flat)
        rasterizer.begin(rows)
        dasher.prepare(style, size: rows.size)
        stroker.prepare(style, rows: rows.range)
        stroker.stroke(dasher.dash(flat, hull: survey.hull), into: &rasterizer)
        rasterizer.paint(.nonZero, Pixel(color), on: rows)
    }
}
