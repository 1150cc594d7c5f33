import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText

/// Paints a graticule with labels at the border.
struct GraticulePainter {
    /// The number of pieces of a line that follows a projection.
    private static let steps = 96

    /// The least distance between lines in view pixels, so that their labels have room.
    private static let lineSpacing = 84.0

    /// The distance along its line by which a label may be moved from its first candidate position, in view pixels.
    private static let reach = 120.0

    let graticule: Furniture.Graticule
    let viewport: Viewport
    let fonts: FontBook
    let theme: Furniture.Theme
    /// The edge of the earth that is drawn, or `nil`.
    var sphere: SpherePainter?
    /// Whether the lines have labels.
    var hasLabels = true

    /// A line with its label, in the pieces that are in the picture.
    private struct Line {
        let text: String
        let pieces: [[Point]]
    }

    /// Returns the degrees between the lines of a view, or `nil` if no interval fits.
    static func interval(of graticule: Furniture.Graticule, in viewport: Viewport) -> Double? {
        viewport.geographicExtent.flatMap {
            graticule.interval(forSpan: $0.width, room: Double(viewport.size.width) / lineSpacing)
        }
    }

    /// The meridians and parallels, or `nil` without a built-in projection of the map's CRS.
    private var lines: (meridians: [Line], parallels: [Line])? {
        guard let seen = viewport.geographicExtent,
            let projection = PixelProjection(from: .crs84, to: viewport, shift: 0),
            let interval = Self.interval(of: graticule, in: viewport)
        else { return nil }
        // If the whole earth is visible once, its last meridian is its first. In repeated worlds each has its own.
        let isOnce = viewport.crs.worldWidth == nil
        let lastLongitude = isOnce ? min(seen.maxX, seen.minX + 360 - interval / 2) : seen.maxX
        let meridians = multiples(of: interval, from: seen.minX, to: lastLongitude).map { longitude in
            Line(
                text: Self.text(longitude, positive: "E", negative: "W", interval: interval),
                // From the north, so that the first position in the picture is at its upper border.
                pieces: pieces(projection) { fraction in
                    Coordinate(longitude: longitude, latitude: seen.maxY - seen.height * fraction)
                })
        }
        let parallels = multiples(of: interval, from: max(seen.minY, -89.99), to: min(seen.maxY, 89.99)).map {
            latitude in
            Line(
                text: Self.text(latitude, positive: "N", negative: "S", interval: interval),
                pieces: pieces(projection) { fraction in
                    Coordinate(longitude: seen.minX + seen.width * fraction, latitude: latitude)
                })
        }
        return (meridians.filter { !$0.pieces.isEmpty }, parallels.filter { !$0.pieces.isEmpty })
    }

    /// Paints the lines.
    func paintLines(on canvas: inout some PaintTarget) {
        guard let (meridians, parallels) = lines else { return }
        var path = Path()
        for line in meridians + parallels { for piece in line.pieces { path.append(.polyline(piece)) } }
        canvas.stroke(path, style: StrokeStyle(width: 0.8 * viewport.pixelRatio), color: theme.graticule)
    }

    /// Paints the labels outside panels and inside the edge of the earth.
    ///
    /// A label whose place a panel takes is left out. If that are most of the labels of the meridians or of the
    /// parallels, they are at the other ends of the lines.
    func paintLabels(clearOf panels: [Rectangle], on canvas: inout some PaintTarget) throws(TextError) {
        for label in try labels(clearOf: panels) {
            canvas.draw(
                label.line.shaped(by: .translation(x: label.x.rounded(), y: label.y.rounded())),
                color: theme.faintInk, halo: ShapedText.Halo(width: 3 * viewport.pixelRatio, color: theme.halo))
        }
    }

    /// Returns the boxes of the labels that are painted outside panels, in picture pixels.
    func labelBoxes(clearOf panels: [Rectangle]) throws(TextError) -> [Rectangle] {
        try labels(clearOf: panels).map(\.box)
    }

    private func labels(clearOf panels: [Rectangle]) throws(TextError) -> [Label] {
        guard hasLabels, FontBook.isBuiltIn, let (meridians, parallels) = lines else { return [] }
        var taken = edgeBoxes, all: [Label] = []
        for (lines, isMeridian) in [(meridians, true), (parallels, false)] {
            // The zero of the equator would be mistaken for that of the prime meridian.
            let lines = isMeridian ? lines : lines.filter { line in !all.contains { $0.text == line.text } }
            var labels: [Label] = [], occupied = taken
            for isFromEnd in [false, true] {
                let found = try self.labels(
                    of: lines, isMeridian: isMeridian, isFromEnd: isFromEnd, clearOf: panels, beside: taken)
                guard found.labels.count > labels.count else { continue }
                (labels, occupied) = (found.labels, found.taken)
                if 2 * labels.count >= lines.count { break }
            }
            taken = occupied
            all += labels
        }
        return all
    }

