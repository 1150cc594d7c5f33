import PortolanPlan
import PortolanRaster
import PortolanText

/// Paints a scale bar: a round ground length, valid at the picture centre.
struct ScaleBarPainter {
    /// The largest length of a bar, in view pixels.
    private static let longest = 140.0

    let viewport: Viewport
    let fonts: FontBook
    let theme: Furniture.Theme
    var units = Furniture.LengthUnits.metric
    /// The space at its left, in picture pixels.
    var indent = 0.0
    /// The space below it, such as that of an attribution, in picture pixels.
    var lift = 0.0

    /// A length in metres and its label.
    struct Length: Equatable {
        let meters: Double
        let text: String

        /// Finds the longest length of 1, 2 or 5 times a power of ten units up to `limit`, in metres.
        init?(noLongerThan limit: Double, in units: Furniture.LengthUnits = .metric) {
            guard limit >= 1e-3, limit < 1e9 else { return nil }
            guard let unit = units.units.first(where: { limit >= $0.meters * $0.least }) else { return nil }
            var power = 1.0, exponent = 0
            while power * 10 * unit.meters <= limit {
                power *= 10
                exponent += 1
            }
            while power * unit.meters > limit {
                power /= 10
                exponent -= 1
            }
            let most = limit / unit.meters, factor = most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1
            meters = Double(factor) * power * unit.meters
            let number =
                exponent < 0
                ? "0." + String(repeating: "0", count: -exponent - 1) + "\(factor)"
                : "\(factor)" + String(repeating: "0", count: exponent)
            text = "\(number) \(unit.symbol)"
        }
    }

    /// Returns the length that the bar shows, and its pixels, or `nil` if the map scale is unknown.
    private func shownLength(width fullWidth: Double) -> (length: Length, width: Double)? {
        let widest = min(Self.longest * viewport.pixelRatio, fullWidth / 2)
        guard let meters = viewport.metersPerImagePixel,
            let length = Length(noLongerThan: widest * meters, in: units)
        else { return nil }
        return (length, (length.meters / meters).rounded())
    }

    /// Returns the box of the bar and its text including halos, or `nil` if there is no bar.
    func box(above foot: Double, width fullWidth: Double) throws(TextError) -> Rectangle? {
        let ratio = viewport.pixelRatio
        guard let (length, width) = shownLength(width: fullWidth) else { return nil }
        let line = try fonts.shape(length.text, request: FontRequest(), size: 12 * ratio)
        let left = (indent + 14 * ratio).rounded()
        let aside = max(0, (line.advance - width) / 2), base = (foot - lift - 14 * ratio).rounded()
        return Rectangle(minX: left - aside, minY: base - 16 * ratio, maxX: left + width + aside, maxY: base)
            .grown(by: 3 * ratio)
    }

    /// Paints the bar on a panel at the left, with its bottom at `foot`, if the map scale is known.
    func paint(above foot: Double, on canvas: inout some PaintTarget) throws(TextError) {
        let ratio = viewport.pixelRatio
        guard let (length, width) = shownLength(width: Double(viewport.imageSize.width)) else { return }
        if let box = try box(above: foot, width: Double(viewport.imageSize.width))?.grown(by: 3 * ratio) {
            canvas.fill(
                .roundedRectangle(
                    x: box.minX.rounded(), y: box.minY.rounded(), width: box.width.rounded(.up),
                    height: box.height.rounded(.up), radius: 4 * ratio), color: theme.panel)
        }
        let left = (indent + 14 * ratio).rounded(), base = (foot - lift - 14 * ratio).rounded()
        let tick = (6 * ratio).rounded()
        let bar = Path.polyline([
            Point(x: left, y: base - tick), Point(x: left, y: base), Point(x: left + width, y: base),
            Point(x: left + width, y: base - tick),
        ])
        canvas.stroke(bar, style: StrokeStyle(width: 5 * ratio, cap: .square), color: theme.halo)
        canvas.stroke(bar, style: StrokeStyle(width: 2 * ratio, cap: .square), color: theme.ink)
        let line = try fonts.shape(length.text, request: FontRequest(), size: 12 * ratio)
        let place = AffineTransform.translation(
            x: (left + (width - line.advance) / 2).rounded(), y: (base - 5 * ratio).rounded())
        canvas.draw(
            line.shaped(by: place), color: theme.ink,
            halo: ShapedText.Halo(width: 4 * ratio, color: theme.halo))
    }
}
