/// Paints operations on rows of a picture, with reusable working memory.
struct RowPainter: Sendable {
    private var rasterizer = Rasterizer()
    private var flat = FlatPath()
    private var dasher = Dasher()
    private var stroker = Stroker()
    private var corners: [Rasterizer.Vertex] = []
    var imageRows = ImageRows()
    /// The colours sampled for a row.
    var samples: [UInt32] = []
    /// The positions of marks.
    var spots: [MarkSheet.Spot] = []

    /// Paints the parts of a drawing on the rows.
    mutating func paint(_ drawing: Drawing, on rows: PixelRows) {
        let top = Double(rows.range.lowerBound), bottom = Double(rows.range.upperBound)
        let steps = drawing.steps.span, extents = drawing.extents.span
        let verbs = drawing.paths.verbs.span, points = drawing.paths.points.span
        for index in steps.indices where extents[index].low <= bottom && extents[index].high >= top {
            switch steps[index] {
            case .fill(let shape, let rule, let color):
                fill(
                    verbs.extracting(shape.verbs), points.extracting(shape.points), shape.survey, rule, color, on: rows)
            case .stroke(let shape, let style, let color):
                stroke(
                    verbs.extracting(shape.verbs), points.extracting(shape.points), shape.survey, drawing.styles[style],
                    color, on: rows)
            case .other(let index): paint(drawing.operations[index], on: rows)
            }
        }
    }

    /// Paints the part of an operation on the rows.
    mutating func paint(_ operation: DrawingOperation, on rows: PixelRows) {
        switch operation {
        case .clear(let pixel): rows.fill(pixel)
        case .draw(let image, let x, let y, let opacity): draw(image.pixels, x, y, opacity, on: rows)
        case .copy(let image, let x, let y): copy(image, x, y, on: rows)
        case .transform(let image, let opacity): draw(image, opacity, on: rows)
        case .warp(let image, let opacity): draw(image, opacity, on: rows)
        case .text(let text, let survey, let color, let halo, let glyphs):
            draw(text, survey, color, halo, on: rows)
            paint(glyphs, on: rows)
        case .marks(let mark, let places):
            if let sheet = mark.sheet { draw(sheet, at: places, on: rows) }
        case .group(let drawing, let group): paint(drawing, as: group, on: rows)
        }
    }

    /// Paints letters over their halo.
    mutating func draw(
        _ text: ShapedText, _ survey: PathSurvey, _ color: MapColor, _ halo: ShapedText.Halo?, on rows: PixelRows
    ) {
        if let mask = text.mask { return mask.draw(color, halo: halo?.color, on: rows) }
        let verbs = text.outline.verbs.span, points = text.outline.points.span
        if let halo {
            if let placed = text.halo, placed.width == halo.width {
                fill(placed, survey, halo, on: rows)
            } else {
                stroke(verbs, points, survey, halo.style, halo.color, tolerance: ShapedText.Halo.tolerance, on: rows)
            }
        }
        fill(verbs, points, survey, .nonZero, color, on: rows)
    }

    /// Paints a halo with a known outline.
    private mutating func fill(_ placed: PlacedHalo, _ survey: PathSurvey, _ halo: ShapedText.Halo, on rows: PixelRows)
    {
        let style = halo.style, color = Self.color(halo.color, ofWidth: style.width)
        guard color.alpha > 0, style.width > 0, !survey.misses(rows, reach: style.reach + 1) else { return }
        rasterizer.begin(rows)
        for (outline, transform) in placed.pieces { outline.add(to: &rasterizer, movedBy: transform, &corners) }
        rasterizer.paint(.nonZero, Pixel(color), on: rows)
    }

    /// Returns the colour of a line: below a width of 1 it fades instead of breaking up.
    private static func color(_ color: MapColor, ofWidth width: Double) -> MapColor {
        width < 1 ? color.withOpacity(width) : color
    }

    /// Paints a group: directly if it is opaque and unclipped, otherwise on a layer as large as the rows.
    private mutating func paint(_ drawing: Drawing, as group: PaintGroup, on rows: PixelRows) {
        let opacity = Opacity(group.opacity)
        guard !opacity.isClear else { return }
        guard !group.isPlain else { return paint(drawing, on: rows) }
        var rows = drawing.extent.map(rows.part(within:)) ?? rows
        // Content outside the clip is skipped.
        var columns = 0..<rows.size.width
        guard !rows.range.isEmpty else { return }
        if let box = group.clip?.boundingRectangle, [box.minX, box.minY, box.maxX, box.maxY].allSatisfy(\.isFinite) {
            rows = rows.part(within: box.minY - 1...box.maxY + 1)
            let width = Double(rows.size.width)
            let first = Int(min(max(box.minX.rounded(.down) - 1, 0), width))
            columns = first..<max(Int(min(max(box.maxX.rounded(.up) + 1, 0), width)), first)
        }
        guard !rows.range.isEmpty, !columns.isEmpty else { return }
        rows.withSheet { sheet in
            paint(drawing, on: sheet)
            if let clip = group.clip { cut(clip, group.clipRule, in: columns, on: sheet) }
            for row in rows.range {
                // The columns lie within the row.
                unsafe PixelRow.draw(
                    sheet.row(row) + columns.lowerBound, over: rows.row(row) + columns.lowerBound, columns.count,
                    opacity: opacity.factor)
            }
        }
    }

