import PortolanFeatures
import PortolanRaster
import PortolanText

/// A candidate position of a label, and the pose of its letters.
struct LabelPosition {
    /// The pose of the letters, or `nil` for an icon alone.
    let pose: LabelPose?
    /// The icon, or `nil`.
    var icon: PlacedIcon?
    var candidate: LabelCandidate
    /// The leader line, or `nil`.
    var leader: LabelLeader? { didSet { candidate.leader = leader?.boxes ?? [] } }
    /// Whether the text was moved into the picture, whose border would have cut it.
    private(set) var isPushed = false

    /// Creates the position of an icon without a text.
    init(icon: PlacedIcon, ownPlace: Point?) {
        pose = nil
        self.icon = icon
        candidate = LabelCandidate(boxes: [], ownPlace: ownPlace)
        candidate.icon = icon.box
    }

    /// Creates the position of upright lines with baselines from `origins`, all rotated about a point.
    init(turned text: LabelText, origins: [Point], by degrees: Double, about point: Point, halo: Double) {
        let turn = AffineTransform.rotation(degrees: degrees, about: point)
        pose = .upright(origins, turn: turn)
        candidate = LabelCandidate(
            boxes: zip(text.inks, origins).flatMap { ink, origin in
                ink.map { Self.boxes(of: $0.moved(x: origin.x, y: origin.y).grown(by: halo), after: turn) } ?? []
            }, ownPlace: point)
    }

    /// Creates the position of upright lines, possibly rotated about a point, whose collision box is that of the lines,
    /// as in the MapLibre Style Specification.
    init(boxed text: LabelText, origins: [Point], by degrees: Double, about point: Point, padding: Double) {
        let turn = AffineTransform.rotation(degrees: degrees, about: point)
        pose = .upright(origins, turn: degrees == 0 ? nil : turn)
        let block = text.block(at: origins)?.grown(by: padding)
        candidate = LabelCandidate(
            boxes: [block.map { degrees == 0 ? $0 : $0.bounds(after: turn) }].compactMap(\.self), ownPlace: point)
    }

    /// Creates the position of an upright text with baselines from `origins`.
    init(upright text: LabelText, origins: [Point], halo: Double, ownPlace: Point? = nil) {
        pose = .upright(origins, turn: nil)
        var boxes = zip(text.inks, origins).compactMap { ink, origin in
            ink?.moved(x: origin.x, y: origin.y).grown(by: halo)
        }
        if let plate = text.plate(at: origins) { boxes.append(plate) }
        candidate = LabelCandidate(boxes: boxes, ownPlace: ownPlace)
    }

    /// Returns the upright text moved by whole pixels into a picture whose border would cut it, or `nil` if that
    /// requires more than half of its width or of its height.
    func movedInside(_ picture: Rectangle, _ text: LabelText, _ origins: [Point], halo: Double) -> LabelPosition? {
        guard let box = candidate.bounds else { return nil }
        let x = max(0, picture.minX - box.minX).rounded(.up) - max(0, box.maxX - picture.maxX).rounded(.up)
        let y = max(0, picture.minY - box.minY).rounded(.up) - max(0, box.maxY - picture.maxY).rounded(.up)
        guard x != 0 || y != 0 else { return self }
        guard abs(x) <= (box.width / 2).rounded(.up), abs(y) <= (box.height / 2).rounded(.up) else { return nil }
        let moved = origins.map { Point(x: $0.x + x, y: $0.y + y) }
        var place = LabelPosition(upright: text, origins: moved, halo: halo, ownPlace: candidate.ownPlace)
        place.isPushed = true
        return place
    }

    /// Creates the position of one line in a pose along a map line.
    init(_ text: LabelText, along pose: LabelPose, halo: Double) {
        switch pose {
        case .upright(let origins, _): self.init(upright: text, origins: origins, halo: halo)
        case .turned(let transform): self.init(turned: text, by: transform, halo: halo)
        case .bent(let transforms): self.init(bent: text, by: transforms, halo: halo)
        }
    }

