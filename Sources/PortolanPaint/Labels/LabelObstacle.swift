package import PortolanRaster

/// Something drawn that labels keep clear of.
package struct LabelObstacle: Hashable, Sendable {
    /// What it fills, in picture pixels.
    package var box: Rectangle
    /// The place it marks, whose own label may touch it, or `nil` when it marks none.
    package var place: Point?

    package init(box: Rectangle, place: Point? = nil) {
        self.box = box
        self.place = place
    }
}
