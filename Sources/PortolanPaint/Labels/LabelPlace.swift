import PortolanFeatures
import PortolanRaster
import PortolanText

/// One of the places where a label may go, and how its letters stand there.
struct LabelPlace {
    let pose: LabelPose
    var candidate: LabelCandidate

    /// An upright text whose baselines begin at `origins`.
    init(upright text: LabelText, origins: [Point], halo: Double, ownPlace: Point? = nil) {
        pose = .upright(origins)
        var boxes = zip(text.inks, origins).compactMap { ink, origin in
            ink?.moved(x: origin.x, y: origin.y).grown(by: halo)
        }
        if let plate = text.plate(at: origins) { boxes.append(plate) }
        candidate = LabelCandidate(boxes: boxes, ownPlace: ownPlace)
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
        let count = max(1, Int(min(box.width / max(box.height, 1), 512).rounded(.up)))
        let step = box.width / Double(count)
        candidate = LabelCandidate(
            boxes: (0..<count).map { number in
                Rectangle(
                    minX: box.minX + Double(number) * step, minY: box.minY,
                    maxX: box.minX + Double(number + 1) * step, maxY: box.maxY
                ).bounds(after: transform)
            })
    }

    /// A line whose parts are moved one by one.
    init(bent text: LabelText, by transforms: [AffineTransform], halo: Double) {
        pose = .bent(transforms)
        guard let ink = text.inks.first ?? nil, let line = text.lines.first else {
            candidate = LabelCandidate(boxes: [])
            return
        }
        let plate = text.plate(of: 0)
        candidate = LabelCandidate(
            boxes: zip(line.clusters, transforms).compactMap { cluster, transform in
                guard !cluster.elements.isEmpty || plate != nil else { return nil }
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
