import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Paints points that are too many for individual objects.
struct PointPainter {
    let step: Scene.PointStep
    let viewport: Viewport
    /// The rows of the picture that are painted, or `nil` for all.
    var rows: Range<Int>?

    /// Paints the points on a target, as a group that fades as a whole.
    func paint(on target: inout some PaintTarget, threads: Int) {
        switch step.look {
        case .marks(let marker):
            let painter = MarkerPainter(pixelRatio: viewport.pixelRatio), mark = painter.mark(marker).prepared()
            let reach = (painter.extent(of: .shape(marker), image: nil)).map { box in
                max(-box.minX, box.maxX, -box.minY, box.maxY)
            }
            var drawing = Drawing()
            for shift in step.worldShifts { drawing.draw(mark, at: places(shift, reach: (reach ?? 0) + 1)) }
            target.paint(drawing, threads: threads)
        case .heatmap(let symbol):
            let rows = rows ?? 0..<viewport.imageSize.height
            let painter = HeatmapPainter(
                symbol: symbol, size: viewport.imageSize, rows: rows, pixelRatio: viewport.pixelRatio)
            let weights = symbol.weightProperty.map { step.table.numbers($0) ?? { _ in nil } }
            var points: [Point] = [], own: [Float] = []
            for shift in step.worldShifts {
                points += places(shift, reach: symbol.largestReach * viewport.pixelRatio + 1) { number in
                    if let weights { own.append(Float(symbol.weight(of: weights(number)))) }
                }
            }
            if let picture = painter.picture(points, weights: own) { target.draw(picture, atX: 0, y: rows.lowerBound) }
        }
    }

    /// Passes the picture positions of the points to `take`, except for those farther outside than `reach`.
    ///
    /// - Parameter take: gets the index of each point.
    @inline(__always)
    private func places(_ shift: Double, reach: Double, take: (Int) -> Void = { _ in }) -> [Point] {
        guard let projection = PixelProjection(from: step.table.crs, to: viewport, shift: shift) else {
            return []
        }
        let (xs, ys) = step.table.ordinates(by: projection.transform)
        let width = Double(projection.size.width) + reach, height = Double(projection.size.height) + reach
        var points: [Point] = []
        points.reserveCapacity(step.count)
        for run in step.runs {
            for number in run.range {
                let point = projection.pixel(x: xs[number], y: ys[number])
                guard point.x > -reach, point.x < width, point.y > -reach, point.y < height else { continue }
                points.append(point)
                take(number)
            }
        }
        return points
    }
}
