import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster

/// A rendered picture that can be shown for another view until that view is rendered.
struct MovablePicture: Sendable {
    /// The view of the picture.
    let viewport: Viewport
    /// The map without furniture.
    let ground: PixelBuffer
    /// The painter of the furniture, or `nil` for none.
    let painter: MapPainter?

    /// Returns the fraction of a view that a picture of another view covers, 0 to 1.
    ///
    /// It is 0 for another CRS, or if pixels would be scaled by a factor of two or more.
    static func coverage(of view: Viewport, by viewport: Viewport) -> Double {
        let scale = viewport.resolution.unitsPerPixel / view.resolution.unitsPerPixel
        guard viewport.crs == view.crs, scale > 0.5, scale < 2 else { return 0 }
        // For rotated views, the bounding boxes are sufficiently accurate.
        let wanted = view.extent, there = viewport.extent
        guard let both = wanted.intersection(there) else { return 0 }
        return both.width * both.height / (wanted.width * wanted.height)
    }

    /// Returns the picture for another view, with the furniture of that view.
    ///
    /// - Parameters:
    ///   - surroundings: the picture for areas that this picture does not cover.
    ///   - threads: the maximum number of rendering threads.
    /// - Complexity: O(pixels).
    func moved(
        to view: Viewport, over surroundings: MovablePicture?, background: MapColor, threads: Int
    ) -> PixelBuffer {
        let ground = movedGround(to: view, over: surroundings, background: background, threads: threads)
        // Without a font there would be no picture to move.
        return (try? painter?.furnish(ground, in: view)) ?? ground
    }

    private func movedGround(
        to view: Viewport, over surroundings: MovablePicture?, background: MapColor, threads: Int
    ) -> PixelBuffer {
        var canvas = Canvas(size: view.imageSize, background: background)
        guard let way = transform(to: view) else { return canvas.buffer }
        if let shift = wholePixelShift(to: view) {
            canvas.copy(ground, atX: shift.x, y: shift.y)
            for strip in PaintedLayers.strips(shift.x, shift.y, canvas.size.width, canvas.size.height) {
                guard let surroundings, let part = view.part(strip) else { continue }
                var beside = Canvas(size: part.imageSize, background: background)
                surroundings.draw(in: part, on: &beside, threads: threads)
                canvas.copy(beside.buffer, atX: strip.x, y: strip.y)
            }
            return canvas.buffer
        }
        // With a translucent background, overlapping pictures would be visible twice.
        if let surroundings, background.alpha == 255, Self.coverage(of: view, by: viewport) < 1 {
            surroundings.draw(in: view, on: &canvas, threads: threads)
        }
        draw(by: way, on: &canvas, threads: threads)
        return canvas.buffer
    }

    private func draw(in view: Viewport, on canvas: inout Canvas, threads: Int) {
        guard let way = transform(to: view) else { return }
        draw(by: way, on: &canvas, threads: threads)
    }

    private func draw(by way: AffineTransform, on canvas: inout Canvas, threads: Int) {
        var drawing = Drawing()
        drawing.draw(PaintImage(ground), transform: way, opacity: 1, edges: .clamped)
        canvas.paint(drawing, threads: threads)
    }

    /// Returns the transformation from the pixels of the picture to those of another view, or `nil` for another CRS.
    private func transform(to view: Viewport) -> AffineTransform? {
        guard viewport.crs == view.crs else { return nil }
        func place(_ x: Double, _ y: Double) -> Point {
            view.imagePixel(of: viewport.coordinate(atImagePixel: Point(x: x, y: y)))
        }
        let origin = place(0, 0), right = place(1, 0), down = place(0, 1)
        return AffineTransform(
            a: right.x - origin.x, b: right.y - origin.y, c: down.x - origin.x, d: down.y - origin.y, tx: origin.x,
            ty: origin.y)
    }

    /// Returns the offset in whole picture pixels, or `nil` if the views differ by more than that, or do not overlap.
    private func wholePixelShift(to view: Viewport) -> (x: Int, y: Int)? {
        guard viewport.resolution == view.resolution, viewport.rotation == view.rotation,
            viewport.imageSize == view.imageSize, viewport.pixelRatio == view.pixelRatio, viewport.crs == view.crs
        else { return nil }
        let way = view.way(to: viewport.center), x = way.x * view.pixelRatio, y = way.y * view.pixelRatio
        guard abs(x) < Double(view.imageSize.width), abs(y) < Double(view.imageSize.height),
            abs(x - x.rounded()) < 1e-3, abs(y - y.rounded()) < 1e-3
        else { return nil }
        return (Int(x.rounded()), Int(y.rounded()))
    }
}
