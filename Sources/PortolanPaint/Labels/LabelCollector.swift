import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb

/// Gathers the labels of all layers of a picture and finds their places.
///
/// Cost follows the features in view; only labels that get a place are kept in memory with their letters.
struct LabelCollector {
    /// A label that waits for its turn to get a place.
    struct Label {
        var words: Words
        let rank: LabelRank
        let site: LabelSite
    }

    /// What is needed to set a text of a label, which the layer's looks hold.
    private struct TextKey: Hashable {
        let label: ObjectIdentifier
        let text: String
        let isOneLine: Bool
    }

    /// The labels that get a place, and how many lacked what.
    struct Result {
        /// The labels in the order in which they got their places.
        var placed: [PlacedLabel] = []
        /// For each layer how many labels are not drawn, or not whole.
        var losses: [LabelLosses] = []
        /// Whether text is left out since this program cannot set any.
        var isTextLeftOut = false
        /// What the labels take, as long as they are held.
        var charge: MemoryCharge?
    }

    /// About what a letter of a label that has its place takes in memory, in bytes.
    private static let bytesPerLetter = 200
    /// About how many letters are kept shaped for labels that say the same.
    private static let keptLetterCount = 1 << 15

    /// The part of the picture whose labels are wanted; what lies about it is there to give way to, or to be given way to.
    struct Cell {
        /// In picture pixels.
        let frame: Rectangle
        /// How wide the picture is about it at each side, in picture pixels.
        let margin: Double
    }

    let viewport: Viewport
    private var cell: Cell?
    private let fonts: FontBook
    private let charge: MemoryCharge?
    var losses: [LabelLosses] = []
    private(set) var marks: MarkCollector
    private(set) var labels: [Label] = []
    /// The number of the layer and that of the next label in it.
    private(set) var layer = 0, order = 0
    /// Whether a style sorts the labels of the layer by keys.
    private(set) var isSorted = false
    /// How many labels have looked for a place with a leader.
    var leaderCount = 0
    /// Where leaders begin.
    var leaderStarts: [Point] = []
    /// Whether text is left out since this program cannot set any.
    private var isTextLeftOut = false
    /// The zoom of styles.
    let styleZoom: Double
    /// The lines that may go on in others.
    private var waiting = PendingLines()
    /// How the names of areas are written.
    let areaNames = AreaNames()
    /// The texts that have been set.
    private var texts = BoundedCache<TextKey, LabelText?>(limit: keptLetterCount)

    var pixelRatio: Double { viewport.pixelRatio }
    var picture: Rectangle { Rectangle(viewport.imageSize) }

    /// The labels that get a place; what finds no room in a budget of memory is left out.
    static func placedLabels(
        _ layers: [Scene.FeatureStep], viewport: Viewport, images: [NamedURL: PixelBuffer], fonts: FontBook,
        furniture: FurniturePainter, cell: Cell? = nil, memory: MemoryBudget? = nil
    ) throws(TextError) -> Result {
        guard layers.contains(where: \.hasLabels) else { return Result() }
        // What has neither marks nor labels makes no difference.
        let layers = layers.map { step in
            step.mayHaveSymbols ? LabelledLayer(step, viewport: viewport, images: images) : nil
        }
        let isSought = layers.contains { $0?.looks.all.contains { $0.label?.symbol.placement == .free } ?? false }
        var collector = LabelCollector(
            viewport: viewport, fonts: fonts, marks: MarkCollector(keepsBoxes: isSought),
            charge: try? memory?.charge(0))
        collector.cell = cell
        for case let layer? in layers { collector.marks.collect(layer, viewport: viewport) }
        for (number, layer) in layers.enumerated() {
            collector.layer = number
            collector.order = 0
            collector.losses.append(LabelLosses())
            if let layer { try collector.collect(layer) }
        }
        let placed = try collector.place(beside: try furniture.boxes(on: viewport.imageSize))
        return Result(
            placed: placed, losses: collector.losses, isTextLeftOut: collector.isTextLeftOut, charge: collector.charge)
    }

    private init(viewport: Viewport, fonts: FontBook, marks: MarkCollector, charge: MemoryCharge?) {
        self.charge = charge
        self.viewport = viewport
        styleZoom = viewport.styleZoom
        self.fonts = fonts
        self.marks = marks
    }

