package import PortolanRaster

/// Decides which labels of a picture are drawn and where, so that none overlaps another or a mark.
///
/// Labels are placed in the order of their ranks, each at its first free candidate, of which those with free space around
/// them come first. A label without one may cover marks of a lower priority, whose own labels are then omitted. A label
/// that still has no position is omitted.
package struct LabelPlacer: Sendable {
    private let picture: Rectangle
    private let spacing: Double
    private var occupied: OccupiedGrid
    private var spoken: PlacedTexts
    /// The lowest priority of the obstacles.
    private var leastPriority = Double.infinity
    /// Whether a label covers a mark.
    private(set) var coversMarks = false

    /// Creates a placer for pictures of a size.
    ///
    /// - Parameters:
    ///   - spacing: the free picture pixels between labels, and between labels and marks.
    ///   - duplicateDistance: the distance within which texts are not repeated, in picture pixels.
    ///   - obstacles: the boxes that are occupied from the beginning.
    package init(
        picture: ImageSize, spacing: Double, duplicateDistance: Double, around obstacles: [LabelObstacle] = []
    ) {
        self.picture = Rectangle(picture)
        self.spacing = max(spacing, 0)
        occupied = OccupiedGrid(self.picture)
        spoken = PlacedTexts(distance: max(duplicateDistance, 0))
        for obstacle in obstacles {
            leastPriority = min(leastPriority, obstacle.priority)
            occupied.insert(
                obstacle.box, place: obstacle.place, priority: obstacle.priority, layer: obstacle.layer)
        }
    }

    /// Places the next label, and returns the index of its candidate, or `nil` if none is free.
    ///
    /// - Complexity: O(candidates), as long as these are small compared with the picture.
    package mutating func place(_ request: LabelRequest) -> Int? {
        // A label beside a covered mark would be mistaken for that of the covering label.
        if let mark = request.mark, !occupied.isFree(mark, besides: nil, above: Self.textPriority) { return nil }
        var found = request.isRepeated ? nil : number(of: request)
        if found == nil, let priority = request.coveredPriority, priority > leastPriority {
            found = numberCoveringLeast(of: request, below: priority)
            if found != nil { coversMarks = true }
        }
        guard let number = found else { return nil }
        let candidate = request.candidates[number]
        if !request.isIgnored { for box in candidate.boxes { occupied.insert(box, isText: true) } }
        if let icon = candidate.icon, !request.isIconIgnored {
            occupied.insert(icon, place: request.isIconMark ? candidate.ownPlace : nil)
        }
        for box in candidate.leader { occupied.insert(box, priority: Self.leaderPriority) }
        if let text = request.text, let point = candidate.place { spoken.insert(text, at: point) }
        return number
    }

    /// Returns the union of a mark and those that look like one with it, as they hide most of each other.
    func heap(of mark: Rectangle) -> Rectangle { occupied.heap(of: mark) }

    /// Returns the marks inside a box.
    func marks(in box: Rectangle) -> [Rectangle] { occupied.marks(touching: box).filter(box.encloses) }

    /// Returns the box of a mark and all that touch it or each other, and whether these are not too many to be known.
    ///
    /// - Parameter isTight: whether only those count that touch the inner part of another one.
    func cluster(of mark: Rectangle, isTight: Bool = false) -> (box: Rectangle, isComplete: Bool) {
        occupied.cluster(of: mark, isTight: isTight)
    }

    /// The priorities of placed content: texts, which cover marks, and leader lines.
    private static let textPriority = Double.infinity, leaderPriority = Double.greatestFiniteMagnitude
    /// The priority of marks that no text may cover.
    static let markPriority = leaderPriority / 2

    /// The free candidate whose leader crosses the fewest marks; among these one with much free space around the text, and
    /// near its mark.
    ///
    /// A text with a leader has twice that space if possible, because it would be mistaken for that of the nearer mark.
    private func number(of request: LabelRequest) -> Int? {
        var best: (number: Int, crossed: Int, cost: Double)?
        for (number, candidate) in request.candidates.enumerated() {
            let isLed = !candidate.leader.isEmpty, own = request.cluster ?? request.heap
            let isLeaderFree = candidate.leader.allSatisfy { box in
                occupied.isFree(box, besides: candidate.ownPlace, within: own, layer: request.layer)
                    // Not between a text and its mark.
                    && (request.markClearance == 0
                        || occupied.isFree(box.grown(by: spacing), besides: nil, among: .texts))
            }
            guard isLeaderFree, isFree(candidate, request, above: -.infinity), candidate.bounds != nil,
                !isSpoken(request, candidate)
            else { continue }
            let least = request.leastClearance
            let spaces =
                isLed
                ? [2 * request.markClearance, request.markClearance, least > 0 ? least : request.markClearance]
                : [request.markClearance, least]
            guard var level = spaces.firstIndex(where: { hasClearance(candidate, request, $0) }) else { continue }
            if request.lineGap > 0, !isApart(candidate, request.lineGap) {
                if request.needsLineGap { continue }
                level += spaces.count
            }
            let crossed = request.cluster == nil || !isLed ? 0 : crossedMarks(of: candidate, request)
            let cost = Double(level) + Self.distanceShare * candidate.distance
            if best.map({ (crossed, cost) < ($0.crossed, $0.cost) }) ?? true { best = (number, crossed, cost) }
            // The next ones are farther away.
            if level == 0, crossed == 0 { break }
        }
        return best?.number
    }

    /// The share of a level of free space that an em between a text and its mark weighs.
    private static let distanceShare = 0.5

    /// The number of marks of others that a leader crosses.
    private func crossedMarks(of candidate: LabelCandidate, _ request: LabelRequest) -> Int {
        marks(under: candidate).count { request.heap?.encloses($0) != true }
    }

    /// Returns the marks that the leader of a candidate touches.
    func marks(under candidate: LabelCandidate) -> Set<Rectangle> {
        candidate.leader.reduce(into: []) { $0.formUnion(occupied.marks(touching: $1)) }
    }

    /// Whether a label nearby has the same text already.
    private func isSpoken(_ request: LabelRequest, _ candidate: LabelCandidate) -> Bool {
        guard let text = request.text, let point = candidate.place else { return false }
        return spoken.contains(text, near: point, within: request.duplicateDistance)
    }

    /// The candidate without a leader that covers the fewest marks below a priority and nothing else; the first among
    /// equals.
    private func numberCoveringLeast(of request: LabelRequest, below priority: Double) -> Int? {
        var least: (number: Int, count: Int)?
        for (number, candidate) in request.candidates.enumerated() where candidate.leader.isEmpty {
            guard isFree(candidate, request, above: priority), let bounds = candidate.bounds,
                !isSpoken(request, candidate)
            else { continue }
            let covered = occupied.marks(touching: bounds).filter { request.heap?.encloses($0) != true }
            // Of a mark that it covers in part, the text would be taken for the name.
            guard request.coversParts || covered.allSatisfy({ bounds.encloses($0.core) }) else { continue }
            if covered.count < least?.count ?? .max { least = (number, covered.count) }
        }
        return least?.number
    }

    /// Whether there is free space between a text and the marks of others, and between it and texts on the same line,
    /// with which it would read as one.
    private func hasClearance(_ candidate: LabelCandidate, _ request: LabelRequest, _ clearance: Double) -> Bool {
        clearance <= 0
            || (isApart(candidate, Self.lineSpace * clearance)
                && candidate.boxes.allSatisfy { box in
                    func isFree(_ box: Rectangle) -> Bool {
                        occupied.isFree(box, besides: candidate.ownPlace, within: request.heap, among: .marks)
                    }
                    // A mark on the same line would be taken for that of the text.
                    return isFree(box.grown(by: clearance + candidate.clearance))
                        && isFree(line(of: box, Self.markSpace * request.markClearance, Self.markShare))
                })
                && (!request.isIconMark
                    || candidate.icon.map { icon in
                        occupied.isFree(line(of: icon, Self.markSpace * clearance), besides: nil, among: .texts)
                    } ?? true)
    }

    /// Whether there is free space between a text and others on the same line.
    private func isApart(_ candidate: LabelCandidate, _ gap: Double) -> Bool {
        candidate.boxes.allSatisfy { occupied.isFree(line(of: $0, gap), besides: nil, among: .texts) }
    }

    /// The line of a text, or of a mark, with the space before and after it.
    private func line(of box: Rectangle, _ gap: Double, _ share: Double = lineShare) -> Rectangle {
        Rectangle(
            minX: box.minX - gap, minY: box.minY + share * box.height, maxX: box.maxX + gap,
            maxY: box.maxY - share * box.height)
    }

    /// The share of a text's height by which another one, or a mark, is higher or lower if it is not on the same line.
    private static let lineShare = 0.3, markShare = 0.1
    /// The free space between texts on the same line, in multiples of that between a text and marks.
    private static let lineSpace = 3.0
    /// The free space between a text and the marks of others on the same line, in multiples of the preferred one.
    private static let markSpace = 2.0

    /// Returns whether a label would be free at a position, ignoring its leader.
    func hasRoom(for candidate: LabelCandidate, of request: LabelRequest) -> Bool {
        isFree(candidate, request, above: -.infinity)
    }

    /// Whether a text and its icon are free.
    ///
    /// The picture border may cut an icon, but not a text.
    private func isFree(_ candidate: LabelCandidate, _ request: LabelRequest, above priority: Double) -> Bool {
        if let icon = candidate.icon, !request.iconMayOverlap {
            let box = icon.grown(by: request.iconPadding)
            guard occupied.isFree(box, besides: candidate.ownPlace, above: priority, layer: request.layer) else {
                return false
            }
        }
        guard !candidate.boxes.isEmpty, !request.mayOverlap else { return true }
        let margin = request.padding ?? spacing
        return candidate.boxes.allSatisfy { box in
            (request.mayBeCut || picture.encloses(box))
                && occupied.isFree(
                    box.grown(by: margin), besides: candidate.ownPlace, above: priority, layer: request.layer)
        }
    }
}

