import PortolanPlan
import PortolanRaster
import PortolanText

/// Paints what stands around a map on its page: the frame with coordinates, the lines of text, and the marks that lead to
/// other pages.
struct PagePainter {
    let page: PrintPage
    let layout: PageLayout
    let viewport: Viewport
    let fonts: FontBook
    let theme: Furniture.Theme
    /// The colour of the margins.
    let color: MapColor
    /// The boxes of the elements on the map, in pixels of the page, which the marks avoid.
    var taken: [Rectangle] = []

    private var ratio: Double { viewport.pixelRatio }
    private var box: Rectangle { layout.mapBox }

    /// A rectangle on the page that leads to another page.
    struct Link {
        let box: Rectangle
        let page: Int
    }

    /// Paints everything in picture pixels of the page.
    ///
    /// - Returns: the areas that lead to other pages.
    func paint(on canvas: inout some PaintTarget) throws(TextError) -> [Link] {
        var links = try paintOutlines(on: &canvas)
        let marks = page.frame.map { FrameTicks($0, of: viewport) }
        if let marks { try paint(marks, on: &canvas) }
        var taken = taken
        for neighbor in page.neighbors {
            let box = try paint(neighbor, clearOf: taken, on: &canvas)
            taken.append(box)
            if let page = neighbor.page { links.append(Link(box: box, page: page)) }
        }
        try paintLine(zone: marks?.zone, on: &canvas)
        return links
    }

    /// The ink on the margins.
    private var ink: MapColor { Furniture.Theme.matching(color).ink }

    // MARK: - The frame

