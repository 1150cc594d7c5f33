import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// Paints a sample of a feature style: a piece of line, a patch of area, a mark, a ramp of density, or a scale.
struct LegendSymbolPainter {
    /// The largest width of a line, and of a border, in a sample, in view pixels.
    static let widestLine = 10.0, widestBorder = 4.0

    let symbol: Legend.Symbol
    let images: [NamedURL: PixelBuffer]
    let pixelRatio: Double
    /// The colour of the panel.
    var panel = MapColor.white
    /// The scale of a mark, a line or discs relative to the map, or `nil` to fit the space.
    var markScale: Double?

    /// The least difference from the panel colour in one channel to be visible.
    private static let leastDifference = 24

    /// Whether the sample would be invisible on the panel, such as a white line on white.
    private var isLost: Bool {
        var colors = symbol.linesBeneath.map(\.color)
        switch symbol.kind {
        case .heat, .ramp, .discs: return false
        case .line: colors += [symbol.style.stroke?.color, symbol.style.stroke?.casing?.color].compactMap(\.self)
        case .area:
            guard symbol.style.fill?.pattern == nil else { return false }
            colors += [symbol.style.fill?.color, symbol.style.stroke?.color].compactMap(\.self)
        case .mark:
            guard case .shape(let shape)? = symbol.style.marker else { return false }
            colors += [shape.fill?.color, shape.stroke?.color, shape.halo?.color].compactMap(\.self)
        }
        return colors.allSatisfy { color in
            func isLost(_ own: UInt8, on ground: UInt8) -> Bool {
                let difference = abs(Int(own) - Int(ground))
                return difference * Int(color.alpha) / 255 < Self.leastDifference
            }
            return isLost(color.red, on: panel.red) && isLost(color.green, on: panel.green)
                && isLost(color.blue, on: panel.blue)
        }
    }

    /// Paints the sample into a box, in picture pixels, reduced in size if necessary.
    func paint(in box: Rectangle, on canvas: inout some PaintTarget) {
        if isLost {
            let shade: UInt8 = panel.isLight ? 150 : 110
            canvas.fill(
                .roundedRectangle(
                    x: box.minX, y: box.minY, width: box.width, height: box.height, radius: 2 * pixelRatio),
                color: MapColor(red: shade, green: shade, blue: shade))
        }
        switch symbol.kind {
        case .line: if let stroke = symbol.style.stroke { paintLine(stroke, in: box, on: &canvas) }
        case .area: paintArea(in: box, on: &canvas)
        case .mark: if let marker = symbol.style.marker { paintMark(marker, in: box, on: &canvas) }
        case .heat: if let heat = symbol.heat { paintRamp(heat, in: box, on: &canvas) }
        case .ramp: if let scale = symbol.scale { paintRamp(scale, in: box, on: &canvas) }
        case .discs: if let scale = symbol.scale { paintDiscs(scale, in: box, on: &canvas) }
        }
    }

    /// The colours of a scale from its low end at the bottom to its high end at the top.
    private func paintRamp(_ scale: Legend.Scale, in box: Rectangle, on canvas: inout some PaintTarget) {
        let steps = scale.steps.filter { $0.color != nil }
        guard steps.count > 1 else { return }
        var next = 1
        paintRows(in: box, on: &canvas) { value in
            while next + 1 < steps.count, steps[next].value < value { next += 1 }
            let low = steps[next - 1], high = steps[next], span = high.value - low.value
            guard let from = low.color, let to = high.color else { return nil }
            let share = span > 0 ? min(max((value - low.value) / span, 0), 1) : 0
            func mixed(_ low: UInt8, _ high: UInt8) -> UInt8 {
                UInt8((Double(low) + (Double(high) - Double(low)) * share).rounded())
            }
            return MapColor(
                red: mixed(from.red, to.red), green: mixed(from.green, to.green), blue: mixed(from.blue, to.blue),
                alpha: mixed(from.alpha, to.alpha))
        }
    }

    /// Paints rows of pixels from the bottom up, in the colours of values from 0 to 1.
    private func paintRows(
        in box: Rectangle, on canvas: inout some PaintTarget, color: (_ value: Double) -> MapColor?
    ) {
        let bottom = box.maxY.rounded(), height = Int(bottom - box.minY.rounded())
        guard height > 0 else { return }
        for row in 0..<height {
            guard let color = color((Double(row) + 0.5) / Double(height)) else { continue }
            canvas.fill(
                .rectangle(x: box.minX, y: bottom - Double(row + 1), width: box.width, height: 1), color: color)
        }
    }

    /// Discs that touch at the bottom, the largest one below the others.
    private func paintDiscs(_ scale: Legend.Scale, in box: Rectangle, on canvas: inout some PaintTarget) {
        guard case .shape(let shape)? = symbol.style.marker else { return }
        let factor = (markScale ?? 1) * pixelRatio
        var outline = shape.stroke ?? LineSymbol(color: panel, width: 1)
        if outline.color == shape.fill?.color { outline.color = panel }
        for step in scale.steps.reversed() where step.value > 0 {
            let radius = step.value * factor
            let disc = Path.circle(center: Point(x: box.center.x, y: box.maxY - radius), radius: radius)
            if let fill = shape.fill { canvas.fill(disc, color: step.color ?? fill.color) }
            canvas.stroke(disc, style: StrokeStyle(width: outline.width * pixelRatio), color: outline.color)
        }
    }