/// A request for a label position.
package struct LabelRequest: Hashable, Sendable {
    /// The text that is not repeated nearby, or `nil` if it may be repeated.
    package var text: String?
    /// The distance within which the text is not repeated, in picture pixels, or `nil` for the default.
    package var duplicateDistance: Double?
    /// The candidates, the best one first.
    package var candidates: [LabelCandidate]
    /// Whether it gets its first candidate unconditionally.
    package var mayOverlap: Bool
    /// The free space around the text, in picture pixels, or `nil` for the default.
    package var padding: Double?
    /// The priority below which it may cover marks as a last resort, or `nil` for never.
    package var coveredPriority: Double?
    /// Whether it may cover parts of marks, because it is drawn across its own mark.
    package var coversParts = false
    /// The middle of the labelled mark.
    ///
    /// If another text covers it, the label is omitted.
    package var mark: Rectangle?
    /// Whether the candidates were tried before, so that only those that cover marks remain.
    package var isRepeated = false
    /// Whether other labels may overlap the text.
    package var isIgnored = false
    /// Whether the picture border may cut the text.
    package var mayBeCut = false
    /// The index of its layer from the bottom.
    package var layer = 0
    /// The free space between the text and the marks of others, in picture pixels: always with a leader, otherwise if
    /// any candidate has it; more from texts on the same line.
    package var markClearance = 0.0
    /// The free space without which a text has no place, so that its own mark is the nearest.
    package var leastClearance = 0.0
    /// The free space between the text and others on the same line, in picture pixels: if any candidate has it, or always.
    package var lineGap = 0.0, needsLineGap = false
    /// The box of the marks that look like one with its own.
    package var heap: Rectangle?
    /// The box of marks around its own that hide each other, which its leader may cross, or `nil`.
    package var cluster: Rectangle?
    /// Whether the icon is drawn unconditionally.
    package var iconMayOverlap = false
    /// The free space around the icon, in picture pixels.
    package var iconPadding = 0.0
    /// Whether other labels may overlap the icon.
    package var isIconIgnored = false
    /// Whether the icon is the mark of a point, from which other names keep their distance.
    package var isIconMark = false

    package init(text: String? = nil, candidates: [LabelCandidate], mayOverlap: Bool = false) {
        self.mayOverlap = mayOverlap
        self.text = text
        self.candidates = candidates
    }
}

