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
    /// How much is kept free between labels, in view pixels.
    private static let spacing = 2.0
    /// How near the same words are not said twice, in view pixels.
    private static let duplicateDistance = 100.0
    /// How near that is where the labels of a line have a distance of their own, as a share of it.
    private static let duplicateShare = 0.6

    private struct Label {
        let words: String
        let text: LabelText?
        let shared: SharedLabel
        var symbol: LabelSymbol { shared.symbol }
        let feature: Int32
        let rank: LabelRank
        let places: [LabelPlace]
        let mayRepeat: Bool
    }

    /// What is needed to set a text of a label, which the layer's looks hold.
    private struct TextKey: Hashable {
        let label: ObjectIdentifier
        let text: String
        let isOneLine: Bool
    }

    /// The labels that get a place, and how many lacked what.
    struct Result {
        /// The labels in the order of their layers.
        var placed: [PlacedLabel] = []
        /// For each layer how many labels were cut off for their length, and how many found no memory.
        var losses: [(cut: Int, unset: Int)] = []
        /// What the letters take, as long as they are held.
        var charge: MemoryCharge?
    }

    /// About what a letter takes in memory while its label waits for a place, in bytes.
    private static let bytesPerLetter = 200

    private let viewport: Viewport
    private let fonts: FontBook
    private let charge: MemoryCharge?
    private var losses: [(cut: Int, unset: Int)] = []
    private var marks: MarkCollector
    private var labels: [Label] = []
    /// The number of the layer and that of the next label in it.
    private var layer = 0, order = 0
    /// The lines that may go on in others.
    private var waiting = WaitingLines()
    /// The texts that have been set for the layer.
    private var texts: [TextKey: LabelText?] = [:]

    var pixelRatio: Double { viewport.pixelRatio }
    var picture: Rectangle { Rectangle(viewport.imageSize) }

    /// The labels that get a place; what finds no room in a budget of memory is left out.
    static func placedLabels(
        _ layers: [FeatureStep], viewport: Viewport, images: [NamedURL: PixelBuffer], fonts: FontBook,
        furniture: FurniturePainter, memory: MemoryBudget? = nil
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
        for case let layer? in layers { collector.marks.collect(layer, viewport: viewport) }
        for (number, layer) in layers.enumerated() {
            collector.layer = number
            collector.order = 0
            collector.texts = [:]
            collector.losses.append((0, 0))
            if let layer { try collector.collect(layer) }
        }
        return Result(
            placed: collector.place(beside: try furniture.boxes(on: viewport.imageSize)), losses: collector.losses,
            charge: collector.charge)
    }

    private init(viewport: Viewport, fonts: FontBook, marks: MarkCollector, charge: MemoryCharge?) {
        self.charge = charge
        self.viewport = viewport
        self.fonts = fonts
        self.marks = marks
    }

    private func place(beside furniture: [Rectangle]) -> [PlacedLabel] {
        let requests = labels.map { label in
            var request = LabelRequest(
                text: label.mayRepeat ? nil : label.words, rank: label.rank,
                candidates: label.places.map(\.candidate), mayOverlap: label.symbol.mayOverlap)
            request.padding = label.symbol.padding.map { $0 * pixelRatio }
            // A street is often cut into many lines of one name, each of which would say it.
            if let repetition = label.symbol.repetition, repetition.isFinite {
                request.duplicateDistance = max(Self.duplicateDistance, repetition * Self.duplicateShare) * pixelRatio
            }
            request.isIgnored = label.symbol.isIgnored
            if let icon = label.symbol.icon {
                request.iconMayOverlap = icon.mayOverlap
                request.iconPadding = icon.padding * pixelRatio
                request.isIconIgnored = icon.isIgnored
            }
            return request
        }
        let placer = LabelPlacer(
            picture: viewport.imageSize, spacing: Self.spacing * pixelRatio,
            duplicateDistance: Self.duplicateDistance * pixelRatio)
        return placer.place(requests, around: marks.obstacles + furniture.map { LabelObstacle(box: $0) }).map {
            placement in
            let label = labels[placement.request], place = label.places[placement.candidate]
            return PlacedLabel(
                text: label.text, pose: place.pose, shared: label.shared, icon: place.icon, layer: label.rank.layer,
                feature: label.feature, boxes: place.candidate.boxes + [place.candidate.icon].compactMap(\.self))
        }
    }

    private mutating func collect(_ layer: LabelledLayer) throws(TextError) {
        guard let shapes = layer.shapes, layer.looks.all.contains(where: { $0.label != nil }) else { return }
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
                    priority: properties["labelPriority"]?.doubleValue
                        ?? label.priority?.number(for: properties) ?? label.symbol.priority)
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
            for (words, lines) in waiting.take() { try collect(words, along: lines) }
        }
    }

    /// What a label says, and how.
    struct Words {
        let text: String
        let look: Int
        /// The feature's place in its source; of joined lines the first one's.
        let place: Int32
        let label: SharedLabel
        let priority: Double
        var symbol: LabelSymbol { label.symbol }
        /// Whether there are no letters, but perhaps pictures.
        var areNone: Bool { text.allSatisfy { $0 == "\u{FFFC}" || $0.isWhitespace } }
        /// Whether the icon is placed without the text.
        var isIconAlone = false
    }

    /// The text as it is set, or `nil` where there is nothing to be seen.
    mutating func setting(_ words: Words, isOneLine: Bool = false) throws(TextError) -> LabelText? {
        let key = TextKey(label: ObjectIdentifier(words.label), text: words.text, isOneLine: isOneLine)
        if let known = texts[key] { return known }
        var text = try LabelText(
            words.text, symbol: words.symbol, fonts: fonts, pixelRatio: pixelRatio, isOneLine: isOneLine)
        if let set = text, let charge {
            let letters = set.lines.reduce(0) { $0 + $1.text.utf8.count + 16 }
            do { try charge.grow(by: letters * Self.bytesPerLetter) } catch {
                losses[layer].unset += 1
                text = nil
            }
        }
        texts[key] = .some(text)
        return text
    }

    mutating func add(_ words: Words, _ setting: LabelText?, _ places: [LabelPlace], repetition: Int = 0) {
        guard !places.isEmpty else { return }
        let rank = LabelRank(priority: words.priority, layer: layer, repetition: repetition, order: order)
        order += 1
        labels.append(
            Label(
                words: words.text, text: setting, shared: words.label, feature: words.place, rank: rank, places: places,
                mayRepeat: words.symbol.placement == .fixed || words.areNone))
    }

    /// Collects the labels of one geometry: of one shape, or of the polygons of a multipolygon.
    private mutating func collect(
        _ numbers: Range<Int>, _ words: Words, _ tracer: inout ShapeTracer
    ) throws(TextError) {
        let columns = tracer.columns
        let shape = columns.shapes[numbers.lowerBound], shared = words.label
        let halo = max(shared.symbol.outline?.width ?? 0, 0) * pixelRatio
        let parts = Int(shape.firstPart)..<Int(columns.shapes[numbers.upperBound - 1].endPart)
        guard shared.symbol.placement == .free else {
            if shared.symbol.icon != nil, shape.kind == .points {
                // A picture stands at each of the points.
                let range = columns.start(ofPart: parts.lowerBound)..<Int(columns.partEnds[parts.upperBound - 1])
                for place in range {
                    if let point = tracer.point(place) { try collect(words, at: point, turn: 0) }
                }
                return
            }
            if let point = anchor(of: parts, numbers, tracer) { try collect(words, at: point, turn: 0) }
            return
        }
        switch shape.kind {
        case .points:
            let picture = picture, tracer = tracer
            let range = columns.start(ofPart: parts.lowerBound)..<Int(columns.partEnds[parts.upperBound - 1])
            let point = range.lazy.compactMap { tracer.point($0) }.first(where: picture.contains)
            guard let point, let setting = try setting(words) else { return }
            let gap = max(3 * pixelRatio, max(halo, setting.padding ?? 0) + Self.spacing * pixelRatio)
            let places = PointPlaces(text: setting, halo: halo, gap: gap)
            add(
                words, setting,
                marks.boxes[point].map { places.places(around: $0, at: point) } ?? places.places(at: point))
        case .lines,
            // Along a line means along the border of an area.
            .polygon where shared.symbol.anchoring == .alongLine:
            var lines: [[Point]] = []
            for part in parts {
                tracer.project(part, near: nil)
                lines += tracer.runs.arrays.flatMap(Self.measurable)
            }
            guard !lines.isEmpty else { return }
            if shared.symbol.icon != nil || !shared.symbol.followsLine { try collectUpright(words, along: lines) }
            guard shared.symbol.followsLine else { return }
            lines = lines.map { line in line.map { moved($0, by: shared.symbol.translation) } }
            if shared.symbol.joinsLines {
                waiting.add(lines, words)
            } else {
                try collect(words, along: lines)
            }
        case .polygon:
            guard let rings = largestArea(numbers, &tracer) else { return }
            guard shared.symbol.icon == nil, shared.symbol.anchoring == nil else {
                if let point = MiddlePoint.inside(rings) { try collect(words, at: point, turn: 0) }
                return
            }
            guard let setting = try setting(words) else { return }
            add(words, setting, AreaPlaces(text: setting, halo: halo).places(in: rings))
        }
    }

    /// Collects a text and an icon at a place, both or one of them.
    ///
    /// - Parameter turn: the direction of the line there, in degrees clockwise.
    mutating func collect(_ words: Words, at point: Point, turn: Double, repetition: Int = 0) throws(TextError) {
        let shared = words.label, halo = max(shared.symbol.outline?.width ?? 0, 0) * pixelRatio
        let reach = Rectangle(viewport.imageSize, margin: FeatureStep.symbolReach * pixelRatio)
        guard reach.contains(point) else { return }
        let markers = MarkerPainter(pixelRatio: pixelRatio)
        let setting = words.isIconAlone ? nil : try setting(words)
        let textPoint = moved(point, by: shared.symbol.translation)
        var texts: [LabelPlace] = [], blocks: [Rectangle?] = []
        if let setting {
            for anchor in shared.symbol.anchors.isEmpty ? [shared.symbol.ownAnchor] : shared.symbol.anchors {
                let moved = Point(
                    x: textPoint.x + anchor.offsetX * pixelRatio, y: textPoint.y + anchor.offsetY * pixelRatio)
                let origins = setting.origins(at: moved, anchor.horizontal, anchor.vertical)
                let place: LabelPlace?
                if shared.symbol.rotation != 0 {
                    place = LabelPlace(
                        turned: setting, origins: origins, by: shared.symbol.rotation, about: textPoint, halo: halo)
                } else {
                    let upright = LabelPlace(upright: setting, origins: origins, halo: halo, ownPlace: point)
                    place =
                        shared.symbol.mayOverlap ? upright : upright.movedInside(picture, setting, origins, halo: halo)
                }
                if let place {
                    texts.append(place)
                    blocks.append(setting.block(at: origins))
                }
            }
        }
        guard let icon = shared.symbol.icon else { return add(words, setting, texts, repetition: repetition) }
        let iconPoint = self.moved(point, by: icon.translation)
        let alone = PlacedIcon(icon, at: iconPoint, turn: self.turn(of: icon, turn), markers).flatMap {
            $0.box.overlaps(picture) ? $0 : nil
        }
        guard let alone else { return add(words, setting, texts, repetition: repetition) }
        let lone = [LabelPlace(icon: alone, ownPlace: point)]
        guard setting != nil else { return add(words, nil, lone, repetition: repetition) }
        let both: [LabelPlace] = zip(texts, blocks).compactMap { text, block in
            let fitted = block.flatMap { PlacedIcon(icon, behind: $0, at: point, markers) }
            // A text that the picture's border pushed aside must not come to lie on its own icon.
            if text.isPushed, fitted == nil, text.candidate.boxes.contains(where: alone.box.overlaps) { return nil }
            var place = text
            place.icon = fitted ?? alone
            place.candidate.icon = place.icon?.box
            return place
        }
        // First both together, then each that may stand without the other.
        add(
            words, setting, both + (shared.symbol.isOptional ? lone : []) + (icon.isOptional ? texts : []),
            repetition: repetition)
    }

    /// A place moved as a text or an icon is.
    private func moved(_ point: Point, by translation: LabelSymbol.Translation) -> Point {
        guard translation.x != 0 || translation.y != 0 else { return point }
        let (cosine, sine) = translation.isOnMap ? viewport.upAxis : (1, 0)
        return Point(
            x: point.x + (translation.x * cosine + translation.y * sine) * pixelRatio,
            y: point.y + (translation.y * cosine - translation.x * sine) * pixelRatio)
    }

    /// How far an icon is turned with what it stands on, in degrees clockwise.
    private func turn(of icon: LabelSymbol.Icon, _ lineTurn: Double) -> Double {
        switch icon.alignment {
        case .picture: 0
        case .map: -viewport.rotation
        case .line: lineTurn
        }
    }

    /// The rings, as far as they lie in the picture, of the polygon that has the largest box there.
    private func largestArea(
        _ polygons: Range<Int>, _ tracer: inout ShapeTracer
    ) -> [[Point]]? {
        var largest: [[Point]]?
        var size = 0.0
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
                largest = rings
            }
        }
        return largest
    }

    /// Where a label that is not moved goes: at a point, at the middle of a line, at the middle of an area's box.
    private func anchor(
        of parts: Range<Int>, _ numbers: Range<Int>, _ tracer: ShapeTracer
    ) -> Point? {
        let columns = tracer.columns
        let start = columns.start(ofPart: parts.lowerBound), end = Int(columns.partEnds[parts.upperBound - 1])
        let point: Point? =
            switch columns.shapes[numbers.lowerBound].kind {
            case .points: tracer.point(start)
            case .lines: tracer.point(start + (end - start) / 2)
            case .polygon: columns.boundingBox(of: numbers).flatMap { tracer.projection($0.center) }
            }
        let reach = Rectangle(viewport.imageSize, margin: FeatureStep.symbolReach * pixelRatio)
        return point.flatMap { reach.contains($0) ? $0 : nil }
    }
}

extension LabelSymbol {
    /// The place of the text about its point by alignment and offset.
    fileprivate var ownAnchor: Anchor {
        Anchor(horizontal: horizontalAlignment, vertical: verticalAlignment, offsetX: offsetX, offsetY: offsetY)
    }
}

extension FeatureStep {
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
