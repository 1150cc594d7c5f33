import PortolanFeatures
import PortolanRaster
import PortolanText

/// One of the places where a label may go, and how its letters stand there.
struct LabelPosition {
    /// How the letters stand, or `nil` where an icon stands alone.
    let pose: LabelPose?
    /// The icon beside the text, or `nil` for none.
    var icon: PlacedIcon?
    var candidate: LabelCandidate
    /// The line from what it names, or `nil` for none.
    var leader: LabelLeader? { didSet { candidate.leader = leader?.boxes ?? [] } }
    /// Whether the text was moved into the picture, whose border would have cut it.
    private(set) var isPushed = false

    /// An icon without a text.
    init(icon: PlacedIcon, ownPlace: Point?) {
        pose = nil
        self.icon = icon
        candidate = LabelCandidate(boxes: [], ownPlace: ownPlace)
        candidate.icon = icon.box
    }

    /// A text of upright lines whose baselines begin at `origins`, all turned about a point.
    init(turned text: LabelText, origins: [Point], by degrees: Double, about point: Point, halo: Double) {
        let turn = AffineTransform.rotation(degrees: degrees, about: point)
        pose = .upright(origins, turn: turn)
        candidate = LabelCandidate(
            boxes: zip(text.inks, origins).flatMap { ink, origin in
                ink.map { Self.boxes(of: $0.moved(x: origin.x, y: origin.y).grown(by: halo), after: turn) } ?? []
            }, ownPlace: point)
    }

    /// A text of upright lines, all turned about a point where there is a turn, that keeps clear of others by the box of its
    /// lines, as the MapLibre Style Specification has it.
    init(boxed text: LabelText, origins: [Point], by degrees: Double, about point: Point, padding: Double) {
        let turn = AffineTransform.rotation(degrees: degrees, about: point)
        pose = .upright(origins, turn: degrees == 0 ? nil : turn)
        let block = text.block(at: origins)?.grown(by: padding)
        candidate = LabelCandidate(
            boxes: [block.map { degrees == 0 ? $0 : $0.bounds(after: turn) }].compactMap(\.self), ownPlace: point)
    }

    /// An upright text whose baselines begin at `origins`.
    init(upright text: LabelText, origins: [Point], halo: Double, ownPlace: Point? = nil) {
        pose = .upright(origins, turn: nil)
        var boxes = zip(text.inks, origins).compactMap { ink, origin in
            ink?.moved(x: origin.x, y: origin.y).grown(by: halo)
        }
        if let plate = text.plate(at: origins) { boxes.append(plate) }
        candidate = LabelCandidate(boxes: boxes, ownPlace: ownPlace)
    }

    /// The upright text moved by whole pixels into a picture whose border would cut it; `nil` where that would take more than
    /// half of its width or of its height.
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

    /// One line in a pose that follows a line on the map.
    init(_ text: LabelText, along pose: LabelPose, halo: Double) {
        switch pose {
        case .upright(let origins, _): self.init(upright: text, origins: origins, halo: halo)
        case .turned(let transform): self.init(turned: text, by: transform, halo: halo)
        case .bent(let transforms): self.init(bent: text, by: transforms, halo: halo)
        }
    }

    /// A line turned as a whole; its box is cut into short ones that keep close to it.
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

    /// Short boxes that keep close to a long one that is turned.
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

    /// A line whose parts are moved one by one.
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

/// How the letters of a label stand in one of its places.
enum LabelPose {
    /// Upright lines whose baselines begin at these points, all turned where there is a turn.
    case upright([Point], turn: AffineTransform?)
    /// One line, turned as a whole.
    case turned(AffineTransform)
    /// One line whose parts are moved one by one.
    case bent([AffineTransform])
}

/// The places around a point where its label may go.
struct PointPositions {
    private let text: LabelText
    private let halo: Double
    /// How far from a mark its label stands, in picture pixels.
    private let gap: Double

    init(text: LabelText, halo: Double, gap: Double) {
        self.text = text
        self.halo = halo
        self.gap = gap
    }

    /// The places for a point without a mark: on it, then around it.
    func places(at point: Point) -> [LabelPosition] {
        [on(point)] + places(around: Rectangle(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y), at: point)
    }

    /// The places for a point with a mark: on it, where the text fits into it, as a number into a disc, then around it.
    func places(around mark: Rectangle, at point: Point) -> [LabelPosition] {
        let inside = on(point)
        let fits = inside.candidate.bounds.map(mark.encloses) ?? false
        return (fits ? [inside] : []) + sides(of: mark, at: point, gap: gap)
    }

    /// How much farther from a mark than usual labels with leaders stand, in sizes of their letters.
    private static let distances = [0.75, 1.75], farDistances = [3, 4.5]

    /// Places farther from a mark, or from a point without one, for a label that finds none beside it; a line leads there.
    ///
    /// - Parameter isFar: whether they may be far away.
    func fartherPlaces(around mark: Rectangle, at point: Point, isFar: Bool) -> [LabelPosition] {
        let middle = mark.center, reach = min(mark.width, mark.height) / 2
        return (Self.distances + (isFar ? Self.farDistances : [])).flatMap { distance in
            let far = max(mark.width, mark.height) / 2 + gap + distance * text.size
            return LabelLeader.directions.map { direction in
                place(far: far, in: direction, of: middle, beyond: reach, of: point)
            }
        }
    }

    /// A text some way off in a direction from the middle of a mark, so that it leads away from there, and the line between them.
    private func place(
        far distance: Double, in direction: Point, of middle: Point, beyond reach: Double, of point: Point
    ) -> LabelPosition {
        let anchor = Point(x: middle.x + distance * direction.x, y: middle.y + distance * direction.y)
        let across: LabelSymbol.HorizontalAlignment =
            direction.x > 0.3 ? .left : direction.x < -0.3 ? .right : .center
        let down: LabelSymbol.VerticalAlignment = direction.y > 0.7 ? .top : direction.y < -0.7 ? .bottom : .middle
        let origins = text.origins(at: anchor, across, down)
        var place = LabelPosition(upright: text, origins: origins, halo: halo, ownPlace: point)
        place.leader = place.candidate.bounds.flatMap { LabelLeader(from: middle, beyond: reach, to: $0) }
        return place
    }

    private func sides(of mark: Rectangle, at point: Point, gap: Double) -> [LabelPosition] {
        // A pin stands above its point: the middle of the mark counts.
        let middle = mark.center
        // The best-read side comes first, then the other, then above and below, then the corners.
        let rightX = mark.maxX + gap, leftX = mark.minX - gap
        let aboveY = mark.minY - gap, belowY = mark.maxY + gap
        // A corner label comes nearer: a mark seldom fills its corners, and a line's box is higher than its letters.
        let across = min(min(mark.width, mark.height) * 0.15, gap / 2), down = across + 0.25 * text.size
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
        return sides.map { anchor, horizontal, vertical in
            LabelPosition(
                upright: text, origins: text.origins(at: anchor, horizontal, vertical), halo: halo, ownPlace: point)
        }
    }

    private func on(_ point: Point) -> LabelPosition {
        LabelPosition(upright: text, origins: text.origins(at: point, .center, .middle), halo: halo, ownPlace: point)
    }
}
