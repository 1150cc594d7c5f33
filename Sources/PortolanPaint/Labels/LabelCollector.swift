import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb

/// Collects the labels of all layers of a picture and places them.
///
/// The cost depends on the features in view. Only placed labels are kept in memory with their letters.
struct LabelCollector {
    /// A label to be placed.
    struct Label {
        var words: Words
        let rank: LabelRank
        let site: LabelSite
    }

    /// The parameters of a shaped text, owned by the layer's styles.
    private struct TextKey: Hashable {
        let label: ObjectIdentifier
        let text: String
        let isOneLine: Bool
    }

    /// The marks of equal features of a layer.
    private struct HeldMark: Hashable {
        let look: Int
        let icon: Int32
    }

    /// The placed labels, and the losses.
    struct Result {
        /// The labels in placement order.
        var placed: [PlacedLabel] = []
        /// The number of labels of each layer that are missing or cut.
        var losses: [LabelLosses] = []
        /// Whether text is omitted because this build cannot set any.
        var isTextLeftOut = false
        /// The memory charge of the labels.
        var charge: MemoryCharge?
    }

    /// The approximate memory of a letter of a placed label, in bytes.
    private static let bytesPerLetter = 200
    /// The approximate number of shaped letters that are kept for repeated texts.
    private static let keptLetterCount = 1 << 15

    /// The part of the picture whose labels are needed.
    ///
    /// The surrounding labels only collide with them.
    struct Cell {
        /// In picture pixels.
        let frame: Rectangle
        /// The margin of the picture on each side, in picture pixels.
        let margin: Double
    }

    let viewport: Viewport
    private(set) var cell: Cell?
    /// The distance from the edge within which points have no label, as their marks are cut, in picture pixels.
    private var edge = 0.0
    let fonts: FontBook
    private let charge: MemoryCharge?
    var losses: [LabelLosses] = []
    private(set) var marks: MarkCollector
    private(set) var labels: [Label] = []
    /// The index of the layer, and that of the next label in it.
    private(set) var layer = 0, order = 0
    /// Whether a style sheet sorts the labels of the layer.
    private(set) var isSorted = false
    /// Whether icons along lines of the layer are only where a line is straight.
    private(set) var keepsIconsStraight = false
    /// The contents of the routes whose places have no names.
    private var routes: Set<UInt64> = []
    /// The number of labels that were tried with a leader.
    var leaderCount = 0
    /// The middles of the marks whose labels were tried so far, by layer.
    var namedMarks: [Int: OccupiedGrid] = [:]
    /// The boxes of these marks, by layer.
    var namedBoxes: [Int: OccupiedGrid] = [:]
    /// The marks that are drawn with their labels.
    private(set) var heldMarks: [MarkerSymbol] = []
    /// The indexes of these marks in the layer.
    private var heldMarkNumbers: [HeldMark: Int] = [:]
    /// The indexes of the layers with style sheets.
    private(set) var layersWithSheets: Set<Int> = []
    /// The boxes of the furniture over the map.
    var furniture: [Rectangle] = []
    /// Whether no name is cut by the edge, as on paper.
    var keepsWhole = false
    /// The points where leaders begin.
    var leaderStarts: [Point] = []
    /// Whether text is omitted because this build cannot set any.
    private var isTextLeftOut = false
    /// The style zoom.
    let styleZoom: Double
    /// The vector tiles of the symbols of each layer so far, or `nil` for other features.
    private(set) var tiles: [LabelTiles?] = []
    /// The points at which tiles cut the lines of the layer.
    private(set) var cuts: Set<Point> = []
    /// The lines that may be joined.
    private var waiting = PendingLines()
    /// The edge of the map's world, or `nil` if it has none.
    let worldEdge: WorldEdge?
    /// The labelled areas of each layer.
    var areas: [LabelledAreas] = []
    /// The variants of area labels.
    let areaNames = AreaNames()
    /// The shaped texts.
    private var texts = BoundedCache<TextKey, LabelText?>(limit: keptLetterCount)