    private mutating func collect(_ layer: LabelledLayer) throws(TextError) {
        guard let shapes = layer.shapes, layer.looks.all.contains(where: { $0.label != nil }) else { return }
        isSorted = layer.looks.all.contains { ($0.label?.symbol.priority ?? 0) != 0 }
        let features = layer.step.source.features, shown = layer.step.shown
        for shift in layer.step.worldShifts {
            var tracer = ShapeTracer(shapes, PixelProjection(shapes.transform, to: viewport, shift: shift))
            for (index, run) in shapes.runs.enumerated() where run.first < run.end {
                let look = layer.looks.number(ofFeature: index)
                guard let label = layer.looks.all[look].label else { continue }
                let properties = features[Int(shown[index].place)].properties
                let (text, isCut) = label.template.text(for: properties)
                if isCut { losses[self.layer].cut += 1 }
                let words = Words(
                    text: text, look: look, place: shown[index].place, label: label,
                    priority: label.priority(of: properties),
                    lineWidth: layer.looks.all[look].stroke?.strokes.first?.style.width ?? 0)
                if !FontBook.isBuiltIn, words.hasLetters { isTextLeftOut = true }
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

    /// What a label says, and how.
    struct Words {
        let text: String
        let look: Int
        /// The feature's place in its source; of joined lines the first one's.
        let place: Int32
        var label: SharedLabel
        let priority: Double
        /// How wide the feature's own line is, in picture pixels.
        let lineWidth: Double
        var symbol: LabelSymbol { label.symbol }
        /// Whether there are no letters, but perhaps pictures.
        var areNone: Bool { text.isWithoutWords }
        /// Whether the icon is placed without the text.
        var isIconAlone = false
        /// Whether there are letters to be seen.
        fileprivate var hasLetters: Bool { symbol.size > 0 && text.contains { !$0.isWhitespace } }
        /// Whether letters may be seen, which is never so in a program that cannot set text.
        var mayHaveLetters: Bool { FontBook.isBuiltIn && hasLetters }
    }

    /// The text as it is set, or `nil` where there is nothing to be seen.
    mutating func setting(_ words: Words, isOneLine: Bool = false) throws(TextError) -> LabelText? {
        let key = TextKey(label: ObjectIdentifier(words.label), text: words.text, isOneLine: isOneLine)
        if let known = texts.value(for: key) { return known }
        let text = try LabelText(
            words.text, symbol: words.symbol, fonts: fonts, pixelRatio: pixelRatio, isOneLine: isOneLine)
        texts.insert(text, for: key, cost: Self.letterCount(of: text))
        return text
    }

    private static func letterCount(of text: LabelText?) -> Int {
        text?.lines.reduce(0) { $0 + $1.text.utf8.count + 16 } ?? 16
    }

    /// Whether the budget has room for the letters of a label that has its place.
    func holds(_ setting: LabelText) -> Bool { holds(Self.letterCount(of: setting) * Self.bytesPerLetter) }

    /// Whether the budget has room for some more bytes, which are then charged.
    private func holds(_ byteCount: Int) -> Bool {
        guard let charge else { return true }
        do { try charge.grow(by: byteCount) } catch { return false }
        return true
    }

    /// Counts a label for which its line is too short.
    mutating func noteLackOfRoom(_ words: Words) { losses[layer].noteLackOfRoom(words.text) }

    /// Has a label wait for its turn; one for which the budget has no room is lost.
    mutating func add(_ words: Words, _ site: LabelSite, repetition: Int = 0) {
        guard holds(MemoryLayout<Label>.stride + words.text.utf8.count + 32 + site.byteCount) else {
            losses[layer].unset += 1
            return
        }
        let rank = rank(of: words, site, repetition: repetition)
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
                // A picture stands at each of the points, and what a style says of them.
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
            let picture = picture, tracer = tracer
            let range = columns.start(ofPart: parts.lowerBound)..<Int(columns.partEnds[parts.upperBound - 1])
            let point = range.lazy.compactMap { tracer.point($0) }.first(where: picture.contains)
            if let point, words.mayHaveLetters { add(words, .around(point)) }
        case .lines,
            // Along a line means along the border of an area.
            .polygon where shared.symbol.anchoring == .alongLine:
            var lines: [[Point]] = []
            for part in shape.border.map({ Int($0.lowerBound)..<Int($0.upperBound) }) ?? parts {
                tracer.project(part, near: nil)
                lines += tracer.runs.arrays.flatMap(Self.measurable)
            }
            guard !lines.isEmpty else { return }
            if shared.symbol.joinsLines, words.mayHaveLetters {
                let byteCount = lines.reduce(0) { $0 + $1.count } * MemoryLayout<Point>.stride
                if holds(byteCount) { waiting.add(lines, words) } else { losses[layer].unset += 1 }
            } else {
                try collect(words, onLines: lines)
            }
        case .polygon:
            guard let (rings, box) = largestArea(numbers, &tracer) else { return }
            guard shared.symbol.icon == nil, shared.symbol.anchoring == nil else {
                if let point = MiddlePoint.inside(rings) { add(words, at: point) }
                return
            }
            guard words.mayHaveLetters else { return }
            try collect(words, inside: rings, box)
        }
    }

    /// Collects the name of an area.
    private mutating func collect(
        _ words: Words, inside rings: [[Point]], _ box: Rectangle
    ) throws(TextError) {
        let least = LabelText.leastHeight(words.symbol, fonts, pixelRatio: pixelRatio) * AreaNames.leastShare
        // Areas that are too low for any letters are the most.
        if box.height >= least {
            for label in areaNames.ways(of: words.label, for: words.text) {
                var words = words
                words.label = label
                guard let setting = try setting(words) else { return }
                let middles = AreaPositions(text: setting, halo: halo(of: words)).middles(in: rings, box)
                guard let middle = middles.first else { continue }
                let mayOverflow = AreaNames.mayOverflow(box, pixelRatio: pixelRatio)
                let beyond = mayOverflow ? LabelSite.Beyond(point: middle, box: box) : nil
                return add(words, .inside(middles, beyond: beyond))
            }
        }
        guard AreaNames.mayOverflow(box, pixelRatio: pixelRatio), let point = MiddlePoint.inside(rings) else {
            return losses[layer].noteLackOfRoom(words.text)
        }
        // Those that have room go first.
        add(
            words,
            .inside([], beyond: LabelSite.Beyond(point: point, others: MiddlePoint.points(inside: rings), box: box)),
            repetition: 1)
    }

    /// Has a text and an icon at a place wait for their turn.
    ///
    /// - Parameter turn: the direction of the line there, in degrees clockwise.
    mutating func add(_ words: Words, at point: Point, turn: Double = 0, repetition: Int = 0) {
        let reach = Rectangle(viewport.imageSize, margin: Scene.FeatureStep.symbolReach * pixelRatio)
        guard reach.contains(point),
            words.symbol.icon != nil || (words.mayHaveLetters && !words.isIconAlone)
        else { return }
        add(words, .at(point, turn: turn), repetition: repetition)
    }

    /// How far the halo of a text reaches beyond its letters, in picture pixels.
    func halo(of words: Words) -> Double { max(words.symbol.outline?.width ?? 0, 0) * pixelRatio }

    /// A place moved as a text or an icon is.
    func moved(_ point: Point, by translation: LabelSymbol.Translation) -> Point {
        guard translation.x != 0 || translation.y != 0 else { return point }
        let (cosine, sine) = translation.isOnMap ? viewport.upAxis : (1, 0)
        return Point(
            x: point.x + (translation.x * cosine + translation.y * sine) * pixelRatio,
            y: point.y + (translation.y * cosine - translation.x * sine) * pixelRatio)
    }

    /// The rings, as far as they lie in the picture, of the polygon that has the largest box there, and the box.
    private func largestArea(
        _ polygons: Range<Int>, _ tracer: inout ShapeTracer
    ) -> (rings: [[Point]], box: Rectangle)? {
        var largest: (rings: [[Point]], box: Rectangle)?
        var size = 0.0
        let picture = areaFrame(polygons, tracer)
        for polygon in polygons {
            let shape = tracer.columns.shapes[polygon]
            var rings: [[Point]] = []
            for part in Int(shape.firstPart)..<Int(shape.endPart) {
                let ring = tracer.ring(part, in: picture, tolerance: 0.5)
                if !ring.isEmpty { rings.append(ring) }
            }
            guard let box = Path.polyline(rings.flatMap { $0 }).boundingRectangle else { continue }
            if box.width * box.height > size {
                size = box.width * box.height
                largest = (rings, box)
            }
        }
        return largest
    }

    /// What of an area counts: all that the picture shows, or what lies in the cell.
    ///
    /// The cell counts for an area that is larger than what lies about it; in both cases neighbouring cells agree.
    private func areaFrame(_ polygons: Range<Int>, _ tracer: ShapeTracer) -> Rectangle {
        guard let cell, let box = tracer.columns.boundingBox(of: polygons) else { return picture }
        let corners = [
            Coordinate(x: box.minX, y: box.minY), Coordinate(x: box.maxX, y: box.minY),
            Coordinate(x: box.maxX, y: box.maxY), Coordinate(x: box.minX, y: box.maxY),
        ].compactMap { tracer.projection($0) }
        guard corners.count == 4, let own = Path.polyline(corners).boundingRectangle,
            own.width <= cell.margin, own.height <= cell.margin
        else { return cell.frame }
        return picture
    }

    /// Where a label that is not moved goes: at a point, at the middle of a line or, by a style, at its beginning, at the middle
    /// of an area's box.
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
    /// Whether some feature has a label.
    fileprivate var hasLabels: Bool {
        guard looks.traits.contains(where: \.hasLabel) || looks.selectedTraits.contains(where: \.hasLabel) else {
            return false
        }
        return shown.contains { feature in
            let look = Int(feature.look)
            return feature.isSelected ? looks.selectedTraits[look].hasLabel : looks.traits[look].hasLabel
        }
    }
}

extension String {
    /// Whether it has images and blanks alone.
    var isWithoutWords: Bool { allSatisfy { $0 == "\u{FFFC}" || $0.isWhitespace } }
}
