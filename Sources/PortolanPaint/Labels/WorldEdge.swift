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
        // Where the edge does not meet the box, its middle decides.
        LineClipper.clip(ring, to: box).isEmpty && MiddlePoint.isInside(box.center, [ring])
    }
}