    /// A label at its place.
    private struct Label {
        let text: String
        let line: TextLine
        let x: Double, y: Double
        /// The box of the label with some free space, in picture pixels.
        let box: Rectangle
    }

    /// The labels of lines at their first free positions, and the boxes that are then taken.
    private func labels(
        of lines: [Line], isMeridian: Bool, isFromEnd: Bool, clearOf panels: [Rectangle], beside taken: [Rectangle]
    ) throws(TextError) -> (labels: [Label], taken: [Rectangle]) {
        var labels: [Label] = [], taken = taken
        for line in lines {
            let ways = ways(along: line.pieces, isMeridian: isMeridian)
            for way in isFromEnd ? ways.reversed() : ways {
                let (label, isCovered) = try label(line.text, along: way, clearOf: panels, beside: &taken)
                if let label { labels.append(label) }
                if label != nil || isCovered { break }
            }
        }
        return (labels, taken)
    }

    /// Boxes along the edge of the earth, which labels do not cross.
    private var edgeBoxes: [Rectangle] {
        guard let sphere else { return [] }
        let ratio = viewport.pixelRatio
        return sphere.edgeInPicture.flatMap { piece in
            zip(piece, piece.dropFirst()).flatMap { start, end in
                Rectangle.boxes(from: start, to: end, step: 4 * ratio, reach: 0.5 * ratio)
            }
        }
    }

    /// The paths along a line on which its label may be placed.
    ///
    /// They begin where the line enters the picture, at its beginning and at its end. A line completely inside is a
    /// parallel around a pole, or a meridian from pole to pole, which is labelled in its middle, away from the poles.
    private func ways(along line: [[Point]], isMeridian: Bool) -> [[Point]] {
        guard let first = line.first, let last = line.last else { return [] }
        let entering = [first, last.reversed()].filter { $0.first.map(isAtBorder) ?? false }
        if !entering.isEmpty { return entering }
        let middle = line[line.count / 2]
        // Near the edge of the earth there is only room on the other half.
        let half = middle.count / 2
        return isMeridian ? [Array(middle.dropFirst(half)), middle.prefix(half + 1).reversed()] : [first]
    }

    private func isAtBorder(_ point: Point) -> Bool {
        let box = Rectangle(viewport.imageSize), border = 0.5
        return min(point.x - box.minX, box.maxX - point.x, point.y - box.minY, box.maxY - point.y) < border
    }

    /// Positions along a path, a few pixels apart, within the allowed distance from its beginning.
    private func places(along way: [Point]) -> [Point] {
        let step = 4 * viewport.pixelRatio, end = Self.reach * viewport.pixelRatio
        guard var place = way.first else { return [] }
        var places = [place], passed = 0.0, next = step
        for point in way.dropFirst() {
            let x = point.x - place.x, y = point.y - place.y, length = (x * x + y * y).squareRoot()
            while next <= min(passed + length, end) {
                let share = (next - passed) / length
                places.append(
                    Point(x: place.x + x * share, y: place.y + y * share))
                next += step
            }
            passed += length
            place = point
            if passed > end { break }
        }
        return places
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

    /// Returns the label at the first free position inside the picture, or `nil` if none is free, and whether a panel
    /// takes that position.
    private func label(
        _ text: String, along way: [Point], clearOf panels: [Rectangle], beside taken: inout [Rectangle]
    ) throws(TextError) -> (label: Label?, isCovered: Bool) {
        let ratio = viewport.pixelRatio, margin = 4 * ratio
        let line = try fonts.shape(text, request: FontRequest(), size: 10 * ratio)
        let width = Double(viewport.imageSize.width), height = Double(viewport.imageSize.height)
        guard line.advance + 2 * margin < width, line.ascent + 2 * margin < height else { return (nil, false) }
        for place in places(along: way) {
            let x = min(max(place.x + margin, margin), width - margin - line.advance)
            let y = min(max(place.y - margin, margin + 9 * ratio), height - margin)
            let box = Rectangle(
                minX: x - margin, minY: y - 12 * ratio, maxX: x + line.advance + margin, maxY: y + margin)
            if panels.contains(where: { $0.overlaps(box) }) { return (nil, true) }
            if taken.contains(where: { $0.overlaps(box) }) { continue }
            taken.append(box)
            return (Label(text: text, line: line, x: x, y: y, box: box), false)
        }
        return (nil, false)
    }

    /// Formats degrees with the precision that the interval requires.
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
