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
            // What one thread draws at a time stays in the processor's cache; several threads divide more among them.
            let count = threads > 1 ? 1 << 20 : 1 << 16
            for shift in step.worldShifts {
                places(shift, reach: (reach ?? 0) + 1, count) { points in
                    var drawing = Drawing()
                    drawing.draw(mark, at: points)
                    target.paint(drawing, threads: threads)
                }
            }
        case .heatmap(let symbol):
            let rows = rows ?? 0..<viewport.imageSize.height
            let painter = HeatmapPainter(
                symbol: symbol, size: viewport.imageSize, rows: rows, pixelRatio: viewport.pixelRatio)
            let weights = symbol.weightProperty.map { step.table.numbers($0) ?? { _ in nil } }
            var points: [Point] = [], own: [Float] = []
            for shift in step.worldShifts {
                places(shift, reach: symbol.largestReach * viewport.pixelRatio + 1, step.count) { all in
                    if points.isEmpty { points = all } else { points += all }
                } number: { number in
                    if let weights { own.append(Float(symbol.weight(of: weights(number)))) }
                }
            }
            if let picture = painter.picture(points, weights: own) { target.draw(picture, atX: 0, y: rows.lowerBound) }
        }
    }

    /// Passes the picture positions of the points to `take`, except for those farther outside than `reach`.
    ///
    /// - Parameters:
    ///   - count: the number of points at a time.
    ///   - number: gets the index of each point.
    @inline(__always)
    private func places(
        _ shift: Double, reach: Double, _ count: Int, take: ([Point]) -> Void, number: (Int) -> Void = { _ in }
    ) {
        guard let projection = PixelProjection(from: step.table.crs, to: viewport, shift: shift) else { return }
        let (xs, ys) = step.table.ordinates(by: projection.transform)
        let width = Double(projection.size.width) + reach, height = Double(projection.size.height) + reach
        var points: [Point] = []
        points.reserveCapacity(min(step.count, count))
        for run in step.runs {
            for place in run.range {
                let point = projection.pixel(x: xs[place], y: ys[place])
                guard point.x > -reach, point.x < width, point.y > -reach, point.y < height else { continue }
                points.append(point)
                number(place)
                guard points.count == count else { continue }
                take(points)
                points.removeAll(keepingCapacity: true)
            }
        }
        if !points.isEmpty { take(points) }
    }
}
