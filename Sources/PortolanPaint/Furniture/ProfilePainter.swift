import PortolanFeatures
package import PortolanRaster
package import PortolanText

/// Paints an elevation profile: the area below the line, axes with round ticks, and places along it.
package struct ProfilePainter {
    private let panel: Furniture.ProfilePanel
    private let fonts: FontBook
    private let theme: Furniture.Theme
    private let pixelRatio: Double

    /// The size of texts, that of the title, and that of the bounds of slopes, in view pixels.
    private static let textSize = 11.0, titleSize = 13.0, boundSize = 9.0
    /// The width of a class in the key of slopes, in view pixels.
    private static let classWidth = 20.0
    /// The least shown range of altitudes in metres, so that level ground does not look mountainous.
    private static let leastRange = 20.0

    /// Creates a painter.
    package init(panel: Furniture.ProfilePanel, fonts: FontBook, theme: Furniture.Theme, pixelRatio: Double) {
        self.panel = panel
        self.fonts = fonts
        self.theme = theme
        self.pixelRatio = pixelRatio
    }

    /// The scales of a profile in its box.
    private struct Frame {
        /// The box of the profile itself.
        let box: Rectangle
        let across: ProfileAxis
        let up: ProfileAxis

        func x(_ distance: Double) -> Double {
            box.minX + (distance - across.low) / (across.high - across.low) * box.width
        }
        func y(_ altitude: Double) -> Double { box.maxY - (altitude - up.low) / (up.high - up.low) * box.height }
    }

    /// Paints the panel.
    ///
    /// - Parameter box: its box in picture pixels.
    package func paint(in box: Rectangle, on canvas: inout some PaintTarget) throws(TextError) {
        canvas.fill(.rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height), color: theme.panel)
        canvas.fill(.rectangle(x: box.minX, y: box.minY, width: box.width, height: pixelRatio), color: theme.rule(40))
        let frame = try frame(in: box)
        guard frame.box.width >= 8 * pixelRatio, frame.box.height >= 8 * pixelRatio else { return }
        try paintAxes(frame, on: &canvas)
        paintProfile(frame, on: &canvas)
        try paintMarks(frame, in: box, on: &canvas)
        paintPosition(frame, on: &canvas)
        try paintTitle(in: box, on: &canvas)
    }

    private var hasMarks: Bool { FontBook.isBuiltIn && !panel.marks.isEmpty }

    private func frame(in box: Rectangle) throws(TextError) -> Frame {
        let ratio = pixelRatio, range = panel.profile.range
        let top = box.minY + (FontBook.isBuiltIn ? 26 : 8) * ratio + (hasMarks ? 16 * ratio : 0)
        let bottom = box.maxY - (FontBook.isBuiltIn ? 22 : 8) * ratio
        let middle = (range.lowerBound + range.upperBound) / 2
        let half = max(range.upperBound - range.lowerBound, Self.leastRange) / 2
        let up = ProfileAxis(
            from: middle - half, to: middle + half, count: Int((bottom - top) / (24 * ratio)), isExtended: true)
        var left = 12 * ratio
        if FontBook.isBuiltIn {
            for tick in up.ticks { left = max(left, try line(altitudeText(tick, up)).advance + 18 * ratio) }
        }
        let inner = Rectangle(
            minX: (box.minX + left).rounded(), minY: top.rounded(), maxX: (box.maxX - 22 * ratio).rounded(),
            maxY: bottom.rounded())
        let across = ProfileAxis(
            from: 0, to: max(panel.profile.length, 1), count: Int(inner.width / (64 * ratio)), isExtended: false)
        return Frame(box: inner, across: across, up: up)
    }

    private func line(
        _ text: String, size: Double = ProfilePainter.textSize, isBold: Bool = false
    ) throws(TextError)
        -> TextLine
    {
        try fonts.shape(text, request: FontRequest(weight: isBold ? .bold : .regular), size: size * pixelRatio)
    }

    private func altitudeText(_ altitude: Double, _ axis: ProfileAxis) -> String { "\(axis.text(altitude)) m" }

    private func paintAxes(_ frame: Frame, on canvas: inout some PaintTarget) throws(TextError) {
        let ratio = pixelRatio, box = frame.box, rule = max(ratio.rounded(), 1)
        for tick in frame.up.ticks {
            let y = frame.y(tick).rounded()
            canvas.fill(
                .rectangle(x: box.minX, y: y, width: box.width, height: rule),
                color: theme.rule(tick == frame.up.low ? 90 : 28))
            guard FontBook.isBuiltIn else { continue }
            let text = try line(altitudeText(tick, frame.up))
            canvas.draw(
                text, x: box.minX - 8 * ratio - text.advance, baseline: y + 4 * ratio, color: theme.faintInk)
        }
        let isInKilometres = frame.across.high >= 1000, scale = isInKilometres ? 1000.0 : 1
        for tick in frame.across.ticks {
            let x = frame.x(tick).rounded()
            canvas.fill(
                .rectangle(x: x, y: box.maxY, width: rule, height: (5 * ratio).rounded()), color: theme.rule(90))
            guard FontBook.isBuiltIn else { continue }
            let unit = tick == 0 ? "" : isInKilometres ? " km" : " m"
            let text = try line(frame.across.text(tick, scale: scale) + unit)
            canvas.draw(
                text, x: x - text.advance / 2, baseline: box.maxY + 17 * ratio, color: theme.faintInk)
        }
    }

    private func paintProfile(_ frame: Frame, on canvas: inout some PaintTarget) {
        let samples = panel.profile.samples
        let stretches = panel.slopes?.stretches(of: panel.profile) ?? []
        for run in panel.profile.runs where run.count > 1 {
            let points = Self.visible(
                samples[run].map { Point(x: frame.x($0.distance), y: frame.y($0.altitude)) })
            guard let first = points.first, let last = points.last else { continue }
            let area = Path.polyline(
                points + [Point(x: last.x, y: frame.box.maxY), Point(x: first.x, y: frame.box.maxY)], closed: true)
            if let slopes = panel.slopes {
                let start = samples[run.lowerBound].distance, end = samples[run.upperBound - 1].distance
                for stretch in stretches where stretch.range.lowerBound >= start && stretch.range.upperBound <= end {
                    let left = frame.x(stretch.range.lowerBound), right = frame.x(stretch.range.upperBound)
                    // A piece extends slightly below the next, so that no seam is visible.
                    let clip = Path.rectangle(
                        x: left, y: frame.box.minY, width: min(right + 0.5, last.x) - left, height: frame.box.height)
                    canvas.group(PaintGroup(clip: clip)) { group in
                        group.fill(area, rule: .nonZero, color: slopes.classes[stretch.number].color)
                    }
                }
            } else {
                canvas.fill(area, color: panel.color.withOpacity(0.28))
            }
            canvas.stroke(
                .polyline(points), style: StrokeStyle(width: 1.6 * pixelRatio, cap: .round, join: .round),
                color: panel.slopes == nil ? panel.color : theme.ink)
        }
    }

    /// Returns the points without those that do not change the picture: of each half pixel column, the first, the
    /// lowest, the highest and the last one remain.
    private static func visible(_ points: [Point]) -> [Point] {
        guard points.count > 4 else { return points }
        var kept: [Point] = [], start = 0
        while start < points.count {
            let column = (points[start].x * 2).rounded(.down)
            var end = start, low = start, high = start
            while end < points.count, (points[end].x * 2).rounded(.down) == column {
                if points[end].y < points[low].y { low = end }
                if points[end].y > points[high].y { high = end }
                end += 1
            }
            kept += Set([start, low, high, end - 1]).sorted().map { points[$0] }
            start = end
        }
        return kept
    }

    /// Paints the places from left to right, with the names that have room.
    private func paintMarks(_ frame: Frame, in box: Rectangle, on canvas: inout some PaintTarget) throws(TextError) {
        let ratio = pixelRatio
        // Left of the frame are the elevations.
        var right = frame.box.minX
        for mark in panel.marks.sorted(by: { $0.distance < $1.distance }) {
            guard mark.distance.isFinite, (0...max(panel.profile.length, 1)).contains(mark.distance) else { continue }
            let x = frame.x(mark.distance)
            let y = panel.profile.altitude(at: mark.distance).map(frame.y) ?? frame.box.maxY
            if FontBook.isBuiltIn, !mark.name.isEmpty {
                let name = try fonts.cut(
                    FurniturePainter.shortened(mark.name), request: FontRequest(), size: Self.textSize * ratio,
                    maximumWidth: 130 * ratio)
                if let name {
                    let left = min(max(x - name.advance / 2, frame.box.minX), box.maxX - 4 * ratio - name.advance)
                    if left >= right {
                        let line = Path.polyline([Point(x: x, y: frame.box.minY - 2 * ratio), Point(x: x, y: y)])
                        canvas.stroke(
                            line, style: StrokeStyle(width: ratio, dashes: [3 * ratio, 3 * ratio]),
                            color: theme.rule(110))
                        canvas.draw(name, x: left, baseline: frame.box.minY - 5 * ratio, color: theme.ink)
                        right = left + name.advance + 8 * ratio
                    }
                }
            }
            let disc = Path.circle(center: Point(x: x, y: y), radius: 3.5 * ratio)
            canvas.fill(disc, color: theme.panel)
            canvas.stroke(disc, style: StrokeStyle(width: 1.6 * ratio), color: theme.ink)
        }
    }

    private func paintPosition(_ frame: Frame, on canvas: inout some PaintTarget) {
        guard let position = panel.position, position.isFinite else { return }
        let ratio = pixelRatio, distance = min(max(position, 0), frame.across.high), x = frame.x(distance)
        canvas.stroke(
            .polyline([Point(x: x, y: frame.box.minY), Point(x: x, y: frame.box.maxY)]),
            style: StrokeStyle(width: 1.5 * ratio), color: theme.ink)
        guard let altitude = panel.profile.altitude(at: distance) else { return }
        let disc = Path.circle(center: Point(x: x, y: frame.y(altitude)), radius: 5 * ratio)
        canvas.fill(disc, color: MapColor(red: 214, green: 40, blue: 40))
        canvas.stroke(disc, style: StrokeStyle(width: 2 * ratio), color: .white)
    }

    private func paintTitle(in box: Rectangle, on canvas: inout some PaintTarget) throws(TextError) {
        guard FontBook.isBuiltIn else { return }
        let ratio = pixelRatio, baseline = box.minY + 18 * ratio, padding = 12 * ratio
        let facts = try line(panel.profile.summary)
        let room = box.width - 2 * padding
        guard facts.advance <= room else { return }
        canvas.draw(facts, x: box.maxX - padding - facts.advance, baseline: baseline, color: theme.faintInk)
        let left = room - facts.advance - padding
        guard left > 0 else { return }
        var name: TextLine?
        if let title = panel.title, !title.isEmpty {
            name = try fonts.cut(
                FurniturePainter.shortened(title), request: FontRequest(weight: .bold), size: Self.titleSize * ratio,
                maximumWidth: left)
        }
        if let name { canvas.draw(name, x: box.minX + padding, baseline: baseline, color: theme.ink) }
        guard let classes = panel.slopes?.classes else { return }
        // A key beside the title, which it does not cut.
        let width = Double(classes.count) * Self.classWidth * ratio
        guard width + (name.map { $0.advance + padding } ?? 0) <= left else { return }
        try paintKey(of: classes, x: box.minX + padding + left - width, y: box.minY + 6 * ratio, on: &canvas)
    }

    /// Paints the colours of slopes side by side, with the per cents where one follows another.
    private func paintKey(
        of classes: [SlopeClasses.Class], x: Double, y: Double, on canvas: inout some PaintTarget
    ) throws(TextError) {
        let ratio = pixelRatio, width = Self.classWidth * ratio
        for (number, slope) in classes.enumerated() {
            let left = (x + Double(number) * width).rounded(), right = (x + Double(number + 1) * width).rounded()
            canvas.fill(
                .rectangle(x: left, y: y.rounded(), width: right - left, height: (6 * ratio).rounded()),
                color: slope.color)
            guard slope.lowerBound.isFinite else { continue }
            let bound = DecimalText.units(slope.lowerBound * 100, decimals: 0)
            let middle = try line("\(bound)", size: Self.boundSize).advance / 2
            let text = try line(number == classes.count - 1 ? "\(bound) %" : "\(bound)", size: Self.boundSize)
            canvas.draw(text, x: left - middle, baseline: y.rounded() + 15 * ratio, color: theme.faintInk)
        }
    }
}

extension ElevationProfile {
    /// The length, ascent and descent, such as `12.4 km · 640 m up · 620 m down`.
    var summary: String {
        func whole(_ value: Double) -> String { String(Int(min(max(value, -1e9), 1e9).rounded())) }
        let tenths = DecimalText.units(length / 1000, decimals: 1)
        let way = length < 1000 ? whole(length) + " m" : "\(tenths / 10).\(tenths % 10) km"
        return "\(way) · \(whole(ascent)) m up · \(whole(descent)) m down"
    }
}
