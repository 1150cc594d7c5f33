import PortolanFeatures
import PortolanRaster

/// The decoration of a line that replaces a single colour: a gradient, or a repeated picture.
enum LineOrnament: Sendable {
    case gradient([MapColor], StrokeStyle)
    /// The picture, the number of picture pixels per pixel of it, its opacity, and the line width.
    case pattern(PaintImage, scale: Double, opacity: Double, width: Double)

    /// The largest number of pieces of a gradient line, and of pictures along a line.
    private static let pieceLimit = 256, pictureLimit = 1 << 14

    /// The decoration of a line, or `nil` if it has a single colour.
    init?(_ symbol: LineSymbol, _ style: StrokeStyle, pixelRatio: Double) {
        if let picture = symbol.pattern {
            self = .pattern(
                PaintImage(picture.pixels), scale: pixelRatio / picture.pixelRatio,
                opacity: Double(symbol.color.alpha) / 255, width: style.width)
        } else if symbol.gradient.count > 1 {
            self = .gradient(symbol.gradient, style)
        } else {
            return nil
        }
    }

    /// Draws the visible part along each line of a path of straight segments.
    func draw(along path: Path, in box: Rectangle, into drawing: inout Drawing) {
        var line: [Point] = []
        for element in path.elements {
            switch element {
            case .move(let point):
                draw(along: line, in: box, &drawing)
                line = [point]
            case .line(let point): line.append(point)
            case .close: if let first = line.first { line.append(first) }
            case .quad, .cubic: break
            }
        }
        draw(along: line, in: box, &drawing)
    }

    private func draw(along points: [Point], in box: Rectangle, _ drawing: inout Drawing) {
        guard points.count > 1 else { return }
        let line = MeasuredLine(points)
        guard line.length.isFinite, line.length > 0 else { return }
        switch self {
        case .gradient(let colors, let style): draw(colors, style, along: line, in: box, &drawing)
        case .pattern(let image, let scale, let opacity, let width):
            draw(image, scale, opacity, width, along: line, in: box, &drawing)
        }
    }

    private func draw(
        _ colors: [MapColor], _ style: StrokeStyle, along line: MeasuredLine, in box: Rectangle,
        _ drawing: inout Drawing
    ) {
        let count = min(max(Int((line.length / 2).rounded(.up)), 1), Self.pieceLimit),
            step = line.length / Double(count)
        func color(_ number: Int) -> MapColor {
            colors[min(Int((Double(number) + 0.5) / Double(count) * Double(colors.count)), colors.count - 1)]
        }
        var butt = style
        butt.cap = .butt
        if style.cap != .butt {
            // Only the ends have round or square caps; the pieces cover the inside of the line.
            for (number, from, to) in [(0, 0, 0.01), (count - 1, line.length - 0.01, line.length)] {
                drawing.stroke(.polyline(line.part(from: from, to: to)), style: style, color: color(number))
            }
        }
        var number = 0
        while number < count {
            // Merges pieces of one colour.
            var end = number + 1
            while end < count, color(end) == color(number) { end += 1 }
            defer { number = end }
            // A piece extends slightly below the next, so that no seam is visible.
            let overlap = color(number).alpha == 255 && end < count ? 1.0 : 0
            let piece = line.part(from: Double(number) * step, to: min(Double(end) * step + overlap, line.length))
            drawing.stroke(.polyline(piece), style: butt, color: color(number))
        }
    }

    private func draw(
        _ image: PaintImage, _ scale: Double, _ opacity: Double, _ width: Double, along line: MeasuredLine,
        in box: Rectangle, _ drawing: inout Drawing
    ) {
        let length = Double(image.pixels.width) * scale, height = Double(image.pixels.height) * scale
        guard length > 0, height > 0, line.length / length < 1e6 else { return }
        let half = width / 2, seen = box.grown(by: half)
        var start = 0.0, drawn = 0
        for index in 1..<line.points.count {
            let from = line.points[index - 1], to = line.points[index]
            let extent = MeasuredLine.distance(from, to)
            defer { start += extent }
            guard let heading = MeasuredLine.direction(from: from, to: to),
                let piece = LineClipper.clip([from, to], to: seen).first, let first = piece.first, let last = piece.last
            else { continue }
            let low = start + MeasuredLine.distance(from, first), high = start + MeasuredLine.distance(from, last)
            // At a vertex, each segment extends to the bisector.
            let before = index > 1 ? MeasuredLine.direction(from: line.points[index - 2], to: from) : nil
            let after =
                index + 1 < line.points.count ? MeasuredLine.direction(from: to, to: line.points[index + 1]) : nil
            let band = Self.band(from, to, heading, before, after, half)
            let turn = AffineTransform(a: heading.x, b: heading.y, c: -heading.y, d: heading.x, tx: from.x, ty: from.y)
            drawing.group(PaintGroup(opacity: opacity, clip: band)) { group in
                // One more on each side for the corners.
                let numbers =
                    (low / length - half / length).rounded(.down)...(high / length + half / length).rounded(.down)
                for number in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 1) {
                    drawn += 1
                    guard drawn <= Self.pictureLimit else { return }
                    // As in MapLibre, the upper side of the picture is on the right of the line.
                    let place = AffineTransform.scale(x: scale, y: -scale).then(
                        .translation(x: number * length - start, y: height / 2)
                    ).then(turn)
                    group.draw(image, transform: place, opacity: 1, edges: .clamped)
                }
            }
        }
    }

    /// The part of a line's band that belongs to a segment.
    private static func band(
        _ from: Point, _ to: Point, _ heading: Point, _ before: Point?, _ after: Point?, _ half: Double
    ) -> Path {
        /// The extension of the band edge at a corner, on the right side.
        func reach(_ a: Point?, _ b: Point?) -> Double {
            guard let a, let b else { return 0 }
            // The tangent of half the turn; sharp turns are cut off.
            let cross = a.x * b.y - a.y * b.x, dot = a.x * b.x + a.y * b.y
            return min(max(cross / max(1 + dot, 1e-3), -1), 1) * half
        }
        let normal = Point(x: -heading.y, y: heading.x), start = reach(before, heading), end = reach(heading, after)
        func corner(_ point: Point, along: Double, beside: Double) -> Point {
            Point(
                x: point.x + heading.x * along + normal.x * beside, y: point.y + heading.y * along + normal.y * beside)
        }
        return .polyline(
            [
                corner(from, along: start, beside: half), corner(to, along: -end, beside: half),
                corner(to, along: end, beside: -half), corner(from, along: -start, beside: -half),
            ], closed: true)
    }
}
