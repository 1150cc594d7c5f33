import PortolanPlan
package import PortolanRaster

/// A picture that is painted some rows at a time, so that its size takes time and no memory.
///
/// The labels are placed once for the whole picture. Rows have the same pixels as in the whole picture.
package struct BandedPicture: Sendable {
    private let painter: MapPainter
    private let labels: PlacedLabels
    private let furniture: Drawing

    init(painter: MapPainter, labels: PlacedLabels, furniture: Drawing) {
        self.painter = painter
        self.labels = labels
        self.furniture = furniture
    }

    /// Width and height of the whole picture.
    package var size: ImageSize { painter.scene.viewport.imageSize }

    /// Whether every pixel is certainly opaque.
    package var isOpaque: Bool { painter.scene.background.alpha == 255 }

    /// Returns the pixels of some rows.
    ///
    /// - Complexity: O(features and images in view + pixels of the rows).
    package func pixels(ofRows rows: Range<Int>) -> PixelBuffer { pixels(ofRows: rows, hasFurniture: true) }

    /// Returns all pixels.
    func pixels(hasFurniture: Bool) -> PixelBuffer { pixels(ofRows: 0..<size.height, hasFurniture: hasFurniture) }

    private func pixels(ofRows rows: Range<Int>, hasFurniture: Bool) -> PixelBuffer {
        var canvas = painter.paintLayers(rows: rows)
        painter.paintOutlines(on: &canvas)
        labels.paint(on: &canvas, by: painter.labelPainter(asPixels: true), rows: rows)
        if hasFurniture { canvas.paint(furniture, threads: painter.threads) }
        return canvas.buffer
    }
}
