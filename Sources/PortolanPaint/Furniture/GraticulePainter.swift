import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText

/// Paints a graticule with its degrees at the border.
struct GraticulePainter {
    /// Into how many pieces a line is cut to follow a projection.
    private static let steps = 96

    /// How far apart lines are at the least, in view pixels, so that their degrees have room.
    private static let lineSpacing = 84.0

    let graticule: Graticule
    let viewport: Viewport
    let fonts: FontBook

    /// Paints the lines; a map whose CRS has no built-in projection has none.
    func paint(on canvas: inout some PaintTarget) throws(TextError) {
        guard let seen = viewport.geographicExtent,
            let projection = PixelProjection(from: .crs84, to: viewport, shift: 0),
            let interval = graticule.interval(
                forSpan: seen.width, room: Double(viewport.size.width) / Self.lineSpacing)
        else { return }
        var meridians: [(String, [[Point]])] = [], parallels: [(String, [[Point]])] = []
        for longitude in multiples(of: interval, from: seen.minX, to: seen.maxX) {
            // From the north, so that the first place on the picture is at its upper border.
            let line = pieces(projection) { fraction in
                Coordinate(longitude: longitude, latitude: seen.maxY - seen.height * fraction)
            }
            meridians.append((Self.text(longitude, positive: "E", negative: "W", interval: interval), line))
        }
        for latitude in multiples(of: interval, from: max(seen.minY, -89.99), to: min(seen.maxY, 89.99)) {
            let line = pieces(projection) { fraction in
                Coordinate(longitude: seen.minX + seen.width * fraction, latitude: latitude)
            }
            parallels.append((Self.text(latitude, positive: "N", negative: "S", interval: interval), line))
        }
        var path = Path()
        for (_, line) in meridians + parallels { for piece in line { path.append(.polyline(piece)) } }
        canvas.stroke(path, style: StrokeStyle(width: 0.8 * viewport.pixelRatio), color: FurnitureColors.graticule)
        var taken: [Rectangle] = []
        for (text, line) in meridians + parallels {
            if let end = line.first?.first { try paint(text, at: end, beside: &taken, on: &canvas) }
        }
    }

    private func multiples(of interval: Double, from low: Double, to high: Double) -> [Double] {
        let first = (low / interval).rounded(.up), last = (high / interval).rounded(.down)
        guard first <= last, last - first < 1000 else { return [] }
        return stride(from: first, through: last, by: 1).map { $0 * interval }
    }

    private func pieces(_ projection: PixelProjection, _ place: (Double) -> Coordinate) -> [[Point]] {
        let coordinates = (0...Self.steps).map { place(Double($0) / Double(Self.steps)) }
        let box = Rectangle(viewport.imageSize)
        return projection.lines(coordinates).flatMap { LineClipper.clip($0, to: box) }
    }

    /// Writes the degrees where a line enters the picture, inside it, unless others are written there.
    private func paint(
        _ text: String, at end: Point, beside taken: inout [Rectangle], on canvas: inout some PaintTarget
    ) throws(TextError) {
        let ratio = viewport.pixelRatio, margin = 4 * ratio
        let line = try fonts.shape(text, request: FontRequest(), size: 10 * ratio)
        let width = Double(viewport.imageSize.width), height = Double(viewport.imageSize.height)
        guard line.advance + 2 * margin < width, line.ascent + 2 * margin < height else { return }
        let x = min(max(end.x + margin, margin), width - margin - line.advance)
        let y = min(max(end.y - margin, margin + 9 * ratio), height - margin)
        let box = Rectangle(minX: x - margin, minY: y - 12 * ratio, maxX: x + line.advance + margin, maxY: y + margin)
        guard !taken.contains(where: { $0.overlaps(box) }) else { return }
        taken.append(box)
        canvas.draw(
            line.shaped(by: .translation(x: x.rounded(), y: y.rounded())), color: FurnitureColors.faintInk,
            halo: TextHalo(width: 3 * ratio, color: FurnitureColors.halo))
    }

    /// Degrees as people write them: as fine as the interval needs.
    static func text(_ degrees: Double, positive: String, negative: String, interval: Double) -> String {
        var wrapped = degrees.truncatingRemainder(dividingBy: 360)
        if wrapped > 180 { wrapped -= 360 } else if wrapped <= -180 { wrapped += 360 }
        let seconds = Int((abs(wrapped) * 3600).rounded())
        let letter = seconds == 0 || seconds == 180 * 3600 ? "" : wrapped > 0 ? positive : negative
        let step = Int((interval * 3600).rounded())
        var text = "\(seconds / 3600)°"
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if step % 3600 != 0 { text += "\(padded(seconds / 60 % 60))′" }
        if step % 60 != 0 { text += "\(padded(seconds % 60))″" }
        return text + letter
    }
}
