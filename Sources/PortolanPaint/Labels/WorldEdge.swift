import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The edge of a world that does not repeat, such as that of a globe, in picture pixels.
struct WorldEdge {
    private let ring: [Point]

    /// Creates the edge, or returns `nil` if the map's world has none.
    init?(in viewport: Viewport) {
        guard let outline = viewport.crs.outline, outline.count > 2 else { return nil }
        ring = outline.map(viewport.imagePixel)
    }

    /// Returns whether all of a box is inside the edge.
    ///
    /// - Complexity: O(points of the edge).
    func encloses(_ box: Rectangle) -> Bool {
        guard LineClipper.clip(ring, to: box).isEmpty else { return false }
        // The edge does not meet the box, so its middle decides.
        let middle = box.center
        var isInside = false, last = ring[ring.count - 1]
        for point in ring {
            if (last.y > middle.y) != (point.y > middle.y),
                middle.x < last.x + (middle.y - last.y) / (point.y - last.y) * (point.x - last.x)
            {
                isInside.toggle()
            }
            last = point
        }
        return isInside
    }
}
