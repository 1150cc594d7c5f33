package import PortolanPlan
package import PortolanRaster
package import PortolanText
package import PortolanWeb

/// Paints the furniture of a picture.
package struct FurniturePainter {
    let furniture: Furniture
    let fonts: FontBook
    let viewport: Viewport
    private let legend: Legend?
    private let images: [NamedURL: PixelBuffer]
    let insetPictures: [PaintedInset]
    let theme: Furniture.Theme
    /// Returns the lines of the grid of a frame.
    private let grid: () -> [[Point]]
    /// Whether the lines of grids are painted with the other elements, as opposed to among the layers.
    private let includesLines: Bool
    /// Returns the parts of the picture that its layers take, or `nil` if they are unknown.
    let content: () -> PictureContent?
    /// Returns the parts of the picture that marks take, or `nil` if they are unknown.
    let marks: () -> PictureContent?
    /// Whether text is omitted because this build cannot set any.
    private let isTextLeftOut: Bool
    var pixelRatio: Double { viewport.pixelRatio }
    /// The sides of the picture in picture pixels.
    var width: Double { Double(viewport.imageSize.width) }
    var height: Double { Double(viewport.imageSize.height) }

    static let arrowRadius = 17.0, arrowMargin = 24.0
    /// The width of the arrow including its margins.
    static let arrowSpan = 2 * (arrowRadius + arrowMargin)

    /// Creates a painter.
    ///
    /// - Parameters:
    ///   - ground: the colour below the map.
    ///   - images: the received images of the legend, by address.
    ///   - insets: the pictures of other extents.
    ///   - includesLines: whether the lines of the graticule and the grid are painted with the other elements.
    ///   - content: returns the parts of the picture that its layers take; without them the legend is at the top right.
    ///   - marks: returns the parts that marks take; without them title and scale bar are in their usual positions.
    ///   - grid: returns the lines of a grid over the map, such as that of its frame.
    package init(
        furniture: Furniture, fonts: FontBook, viewport: Viewport, legend: Legend? = nil,
        images: [NamedURL: PixelBuffer] = [:], insets: [PaintedInset] = [], ground: MapColor = .white,
        includesLines: Bool = true, content: @escaping () -> PictureContent? = { nil },
        marks: @escaping () -> PictureContent? = { nil },
        grid: @escaping () -> [[Point]] = { [] }
    ) {
        self.grid = grid
        self.includesLines = includesLines
        self.content = content
        self.marks = marks
        insetPictures = insets
        theme = furniture.theme ?? .matching(ground)
        let isTextWanted = furniture.hasTexts || legend.map { !$0.entries.isEmpty } ?? false
        isTextLeftOut = !FontBook.isBuiltIn && isTextWanted
        self.legend = FontBook.isBuiltIn ? legend : nil
        self.images = images
        self.furniture = FontBook.isBuiltIn ? furniture : furniture.withoutTexts
        self.fonts = fonts
        self.viewport = viewport
    }

    var graticulePainter: GraticulePainter? {
        furniture.graticule.map {
            GraticulePainter(
                graticule: $0, viewport: viewport, fonts: fonts, theme: theme,
                sphere: furniture.showsOutline ? SpherePainter(viewport: viewport) : nil,
                hasLabels: !furniture.hasDegreesAtFrame)
        }
    }

    /// Paints the lines of the graticule and of the grid of a frame.
    func paintLines(on canvas: inout some PaintTarget) {
        graticulePainter?.paintLines(on: &canvas)
        var path = Path()
        for line in grid() { path.append(.polyline(line)) }
        guard !path.isEmpty else { return }
        canvas.stroke(path, style: StrokeStyle(width: 0.6 * pixelRatio), color: theme.graticule)
    }

    /// Paints all elements.
    ///
    /// Elements that do not fit are cut or omitted.
    package func paint(on canvas: inout some PaintTarget) throws(TextError) {
        if furniture.showsOutline {
            SpherePainter(viewport: viewport).stroke(theme.outline, on: &canvas)
        }
        if includesLines { paintLines(on: &canvas) }
        if let graticulePainter {
            try graticulePainter.paintLabels(clearOf: boxes(on: viewport.imageSize), on: &canvas)
        }
        for (inset, box) in try insetBoxes(on: viewport.imageSize) {
            try inset.paint(in: box, pixelRatio: pixelRatio, rule: theme.ink, on: &canvas)
        }
        var foot = height
        if let bar = furniture.infoBar { foot = try paint(bar, on: &canvas) }
        if let panel = furniture.profile {
            let box = profileBox(above: foot, width: width)
            try ProfilePainter(panel: panel, fonts: fonts, theme: theme, pixelRatio: pixelRatio).paint(
                in: box, on: &canvas)
            foot = box.minY
        }
        try attributionPainter?.paint(above: foot, width: width, on: &canvas)
        let legend = try legendPanel(on: viewport.imageSize)
        if furniture.hasTitle {
            let shift = try legend.map { panel throws(TextError) in try titleShift(beside: panel) } ?? 0
            var title = try titlePanel(on: viewport.imageSize)
            title.box = title.box.moved(x: shift, y: 0)
            titlePainter.paint(title, hasBorder: content().map { $0.weight(in: title.box) > 0 } ?? false, on: &canvas)
        }
        if furniture.showsScaleBar {
            try scaleBarPainter(on: viewport.imageSize).paint(above: foot, on: &canvas)
        }
        if let noticePainter { try noticePainter.paint(width: width, on: &canvas) }
        if let panel = factsPainter { try panel.paint(below: try top(), above: foot, width: width, on: &canvas) }
        if furniture.showsNorthArrow { try paintNorthArrow(on: &canvas) }
        if let legend { legendPainter?.paint(legend, on: &canvas) }
    }

    /// Returns the panel of the legend: in its corner or, without a stated one, at the top right, unless it covers less
    /// of the layers in another corner or between two.
    private func legendPanel(on size: ImageSize) throws(TextError) -> LegendPainter.Panel? {
        guard let legendPainter else { return nil }
        let foot = Double(size.height) - furniture.footHeight * pixelRatio, own = try ownBoxes(on: size)
        func panel(at corner: PaintedInset.Corner) throws(TextError) -> LegendPainter.Panel? {
            try legendPainter.panel(at: corner, above: foot, beside: own, width: Double(size.width))
        }
        guard furniture.legendCorner == .automatic else { return try panel(at: furniture.legendCorner) }
        guard let usual = try panel(at: .topRight), let content = content() else { return try panel(at: .topRight) }
        func weight(of panel: LegendPainter.Panel) -> Double {
            let box = panel.box.grown(by: 2 * pixelRatio), sphere = SpherePainter(viewport: viewport)
            return content.weight(in: box) + content.weight(ofEdge: sphere.edgeLength(in: box))
        }
        var panels = [usual], weights = [weight(of: usual)]
        guard weights[0] > PictureContent.slightLoss else { return usual }
        for corner in [PaintedInset.Corner.bottomLeft, .bottomRight, .topLeft] {
            guard let other = try panel(at: corner), other.leftOver <= usual.leftOver else { continue }
            panels.append(other)
            weights.append(weight(of: other))
        }
        let corner = panels[PictureContent.choice(of: weights)], least = weight(of: corner)
        guard least > PictureContent.slightLoss else { return corner }
        // Between the corners, if it covers clearly less there.
        var between = [corner]
        for side in [PaintedInset.Corner.topRight, .topLeft] {
            guard let other = try panel(at: side), other.leftOver <= usual.leftOver else { continue }
            between += other.slid(by: Self.legendStep * pixelRatio)
        }
        return between[PictureContent.choice(of: between.map(weight))]
    }

    /// The distance of the positions of a legend along a side, in view pixels.
    private static let legendStep = 12.0

    /// Whether the legend covers hardly anything of the layers.
    ///
    /// - Parameters:
    ///   - ofEdge: whether it does not cover the edge of the map's world either.
    ///   - images: the box of images in picture pixels, which it does not cover either.
    package func legendIsClear(ofEdge: Bool, images: Rectangle? = nil) throws(TextError) -> Bool {
        guard let content = content(), let panel = try legendPanel(on: viewport.imageSize) else { return false }
        let box = panel.box.grown(by: 2 * pixelRatio)
        guard content.isNearlyEmpty(in: box), images?.overlaps(box) != true else { return false }
        return !ofEdge || !SpherePainter(viewport: viewport).edgeRuns(through: box)
    }

    /// Returns the legend alone, or `nil` if there is none.
    func legendPicture(within size: ImageSize, exact: Bool) throws(TextError) -> PixelBuffer? {
        guard FontBook.isBuiltIn else { throw .notBuiltIn }
        return try legendPainter?.picture(within: size, exact: exact)
    }

    /// The box of the elevation profile.
    private func profileBox(above foot: Double, width: Double) -> Rectangle {
        let top = (foot - Furniture.ProfilePanel.height * pixelRatio).rounded()
        return Rectangle(minX: 0, minY: top, maxX: width, maxY: foot)
    }

    /// The scale bar: above a long attribution, and at the right of insets in its corner, if there is room.
    private func scaleBarPainter(on size: ImageSize) throws(TextError) -> ScaleBarPainter {
        var painter = ScaleBarPainter(viewport: viewport, fonts: fonts, theme: theme, units: furniture.scaleBarUnits)
        let width = Double(size.width), foot = Double(size.height) - furniture.footHeight * pixelRatio
        if let attribution = try attributionPainter?.box(above: foot, width: width),
            let box = try painter.box(above: foot, width: width)
        {
            if attribution.overlaps(box.grown(by: 3 * pixelRatio)) { painter.lift = attribution.height }
        }
        let beside = insetPictures.filter { $0.corner == .bottomLeft }
        guard let box = try painter.box(above: foot, width: width) else { return painter }
        var taken = try fixedBoxes(on: size), indent = 0.0
        guard !beside.isEmpty else {
            return try clearest(painter, at: box, above: foot, on: size, clearOf: taken)
        }
        for inset in beside {
            guard let own = inset.box(at: .bottomLeft, on: size, pixelRatio: pixelRatio, clearOf: taken)?.box else {
                return painter
            }
            taken.append(own.grown(by: PaintedInset.margin * pixelRatio / 2))
            if own.maxY > box.minY - PaintedInset.margin * pixelRatio { indent = max(indent, own.maxX) }
        }
        let moved = box.moved(x: indent, y: 0)
        guard moved.maxX <= width, !taken.contains(where: moved.overlaps) else { return painter }
        painter.indent = indent
        return painter
    }

    /// Returns a scale bar at the left or, if it covers fewer marks there, at the right.
    private func clearest(
        _ painter: ScaleBarPainter, at box: Rectangle, above foot: Double, on size: ImageSize,
        clearOf taken: [Rectangle]
    ) throws(TextError) -> ScaleBarPainter {
        guard let marks = marks(), marks.markCount(in: box) > 0,
            !insetPictures.contains(where: { $0.corner == .bottomRight })
        else { return painter }
        let width = Double(size.width)
        var other = painter
        other.indent = (width - box.maxX - box.minX).rounded(.down)
        if let attribution = try attributionPainter?.box(above: foot, width: width) { other.lift = attribution.height }
        guard let moved = try other.box(above: foot, width: width), moved.minX > box.maxX,
            !taken.contains(where: moved.overlaps)
        else { return painter }
        return PictureContent.clearest([(painter, box), (other, moved)]) { marks.markCount(in: $0.1) }.0
    }

    /// Returns the height of those of scale bar and attribution that cover marks, in picture pixels.
    ///
    /// - Parameter foot: the height of the bar and the panel along the bottom in view pixels.
    package func coveringHeight(above foot: Double) throws(TextError) -> Double {
        guard let marks = marks() else { return 0 }
        let size = viewport.imageSize, foot = height - foot * pixelRatio
        let boxes = [
            furniture.showsScaleBar ? try scaleBarPainter(on: size).box(above: foot, width: width) : nil,
            try attributionPainter?.box(above: foot, width: width),
        ].compactMap(\.self)
        return boxes.filter { marks.markCount(in: $0) > 0 }.map { foot - $0.minY }.max() ?? 0
    }

    private var noticePainter: NoticePainter? {
        furniture.notice.flatMap { notice in
            notice.text.isEmpty ? nil : NoticePainter(notice: notice, fonts: fonts, pixelRatio: pixelRatio)
        }
    }

    /// The bottom of a notice, below which everything else begins.
    func top() throws(TextError) -> Double { try noticePainter?.height(width: width) ?? 0 }

    private var factsPainter: FactsPainter? {
        furniture.panel.map { FactsPainter(panel: $0, fonts: fonts, theme: theme, pixelRatio: pixelRatio) }
    }

    private var legendPainter: LegendPainter? {
        guard let legend, !legend.entries.isEmpty else { return nil }
        return LegendPainter(legend: legend, images: images, fonts: fonts, theme: theme, pixelRatio: pixelRatio)
    }

    /// Returns a warning about a requested legend, and whether all of it is missing.
    func legendFinding(on size: ImageSize) throws(TextError) -> (warning: String?, isMissing: Bool) {
        guard let legend else { return (nil, false) }
        guard !legend.entries.isEmpty, legendPainter != nil else {
            return ("no layer in view has a legend", false)
        }
        guard let panel = try legendPanel(on: size) else {
            return ("no room for the legend; make the picture larger", true)
        }
        let rows = panel.columns.flatMap(\.rows)
        let leftOver = panel.leftOver
        guard leftOver > 0 else { return (nil, false) }
        guard rows.count > 1 else {
            return ("no room for any of the \(leftOver) legend entries; make the picture larger", true)
        }
        return ("legend entries left out: \(leftOver); make the picture larger", false)
    }

    /// Records the characters of texts set by the user that no font contains.
    func noteMissingCharacters(_ missing: inout MissingCharacters) throws(TextError) {
        if isTextLeftOut { missing.isTextLeftOut = true }
        let facts = furniture.panel.map { panel in
            [panel.title] + panel.notes + panel.rows.flatMap { [$0.mark ?? "", $0.text, $0.fact] }
        }
        let bar = furniture.infoBar.map { [$0.title] + $0.facts } ?? []
        let texts: [(String, String?)] =
            [
                ("the title", furniture.title), ("the subtitle", furniture.subtitle),
                ("the attribution", furniture.attribution),
                ("the notice", furniture.notice?.text),
            ]
            + bar.map { ("the information bar", $0) }
            + (furniture.profile.map { [$0.title ?? ""] + $0.marks.map(\.name) } ?? []).map { ("the profile", $0) }
            + (facts ?? []).map { ("the panel", $0) }
        for (owner, text) in texts {
            guard let text, !text.isEmpty else { continue }
            let line = try fonts.shape(Self.shortened(text), request: FontRequest(), size: 12 * pixelRatio)
            missing.add(line.missingScalars, of: .furniture(owner))
        }
    }

    /// Returns the boxes of the elements in picture pixels, except for a graticule, which covers everything.
    func boxes(on size: ImageSize) throws(TextError) -> [Rectangle] {
        let own = try ownBoxes(on: size)
        guard let panel = try legendPanel(on: size) else { return own }
        let shift = try titleShift(beside: panel), title = shift == 0 ? nil : try titlePanel(on: size).box
        return own.map { $0 == title ? $0.moved(x: shift, y: 0) : $0 } + [panel.box]
    }

    /// Returns the height of the title and the width of the legend in picture pixels.
    ///
    /// A legend counts on the side where it takes the smaller share.
    ///
    /// - Parameter foot: the height of the bar and the panel along the bottom in view pixels.
    package func insets(foot: Double) throws(TextError) -> (top: Double, right: Double) {
        var (top, legend) = try room(foot: foot), right = 0.0
        if let legend {
            if (width - legend.minX) / width <= legend.maxY / height {
                right = width - legend.minX
            } else {
                top = max(top, legend.maxY)
            }
        }
        return (top, right)
    }

    /// Returns the height of the title and the box of a legend at the top right in picture pixels.
    ///
    /// - Parameter foot: the height of the bar and the panel along the bottom in view pixels.
    package func room(foot: Double) throws(TextError) -> (title: Double, legend: Rectangle?) {
        let own = try ownBoxes(on: viewport.imageSize)
        let title = furniture.hasTitle ? try topTitlePanels(width: width)[0].box.maxY : 0
        let panel = try legendPainter?.panel(above: height - foot * pixelRatio, beside: own, width: width)
        return (title, panel?.box)
    }

    /// The boxes of all elements but the legend, which avoids them.
    func ownBoxes(on size: ImageSize) throws(TextError) -> [Rectangle] {
        try plainBoxes(on: size) + insetBoxes(on: size).map(\.box)
    }

    /// The insets with their boxes, clear of the other elements; those without room are omitted.
    private func insetBoxes(on size: ImageSize) throws(TextError) -> [(inset: PaintedInset, box: Rectangle)] {
        guard !insetPictures.isEmpty else { return [] }
        var taken = try plainBoxes(on: size), placed: [(PaintedInset, Rectangle)] = []
        for inset in insetPictures {
            let box = inset.box(on: size, pixelRatio: pixelRatio, clearOf: taken) { content()?.weight(in: $0) ?? 0 }
            guard let box else { continue }
            placed.append((inset, box))
            taken.append(box.grown(by: PaintedInset.margin * pixelRatio / 2))
        }
        return placed
    }

    /// The number of insets without room.
    func omittedInsetCount(on size: ImageSize) throws(TextError) -> Int {
        try insetPictures.count - insetBoxes(on: size).count
    }

    /// Returns the warnings about insets that cover parts of the layers in their stated corners.
    func insetFindings(on size: ImageSize) throws(TextError) -> [MapWarning] {
        guard insetPictures.contains(where: { $0.corner != .automatic }), let content = content() else { return [] }
        let placed = try insetBoxes(on: size), plain = try plainBoxes(on: size)
        return placed.compactMap { inset, box in
            guard inset.corner != .automatic else { return nil }
            let others = placed.map(\.box).filter { $0 != box }
            let corners = PaintedInset.Corner.allCases.filter { $0 != .automatic && $0 != inset.corner }
            let found = corners.compactMap { corner -> (corner: PaintedInset.Corner, weight: Double)? in
                let own = inset.box(at: corner, on: size, pixelRatio: pixelRatio, clearOf: plain + others)
                return own.map { (corner, content.weight(in: $0.box)) }
            }
            let weights = [content.weight(in: box)] + found.map(\.weight), best = PictureContent.choice(of: weights)
            guard weights[0] > PictureContent.slightLoss else { return nil }
            let clear = inset.clearShare(on: size, pixelRatio: pixelRatio, clearOf: plain + others) {
                content.weight(in: $0) <= PictureContent.slightLoss
            }
            let other = best == 0 ? nil : found[best - 1]
            let isClear = other.map { $0.weight <= PictureContent.slightLoss } ?? false
            let remedies = [
                other.map { "at=\($0.corner.text) covers \(isClear ? "hardly anything" : "fewer")" },
                clear.map { "size=\($0)% fits in this corner" },
            ].compactMap(\.self)
            let remedy = remedies.isEmpty ? "show a larger extent" : remedies.joined(separator: ", and ")
            return MapWarning(
                .inset, message: "the inset at \(inset.corner.text) covers parts of the layers; \(remedy)")
        }
    }

    /// The boxes of all elements but insets and the legend, which avoid them.
    private func plainBoxes(on size: ImageSize) throws(TextError) -> [Rectangle] {
        let foot = Double(size.height) - furniture.footHeight * pixelRatio
        let bar =
            furniture.showsScaleBar
            ? try scaleBarPainter(on: size).box(above: foot, width: Double(size.width)) : nil
        return try fixedBoxes(on: size) + [bar].compactMap(\.self)
    }

    /// The boxes of the elements that avoid no others.
    private func fixedBoxes(on size: ImageSize) throws(TextError) -> [Rectangle] {
        let width = Double(size.width), height = Double(size.height)
        var boxes: [Rectangle] = []
        var foot = height
        if furniture.infoBar != nil {
            foot -= Furniture.InfoBar.height * pixelRatio
            boxes.append(Rectangle(minX: 0, minY: foot, maxX: width, maxY: height))
        }
        if furniture.profile != nil {
            let box = profileBox(above: foot, width: width)
            boxes.append(box)
            foot = box.minY
        }
        if let box = try attributionPainter?.box(above: foot, width: width) { boxes.append(box) }
        let top = try top()
        if top > 0 { boxes.append(Rectangle(minX: 0, minY: 0, maxX: width, maxY: top)) }
        boxes += try cornerBoxes(on: size)
        if furniture.hasTitle { boxes.append(try titlePanel(on: size).box) }
        return boxes
    }

    /// The boxes of the panel at the left and of the north arrow.
    func cornerBoxes(on size: ImageSize) throws(TextError) -> [Rectangle] {
        let width = Double(size.width), foot = Double(size.height) - furniture.footHeight * pixelRatio, top = try top()
        var boxes = [try factsPainter?.box(below: top, above: foot, width: width)].compactMap(\.self)
        if furniture.showsNorthArrow {
            let radius = Self.arrowRadius * pixelRatio, margin = Self.arrowMargin * pixelRatio
            // The letter is outside the circle, wherever north is.
            boxes.append(
                Rectangle(
                    minX: width - margin - 2 * radius, minY: top + margin, maxX: width - margin,
                    maxY: top + margin + 2 * radius
                ).grown(by: 15 * pixelRatio))
        }
        return boxes
    }

    /// Paints a compass needle, with its dark half to the north.
    private func paintNorthArrow(on canvas: inout some PaintTarget) throws(TextError) {
        let radius = Self.arrowRadius * pixelRatio, margin = Self.arrowMargin * pixelRatio
        let center = Point(x: width - margin - radius, y: try top() + margin + radius)
        canvas.fill(.circle(center: center, radius: radius), color: theme.paper)
        canvas.stroke(
            .circle(center: center, radius: radius), style: StrokeStyle(width: pixelRatio),
            color: theme.rule(60))
        let turn = AffineTransform.rotation(degrees: -viewport.rotation)
            .then(.translation(x: center.x, y: center.y))
        let reach = radius * 0.78, half = radius * 0.3
        func needle(_ direction: Double) -> Path {
            Path.polyline(
                [Point(x: -half, y: 0), Point(x: 0, y: direction * reach), Point(x: half, y: 0)], closed: true
            ).transformed(by: turn)
        }
        canvas.fill(needle(-1), color: MapColor(red: 200, green: 45, blue: 45))
        canvas.fill(needle(1), color: MapColor(red: 190, green: 194, blue: 200))
        guard FontBook.isBuiltIn else { return }
        let letter = try fonts.shape("N", request: FontRequest(weight: .bold), size: 10 * pixelRatio)
        let place = turn(Point(x: 0, y: -radius - 8 * pixelRatio))
        let origin = AffineTransform.translation(
            x: (place.x - letter.advance / 2).rounded(), y: (place.y + 3.6 * pixelRatio).rounded())
        canvas.draw(
            letter.shaped(by: origin), color: theme.ink,
            halo: ShapedText.Halo(width: 3 * pixelRatio, color: theme.paper))
    }

    private var attributionPainter: AttributionPainter? {
        guard let text = furniture.attribution, !text.isEmpty else { return nil }
        return AttributionPainter(text: text, fonts: fonts, theme: theme, pixelRatio: pixelRatio)
    }

    /// Returns the areas of the attribution that lead to pages, in picture pixels.
    func attributionLinks() throws(TextError) -> [(box: Rectangle, address: String)] {
        let foot = height - furniture.footHeight * pixelRatio
        let links = furniture.attributionLinks + AttributionLink.written(in: furniture.attribution ?? "")
        return try attributionPainter?.areas(of: links, above: foot, width: width) ?? []
    }

    /// Paints the bar and returns its top.
    private func paint(_ bar: Furniture.InfoBar, on canvas: inout some PaintTarget) throws(TextError) -> Double {
        let padding = 14 * pixelRatio, titleSize = 17 * pixelRatio, factSize = 15 * pixelRatio
        let barHeight = Furniture.InfoBar.height * pixelRatio, top = height - barHeight
        canvas.fill(rectangle(x: 0, y: top, width: width, height: barHeight), color: theme.paper)
        canvas.fill(
            rectangle(x: 0, y: top, width: width, height: pixelRatio),
            color: theme.rule(40))
        let baseline = top + barHeight / 2 + 0.36 * titleSize
        let (title, facts) = try lines(of: bar, titleSize, factSize, gap: 2 * padding, room: width - 2 * padding)
        var right = width - padding
        for line in facts.reversed() {
            canvas.draw(line, x: right - line.advance, baseline: baseline, color: theme.faintInk)
            right -= line.advance + 2 * padding
        }
        if let title { canvas.draw(title, x: padding, baseline: baseline, color: theme.ink) }
        return top
    }

    /// The title and the facts of a bar that fit.
    ///
    /// A title that is too wide is set smaller, then takes the room of all facts but the first, and is cut only after
    /// that. A first fact that is a long text is cut before the title.
    private func lines(
        of bar: Furniture.InfoBar, _ titleSize: Double, _ factSize: Double, gap: Double, room: Double
    ) throws(TextError) -> (title: TextLine?, facts: [TextLine]) {
        func oneLine(_ text: String) -> String {
            Self.shortened(text).split(whereSeparator: \.isNewline).joined(separator: " ")
        }
        let text = oneLine(bar.title), bold = FontRequest(weight: .bold), smallest = 0.8 * titleSize
        var facts: [TextLine] = []
        for fact in bar.facts {
            facts.append(try fonts.shape(oneLine(fact), request: FontRequest(), size: factSize))
        }
        func left() -> Double { room - facts.reduce(0) { $0 + $1.advance + gap } }
        let least = try fonts.shape(text, request: bold, size: smallest).advance
        while facts.count > 1, least > left() { facts.removeLast() }
        if let fact = bar.facts.first, facts.count == 1, min(least, room / 2) > left() {
            let cut = try fonts.cut(
                oneLine(fact), request: FontRequest(), size: factSize,
                maximumWidth: room - min(least, room / 2) - gap)
            facts = [cut].compactMap(\.self)
        }
        guard left() > 0 else { return (nil, facts) }
        let wanted = try fonts.shape(text, request: bold, size: titleSize).advance
        // Letters do not shrink quite in proportion.
        let size = wanted > left() ? max(smallest, 0.99 * titleSize * left() / wanted) : titleSize
        return (try fonts.cut(text, request: bold, size: size, maximumWidth: left()), facts)
    }

    /// Returns the longest text that a picture can show: an attribution of any length must not slow down the rendering.
    static func shortened(_ text: String) -> String {
        let limit = 1000
        return text.unicodeScalars.count <= limit ? text : String(text.unicodeScalars.prefix(limit)) + "…"
    }

    private func rectangle(x: Double, y: Double, width: Double, height: Double) -> Path {
        .rectangle(x: x.rounded(), y: y.rounded(), width: width.rounded(.up), height: height.rounded(.up))
    }
}

extension Furniture {
    /// Whether it contains text.
    fileprivate var hasTexts: Bool {
        [title, subtitle, attribution, notice?.text].contains { $0?.isEmpty == false } || infoBar != nil || panel != nil
            || profile != nil
            || showsScaleBar || showsNorthArrow || graticule != nil
    }

    /// Whether there is a title or subtitle.
    var hasTitle: Bool { title?.isEmpty == false || subtitle?.isEmpty == false }

    /// The elements without text, for a build that cannot set it: an arrow, graticule lines and the outline.
    fileprivate var withoutTexts: Furniture {
        Furniture(
            profile: profile, showsNorthArrow: showsNorthArrow, graticule: graticule, theme: theme,
            showsOutline: showsOutline)
    }
}