    /// Creates the position of a rotated line; its box is split into short ones.
    init(turned text: LabelText, by transform: AffineTransform, halo: Double) {
        pose = .turned(transform)
        guard let ink = text.inks.first ?? nil else {
            candidate = LabelCandidate(boxes: [])
            return
        }
        let letters = ink.grown(by: halo)
        let box = text.plate(of: 0).map { $0.union(letters) } ?? letters
        candidate = LabelCandidate(boxes: Self.boxes(of: box, after: transform))
    }

    /// Short boxes that approximate a long rotated one.
    private static func boxes(of box: Rectangle, after transform: AffineTransform) -> [Rectangle] {
        let count = max(1, Int(min(box.width / max(box.height, 1), 512).rounded(.up)))
        let step = box.width / Double(count)
        return (0..<count).map { number in
            Rectangle(
                minX: box.minX + Double(number) * step, minY: box.minY,
                maxX: box.minX + Double(number + 1) * step, maxY: box.maxY
            ).bounds(after: transform)
        }
    }

    /// Creates the position of a line whose parts are transformed individually.
    init(bent text: LabelText, by transforms: [AffineTransform], halo: Double) {
        pose = .bent(transforms)
        guard let ink = text.inks.first ?? nil, let line = text.lines.first else {
            candidate = LabelCandidate(boxes: [])
            return
        }
        let plate = text.plate(of: 0), colored = line.coloredClusters
        candidate = LabelCandidate(
            boxes: zip(line.clusters.enumerated(), transforms).compactMap { numbered, transform in
                let (number, cluster) = numbered
                guard !cluster.elements.isEmpty || colored.contains(number) || plate != nil else { return nil }
                let own = Rectangle(
                    minX: cluster.x, minY: ink.minY, maxX: cluster.x + cluster.advance, maxY: ink.maxY)
                guard let plate else { return own.bounds(after: transform).grown(by: halo) }
                let padding = text.padding ?? 0
                let behind = Rectangle(
                    minX: own.minX - padding, minY: plate.minY, maxX: own.maxX + padding, maxY: plate.maxY)
                return behind.union(own.grown(by: halo)).bounds(after: transform)
            })
    }
}

/// The pose of a label's letters.
enum LabelPose {
    /// Upright lines with baselines from these points, possibly rotated together.
    case upright([Point], turn: AffineTransform?)
    /// One line, rotated as a whole.
    case turned(AffineTransform)
    /// One line whose parts are transformed individually.
    case bent([AffineTransform])
}

/// The candidate positions around a point.
struct PointPositions {
    private let text: LabelText
    private let halo: Double
    /// The distance between a mark and its label, in picture pixels.
    private let gap: Double

    init(text: LabelText, halo: Double, gap: Double) {
        self.text = text
        self.halo = halo
        self.gap = gap
    }

    /// Returns the positions for a point without a mark: on it, then around it.
    func places(at point: Point) -> [LabelPosition] {
        [on(point)] + places(around: Rectangle(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y), at: point)
    }

    /// Returns the positions for a point with a mark: on it if the text fits, such as a number in a disc, then around
    /// it.
    ///
    /// A halo must not hide the mark, so a text with one needs half as much space again.
    func places(around mark: Rectangle, at point: Point) -> [LabelPosition] {
        let inside = on(point)
        let fits =
            inside.candidate.bounds.map { text in
                mark.encloses(halo > 0 ? text.grown(by: max(text.width, text.height) / 4) : text)
            } ?? false
        return (fits ? [inside] : []) + sides(of: mark, at: point, gap: gap)
    }

    /// The least diameter of a disc with a name across it, in multiples of the letter size, and the largest width of the
    /// name in multiples of the diameter.
    private static let discSize = 1.5, discWidth = 2.0

    /// Returns the position across a disc that is large enough, or `nil`.
    func place(onDisc mark: Rectangle, at point: Point) -> LabelPosition? {
        let place = on(point), side = min(mark.width, mark.height)
        guard side >= Self.discSize * text.size, mark.contains(point), let box = place.candidate.bounds,
            box.width <= Self.discWidth * side, box.height <= side
        else { return nil }
        return place
    }

    /// The additional distances of labels with leaders from a mark, in multiples of the letter size.
    ///
    /// A longer leader is followed with difficulty.
    private static let distances = [0.5, 1, 1.5, 2, 2.5], farDistances = [3.25, 4, 4.75]

