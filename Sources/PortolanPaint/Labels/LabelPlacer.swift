package import PortolanRaster

/// Decides which labels of a picture are drawn and where, so that none lies over another or over a mark.
///
/// The labels are given in the order of their ranks, and each gets the first of its candidates that is free. A label that finds
/// none may lie over marks of a lower priority, whose own labels are then left out; so is one that finds no place even so.
package struct LabelPlacer: Sendable {
    private let picture: Rectangle
    private let spacing: Double
    private var occupied: OccupiedGrid
    private var spoken: PlacedTexts
    /// The lowest priority of the obstacles.
    private var leastPriority = Double.infinity
    /// Whether a label lies over a mark.
    private(set) var coversMarks = false

    /// Makes a placer for pictures of a size.
    ///
    /// - Parameters:
    ///   - spacing: how many picture pixels are kept free between labels, and between labels and marks.
    ///   - duplicateDistance: how near, in picture pixels, the same words are not said twice.
    ///   - obstacles: the boxes that are taken before the first label comes.
    package init(
        picture: ImageSize, spacing: Double, duplicateDistance: Double, around obstacles: [LabelObstacle] = []
    ) {
        self.picture = Rectangle(picture)
        self.spacing = max(spacing, 0)
        occupied = OccupiedGrid(self.picture)
        spoken = PlacedTexts(distance: max(duplicateDistance, 0))
        for obstacle in obstacles {
            leastPriority = min(leastPriority, obstacle.priority)
            occupied.insert(obstacle.box, place: obstacle.place, priority: obstacle.priority)
        }
    }

    /// Gives the next label a place: the number of the candidate that it gets, or `nil` if none is free.
    ///
    /// - Complexity: O(candidates), as long as these are small beside the picture.
    package mutating func place(_ request: LabelRequest) -> Int? {
        // A name beside a mark that another name covers would be read as that of the next mark.
        if let mark = request.mark, !occupied.isFree(mark, besides: nil, above: Self.textPriority) { return nil }
        var found = request.isRepeated ? nil : number(of: request, above: -.infinity, crossing: -.infinity)
        if found == nil, !request.isRepeated, request.candidates.contains(where: { !$0.leader.isEmpty }) {
            found = number(of: request, above: -.infinity, crossing: Self.leaderPriority)
        }
        if found == nil, let priority = request.coveredPriority, priority > leastPriority {
            found = number(of: request, above: priority, crossing: Self.leaderPriority)
            if found != nil { coversMarks = true }
        }
        guard let number = found else { return nil }
        let candidate = request.candidates[number]
        if !request.isIgnored { for box in candidate.boxes { occupied.insert(box) } }
        if let icon = candidate.icon, !request.isIconIgnored { occupied.insert(icon) }
        for box in candidate.leader { occupied.insert(box, priority: Self.leaderPriority) }
        if let text = request.text, let center = candidate.bounds?.center { spoken.insert(text, at: center) }
        return number
    }

    /// The priorities of what is placed: texts, which lie over marks, and the lines that lead to them.
    private static let textPriority = Double.infinity, leaderPriority = Double.greatestFiniteMagnitude

    /// The first candidate that is free, leaving aside marks below a priority, and below another where its leader is.
    private func number(of request: LabelRequest, above priority: Double, crossing crossed: Double) -> Int? {
        request.candidates.firstIndex { candidate in
            guard
                candidate.leader.allSatisfy({ occupied.isFree($0, besides: candidate.ownPlace, above: crossed) }),
                isFree(candidate, request, above: priority), let bounds = candidate.bounds
            else { return false }
            return request.text.map {
                !spoken.contains($0, near: bounds.center, within: request.duplicateDistance)
            } ?? true
        }
    }

    /// Whether a label would lie over nothing at a place, whatever leads there.
    func hasRoom(for candidate: LabelCandidate, of request: LabelRequest) -> Bool {
        isFree(candidate, request, above: -.infinity)
    }

    /// Whether nothing lies where a text and its icon would; the picture may cut an icon, and no text.
    private func isFree(_ candidate: LabelCandidate, _ request: LabelRequest, above priority: Double) -> Bool {
        if let icon = candidate.icon, !request.iconMayOverlap {
            let box = icon.grown(by: request.iconPadding)
            guard occupied.isFree(box, besides: candidate.ownPlace, above: priority) else { return false }
        }
        guard !candidate.boxes.isEmpty, !request.mayOverlap else { return true }
        let margin = request.padding ?? spacing
        return candidate.boxes.allSatisfy { box in
            (request.mayBeCut || picture.encloses(box))
                && occupied.isFree(box.grown(by: margin), besides: candidate.ownPlace, above: priority)
        }
    }
}