    /// The colours of density from zero at the bottom to the maximum at the top.
    private func paintRamp(_ heat: HeatmapSymbol, in box: Rectangle, on canvas: inout some PaintTarget) {
        paintRows(in: box, on: &canvas) { value in
            let mixed = heat.components(at: value)
            guard mixed.w > 0 else { return nil }
            func channel(_ part: Double) -> UInt8 { UInt8((min(max(part, 0), 1) * 255).rounded()) }
            return MapColor(
                red: channel(mixed.x / mixed.w), green: channel(mixed.y / mixed.w), blue: channel(mixed.z / mixed.w),
                alpha: channel(mixed.w))
        }
    }

    private func paintLine(_ stroke: LineSymbol, in box: Rectangle, on canvas: inout some PaintTarget) {
        let strokes = symbol.linesBeneath + [stroke]
        let widest = strokes.reduce(0) { max($0, $1.outerWidth) }
        guard widest > 0 else { return }
        let factor = markScale ?? min(1, Self.widestLine / widest), scale = pixelRatio * factor
        // A thin line is aligned to whole pixels, so that it shows its exact colour.
        let isOdd = Int((stroke.width * scale).rounded()) % 2 == 1
        let y = box.center.y.rounded() + (isOdd ? 0.5 : 0)
        for line in strokes where line.width > 0 { paint(line, at: y, scale: scale, in: box, on: &canvas) }
    }

    private func paint(
        _ stroke: LineSymbol, at y: Double, scale: Double, in box: Rectangle, on canvas: inout some PaintTarget
    ) {
        // Caps other than butt extend half a width farther.
        let inset = stroke.cap == .butt ? 0 : max(stroke.width, stroke.casing?.width ?? 0) * scale / 2
        let side = stroke.gapWidth > 0 ? (stroke.gapWidth + stroke.width) / 2 * scale : 0
        let half = stroke.width * scale / 2
        // Parallel lines are aligned to whole pixels, too.
        for y in side > 0 ? [-side, side].map({ (y + $0 - half).rounded() + half }) : [y] {
            let line = Path.polyline([Point(x: box.minX + inset, y: y), Point(x: box.maxX - inset, y: y)])
            let style = stroke.strokeStyle(scale: scale)
            if let ornament = LineOrnament(stroke, style, pixelRatio: scale) {
                var drawing = Drawing()
                ornament.draw(along: line, in: box, into: &drawing)
                canvas.paint(drawing)
                continue
            }
            if let casing = stroke.casing {
                canvas.stroke(line, style: stroke.strokeStyle(scale: scale, width: casing.width), color: casing.color)
            }
            canvas.stroke(line, style: style, color: stroke.color)
        }
    }

    private func paintArea(in box: Rectangle, on canvas: inout some PaintTarget) {
        let border = symbol.style.stroke
        let width = min(max(border?.width ?? 0, 0), Self.widestBorder) * pixelRatio
        let inner = box.grown(by: -(max(width, 1) / 2).rounded(.up))
        let patch = Path.rectangle(x: inner.minX, y: inner.minY, width: inner.width, height: inner.height)
        if let fill = symbol.style.fill {
            if let picture = fill.pattern {
                paint(picture, opacity: Double(fill.color.alpha) / 255, in: inner, on: &canvas)
            } else {
                canvas.fill(patch, color: fill.color)
            }
        }
        guard let border, width > 0 else { return }
        // Inset by half a pixel, so that thin borders are sharp.
        let isOdd = Int(width.rounded()) % 2 == 1
        let outline =
            isOdd
            ? Path.rectangle(
                x: inner.minX + 0.5, y: inner.minY + 0.5, width: inner.width - 1, height: inner.height - 1) : patch
        canvas.stroke(
            outline, style: border.strokeStyle(scale: pixelRatio, width: width / pixelRatio), color: border.color)
    }

    /// Repeats a picture from the upper left corner of a box.
    private func paint(
        _ picture: IconMarker.Source.Picture, opacity: Double, in box: Rectangle, on canvas: inout some PaintTarget
    ) {
        let width = max((picture.width * pixelRatio).rounded(), 1)
        let height = max((picture.height * pixelRatio).rounded(), 1)
        let clip = Path.rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height)
        let image = PaintImage(picture.pixels)
        let fitted = AffineTransform.scale(
            x: width / Double(picture.pixels.width), y: height / Double(picture.pixels.height))
        var drawing = Drawing()
        drawing.group(PaintGroup(opacity: opacity, clip: clip)) { group in
            for y in stride(from: box.minY, to: box.maxY, by: height) {
                for x in stride(from: box.minX, to: box.maxX, by: width) {
                    group.draw(image, transform: fitted.then(.translation(x: x, y: y)), opacity: 1, edges: .clamped)
                }
            }
        }
        canvas.paint(drawing)
    }

    private func paintMark(_ marker: MarkerSymbol, in box: Rectangle, on canvas: inout some PaintTarget) {
        let image = symbol.iconURL.flatMap { images[$0] } ?? marker.ownImage
        let natural = MarkerPainter(pixelRatio: pixelRatio)
        guard let extent = natural.extent(of: marker, image: image), extent.width > 0, extent.height > 0 else { return }
        let factor = markScale ?? min(1, box.width / extent.width, box.height / extent.height)
        let painter = MarkerPainter(pixelRatio: pixelRatio * factor)
        var drawing = Drawing()
        // The middle of the mark is not always the marked point.
        let point = Point(
            x: box.center.x - extent.center.x * factor, y: box.center.y - extent.center.y * factor)
        switch MarkerPainter.drawable(marker, image: image) {
        case .shape(let shape): drawing.draw(painter.mark(shape), at: point)
        case .icon(let icon): if let image { painter.paint(icon, image: image, at: point, into: &drawing) }
        }
        canvas.paint(drawing)
    }
}
