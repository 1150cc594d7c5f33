import PortolanPlan
package import PortolanRaster

/// A picture of which some rows are painted at a time: its size takes time and no memory.
///
/// The labels have got their places once for all of the picture. Any rows have the same pixels as they would in the whole.
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

    /// Whether every pixel is sure to be opaque.
    package var isOpaque: Bool { painter.scene.background.alpha == 255 }

    /// The pixels of some rows.
    ///
    /// - Complexity: O(features and images in view + pixels of the rows).
    package func pixels(ofRows rows: Range<Int>) -> PixelBuffer { pixels(ofRows: rows, hasFurniture: true) }

    /// All pixels.
    func pixels(hasFurniture: Bool) -> PixelBuffer { pixels(ofRows: 0..<size.height, hasFurniture: hasFurniture) }

    private func pixels(ofRows rows: Range<Int>, hasFurniture: Bool) -> PixelBuffer {
        var canvas = painter.paintLayers(rows: rows)
        labels.paint(on: &canvas, by: painter.labelPainter(asPixels: true), rows: rows)
        if hasFurniture { canvas.paint(furniture, threads: painter.threads) }
        return canvas.buffer
    }
}