    /// Clears everything outside a path; border pixels are reduced by their coverage.
    ///
    /// - Parameter columns: the columns to process.
    mutating func cut(_ path: Path, _ rule: Path.FillRule, in columns: Range<Int>, on rows: PixelRows) {
        rows.withSheet { sheet in
            fill(path.verbs.span, path.points.span, PathSurvey(path), rule, .white, on: sheet)
            for row in rows.range {
                let pixels = unsafe rows.row(row), cover = unsafe sheet.row(row)
                for column in columns {
                    unsafe pixels[column] = SourceOver.scale(pixels[column], by: cover[column] &>> 24)
                }
            }
        }
    }

    /// The number of points above which a path's edges may exceed the rasterizer's limit.
    private static let manyPoints = Rasterizer.maximumEdgeCount / 4
    /// The number of pixels that such a path is painted on at a time, which limits the memory for their areas.
    private static let pixelsAtATime = 1 << 22

    /// Calls `body` for all of the rows, or for a few at a time if a path has many points.
    private mutating func paint(
        _ pointCount: Int, on rows: PixelRows, _ body: (inout RowPainter, PixelRows) -> Void
    ) {
        let count = max(Self.pixelsAtATime / rows.size.width, 1)
        guard pointCount >= Self.manyPoints, rows.range.count > count else { return body(&self, rows) }
        for first in stride(from: rows.range.lowerBound, to: rows.range.upperBound, by: count) {
            body(&self, rows.part(first..<min(first + count, rows.range.upperBound)))
        }
    }

    /// Fills the path with these verbs and points.
    mutating func fill(
        _ verbs: Span<Path.Verb>, _ points: Span<Point>, _ survey: PathSurvey, _ rule: Path.FillRule, _ color: MapColor,
        on rows: PixelRows
    ) {
        guard color.alpha > 0, !survey.misses(rows, reach: 1) else { return }
        let isPlain = survey.isStraight && survey.isFinite
        if !isPlain { flatten(verbs, points) }
        paint(points.count, on: rows) { painter, rows in
            painter.rasterizer.begin(rows)
            if isPlain {
                painter.rasterizer.add(straight: verbs, points)
            } else {
                painter.rasterizer.add(painter.flat)
            }
            painter.rasterizer.paint(rule, Pixel(color), on: rows)
        }
    }

    /// Strokes the path with these verbs and points.
    mutating func stroke(
        _ verbs: Span<Path.Verb>, _ points: Span<Point>, _ survey: PathSurvey, _ style: StrokeStyle, _ color: MapColor,
        tolerance: Double = PathFlattener.defaultTolerance, on rows: PixelRows
    ) {
        let color = Self.color(color, ofWidth: style.width)
        guard color.alpha > 0, style.width > 0, !survey.misses(rows, reach: style.reach + 1) else { return }
        dasher.prepare(style, size: rows.size)
        var dashed: FlatPath?
        let isPlain = survey.isStraight && survey.isFinite && flat.takeSubpaths(straight: verbs)
        if isPlain {
            if !dasher.leavesWhole(points, flat.subpaths, hull: survey.hull) {
                dashed = dasher.dash(points, Span(), flat.subpaths)
            }
        } else {
            flatten(verbs, points, tolerance: tolerance)
            if !dasher.leavesWhole(flat, hull: survey.hull) { dashed = dasher.dash(flat) }
        }
        paint(points.count, on: rows) { painter, rows in
            painter.rasterizer.begin(rows)
            painter.stroker.prepare(style, rows: rows.range)
            if isPlain, dashed == nil {
                painter.stroker.stroke(points, Span(), painter.flat.subpaths, into: &painter.rasterizer)
            } else {
                painter.stroker.stroke(dashed ?? painter.flat, into: &painter.rasterizer)
            }
            painter.rasterizer.paint(.nonZero, Pixel(color), on: rows)
        }
    }

    private mutating func flatten(
        _ verbs: Span<Path.Verb>, _ points: Span<Point>, tolerance: Double = PathFlattener.defaultTolerance
    ) {
        flat.removeAll()
        var flattener = PathFlattener(tolerance: tolerance)
        flattener.flatten(verbs, points, into: &flat)
    }
}
