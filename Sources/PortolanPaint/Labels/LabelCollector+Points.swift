import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText

// The labels of points are placed around their marks.
extension LabelCollector {
    /// The fraction of a label's priority below which it may cover marks of a crowded picture.
    private static let lesserShare = 0.1
    /// The side of the square in view pixels that each mark of a picture has on average if it is not crowded.
    ///
    /// In less room, names without any mark below them are hardly possible.
    private static let markSpacing = 30.0
    /// The preferred free space between a label and the marks of others: in view pixels, and as a share of the letter
    /// size.
    private static let clearance = 5.0, clearanceShare = 0.45
    /// The least free space between a label and the marks of others, about that to the own mark.
    private static let leastClearance = 3.0
    /// By how much another mark of a heap may be nearer to a name than its own, in view pixels.
    private static let nearness = 1.5
    /// The largest side of a cluster whose marks leader lines cross, in multiples of the letter size.
    private static let crossedSize = 8.0

    /// Places the label of a point: beside its mark, or with a priority also beyond a leader line; otherwise it counts as
    /// lost.
    mutating func place(
        _ label: Label, around point: Point, by placer: inout LabelPlacer
    ) throws(TextError) -> (setting: LabelText?, place: LabelPosition)? {
        guard let setting = try setting(label.words) else {
            noteLoss(of: label, hasPlaces: false)
            return nil
        }
        let found = place(label, setting, around: point, by: &placer)
        if found == nil {
            noteLoss(of: label, hasPlaces: true)
            if !layersWithSheets.contains(label.rank.layer) { losses[label.rank.layer].unnamedPoints += 1 }
        }
        return found.map { (setting, $0) }
    }