/// The placement order of labels.
///
/// A higher priority comes first, then a higher layer, then a lower key in the layer, then the first label of a line
/// before its repetitions, then a larger area, then an earlier tile, then an earlier feature.
package struct LabelRank: Hashable, Comparable, Sendable {
    /// Higher values come first; NaN counts as 0.
    package let priority: Double
    /// The index of the layer from the bottom.
    package let layer: Int
    /// The sort key of a style; lower values come first.
    package var key = 0.0
    /// The number of labels of the same line before this one.
    package let repetition: Int
    /// The size of the labelled area in the picture, in square pixels; 0 for others.
    package var size = 0
    /// The index of the tile with which a style would place the label, row by row.
    package var tile = 0
    /// Whether the tile comes before the number of the repetition.
    package var isByTile = false
    /// The index of the label in its layer.
    package let order: Int

    package init(priority: Double = 0, layer: Int = 0, repetition: Int = 0, order: Int = 0) {
        self.priority = priority.isNaN ? 0 : priority
        self.layer = layer
        self.repetition = repetition
        self.order = order
    }

    /// Returns whether `left` is placed before `right`.
    package static func < (left: LabelRank, right: LabelRank) -> Bool {
        if left.priority != right.priority { return left.priority > right.priority }
        if left.layer != right.layer { return left.layer > right.layer }
        if left.key != right.key { return left.key < right.key }
        if left.isByTile { return (left.tile, left.order) < (right.tile, right.order) }
        return (left.repetition, -left.size, left.tile, left.order)
            < (right.repetition, -right.size, right.tile, right.order)
    }
}