    var pixelRatio: Double { viewport.pixelRatio }
    var picture: Rectangle { Rectangle(viewport.imageSize) }

    /// Returns the placed labels.
    ///
    /// Labels that exceed the memory budget are omitted.
    ///
    /// - Parameters:
    ///   - kept: boxes that stay free besides those of the furniture, in picture pixels.
    ///   - omitsRoutePlaces: whether names of the places of routes are omitted, as on a map that only shows the way.
    ///   - isOnPaper: whether it is a page, whose edge cuts no names.
    static func placedLabels(
        _ layers: [Scene.FeatureStep], viewport: Viewport, images: [NamedURL: PixelBuffer], fonts: FontBook,
        furniture: FurniturePainter, kept: [Rectangle] = [], omitsRoutePlaces: Bool = false, isOnPaper: Bool = false,
        cell: Cell? = nil, edge: Double = 0, memory: MemoryBudget? = nil
    ) throws(TextError) -> Result {
        guard let lowest = layers.firstIndex(where: \.hasLabels) else { return Result() }
        // Lines matter to labels of layers below, to those of points in the same layer, and to those of networks.
        let haveLines = layers.indices.map {
            ($0 >= lowest || layers[$0].content.source.avoidsOwnLines) && layers[$0].keepsLinesClear
        }
        // Layers without marks, labels and such lines have no effect.
        let layers = zip(layers, haveLines).map { step, hasLines in
            step.mayHaveSymbols || hasLines ? LabelledLayer(step, viewport: viewport, images: images) : nil
        }
        let isSought = layers.contains { $0?.looks.all.contains { $0.label?.symbol.placement == .free } ?? false }
        var collector = LabelCollector(
            viewport: viewport, fonts: fonts, marks: MarkCollector(keepsBoxes: isSought),
            charge: try? memory?.charge(0))
        collector.cell = cell
        collector.edge = edge
        collector.keepsWhole = isOnPaper
        if isSought { for case let layer? in layers { collector.marks.collectPriorities(layer) } }
        if omitsRoutePlaces {
            collector.routes = Set(
                layers.compactMap { layer in
                    layer.flatMap { $0.step.keepsLinesClear ? $0.step.content.source.contentID : nil }
                })
        }
        for case let (number, layer?) in layers.enumerated() {
            collector.marks.collect(layer, viewport: viewport)
            guard haveLines[number] else { continue }
            let names =
                layer.step.content.source.avoidsOwnLines
                ? Self.namesLayer(of: layer.step.content.source, in: layers) : nil
            collector.marks.collectLines(layer, names ?? number, viewport: viewport)
        }
        for (number, layer) in layers.enumerated() {
            collector.layer = number
            collector.order = 0
            collector.losses.append(LabelLosses())
            collector.areas.append(LabelledAreas(in: collector.picture, pixelRatio: viewport.pixelRatio))
            collector.tiles.append(
                layer?.step.content.source.tileZoom.map { LabelTiles(zoom: $0, styleZoom: collector.styleZoom) })
            collector.cuts = []
            if layer?.step.content.source.sheet != nil { collector.layersWithSheets.insert(number) }
            if let layer { try collector.collect(layer) }
        }
        let placed = try collector.place(beside: try furniture.boxes(on: viewport.imageSize) + kept)
        return Result(
            placed: placed, losses: collector.losses, isTextLeftOut: collector.isTextLeftOut, charge: collector.charge)
    }

    /// The index of the highest layer with texts at the points of a source that are placed freely, or `nil`.
    private static func namesLayer(of source: FeatureSource, in layers: [LabelledLayer?]) -> Int? {
        layers.lastIndex { layer in
            guard let layer, layer.step.content.source.contentID == source.contentID else { return false }
            return layer.looks.all.contains { $0.label?.symbol.isAroundMark ?? false }
        }
    }

    private init(viewport: Viewport, fonts: FontBook, marks: MarkCollector, charge: MemoryCharge?) {
        self.charge = charge
        self.viewport = viewport
        styleZoom = viewport.styleZoom
        worldEdge = WorldEdge(in: viewport)
        self.fonts = fonts
        self.marks = marks
    }