    private mutating func place(
        _ label: Label, _ setting: LabelText, around point: Point, by placer: inout LabelPlacer
    ) -> LabelPosition? {
        let mark = marks.boxes[point]
        let mayBeLed = label.words.label.hasPriority || label.words.priority != 0
        if let mark {
            // A name is not placed at a mark of which little is seen: most of it is cut, or under that of a more
            // important name, or under a panel.
            let middle = mark.middle, area = picture, layer = label.rank.layer
            guard picture.encloses(middle), !isUnderNamedMark(mark.core, label), !isInNamedMark(mark, layer),
                !furniture.contains(where: middle.overlaps)
            else { return nil }
            namedMarks[layer, default: OccupiedGrid(area)].insert(
                mark.core, place: mark.center, priority: label.rank.priority)
            namedBoxes[layer, default: OccupiedGrid(area)].insert(mark, place: mark.center)
        }
        let own = mark.map { placer.heap(of: $0) }
        let positions = pointPlaces(of: setting, label.words)
        var near = own.map { positions.places(around: $0, at: point) } ?? positions.places(at: point)
        if mayBeLed, let mark, let own, own != mark {
            let others = placer.marks(in: own).filter { $0 != mark }
            near.removeAll { place in place.candidate.bounds.map { isNearer(others, $0, than: mark) } ?? false }
        }
        var request = request(label, near)
        request.markClearance = max(Self.clearance * pixelRatio, Self.clearanceShare * setting.size)
        request.heap = own
        if mark != nil { request.leastClearance = Self.leastClearance * pixelRatio }
        if placer.coversMarks { request.mark = mark?.middle }
        if let index = placer.place(request) { return near[index] }
        var all = near
        if leaderCount < Self.leaderLimit, mayBeLed {
            let bare = Rectangle(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
            let led = beyondLeaders(of: positions, around: own ?? bare, of: mark ?? bare, at: point, setting)
            if let place = place(label, &request, at: led, of: mark, letterSize: setting.size, by: &placer) {
                leaderStarts.append(point)
                return place
            }
            all += led
        }
        // The marks of a style sheet that may be as large are discs.
        if mayBeLed, layersWithSheets.contains(label.rank.layer), let mark,
            let place = positions.place(onDisc: mark, at: point)
        {
            var own = request
            own.candidates = [place.candidate]
            (own.coveredPriority, own.isRepeated, own.coversParts) = (label.rank.priority, true, true)
            if placer.place(own) != nil { return place }
        }
        request.candidates = all.map(\.candidate)
        guard let index = placeLast(request, label, by: &placer) else { return nil }
        if all[index].leader != nil { leaderStarts.append(point) }
        return all[index]
    }

    /// Places a label at the end of a leader.
    ///
    /// The leader crosses no mark if possible, otherwise only marks that hide a part of its own, and as a last resort
    /// marks of its cluster whose labels were not tried before.
    private mutating func place(
        _ label: Label, _ request: inout LabelRequest, at led: [LabelPosition], of mark: Rectangle?,
        letterSize: Double, by placer: inout LabelPlacer
    ) -> LabelPosition? {
        request.candidates = led.map(\.candidate)
        if let index = placer.place(request) { return led[index] }
        guard let mark else { return nil }
        let cluster = placer.cluster(of: mark)
        guard cluster.isComplete, max(cluster.box.width, cluster.box.height) <= Self.crossedSize * letterSize else {
            return nil
        }
        request.cluster = placer.cluster(of: mark, isTight: true).box
        if let index = placer.place(request) { return led[index] }
        let crossing = led.filter { crossesNoNamedMark($0.candidate, of: mark, label) }
        request.cluster = cluster.box
        request.candidates = crossing.map(\.candidate)
        guard let index = placer.place(request) else { return nil }
        for crossed in placer.marks(under: crossing[index].candidate) where crossed != mark {
            namedMarks[label.rank.layer]?.insert(
                crossed.core, place: crossed.center, priority: label.rank.priority)
        }
        return crossing[index]
    }

    /// Places a label for which no position is free: over marks of a much lower priority in a crowded picture, or over
    /// lines of its layer.
    private func placeLast(_ request: LabelRequest, _ label: Label, by placer: inout LabelPlacer) -> Int? {
        var request = request
        if isCrowded {
            let priority = label.rank.priority
            request.coveredPriority = priority > 0 ? priority * Self.lesserShare : priority / Self.lesserShare
            request.isRepeated = true
            if let index = placer.place(request) { return index }
        }
        guard marks.layersWithLines.contains(label.rank.layer) else { return nil }
        request.layer += 1
        (request.coveredPriority, request.isRepeated) = (nil, false)
        return placer.place(request)
    }

    /// Whether another mark is clearly nearer to a text than its own, of which it would be taken for the name.
    private func isNearer(_ others: [Rectangle], _ text: Rectangle, than mark: Rectangle) -> Bool {
        let distance = text.distance(to: mark) - Self.nearness * pixelRatio
        return others.contains { text.distance(to: $0) < distance }
    }

    /// Whether the picture has so many marks that names may cover small ones.
    private var isCrowded: Bool {
        let side = Self.markSpacing * pixelRatio
        return Double(marks.count) * side * side > picture.width * picture.height
    }

    /// Returns whether the middle of a mark is under, or above, that of a mark of the layer whose label has a higher
    /// priority.
    private func isUnderNamedMark(_ core: Rectangle, _ label: Label) -> Bool {
        guard let named = namedMarks[label.rank.layer] else { return false }
        return !named.isFree(core, besides: nil, above: label.rank.priority.nextUp)
    }

    /// Whether a mark is on a larger one of the layer whose label was tried before, of which its name would be taken for
    /// that.
    private func isInNamedMark(_ mark: Rectangle, _ layer: Int) -> Bool {
        namedBoxes[layer]?.marks(touching: mark).contains { $0 != mark && $0.encloses(mark) } ?? false
    }

    /// Whether the leader of a position crosses no mark whose own label was tried before; others then have none.
    private func crossesNoNamedMark(_ candidate: LabelCandidate, of mark: Rectangle, _ label: Label) -> Bool {
        guard let named = namedMarks[label.rank.layer] else { return true }
        let reach = min(mark.width, mark.height) * 3 / 8
        return candidate.leader.allSatisfy { named.isFree($0.grown(by: reach), besides: mark.center) }
    }

    /// The positions with a leader line; as a rule none near another leader, as two would be difficult to distinguish.
    private mutating func beyondLeaders(
        of positions: PointPositions, around heap: Rectangle, of mark: Rectangle, at point: Point,
        _ setting: LabelText
    ) -> [LabelPosition] {
        let distance = 2 * setting.size
        leaderCount += 1
        let isImportant = leaderCount <= Self.importantLimit
        guard isImportant || !leaderStarts.contains(where: { MeasuredLine.distance($0, point) < distance }) else {
            return []
        }
        return positions.fartherPlaces(around: heap, of: mark, at: point, isImportant: isImportant)
    }

    func pointPlaces(of setting: LabelText, _ words: Words) -> PointPositions {
        let halo = halo(of: words)
        let gap = max(3 * pixelRatio, max(halo, setting.padding ?? 0) + Self.spacing * pixelRatio)
        return PointPositions(text: setting, halo: halo, gap: gap)
    }
}

extension Rectangle {
    /// The inner half of a mark's box.
    fileprivate var middle: Rectangle { grown(by: -min(width, height) / 4) }

    /// The inner quarter of a mark's box.
    var core: Rectangle { grown(by: -min(width, height) * 3 / 8) }
}
