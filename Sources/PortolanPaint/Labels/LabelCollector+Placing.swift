import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText

// Labels are placed in the order of their ranks. The letters of each are shaped only when it is placed.
extension LabelCollector {
    /// The largest number of labels of a picture without a free position nearby that are tried with a leader, by
    /// priority, and how many of these are important enough to be farther away, and near other leaders.
    static let leaderLimit = 200, importantLimit = 24
    /// The free space between labels, in view pixels.
    static let spacing = 2.0
    /// The distance within which a text is not repeated, in view pixels.
    private static let duplicateDistance = 100.0
    /// This distance as a fraction of the repetition distance of line labels.
    private static let duplicateShare = 0.6

    /// Returns the distance within which a label's text is not repeated, in view pixels.
    static func duplicateDistance(of symbol: LabelSymbol) -> Double {
        guard let repetition = symbol.repetition, repetition.isFinite else { return duplicateDistance }
        // In a style sheet only the spacing decides, as in MapLibre.
        return symbol.collision == nil ? max(duplicateDistance, repetition * duplicateShare) : repetition / 2
    }

    /// Returns the placed labels, in placement order.
    mutating func place(beside furniture: [Rectangle]) throws(TextError) -> [PlacedLabel] {
        guard !labels.isEmpty else { return [] }
        self.furniture = furniture
        for layer in areas.indices { areas[layer].hide(under: furniture) }
        var placer = LabelPlacer(
            picture: viewport.imageSize, spacing: Self.spacing * pixelRatio,
            duplicateDistance: Self.duplicateDistance * pixelRatio,
            around: marks.obstacles + furniture.map { LabelObstacle(box: $0) })
        var placed: [PlacedLabel] = []
        for number in ranked {
            var label = labels[number]
            guard let found = try place(&label, by: &placer) else { continue }
            if let setting = found.setting, found.place.pose != nil, !holds(setting) {
                losses[label.rank.layer].unset += 1
                continue
            }
            if case .inside = label.site {
                areas[label.rank.layer].noteName(of: label.words.place, found.place.candidate.boxes)
            }
            placed.append(
                PlacedLabel(
                    text: found.setting, pose: found.place.pose, shared: label.words.label, icon: found.place.icon,
                    leader: found.place.leader, layer: label.rank.layer, feature: label.words.place,
                    boxes: found.place.candidate.boxes + [found.place.candidate.icon].compactMap(\.self)
                        + found.place.candidate.leader))
        }
        return placed
    }

    /// Places a label, or counts it as lost and returns `nil`.
    private mutating func place(
        _ label: inout Label, by placer: inout LabelPlacer
    ) throws(TextError) -> (setting: LabelText?, place: LabelPosition)? {
        if case .around(let point) = label.site { return try place(label, around: point, by: &placer) }
        if case .holding(let mark, let point) = label.site {
            return try place(label, with: heldMarks[mark], at: point, by: &placer)
        }
        if case .along(let spots, let hasOthers) = label.site {
            return try place(label, along: spots, hasOthers: hasOthers, by: &placer)
        }
        let (setting, places) = try places(of: label)
        let hasPlaces = !places.isEmpty
        var request = request(label, places)
        if case .inside = label.site { request.lineGap = AreaNames.lineGap * (setting?.size ?? 0) }
        if hasPlaces, let index = place(request, by: &placer) { return (setting, places[index]) }
        if case .inside(_, let beyond?) = label.site, let found = try place(label, beyond: beyond, by: &placer) {
            label = found.label
            return (found.setting, found.place)
        }
        noteLoss(of: label, hasPlaces: hasPlaces)
        return nil
    }

    /// Places a text along a line at its first free spot; positions are computed as they are tried.
    private mutating func place(
        _ label: Label, along spots: [LineSpot], hasOthers: Bool, by placer: inout LabelPlacer
    ) throws(TextError) -> (setting: LabelText?, place: LabelPosition)? {
        var hasPlaces = false
        if let setting = try setting(label.words, isOneLine: true) {
            let positions = self.places(of: label.words, along: setting)
            var request = request(label, [])
            func free(_ spots: [LineSpot]) -> LabelPosition? {
                for spot in spots {
                    guard let position = positions.place(at: spot) else { continue }
                    hasPlaces = true
                    request.candidates = [position.candidate]
                    if placer.place(request) != nil { return position }
                }
                return nil
            }
            if let found = free(spots) { return (setting, found) }
            if hasOthers, let line = spots.first?.line, let found = free(positions.spots(on: line)) {
                return (setting, found)
            }
        }
        noteLoss(of: label, hasPlaces: hasPlaces)
        return nil
    }

