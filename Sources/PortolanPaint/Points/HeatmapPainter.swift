import Foundation
import PortolanFeatures
import PortolanRaster

/// Paints the density of points: weights are summed in cells, blurred in two passes by a normal distribution, and
/// coloured.
struct HeatmapPainter {
    let symbol: HeatmapSymbol
    let size: ImageSize
    /// The rows of the picture that are painted.
    let rows: Range<Int>
    let pixelRatio: Double

    /// Returns the rows of the picture.
    ///
    /// - Parameter weights: one weight for each point, or an empty list if all are 1.
    /// - Complexity: O(points + pixels), independent of the radius, because cells grow with it.
    func picture(_ places: [Point], weights: [Float]) -> PixelBuffer? {
        // Cells of a tenth of the radius look like pixels.
        let radius = symbol.radius * pixelRatio, cell = max((radius / 10).rounded(.down), 1)
        let scale = Float(symbol.intensity * HeatmapSymbol.height)
        let heaviest = Double(scale * (weights.max() ?? 1))
        func cells(_ pixels: Double) -> Int { max(Int((pixels * pixelRatio / cell).rounded(.up)), 1) }
        let reach = cells(symbol.reach(ofDensity: heaviest))
        let columns = Int((Double(size.width) / cell).rounded(.up)) + 2 * reach + 2
        // The rows of cells that contribute to the painted rows.
        func end(_ row: Int) -> Int { Int((Double(row) / cell).rounded(.up)) }
        let top = max(Int(Double(self.rows.lowerBound) / cell) - 1, 0)
        let rows = min(end(self.rows.upperBound) + 1, end(size.height)) - top + 2 * reach + 2
        var field = [Float](repeating: 0, count: columns * rows)
        for (index, place) in places.enumerated() {
            // A weight is distributed over the four cells with surrounding middles.
            let x = place.x / cell + Double(reach) + 0.5, y = place.y / cell + Double(reach) + 0.5
            guard x >= 0, y >= Double(top), x < Double(columns - 1), y < Double(top + rows - 1) else { continue }
            let column = Int(x), row = Int(y) - top, weight = scale * (weights.isEmpty ? 1 : weights[index])
            let right = Float(x - Double(column)), low = Float(y - Double(row + top))
            field[row * columns + column] += weight * (1 - right) * (1 - low)
            field[row * columns + column + 1] += weight * right * (1 - low)
            field[(row + 1) * columns + column] += weight * (1 - right) * low
            field[(row + 1) * columns + column + 1] += weight * right * low
        }
        // The radius is three standard deviations. Many points in one cell are visible from farther away.
        let ends = min(cells(symbol.reach(ofDensity: Double(field.max() ?? 0))), max(columns, rows) - 1)
        let kernel = (0...ends).map { Float(exp(-4.5 * pow(Double($0) * cell / radius, 2))) }
        field = Self.spread(field, columns, rows, kernel)
        field = Self.transposed(
            Self.spread(Self.transposed(field, columns, rows), rows, columns, kernel), rows, columns)
        return colored(field, columns, cell, reach, top)
    }

    /// Blurs each row horizontally.
    private static func spread(_ field: [Float], _ columns: Int, _ rows: Int, _ kernel: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: field.count)
        let reach = kernel.count - 1
        for row in 0..<rows {
            let start = row * columns
            guard let first = (start..<start + columns).first(where: { field[$0] != 0 }),
                let last = (start..<start + columns).last(where: { field[$0] != 0 })
            else { continue }
            // By offset, so that many cells are processed at once. Each cell adds its left neighbours first.
            for way in stride(from: reach, through: -reach, by: -1) {
                let from = max(first, start - way), to = min(last, start + columns - 1 - way)
                guard from <= to else { continue }
                add(field.span.extracting(from...to), kernel[abs(way)], to: &result, at: from + way)
            }
        }
        return result
    }

    /// Adds weighted values to others.
    @inline(__always)
    private static func add(_ values: Span<Float>, _ weight: Float, to result: inout [Float], at start: Int) {
        var sums = result.mutableSpan
        let end = start + values.count
        // A single check that allows the compiler to omit bounds checks in the loop.
        precondition(start >= 0 && end <= sums.count)
        for index in start..<end { sums[index] += values[index &- start] * weight }
    }

    private static func transposed(_ field: [Float], _ columns: Int, _ rows: Int) -> [Float] {
        var result = [Float](repeating: 0, count: field.count)
        for row in 0..<rows {
            for column in 0..<columns { result[column * rows + row] = field[row * columns + column] }
        }
        return result
    }

    private func colored(
        _ field: [Float], _ columns: Int, _ cell: Double, _ reach: Int, _ top: Int
    ) -> PixelBuffer? {
        guard let size = ImageSize(width: size.width, height: rows.count) else { return nil }
        let steps = 1024
        let table = (0...steps).map { step -> UInt32 in
            let color = (symbol.components(at: Double(step) / Double(steps)) * 255).rounded(.toNearestOrAwayFromZero)
            return Pixel(red: UInt8(color.x), green: UInt8(color.y), blue: UInt8(color.z), alpha: UInt8(color.w)).bits
        }
        // The cell of each pixel column, and the position in it.
        let cells = (0..<size.width).map { x -> (column: Int, right: Float) in
            let u = (Double(x) + 0.5) / cell + Double(reach) + 0.5, column = Int(u)
            return (column, Float(u - Double(column)))
        }
        var pixels = [UInt32](repeating: 0, count: size.pixelCount)
        for y in 0..<size.height {
            let v = (Double(rows.lowerBound + y) + 0.5) / cell + Double(reach) + 0.5
            let row = Int(v) - top, low = Float(v - Double(row + top))
            for x in 0..<size.width {
                let (column, right) = cells[x]
                let above = row * columns + column, below = above + columns
                let density =
                    (field[above] * (1 - right) + field[above + 1] * right) * (1 - low)
                    + (field[below] * (1 - right) + field[below + 1] * right) * low
                guard density > 0 else { continue }
                pixels[y * size.width + x] = table[Int(min(density, 1) * Float(steps))]
            }
        }
        return PixelBuffer(size: size, pixels: pixels)
    }
}
