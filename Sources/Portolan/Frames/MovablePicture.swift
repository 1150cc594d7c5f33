import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster

/// A picture that was painted, to be shown while that of another view is not there yet.
struct MovablePicture: Sendable {
    /// What it shows.
    let viewport: Viewport
    /// The map without furniture.
    let ground: PixelBuffer
    /// What puts furniture on it, or `nil` for none.
    let painter: MapPainter?

    /// How much of a view a picture of another covers, 0 to 1; 0 in another coordinate system, and where pixels would be twice
    /// as large or small, or more.
    static func coverage(of view: Viewport, by viewport: Viewport) -> Double {
        let scale = viewport.resolution.unitsPerPixel / view.resolution.unitsPerPixel
        guard viewport.crs == view.crs, scale > 0.5, scale < 2 else { return 0 }
        // Of views that are turned against each other the boxes tell enough.
        let wanted = view.extent, there = viewport.extent
        guard let both = wanted.intersection(there) else { return 0 }
        return both.width * both.height / (wanted.width * wanted.height)
    }

    /// The picture as another view shows it, with furniture for that view.
    ///
    /// - Parameters:
    ///   - surroundings: what shows where this picture does not.
    ///   - threads: how many threads may paint at the same time.
    /// - Complexity: O(pixels).
    func moved(
        to view: Viewport, over surroundings: MovablePicture?, background: Color, threads: Int
    ) -> PixelBuffer {
        let ground = movedGround(to: view, over: surroundings, background: background, threads: threads)
        // Without a font there would be no picture to move.
        return (try? painter?.furnish(ground, in: view)) ?? ground
    }

    private func movedGround(
        to view: Viewport, over surroundings: MovablePicture?, background: Color, threads: Int
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
        // Over a picture that can be seen through another one would be seen twice.
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

    /// The way from the picture's pixels to those of another view's, or `nil` in another coordinate system.
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

    /// By how many whole picture pixels it moves, or `nil` where it is more than moved, or moves out of sight.
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
