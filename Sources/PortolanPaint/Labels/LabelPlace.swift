import PortolanFeatures
import PortolanRaster
import PortolanText

/// One of the places where a label may go, and how its letters stand there.
struct LabelPlace {
    let pose: LabelPose
    var candidate: LabelCandidate

    /// An upright text whose baselines begin at `origins`.
    init(upright text: LabelText, origins: [Point], halo: Double, ownPlace: Point? = nil, mayBeCut: Bool = false) {
        pose = .upright(origins)
        let boxes = zip(text.inks, origins).compactMap { ink, origin in
            ink?.moved(x: origin.x, y: origin.y).grown(by: halo)
        }
        candidate = LabelCandidate(boxes: boxes, ownPlace: ownPlace, mayBeCut: mayBeCut)
    }

    /// A line turned as a whole; its box is cut into short ones that keep close to it.
    init(turned text: LabelText, by transform: AffineTransform, halo: Double) {
        pose = .turned(transform)
        guard let ink = text.inks.first ?? nil else {
            candidate = LabelCandidate(boxes: [])
            return
        }
        let count = max(1, Int(min(ink.width / max(ink.height, 1), 512).rounded(.up)))
        let step = ink.width / Double(count)
        candidate = LabelCandidate(
            boxes: (0..<count).map { number in
                Rectangle(
                    minX: ink.minX + Double(number) * step, minY: ink.minY,
                    maxX: ink.minX + Double(number + 1) * step, maxY: ink.maxY
                ).bounds(after: transform).grown(by: halo)
            })
    }

    /// A line whose parts are moved one by one.
    init(bent text: LabelText, by transforms: [AffineTransform], halo: Double) {
        pose = .bent(transforms)
        guard let ink = text.inks.first ?? nil, let line = text.lines.first else {
            candidate = LabelCandidate(boxes: [])
            return
        }
        candidate = LabelCandidate(
            boxes: zip(line.clusters, transforms).compactMap { cluster, transform in
                guard !cluster.elements.isEmpty else { return nil }
                return Rectangle(minX: cluster.x, minY: ink.minY, maxX: cluster.x + cluster.advance, maxY: ink.maxY)
                    .bounds(after: transform).grown(by: halo)
            })
    }
}