    private mutating func collect(_ layer: LabelledLayer) throws(TextError) {
        guard let shapes = layer.shapes, layer.looks.all.contains(where: { $0.label != nil }) else { return }
        isSorted = layer.looks.all.contains { ($0.label?.symbol.priority ?? 0) != 0 }
        keepsIconsStraight = layer.step.content.source.keepsIconsStraight
        let features = layer.step.content.source.features, shown = layer.step.shown
        let omitsPlaces = routes.contains(layer.step.content.source.contentID)
        heldMarkNumbers = [:]
        for shift in layer.step.worldShifts {
            var tracer = ShapeTracer(shapes, PixelProjection(shapes.transform, to: viewport, shift: shift))
            for (index, run) in shapes.runs.enumerated() where run.first < run.end {
                let look = layer.looks.number(ofFeature: index)
                guard let label = layer.looks.all[look].label else { continue }
                if omitsPlaces, label.symbol.icon == nil,
                    features[Int(shown[index].place)].geometry?.kind.isPoint ?? false
                {
                    continue
                }
                let properties = features[Int(shown[index].place)].properties
                let (text, isCut) = label.template.text(for: properties)
                if isCut { losses[self.layer].cut += 1 }
                var words = Words(
                    text: text, look: look, place: shown[index].place, label: label,
                    priority: label.priority(of: properties),
                    lineWidth: layer.looks.all[look].stroke?.strokes.first?.style.width ?? 0)
                if !FontBook.isBuiltIn, words.hasLetters { isTextLeftOut = true }
                if label.holdsMark { words.mark = heldMark(look, shown[index].icon, of: layer) }
                tracer.enter(block: Int(run.block))
                let all = tracer.columns.shapes
                var first = Int(run.first)
                while first < Int(run.end) {
                    var end = first + 1
                    while end < Int(run.end), all[end].isContinued { end += 1 }
                    try collect(first..<end, words, &tracer)
                    first = end
                }
            }
            for (words, lines) in waiting.take() { try collect(words, onLines: lines) }
        }
    }

    /// The text of a label, and its style.
    struct Words {
        let text: String
        let look: Int
        /// The index of the feature in its source; of joined lines the first one.
        let place: Int32
        var label: SharedLabel
        let priority: Double
        /// The width of the feature's line, in picture pixels.
        let lineWidth: Double
        var symbol: LabelSymbol { label.symbol }
        /// Whether there are no letters, but perhaps images.
        var areNone: Bool { text.isWithoutWords }
        /// Whether the icon is placed without the text.
        var isIconAlone = false
        /// The index of the mark that is drawn with the label, or `nil`.
        var mark: Int?
        /// Whether letters are visible.
        fileprivate var hasLetters: Bool { symbol.size > 0 && text.hasVisibleCharacters }
        /// Whether letters may be visible; never in a build that cannot set text.
        var mayHaveLetters: Bool { FontBook.isBuiltIn && hasLetters }
    }

    /// Returns the index of a mark that is drawn with its label, or `nil` without a mark.
    private mutating func heldMark(_ look: Int, _ icon: Int32, of layer: LabelledLayer) -> Int? {
        let key = HeldMark(look: look, icon: icon)
        if let known = heldMarkNumbers[key] { return known }
        guard let mark = layer.looks.resolvedMark(look, icon: icon) else { return nil }
        heldMarks.append(mark)
        heldMarkNumbers[key] = heldMarks.count - 1
        return heldMarks.count - 1
    }

    /// Returns the shaped text, or `nil` if nothing is visible.
    mutating func setting(_ words: Words, isOneLine: Bool = false) throws(TextError) -> LabelText? {
        let key = TextKey(label: ObjectIdentifier(words.label), text: words.text, isOneLine: isOneLine)
        if let known = texts.value(for: key) { return known }
        let text = try LabelText(
            words.text, symbol: words.symbol, fonts: fonts, glyphs: words.label.glyphs, pixelRatio: pixelRatio,
            isOneLine: isOneLine)
        texts.insert(text, for: key, cost: Self.letterCount(of: text))
        return text
    }

