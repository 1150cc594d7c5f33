import PortolanRaster
import PortolanText

/// Paints a notice across the top: a sign for its level, and the text on the level's colour.
struct NoticePainter {
    let notice: Furniture.Notice
    let fonts: FontBook
    let pixelRatio: Double

    private static let size = 14.0, padding = 9.0, lineHeight = 1.3, signRadius = 9.0, mostLines = 2

    /// Returns the height of the notice.
    func height(width: Double) throws(TextError) -> Double {
        (try Self.height(ofLines: lines(width: width).count) * pixelRatio).rounded(.up)
    }

    private static func height(ofLines count: Int) -> Double {
        max(Double(count) * size * lineHeight, 2 * signRadius) + 2 * padding
    }

    private var indent: Double { (2 * Self.padding + 2 * Self.signRadius) * pixelRatio }

    private func lines(width: Double) throws(TextError) -> [TextLine] {
        let size = Self.size * pixelRatio, room = max(width - indent - Self.padding * pixelRatio, size)
        let bold = FontRequest(weight: .bold)
        var lines = try fonts.wrap(
            FurniturePainter.shortened(notice.text), request: bold, size: size, maximumWidth: room)
        guard lines.count > Self.mostLines else { return lines }
        lines.removeSubrange(Self.mostLines...)
        var words = lines[Self.mostLines - 1].text.split(separator: " ")
        while !words.isEmpty {
            let cut = try fonts.shape(words.joined(separator: " ") + " …", request: bold, size: size)
            if cut.advance <= room {
                lines[Self.mostLines - 1] = cut
                break
            }
            words.removeLast()
        }
        return lines
    }

    /// Paints the notice in a picture of some width.
    func paint(width: Double, on canvas: inout some PaintTarget) throws(TextError) {
        let lines = try lines(width: width), height = try height(width: width), look = notice.level.look
        canvas.fill(.rectangle(x: 0, y: 0, width: width, height: height), color: look.paper)
        canvas.fill(
            .rectangle(x: 0, y: height - 2 * pixelRatio, width: width, height: 2 * pixelRatio), color: look.ink)
        let center = Point(x: (Self.padding + Self.signRadius) * pixelRatio, y: (height / 2).rounded())
        paintSign(at: center, look.ink, on: &canvas)
        let size = Self.size * pixelRatio, lineHeight = Self.lineHeight * size
        let first = height / 2 - Double(lines.count - 1) * lineHeight / 2 + 0.36 * size
        for (number, line) in lines.enumerated() {
            canvas.draw(
                line.shaped(
                    by: .translation(x: indent.rounded(), y: (first + Double(number) * lineHeight).rounded())),
                color: Furniture.Theme.light.ink, halo: nil)
        }
    }

    /// An i in a disc, an exclamation mark in a triangle, or one in an octagon: the shape indicates the level, too.
    private func paintSign(at center: Point, _ color: MapColor, on canvas: inout some PaintTarget) {
        let radius = Self.signRadius * pixelRatio, unit = radius / 9
        let corners: [Point]
        switch notice.level {
        case .information: corners = []
        case .warning:
            corners = [
                Point(x: center.x, y: center.y - radius), Point(x: center.x + radius, y: center.y + 0.8 * radius),
                Point(x: center.x - radius, y: center.y + 0.8 * radius),
            ]
        case .severe:
            let near = radius * 0.4142
            corners = [
                (-near, -radius), (near, -radius), (radius, -near), (radius, near), (near, radius), (-near, radius),
                (-radius, near), (-radius, -near),
            ].map { Point(x: center.x + $0.0, y: center.y + $0.1) }
        }
        canvas.fill(
            corners.isEmpty ? .circle(center: center, radius: radius) : .polyline(corners, closed: true), color: color)
        let isLetter = notice.level == .information
        let low = notice.level == .warning ? 2.0 : 0
        let stroke = isLetter ? (-1.5, 5.0) : (-4.5 + low * 0.75, 1.2 + low * 0.6)
        let dot = isLetter ? -4.5 : 4.4 + low * 0.35
        canvas.fill(
            .rectangle(
                x: center.x - 1.1 * unit, y: center.y + stroke.0 * unit, width: 2.2 * unit,
                height: (stroke.1 - stroke.0) * unit), color: .white)
        canvas.fill(.circle(center: Point(x: center.x, y: center.y + dot * unit), radius: 1.3 * unit), color: .white)
    }
}

extension Furniture.Notice.Level {
    /// The background and sign colours.
    fileprivate var look: (paper: MapColor, ink: MapColor) {
        switch self {
        case .information:
            (MapColor(red: 229, green: 240, blue: 252, alpha: 245), MapColor(red: 22, green: 94, blue: 168))
        case .warning:
            (MapColor(red: 255, green: 243, blue: 205, alpha: 245), MapColor(red: 176, green: 104, blue: 0))
        case .severe:
            (MapColor(red: 253, green: 226, blue: 224, alpha: 245), MapColor(red: 178, green: 28, blue: 28))
        }
    }
}
