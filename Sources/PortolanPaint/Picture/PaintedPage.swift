import PortolanPlan
package import PortolanRaster

/// The page around the pixels of a map.
package struct PaintedPage: Sendable {
    /// The positions on the page.
    package let layout: PageLayout
    private let color: MapColor
    /// What is painted over the map and the margins.
    private let drawing: Drawing

    init(layout: PageLayout, color: MapColor, drawing: Drawing) {
        self.layout = layout
        self.color = color
        self.drawing = drawing
    }

    /// Whether every pixel of the margins is opaque.
    package var isOpaque: Bool { color.alpha == 255 }

    /// Returns the pixels of some rows of the page.
    ///
    /// - Parameter map: returns the pixels of some rows of the map.
    package func pixels(ofRows rows: Range<Int>, map: (Range<Int>) -> PixelBuffer) -> PixelBuffer {
        var canvas = Canvas(size: layout.size, rows: rows, background: color)
        let own = max(rows.lowerBound - layout.y, 0)..<max(min(rows.upperBound - layout.y, layout.map.height), 0)
        if !own.isEmpty, own.lowerBound < own.upperBound {
            canvas.copy(map(own), atX: layout.x, y: layout.y + own.lowerBound)
        }
        canvas.paint(drawing)
        return canvas.buffer
    }
}