    private static func letterCount(of text: LabelText?) -> Int {
        text?.lines.reduce(0) { $0 + $1.text.utf8.count + 16 } ?? 16
    }

    /// Charges the letters of a placed label, and returns whether the budget has room for them.
    func holds(_ setting: LabelText) -> Bool { holds(Self.letterCount(of: setting) * Self.bytesPerLetter) }

    /// Charges bytes, and returns whether the budget has room for them.
    func holds(_ byteCount: Int) -> Bool {
        guard let charge else { return true }
        do { try charge.grow(by: byteCount) } catch { return false }
        return true
    }

    /// Counts a label that is too long for its line.
    mutating func noteLackOfRoom(_ words: Words) { losses[layer].noteLackOfRoom(words.text) }

    /// Adds a label to be placed, unless the budget has no room for it.
    ///
    /// - Parameter size: the size of its area in square pixels.
    mutating func add(_ words: Words, _ site: LabelSite, repetition: Int = 0, size: Double = 0) {
        guard holds(MemoryLayout<Label>.stride + words.text.utf8.count + 32 + site.byteCount) else {
            losses[layer].unset += 1
            return
        }
        var rank = rank(of: words, site, repetition: repetition)
        rank.size = size.isFinite ? Int(min(size, 1e15)) : 0
        order += 1
        labels.append(Label(words: words, rank: rank, site: site))
    }

    /// Collects the labels of one geometry: of one shape, or of the polygons of a multipolygon.
    private mutating func collect(
        _ numbers: Range<Int>, _ words: Words, _ tracer: inout ShapeTracer
    ) throws(TextError) {
        let columns = tracer.columns
        let shape = columns.shapes[numbers.lowerBound], shared = words.label
        let parts = Int(shape.firstPart)..<Int(columns.shapes[numbers.upperBound - 1].endPart)
        guard shared.symbol.placement == .free else {
            if shared.symbol.icon != nil || shared.symbol.collision != nil, shape.kind == .points {
                // A symbol is drawn at each of the points, as stated by the style.
                let range = columns.start(ofPart: parts.lowerBound)..<Int(columns.partEnds[parts.upperBound - 1])
                for place in range {
                    if let point = tracer.point(place) { add(words, at: point) }
                }
                return
            }
            if let point = anchor(of: parts, numbers, tracer, isOfStyle: shared.symbol.collision != nil) {
                add(words, at: point)
            }
            return
        }
        switch shape.kind {
        case .points:
            let picture = picture.grown(by: -edge), tracer = tracer
            let range = columns.start(ofPart: parts.lowerBound)..<Int(columns.partEnds[parts.upperBound - 1])
            let points = range.lazy.compactMap { tracer.point($0) }.filter(picture.contains)
            if let mark = words.mark {
                // One of several points has the name.
                var words = words
                for point in points {
                    add(words, .holding(mark, point))
                    words.isIconAlone = true
                }
                return
            }
            if let point = points.first, words.mayHaveLetters { add(words, .around(point)) }
        case .lines,
            // Along the border of an area.
            .polygon where shared.symbol.anchoring == .alongLine:
            var lines: [[Point]] = []
            for part in shape.border.map({ Int($0.lowerBound)..<Int($0.upperBound) }) ?? parts {
                tracer.project(part, near: nil)
                lines += tracer.runs.arrays.flatMap(Self.measurable)
                let cuts = tracer.columns.cuts(in: tracer.columns.range(ofPart: part))
                for cut in cuts {
                    if let point = tracer.point(Int(cut)) { self.cuts.insert(point) }
                }
            }
            guard !lines.isEmpty else { return }
            if shared.symbol.joinsLines, words.mayHaveLetters {
                let byteCount = lines.reduce(0) { $0 + $1.count } * MemoryLayout<Point>.stride
                if holds(byteCount) { waiting.add(lines, words) } else { losses[layer].unset += 1 }
            } else {
                try collect(words, onLines: lines)
            }
        case .polygon:
            let isArea = shared.symbol.icon == nil && shared.symbol.anchoring == nil
            guard let area = largestArea(numbers, words.place, &tracer, isKept: isArea) else { return }
            guard isArea else {
                if let point = MiddlePoint.inside(area.rings) { add(words, at: point) }
                return
            }
            guard words.mayHaveLetters else { return }
            try collect(words, inside: area)
        }
    }