    /// Returns the index of the free candidate of a request, if possible clear of the lines of the same layer.
    func place(_ request: LabelRequest, by placer: inout LabelPlacer) -> Int? {
        if let index = placer.place(request) { return index }
        // Lines of the layer have an odd level.
        guard request.layer.isMultiple(of: 2), marks.layersWithLines.contains(request.layer / 2) else { return nil }
        var crossing = request
        crossing.layer += 1
        return placer.place(crossing)
    }

    /// The level of a layer's lines, which labels of lower levels avoid: those of points in the layer, and all of lower
    /// layers.
    static func level(ofLines layer: Int) -> Int { 2 * layer + 1 }

    /// Counts a label that is not placed.
    ///
    /// Repetitions along a line and labels without letters do not count.
    mutating func noteLoss(of label: Label, hasPlaces: Bool) {
        var isArea = false
        if case .inside = label.site { isArea = true }
        guard !label.words.areNone, isArea || label.rank.repetition == 0 else { return }
        if hasPlaces || isArea {
            losses[label.rank.layer].noteCollision(label.words.text)
        } else {
            losses[label.rank.layer].noteLackOfRoom(label.words.text)
        }
    }

    /// The indexes of the labels in the order of their ranks.
    private var ranked: [Int] {
        // They are often in order already.
        guard labels.indices.dropFirst().contains(where: { labels[$0].rank < labels[$0 - 1].rank }) else {
            return Array(labels.indices)
        }
        return labels.indices.sorted { (labels[$0].rank, $0) < (labels[$1].rank, $1) }
    }

    /// A request for one of several positions.
    func request(_ label: Label, _ places: [LabelPosition]) -> LabelRequest {
        let symbol = label.words.symbol
        var request = LabelRequest(
            text: symbol.saidOnce(of: label.words.text), candidates: places.map(\.candidate),
            mayOverlap: symbol.mayOverlap)
        request.layer = 2 * label.rank.layer
        switch label.site {
        case .around, .holding, .at: break
        // Labels inside areas and on lines are on lines of their own layer.
        case .inside, .along, .on: request.layer += 1
        }
        request.padding = symbol.clearance.map { $0 * pixelRatio }
        request.mayBeCut = symbol.collision == .boxes && !keepsWhole
        // A street often consists of many lines with one name, each of which would be labelled.
        let scale = tiles[label.rank.layer]?.scale ?? 1
        request.duplicateDistance = Self.duplicateDistance(of: symbol) * scale * pixelRatio
        request.isIgnored = symbol.isIgnored
        if let icon = symbol.icon {
            request.iconMayOverlap = icon.mayOverlap
            request.iconPadding = symbol.collision == nil ? icon.padding * pixelRatio : 0
            request.isIconIgnored = icon.isIgnored
        }
        return request
    }

    /// The shaped text of a label and its candidate positions; empty if nothing is visible.
    private mutating func places(of label: Label) throws(TextError) -> (setting: LabelText?, places: [LabelPosition]) {
        let words = label.words, halo = halo(of: words)
        switch label.site {
        case .around, .holding, .along: return (nil, [])
        case .at(let point, let turn): return try places(of: words, at: point, turn: turn)
        case .on(let spots):
            var found: (setting: LabelText?, places: [LabelPosition]) = (nil, [])
            for spot in spots {
                let (setting, places) = try places(of: words, at: spot.point, turn: spot.turn)
                // What is moved inside the picture would no longer be on its line.
                found = (setting, found.places + places.filter { !$0.isPushed })
            }
            return found
        case .inside(let middles, _):
            guard let setting = try setting(words) else { return (nil, []) }
            return (setting, middles.map(AreaPositions(text: setting, halo: halo).place))
        }
    }