/// A label that asks for a place.
package struct LabelRequest: Hashable, Sendable {
    /// What the label says where the same words nearby are said once, or `nil` where they may be repeated.
    package var text: String?
    /// How near the same words are not said twice, in picture pixels, or `nil` for as near as others.
    package var duplicateDistance: Double?
    /// Where it may go, the best place first.
    package var candidates: [LabelCandidate]
    /// Whether it gets its first place whatever is there.
    package var mayOverlap: Bool
    /// How much is kept free around the text, in picture pixels, or `nil` for as much as around others.
    package var padding: Double?
    /// The priority below which it may lie over marks if it finds no other place, or `nil` where it lies over none.
    package var coveredPriority: Double?
    /// The middle of the mark that the label names: where another text lies over it, the label gets no place.
    package var mark: Rectangle?
    /// Whether none of its candidates was free before, so that those that lie over marks alone are tried.
    package var isRepeated = false
    /// Whether others may lie over the text.
    package var isIgnored = false
    /// Whether the picture's border may cut the text.
    package var mayBeCut = false
    /// Whether the icon is drawn whatever it lies over.
    package var iconMayOverlap = false
    /// How much is kept free around the icon, in picture pixels.
    package var iconPadding = 0.0
    /// Whether others may lie over the icon.
    package var isIconIgnored = false

    package init(text: String? = nil, candidates: [LabelCandidate], mayOverlap: Bool = false) {
        self.mayOverlap = mayOverlap
        self.text = text
        self.candidates = candidates
    }
}

/// What decides which of two labels is placed first.
///
/// First the higher priority, then the higher layer, then the lower key in the layer, then the first label of a line before its
/// repetitions, then the earlier tile, then the earlier feature.
package struct LabelRank: Hashable, Comparable, Sendable {
    /// Higher goes first; what is no number counts as 0.
    package let priority: Double
    /// The layer's number from the bottom.
    package let layer: Int
    /// The key by which a style sorts the labels of a layer; lower goes first.
    package var key = 0.0
    /// How many labels of the same line come before this one.
    package let repetition: Int
    /// The number of the tile that a style would place the label with, row by row.
    package var tile = 0
    /// The label's number in its layer.
    package let order: Int

    package init(priority: Double = 0, layer: Int = 0, repetition: Int = 0, order: Int = 0) {
        self.priority = priority.isNaN ? 0 : priority
        self.layer = layer
        self.repetition = repetition
        self.order = order
    }

    /// Whether `left` is placed before `right`.
    package static func < (left: LabelRank, right: LabelRank) -> Bool {
        if left.priority != right.priority { return left.priority > right.priority }
        if left.layer != right.layer { return left.layer > right.layer }
        if left.key != right.key { return left.key < right.key }
        return (left.repetition, left.tile, left.order) < (right.repetition, right.tile, right.order)
    }
}

/// One of the places where a label may go.
package struct LabelCandidate: Hashable, Sendable {
    /// The upright boxes that the label's letters and halo fill, in picture pixels; several for one that is not upright.
    package var boxes: [Rectangle]
    /// The upright box that the icon fills, in picture pixels, or `nil` where there is none.
    package var icon: Rectangle?
    /// The place whose own mark the label may touch, or `nil` when it may touch none.
    package var ownPlace: Point?
    /// The upright boxes of the line that leads to the label; it crosses no text and no other such line, and
    /// marks only where there is no other way.
    package var leader: [Rectangle] = []

    package init(boxes: [Rectangle], ownPlace: Point? = nil) {
        self.boxes = boxes
        self.ownPlace = ownPlace
    }

    /// The smallest box around all of the label, or `nil` when there is none or it is not finite.
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

/// Something drawn that labels keep clear of.
package struct LabelObstacle: Hashable, Sendable {
    /// What it fills, in picture pixels.
    package var box: Rectangle
    /// The place it marks, whose own label may touch it, or `nil` when it marks none.
    package var place: Point?
    /// Labels of a higher priority may lie over it where they find no other place; of what they never may, the highest there is.
    package var priority: Double

    package init(box: Rectangle, place: Point? = nil, priority: Double = .infinity) {
        self.box = box
        self.place = place
        self.priority = priority
    }
}