    /// Adds a text and an icon to be placed at a point.
    ///
    /// - Parameter turn: the direction of the line there, in degrees clockwise.
    mutating func add(_ words: Words, at point: Point, turn: Double = 0, repetition: Int = 0) {
        let reach = Rectangle(viewport.imageSize, margin: Scene.FeatureStep.symbolReach * pixelRatio)
        guard reach.contains(point), edge == 0 || picture.grown(by: -edge).contains(point),
            words.symbol.icon != nil || (words.mayHaveLetters && !words.isIconAlone)
        else { return }
        add(words, .at(point, turn: turn), repetition: repetition)
    }

    /// Returns the extension of a halo beyond the letters, in picture pixels.
    func halo(of words: Words) -> Double { max(words.symbol.outline?.width ?? 0, 0) * pixelRatio }

    /// Returns a point moved by the offset of a text or an icon.
    func moved(_ point: Point, by translation: LabelSymbol.Translation) -> Point {
        guard translation.x != 0 || translation.y != 0 else { return point }
        let (cosine, sine) = translation.isOnMap ? viewport.upAxis : (1, 0)
        return Point(
            x: point.x + (translation.x * cosine + translation.y * sine) * pixelRatio,
            y: point.y + (translation.y * cosine - translation.x * sine) * pixelRatio)
    }

    /// The fixed position of a label: at a point, at the middle or, in a style sheet, the beginning of a line, at the
    /// middle of an area's box.
    private func anchor(
        of parts: Range<Int>, _ numbers: Range<Int>, _ tracer: ShapeTracer, isOfStyle: Bool
    ) -> Point? {
        let columns = tracer.columns
        let start = columns.start(ofPart: parts.lowerBound), end = Int(columns.partEnds[parts.upperBound - 1])
        let point: Point? =
            switch columns.shapes[numbers.lowerBound].kind {
            case .points: tracer.point(start)
            case .lines: tracer.point(isOfStyle ? start : start + (end - start) / 2)
            case .polygon: columns.boundingBox(of: numbers).flatMap { tracer.projection($0.center) }
            }
        let reach = Rectangle(viewport.imageSize, margin: Scene.FeatureStep.symbolReach * pixelRatio)
        return point.flatMap { reach.contains($0) ? $0 : nil }
    }
}

extension Scene.FeatureStep {
    /// Whether any feature has a label.
    fileprivate var hasLabels: Bool {
        let traits = content.looks.traits, selected = content.looks.selectedTraits
        guard traits.contains(where: \.hasLabel) || selected.contains(where: \.hasLabel) else { return false }
        return shown.contains { feature in
            let look = Int(feature.look)
            return feature.isSelected ? selected[look].hasLabel : traits[look].hasLabel
        }
    }
}

extension LabelSymbol {
    /// Whether it is a text that may be placed at several sides of a point.
    fileprivate var isAroundMark: Bool {
        placement == .free && collision == nil && anchoring == nil || anchors.count > 1
    }
}

extension Geometry.Kind {
    /// Whether it is one position, or several.
    fileprivate var isPoint: Bool { self == .point || self == .multiPoint }
}

extension String {
    /// Whether it only contains images and white space.
    var isWithoutWords: Bool { !hasVisibleASCII && allSatisfy { $0 == "\u{FFFC}" || $0.isWhitespace } }

    /// Whether it contains anything other than white space.
    var hasVisibleCharacters: Bool { hasVisibleASCII || contains { !$0.isWhitespace } }

    /// Whether it contains a visible ASCII character, which is quickly found.
    private var hasVisibleASCII: Bool { utf8.contains { $0 > 0x20 && $0 < 0x7F } }
}
