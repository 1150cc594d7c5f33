import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Paints points that are too many for an object each.
struct PointPainter {
    let step: PointStep
    let viewport: Viewport

    /// Paints the points on a target, a group that fades as a whole.
    func paint(on target: inout some PaintTarget, threads: Int) {
        switch step.look {
        case .marks(let marker):
            let painter = MarkerPainter(pixelRatio: viewport.pixelRatio), mark = painter.mark(marker).prepared()
            let reach = (painter.extent(of: .shape(marker), image: nil)).map { box in
                max(-box.minX, box.maxX, -box.minY, box.maxY)
            }
            var drawing = Drawing()
            for shift in step.worldShifts { drawing.draw(mark, at: places(shift, reach: (reach ?? 0) + 1).points) }
            target.paint(drawing, threads: threads)
        case .heatmap(let symbol):
            let painter = HeatmapPainter(symbol: symbol, size: viewport.imageSize, pixelRatio: viewport.pixelRatio)
            let weights = symbol.weightProperty.map { step.table.numbers($0) ?? { _ in nil } }
            var points: [Point] = [], own: [Float] = []
            for shift in step.worldShifts {
                let found = places(shift, reach: symbol.radius * viewport.pixelRatio + 1)
                points += found.points
                if let weights { own += found.numbers.map { Float(weights($0) ?? 0) } }
            }
            target.draw(painter.picture(points, weights: own), atX: 0, y: 0)
        }
    }

    /// Where the points lie on the picture, and their numbers; those farther outside than `reach` are left out.
    private func places(_ shift: Double, reach: Double) -> (points: [Point], numbers: [Int]) {
        guard let projection = PixelProjection(from: step.table.crs, to: viewport, shift: shift) else {
            return ([], [])
        }
        let (xs, ys) = step.table.ordinates(by: projection.transform)
        let width = Double(projection.size.width) + reach, height = Double(projection.size.height) + reach
        var points: [Point] = [], numbers: [Int] = []
        let needsNumbers: Bool = if case .heatmap = step.look { true } else { false }
        points.reserveCapacity(step.count)
        for run in step.runs {
            for number in run.range {
                let point = projection.pixel(x: xs[number], y: ys[number])
                guard point.x > -reach, point.x < width, point.y > -reach, point.y < height else { continue }
                points.append(point)
                if needsNumbers { numbers.append(number) }
            }
        }
        return (points, numbers)
    }
}
