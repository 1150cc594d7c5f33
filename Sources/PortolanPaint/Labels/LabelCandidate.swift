package import PortolanRaster

/// One of the places where a label may go.
package struct LabelCandidate: Hashable, Sendable {
    /// The upright boxes that the label's letters and halo fill, in picture pixels; several for one that is not upright.
    package var boxes: [Rectangle]
    /// The place whose own mark the label may touch, or `nil` when it may touch none.
    package var ownPlace: Point?

    package init(boxes: [Rectangle], ownPlace: Point? = nil) {
        self.boxes = boxes
        self.ownPlace = ownPlace
    }

    /// The smallest box around all of the label, or `nil` when there is none or it is not finite.
    var bounds: Rectangle? {
        guard var bounds = boxes.first else { return nil }
        for box in boxes {
            guard box.minX.isFinite, box.minY.isFinite, box.maxX.isFinite, box.maxY.isFinite else { return nil }
            bounds.minX = min(bounds.minX, box.minX)
            bounds.minY = min(bounds.minY, box.minY)
            bounds.maxX = max(bounds.maxX, box.maxX)
            bounds.maxY = max(bounds.maxY, box.maxY)
        }
        return bounds
    }
}