    private func paint(_ marks: FrameTicks, on canvas: inout some PaintTarget) throws(TextError) {
        let toPage = AffineTransform.translation(x: box.minX, y: box.minY)
        let tick = 5 * ratio
        var path = Path()
        for mark in marks.ticks {
            let point = toPage(mark.point), out = Self.outward(mark.side)
            path.append(.polyline([point, Point(x: point.x + out.x * tick, y: point.y + out.y * tick)]))
        }
        canvas.stroke(path, style: StrokeStyle(width: ratio), color: ink)
        canvas.stroke(
            .rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height),
            style: StrokeStyle(width: 1.2 * ratio), color: ink)
        guard FontBook.isBuiltIn else { return }
        var ends: [PrintPage.Neighbor.Side: Double] = [:]
        for mark in marks.ticks {
            let line = try text(mark.text), point = toPage(mark.point)
            let isHorizontal = mark.side == .top || mark.side == .bottom
            let position = isHorizontal ? point.x : point.y, reach = line.advance / 2
            let low = isHorizontal ? box.minX : box.minY, high = isHorizontal ? box.maxX : box.maxY
            // The corners stay free, where the labels of two sides would meet.
            guard position - reach >= (ends[mark.side] ?? low), position + reach <= high else { continue }
            ends[mark.side] = position + reach + 4 * ratio
            draw(line, at: point, side: mark.side, on: &canvas)
        }
    }

    /// Draws a label centred outside a side; at the left and right it reads upwards.
    private func draw(
        _ line: TextLine, at point: Point, side: PrintPage.Neighbor.Side, on canvas: inout some PaintTarget
    ) {
        let gap = 6.5 * ratio, half = line.advance / 2, cap = 6.5 * ratio
        let place: AffineTransform
        switch side {
        case .top: place = .translation(x: (point.x - half).rounded(), y: (point.y - gap).rounded())
        case .bottom: place = .translation(x: (point.x - half).rounded(), y: (point.y + gap + cap).rounded())
        case .left:
            place = AffineTransform.rotation(degrees: -90)
                .then(.translation(x: (point.x - gap).rounded(), y: (point.y + half).rounded()))
        case .right:
            place = AffineTransform.rotation(degrees: -90)
                .then(.translation(x: (point.x + gap + cap).rounded(), y: (point.y + half).rounded()))
        }
        canvas.draw(line.shaped(by: place), color: ink, halo: nil)
    }

    private static func outward(_ side: PrintPage.Neighbor.Side) -> Point {
        switch side {
        case .top: Point(x: 0, y: -1)
        case .bottom: Point(x: 0, y: 1)
        case .left: Point(x: -1, y: 0)
        case .right: Point(x: 1, y: 0)
        }
    }

    private func text(
        _ text: String, weight: FontRequest.Weight = .regular, size: Double = PrintPage.lineSize
    ) throws(TextError) -> TextLine {
        try fonts.shape(
            FurniturePainter.shortened(text), request: FontRequest(weight: weight), size: size * ratio)
    }

    // MARK: - Lines and marks

    /// Draws the source line with the zone of a grid, and the number of the page, below the map.
    private func paintLine(zone: String?, on canvas: inout some PaintTarget) throws(TextError) {
        guard FontBook.isBuiltIn, page.hasLine else { return }
        let frame = page.frame == nil ? 0 : PrintPage.frameWidth
        let baseline = (box.maxY + (frame + 12) * ratio).rounded()
        // Text never touches the edge of the page.
        let edge = 6 * ratio, left = max(box.minX, edge)
        var right = min(box.maxX, Double(layout.size.width) - edge)
        if let number = page.number, !number.isEmpty {
            let line = try text(number, weight: .bold, size: 10)
            canvas.draw(
                line.shaped(by: .translation(x: (right - line.advance).rounded(), y: baseline)), color: ink, halo: nil)
            right -= line.advance + 12 * ratio
        }
        let source = [page.source, zone].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " · ")
        guard !source.isEmpty,
            let line = try fonts.cut(
                FurniturePainter.shortened(source).split(whereSeparator: \.isNewline).joined(separator: " "),
                request: FontRequest(), size: PrintPage.lineSize * ratio, maximumWidth: max(right - left, 1))
        else { return }
        canvas.draw(line.shaped(by: .translation(x: left.rounded(), y: baseline)), color: ink, halo: nil)
    }

    /// Draws a mark with an arrow inside a side of the map, and returns its box.
    ///
    /// It is as near to its position as the boxes allow, or at it if all of the side is taken.
    private func paint(
        _ neighbor: PrintPage.Neighbor, clearOf taken: [Rectangle], on canvas: inout some PaintTarget
    ) throws(TextError) -> Rectangle {
        let line = FontBook.isBuiltIn ? try text(neighbor.text, weight: .bold, size: 11) : nil
        let arrow = 7 * ratio, pad = 4 * ratio, high = 18 * ratio
        let wide = (line?.advance ?? 0) + arrow + 3 * pad
        let share = min(max(neighbor.position.isFinite ? neighbor.position : 0.5, 0), 1)
        let inset = 3 * ratio
        let isAcross = neighbor.side == .top || neighbor.side == .bottom
        /// Returns the box whose middle is at a share of the side.
        func place(at share: Double) -> Rectangle {
            let x: Double, y: Double
            switch neighbor.side {
            case .top, .bottom:
                x = min(max(box.minX + box.width * share - wide / 2, box.minX + inset), box.maxX - wide - inset)
                y = neighbor.side == .top ? box.minY + inset : box.maxY - high - inset
            case .left, .right:
                x = neighbor.side == .left ? box.minX + inset : box.maxX - wide - inset
                y = min(max(box.minY + box.height * share - high / 2, box.minY + inset), box.maxY - high - inset)
            }
            return Rectangle(minX: x, minY: y, maxX: x + wide, maxY: y + high)
        }
        let gap = 2 * ratio, wanted = place(at: share)
        // Where the mark is beside a box, on either side of it.
        let others = taken.flatMap { other -> [Double] in
            let (start, end) = isAcross ? (other.minX, other.maxX) : (other.minY, other.maxY)
            let reach = (isAcross ? wide : high) / 2 + gap + 0.5
            let (low, length) = isAcross ? (box.minX, box.width) : (box.minY, box.height)
            return [start - reach, end + reach].map { ($0 - low) / length }.filter { (0...1).contains($0) }
        }
        let candidates = [share] + others.sorted { (abs($0 - share), $0) < (abs($1 - share), $1) }
        let frame =
            candidates.lazy.map(place).first { found in
                !taken.contains { $0.overlaps(found.grown(by: gap)) }
            } ?? wanted
        let (x, y) = (frame.minX, frame.minY)
        let panel = Path.roundedRectangle(x: x, y: y, width: wide, height: high, radius: 4 * ratio)
        canvas.fill(panel, color: theme.paper)
        canvas.stroke(panel, style: StrokeStyle(width: ratio), color: theme.rule(70))
        let isFirst = neighbor.side == .left
        let center = Point(x: isFirst ? x + pad + arrow / 2 : frame.maxX - pad - arrow / 2, y: y + high / 2)
        let out = Self.outward(neighbor.side), half = arrow / 2
        // A triangle whose tip points out of the map.
        let tip = Point(x: center.x + out.x * half, y: center.y + out.y * half)
        let base = Point(x: center.x - out.x * half, y: center.y - out.y * half)
        canvas.fill(
            .polyline(
                [
                    tip, Point(x: base.x - out.y * half, y: base.y + out.x * half),
                    Point(x: base.x + out.y * half, y: base.y - out.x * half),
                ], closed: true), color: theme.ink)
        if let line {
            let left = isFirst ? x + 2 * pad + arrow : x + pad
            canvas.draw(
                line.shaped(by: .translation(x: left.rounded(), y: (y + high / 2 + 4 * ratio).rounded())),
                color: theme.ink, halo: nil)
        }
        return frame
    }

    /// Draws the outlines of other pages with their numbers.
    private func paintOutlines(on canvas: inout some PaintTarget) throws(TextError) -> [Link] {
        guard !page.outlines.isEmpty else { return [] }
        let color = MapColor(red: 190, green: 30, blue: 60)
        let shift = AffineTransform.translation(x: box.minX, y: box.minY)
        var links: [Link] = []
        for outline in page.outlines {
            let path = Path.polyline(outline.corners.map { shift($0) }, closed: true)
            canvas.stroke(path, style: StrokeStyle(width: 1.4 * ratio, join: .miter), color: color)
            let xs = outline.corners.map(\.x), ys = outline.corners.map(\.y)
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { continue }
            let bounds = Rectangle(
                minX: left + shift.tx, minY: top + shift.ty, maxX: right + shift.tx, maxY: bottom + shift.ty)
            links.append(Link(box: bounds, page: outline.page))
        }
        guard FontBook.isBuiltIn else { return links }
        // Numbers that would overlap are left out, never the first and the last.
        let ordered =
            page.outlines.prefix(1) + page.outlines.dropFirst().suffix(1) + page.outlines.dropFirst().dropLast()
        var plates: [Rectangle] = []
        for outline in ordered where !outline.corners.isEmpty {
            let line = try text(outline.text, weight: .bold, size: 11), count = Double(outline.corners.count)
            let middle = shift(
                Point(
                    x: outline.corners.reduce(0) { $0 + $1.x } / count,
                    y: outline.corners.reduce(0) { $0 + $1.y } / count))
            // A disc, or longer for numbers of several digits.
            let high = 18 * ratio, wide = max(line.advance + 9 * ratio, high)
            let place = Rectangle(
                minX: middle.x - wide / 2, minY: middle.y - high / 2, maxX: middle.x + wide / 2,
                maxY: middle.y + high / 2)
            guard !plates.contains(where: place.overlaps) else { continue }
            plates.append(place)
            let plate = Path.roundedRectangle(
                x: middle.x - wide / 2, y: middle.y - high / 2, width: wide, height: high, radius: high / 2)
            canvas.fill(plate, color: color)
            canvas.stroke(plate, style: StrokeStyle(width: 1.4 * ratio), color: .white)
            canvas.draw(
                line.shaped(by: .translation(x: middle.x - line.advance / 2, y: middle.y + 4 * ratio)),
                color: .white, halo: nil)
        }
        return links
    }
}