    /// Returns positions farther from a mark, or from a point without one, with a leader line, the nearest first.
    ///
    /// - Parameters:
    ///   - heap: the box of the mark and those that look like one with it.
    ///   - mark: the box of the mark, at whose rim the line begins.
    ///   - isImportant: whether they may be even farther away.
    func fartherPlaces(
        around heap: Rectangle, of mark: Rectangle, at point: Point, isImportant: Bool
    ) -> [LabelPosition] {
        var places: [LabelPosition] = []
        for distance in Self.distances + (isImportant ? Self.farDistances : []) {
            let far = max(heap.width, heap.height) / 2 + gap + distance * text.size
            for isOther in [false, true] {
                for direction in LabelLeader.directions {
                    guard let (across, down) = Self.alignments(in: direction, isOther) else { continue }
                    let anchor = Point(x: heap.center.x + far * direction.x, y: heap.center.y + far * direction.y)
                    var place = LabelPosition(
                        upright: text, origins: text.origins(at: anchor, across, down), halo: halo, ownPlace: point)
                    place.candidate.distance = distance
                    place.leader = place.candidate.bounds.flatMap {
                        LabelLeader(from: mark.center, beyond: min(mark.width, mark.height) / 2, to: $0)
                    }
                    places.append(place)
                }
            }
        }
        return places
    }

    /// How a text stands at the end of a leader in some direction, or otherwise stands there: with its end instead of
    /// its middle, or with its middle instead of a corner; `nil` if there is no other way.
    private static func alignments(
        in direction: Point, _ isOther: Bool
    ) -> (LabelSymbol.HorizontalAlignment, LabelSymbol.VerticalAlignment)? {
        let isAcross = abs(direction.x) > 0.3, isDown = abs(direction.y) > 0.7
        guard isDown || !isOther else { return nil }
        let side: LabelSymbol.HorizontalAlignment = direction.x < 0 ? .right : .left
        let end: LabelSymbol.VerticalAlignment = direction.y < 0 ? .bottom : .top
        return isOther
            ? (side, isAcross ? .middle : end) : (isAcross ? side : .center, isDown ? end : .middle)
    }

    /// The additional free space between a name at a corner of its mark and other marks, in multiples of the letter size.
    private static let cornerClearance = 0.3

    private func sides(of mark: Rectangle, at point: Point, gap: Double) -> [LabelPosition] {
        // The middle of a mark counts, since a pin is above its point.
        let middle = mark.center
        // The right side comes first for legibility, then the left, then above and below, then the corners.
        let rightX = mark.maxX + gap, leftX = mark.minX - gap
        let aboveY = mark.minY - gap, belowY = mark.maxY + gap
        // A corner label is closer, since marks seldom fill their corners, and line boxes are higher than letters.
        let across = min(min(mark.width, mark.height) * 0.15, gap), down = across + 0.25 * text.size
        let sides: [(Point, LabelSymbol.HorizontalAlignment, LabelSymbol.VerticalAlignment)] = [
            (Point(x: rightX, y: middle.y), .left, .middle),
            (Point(x: leftX, y: middle.y), .right, .middle),
            (Point(x: middle.x, y: aboveY), .center, .bottom),
            (Point(x: middle.x, y: belowY), .center, .top),
            (Point(x: rightX - across, y: aboveY + down), .left, .bottom),
            (Point(x: rightX - across, y: belowY - down), .left, .top),
            (Point(x: leftX + across, y: aboveY + down), .right, .bottom),
            (Point(x: leftX + across, y: belowY - down), .right, .top),
        ]
        return sides.enumerated().map { number, side in
            let (anchor, horizontal, vertical) = side
            var place = LabelPosition(
                upright: text, origins: text.origins(at: anchor, horizontal, vertical), halo: halo, ownPlace: point)
            // It is less clear to which mark a name at a corner belongs.
            if number >= 4 { place.candidate.clearance = Self.cornerClearance * text.size }
            return place
        }
    }

    private func on(_ point: Point) -> LabelPosition {
        LabelPosition(upright: text, origins: text.origins(at: point, .center, .middle), halo: halo, ownPlace: point)
    }
}