/// A candidate position of a label.
package struct LabelCandidate: Hashable, Sendable {
    /// The upright boxes of the label's letters and halo, in picture pixels; several for a rotated or bent label.
    package var boxes: [Rectangle]
    /// The upright box of the icon, in picture pixels, or `nil` without an icon.
    package var icon: Rectangle?
    /// The point whose own mark the label may touch, or `nil` if it may touch none.
    package var ownPlace: Point?
    /// The upright boxes of the leader line, which crosses no text and no other leader, and only marks of its own cluster.
    package var leader: [Rectangle] = []
    /// The length of the leader line in multiples of the letter size, about.
    var distance = 0.0
    /// The free space to the marks of others that it needs in addition, in picture pixels.
    var clearance = 0.0

    package init(boxes: [Rectangle], ownPlace: Point? = nil) {
        self.boxes = boxes
        self.ownPlace = ownPlace
    }

    /// The labelled point, or the middle of the text.
    fileprivate var place: Point? { ownPlace ?? bounds?.center }

    /// The bounding box of the label, or `nil` if it is empty or not finite.
    var bounds: Rectangle? {
        guard var bounds = boxes.first ?? icon else { return nil }
        for box in boxes + [icon].compactMap(\.self) {
            guard box.minX.isFinite, box.minY.isFinite, box.maxX.isFinite, box.maxY.isFinite else { return nil }
            bounds.minX = min(bounds.minX, box.minX)
            bounds.minY = min(bounds.minY, box.minY)
            bounds.maxX = max(bounds.maxX, box.maxX)
            bounds.maxY = max(bounds.maxY, box.maxY)
        }
        return bounds
    }
}

/// A drawn object that labels avoid.
package struct LabelObstacle: Hashable, Sendable {
    /// The box, in picture pixels.
    package var box: Rectangle
    /// The marked point, whose own label may touch the box, or `nil`.
    package var place: Point?
    /// Labels of a higher priority may cover it as a last resort.
    ///
    /// The highest value prevents this.
    package var priority: Double
    /// Only labels of layers below this one avoid it.
    ///
    /// Default: the highest value, for all labels.
    package var layer: Int

    package init(box: Rectangle, place: Point? = nil, priority: Double = .infinity, layer: Int = .max) {
        self.layer = layer
        self.box = box
        self.place = place
        self.priority = priority
    }
}