    /// The positions of a text, an icon, or both at a point.
    ///
    /// - Parameter turn: the direction of the line there, in degrees clockwise.
    private mutating func places(
        of words: Words, at point: Point, turn: Double
    ) throws(TextError) -> (setting: LabelText?, places: [LabelPosition]) {
        let symbol = words.symbol, halo = halo(of: words), markers = MarkerPainter(pixelRatio: pixelRatio)
        let setting = words.isIconAlone ? nil : try setting(words)
        let textPoint = moved(point, by: symbol.translation)
        var texts: [LabelPosition] = [], blocks: [Rectangle?] = []
        if let setting {
            for anchor in symbol.anchors.isEmpty ? [symbol.ownAnchor] : symbol.anchors {
                let moved = Point(
                    x: textPoint.x + anchor.offsetX * pixelRatio, y: textPoint.y + anchor.offsetY * pixelRatio)
                let origins = setting.origins(at: moved, anchor.horizontal, anchor.vertical)
                let place: LabelPosition?
                if symbol.collision != nil {
                    place = LabelPosition(
                        boxed: setting, origins: origins, by: symbol.rotation, about: textPoint,
                        padding: (symbol.padding ?? Self.spacing) * pixelRatio)
                } else if symbol.rotation != 0 {
                    place = LabelPosition(
                        turned: setting, origins: origins, by: symbol.rotation, about: textPoint, halo: halo)
                } else {
                    let upright = LabelPosition(upright: setting, origins: origins, halo: halo, ownPlace: point)
                    place = symbol.mayOverlap ? upright : upright.movedInside(picture, setting, origins, halo: halo)
                }
                if let place {
                    texts.append(place)
                    blocks.append(setting.block(at: origins))
                }
            }
        }
        guard let icon = symbol.icon else { return (setting, texts) }
        let iconPoint = moved(point, by: icon.translation)
        let alone = PlacedIcon(icon, at: iconPoint, turn: self.turn(of: icon, turn), markers).flatMap {
            $0.box.overlaps(picture) ? $0 : nil
        }
        guard let alone else { return (setting, texts) }
        let kept = symbol.collision == nil ? 0 : icon.padding * pixelRatio
        var only = LabelPosition(icon: alone, ownPlace: point)
        only.candidate.icon = only.candidate.icon?.grown(by: kept)
        let lone = [only]
        guard setting != nil else { return (nil, lone) }
        let both: [LabelPosition] = zip(texts, blocks).compactMap { text, block in
            let fitted = block.flatMap { PlacedIcon(icon, behind: $0, at: point, markers) }
            // A text moved inside the picture must not overlap its own icon.
            if text.isPushed, fitted == nil, text.candidate.boxes.contains(where: alone.box.overlaps) { return nil }
            var place = text
            place.icon = fitted ?? alone
            place.candidate.icon = place.icon?.box.grown(by: kept)
            return place
        }
        // First both together, then each that is allowed without the other.
        return (setting, both + (symbol.isOptional ? lone : []) + (icon.isOptional ? texts : []))
    }

    /// The rotation of an icon with its line or the map, in degrees clockwise.
    private func turn(of icon: LabelSymbol.Icon, _ lineTurn: Double) -> Double {
        switch icon.alignment {
        case .picture: 0
        case .map: -viewport.rotation
        case .line: icon.keepsUpright && abs(lineTurn) > 90 ? lineTurn + 180 : lineTurn
        }
    }
}

extension LabelSymbol {
    /// Returns the text that is not repeated nearby, or `nil` if it may be repeated, or consists of images.
    func saidOnce(of text: String) -> String? {
        let isOnce = collision != nil && repetition == .infinity
        return placement == .fixed || isOnce || text.isWithoutWords ? nil : text
    }

    /// The free space around the boxes of the text in view pixels, or `nil` for the default.
    ///
    /// The boxes of a style sheet already include it.
    var clearance: Double? { collision == nil ? padding : 0 }

    /// The anchor of the text by its alignment and offset.
    fileprivate var ownAnchor: Anchor {
        Anchor(horizontal: horizontalAlignment, vertical: verticalAlignment, offsetX: offsetX, offsetY: offsetY)
    }
}
