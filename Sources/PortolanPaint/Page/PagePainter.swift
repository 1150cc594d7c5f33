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
    /// The lines of longitude and latitude of the map, or `nil`.
    var graticule: Furniture.Graticule?
    /// The boxes of the elements on the map, in pixels of the page, which the marks avoid.
    var taken: [Rectangle] = []
    /// The boxes of the symbols on the map, and those along the lines of routes, which the marks avoid if they can.
    var symbols: [Rectangle] = []
    var routes: [Rectangle] = []

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
        var links = outlineLinks()
        try paintNumbers(on: &canvas)
        let marks = page.frame.map { FrameTicks($0, of: viewport, graticule: graticule) }
        if let marks { try paint(marks, on: &canvas) }
        for (neighbor, box) in zip(page.neighbors, try neighborBoxes()) {
            try paint(neighbor, in: box, on: &canvas)
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
        var taken: [Rectangle] = []
        // A label hardly exceeds its side.
        let room = box.grown(by: PrintPage.frameWidth / 2 * ratio), page = Rectangle(layout.size)
        // In a corner, where the labels of two sides would meet, a label is moved along its side, if the others leave room.
        for isMoved in [false, true] {
            for mark in marks.ticks {
                let line = try text(mark.text), out = Self.outward(mark.side)
                let isHorizontal = out.x == 0, reach = line.advance / 2, depth = PrintPage.frameWidth * ratio
                var point = toPage(mark.point)
                let low = (isHorizontal ? room.minX : room.minY) + reach
                let high = (isHorizontal ? room.maxX : room.maxY) - reach
                let along = isHorizontal ? point.x : point.y, inside = max(min(along, high), low)
                guard low <= high, isMoved == (inside != along) else { continue }
                if isHorizontal { point.x = inside } else { point.y = inside }
                let across = isHorizontal ? reach : depth / 2, down = isHorizontal ? depth / 2 : reach
                let center = Point(x: point.x + out.x * depth / 2, y: point.y + out.y * depth / 2)
                let place = Rectangle(
                    minX: center.x - across, minY: center.y - down, maxX: center.x + across, maxY: center.y + down)
                guard page.encloses(place), !taken.contains(where: place.grown(by: 2 * ratio).overlaps) else {
                    continue
                }
                taken.append(place.grown(by: 2 * ratio))
                draw(line, at: point, side: mark.side, on: &canvas)
            }
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

    /// The boxes of the marks over the map, which names avoid.
    func markBoxes() throws(TextError) -> [Rectangle] { try neighborBoxes() + numbers().map(\.plate) }

    // MARK: - Neighbours

    /// The boxes of the marks that lead to other pages, inside the sides of the map.
    ///
    /// Each is as near to its position as other elements, routes and symbols allow, or else as the elements alone do. If
    /// all of the side is taken, it is farther inside.
    private func neighborBoxes() throws(TextError) -> [Rectangle] {
        var boxes: [Rectangle] = []
        for neighbor in page.neighbors {
            let size = try size(of: neighbor), share = Self.share(of: neighbor), taken = taken + boxes
            let found = [taken + symbols + routes, taken].lazy.compactMap { others in
                self.shares(near: share, beside: others, neighbor.side, size).map {
                    self.box(of: neighbor.side, size, at: $0)
                }.first { found in !others.contains { $0.overlaps(found.grown(by: Self.gap * self.ratio)) } }
            }.first
            boxes.append(found ?? inside(box(of: neighbor.side, size, at: share), neighbor.side, clearOf: taken))
        }
        return boxes
    }

    /// Returns a box moved from its side into the map, clear of other boxes, or the box itself if there is no room.
    private func inside(_ mark: Rectangle, _ side: PrintPage.Neighbor.Side, clearOf taken: [Rectangle]) -> Rectangle {
        let gap = Self.gap * ratio, hits = taken.filter(mark.grown(by: gap).overlaps), out = Self.outward(side)
        let distance = hits.map { hit in
            switch side {
            case .top: hit.maxY - mark.minY
            case .bottom: mark.maxY - hit.minY
            case .left: hit.maxX - mark.minX
            case .right: mark.maxX - hit.minX
            }
        }.max()
        guard let distance else { return mark }
        let moved = mark.moved(x: -out.x * (distance + gap + 1), y: -out.y * (distance + gap + 1))
        return box.encloses(moved) && !taken.contains(where: moved.overlaps) ? moved : mark
    }

    /// The free space around a mark, in view pixels.
    private static let gap = 2.0
    /// The height, the padding and the size of the arrow of a mark, in view pixels.
    private static let high = 18.0, pad = 4.0, arrow = 7.0

    private func size(of neighbor: PrintPage.Neighbor) throws(TextError) -> (wide: Double, high: Double) {
        let advance = FontBook.isBuiltIn ? try text(neighbor.text, weight: .bold, size: 11).advance : 0
        return (advance + (Self.arrow + 3 * Self.pad) * ratio, Self.high * ratio)
    }

    private static func share(of neighbor: PrintPage.Neighbor) -> Double {
        min(max(neighbor.position.isFinite ? neighbor.position : 0.5, 0), 1)
    }

    /// The box of a mark whose middle is at a share of its side.
    private func box(
        of side: PrintPage.Neighbor.Side, _ size: (wide: Double, high: Double), at share: Double
    ) -> Rectangle {
        let inset = 3 * ratio, x: Double, y: Double
        switch side {
        case .top, .bottom:
            x = min(
                max(box.minX + box.width * share - size.wide / 2, box.minX + inset), box.maxX - size.wide - inset)
            y = side == .top ? box.minY + inset : box.maxY - size.high - inset
        case .left, .right:
            x = side == .left ? box.minX + inset : box.maxX - size.wide - inset
            y = min(
                max(box.minY + box.height * share - size.high / 2, box.minY + inset), box.maxY - size.high - inset)
        }
        return Rectangle(minX: x, minY: y, maxX: x + size.wide, maxY: y + size.high)
    }

    /// The shares of a side at which a mark is at its position or just beside a box, the nearest first.
    private func shares(
        near share: Double, beside others: [Rectangle], _ side: PrintPage.Neighbor.Side,
        _ size: (wide: Double, high: Double)
    ) -> [Double] {
        let isAcross = side == .top || side == .bottom
        let (low, length) = isAcross ? (box.minX, box.width) : (box.minY, box.height)
        let reach = (isAcross ? size.wide : size.high) / 2 + Self.gap * ratio + 0.5
        // Only boxes near the side matter.
        let strip = [0, 1].map { self.box(of: side, size, at: $0).grown(by: Self.gap * ratio) }
        let along = strip[0].union(strip[1])
        let beside = others.filter(along.overlaps).flatMap { other -> [Double] in
            let (start, end) = isAcross ? (other.minX, other.maxX) : (other.minY, other.maxY)
            return [start - reach, end + reach].map { ($0 - low) / length }.filter { (0...1).contains($0) }
        }
        return [share] + beside.sorted { (abs($0 - share), $0) < (abs($1 - share), $1) }
    }

    /// Draws a mark with an arrow.
    private func paint(
        _ neighbor: PrintPage.Neighbor, in frame: Rectangle, on canvas: inout some PaintTarget
    ) throws(TextError) {
        let arrow = Self.arrow * ratio, pad = Self.pad * ratio, x = frame.minX
        let panel = Path.roundedRectangle(
            x: x, y: frame.minY, width: frame.width, height: frame.height, radius: 4 * ratio)
        canvas.fill(panel, color: theme.paper)
        canvas.stroke(panel, style: StrokeStyle(width: ratio), color: theme.rule(70))
        let isFirst = neighbor.side == .left
        let center = Point(x: isFirst ? x + pad + arrow / 2 : frame.maxX - pad - arrow / 2, y: frame.center.y)
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
        guard FontBook.isBuiltIn else { return }
        let left = isFirst ? x + 2 * pad + arrow : x + pad
        canvas.draw(
            try text(neighbor.text, weight: .bold, size: 11).shaped(
                by: .translation(x: left.rounded(), y: (frame.center.y + 4 * ratio).rounded())),
            color: theme.ink, halo: nil)
    }

    // MARK: - Outlines

    private static let outlineColor = MapColor(red: 190, green: 30, blue: 60)

    /// Draws the outlines of other pages in picture pixels of the map, below its labels and furniture.
    static func paintOutlines(of page: PrintPage, pixelRatio ratio: Double, on canvas: inout some PaintTarget) {
        guard !page.outlines.isEmpty else { return }
        canvas.group(PaintGroup(name: "pages")) { target in
            for outline in page.outlines {
                target.stroke(
                    .polyline(outline.corners, closed: true), style: StrokeStyle(width: 1.4 * ratio, join: .miter),
                    color: outlineColor)
            }
        }
    }

    /// The areas of the outlined pages.
    private func outlineLinks() -> [Link] {
        let shift = AffineTransform.translation(x: box.minX, y: box.minY)
        return page.outlines.compactMap { outline in
            let xs = outline.corners.map(\.x), ys = outline.corners.map(\.y)
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                return nil
            }
            let bounds = Rectangle(
                minX: left + shift.tx, minY: top + shift.ty, maxX: right + shift.tx, maxY: bottom + shift.ty)
            return Link(box: bounds, page: outline.page)
        }
    }

    /// Draws the numbers of the outlined pages.
    private func paintNumbers(on canvas: inout some PaintTarget) throws(TextError) {
        let color = Self.outlineColor
        for (line, plate) in try numbers() {
            let panel = Path.roundedRectangle(
                x: plate.minX, y: plate.minY, width: plate.width, height: plate.height, radius: plate.height / 2)
            canvas.fill(panel, color: color)
            canvas.stroke(panel, style: StrokeStyle(width: 1.4 * ratio), color: .white)
            canvas.draw(
                line.shaped(
                    by: .translation(x: plate.center.x - line.advance / 2, y: plate.center.y + 4 * ratio)),
                color: .white, halo: nil)
        }
    }

    /// The numbers of the outlined pages on their plates, each where it covers the least.
    ///
    /// Numbers that would overlap are left out, never the first and the last.
    private func numbers() throws(TextError) -> [(line: TextLine, plate: Rectangle)] {
        guard FontBook.isBuiltIn, !page.outlines.isEmpty else { return [] }
        let shift = AffineTransform.translation(x: box.minX, y: box.minY)
        let outlines = page.outlines.filter { $0.corners.count == 4 }
        let order =
            outlines.indices.prefix(1) + outlines.indices.dropFirst().suffix(1)
            + outlines.indices.dropFirst().dropLast()
        var places = PlatePlaces(
            outlines: outlines.map { $0.corners.map { shift($0) } }, elements: taken, symbols: symbols, routes: routes,
            in: box)
        var numbers: [(TextLine, Rectangle)] = []
        for index in order {
            let line = try text(outlines[index].text, weight: .bold, size: 11), high = 18 * ratio
            // A disc, or longer for numbers of several digits.
            let wide = max(line.advance + 9 * ratio, high)
            if let plate = places.take(index, width: wide, height: high) { numbers.append((line, plate)) }
        }
        return numbers
    }
}
