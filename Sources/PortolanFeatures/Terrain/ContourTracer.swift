package import PortolanRaster

/// Traces lines of equal elevation through the centres of samples (marching squares), joined to lines as long as possible.
///
/// Higher ground is on the right of each line. The lines of two grids that share samples agree to the last bit there.
/// Cells with a corner without data have no lines.
package struct ContourTracer {
    /// A line of equal elevation.
    package struct Line: Hashable, Sendable {
        /// The elevation.
        package let elevation: Double
        /// The positions, in samples from the centre of the first one; the first one is also the last one of a ring.
        package let points: [SIMD2<Double>]
    }

    private let grid: RasterValues

    package init(_ grid: RasterValues) { self.grid = grid }

    /// Returns the number of cells that lines at multiples of an interval cross, once for each line.
    ///
    /// - Complexity: O(samples).
    package func crossingCount(interval: Double, base: Double) -> Int {
        var count = 0
        forEachCell { _, low, high in
            guard let levels = Self.levels(low, high, interval: interval, base: base) else { return }
            count += levels.count
        }
        return count
    }

    /// Returns the lines at a base elevation plus multiples of an interval, in ascending order.
    ///
    /// - Complexity: O(samples + crossed cells).
    package func lines(interval: Double, base: Double) -> [Line] {
        // The next edge along the line, by elevation and edge.
        var edges: [Int: [Int: Int]] = [:]
        forEachCell { cell, low, high in
            guard let levels = Self.levels(low, high, interval: interval, base: base) else { return }
            for level in levels { add(cell, at: base + Double(level) * interval, to: &edges[level, default: [:]]) }
        }
        return edges.keys.sorted().flatMap { level in
            joined(edges[level] ?? [:], at: base + Double(level) * interval)
        }
    }

    /// Calls `body` with the index of the first sample of each cell of four samples with data, and their range.
    private func forEachCell(_ body: (_ cell: Int, _ low: Float, _ high: Float) -> Void) {
        guard grid.width > 1, grid.height > 1 else { return }
        for row in 0..<grid.height - 1 {
            for column in 0..<grid.width - 1 {
                let cell = row * grid.width + column
                let one = grid.values[cell], other = grid.values[cell + 1]
                let third = grid.values[cell + grid.width], fourth = grid.values[cell + grid.width + 1]
                // NaN and infinity fail.
                guard (one + other + third + fourth).isFinite else { continue }
                let low = min(min(one, other), min(third, fourth)), high = max(max(one, other), max(third, fourth))
                if low < high { body(cell, low, high) }
            }
        }
    }

    /// The multiples above the lowest value up to the highest one; a value on a line counts as above it.
    private static func levels(_ low: Float, _ high: Float, interval: Double, base: Double) -> ClosedRange<Int>? {
        let first = ((Double(low) - base) / interval).rounded(.down),
            last = ((Double(high) - base) / interval).rounded(.down)
        guard first < last, abs(first) < 1e9, abs(last) < 1e9 else { return nil }
        return Int(first) + 1...Int(last)
    }

    /// Adds the parts of a line in a cell, from edge to edge.
    ///
    /// An edge is named by its first sample: twice its index to the east, and one more to the south.
    private func add(_ cell: Int, at level: Double, to edges: inout [Int: Int]) {
        let width = grid.width
        func isAbove(_ index: Int) -> Bool { Double(grid.values[index]) >= level }
        let top = 2 * cell, left = 2 * cell + 1, bottom = 2 * (cell + width), right = 2 * (cell + 1) + 1
        // The corners from the north-west clockwise.
        let corners =
            (isAbove(cell) ? 1 : 0) | (isAbove(cell + 1) ? 2 : 0) | (isAbove(cell + width + 1) ? 4 : 0)
            | (isAbove(cell + width) ? 8 : 0)
        func isRidge() -> Bool {
            let sum = [cell, cell + 1, cell + width, cell + width + 1].reduce(0.0) { $0 + Double(grid.values[$1]) }
            return sum / 4 >= level
        }
        switch corners {
        case 1: edges[top] = left
        case 2: edges[right] = top
        case 4: edges[bottom] = right
        case 8: edges[left] = bottom
        case 3: edges[right] = left
        case 6: edges[bottom] = top
        case 12: edges[left] = right
        case 9: edges[top] = bottom
        case 14: edges[left] = top
        case 13: edges[top] = right
        case 11: edges[right] = bottom
        case 7: edges[bottom] = left
        case 5:
            if isRidge() {
                (edges[top], edges[bottom]) = (right, left)
            } else {
                (edges[top], edges[bottom]) = (left, right)
            }
        case 10:
            if isRidge() {
                (edges[left], edges[right]) = (top, bottom)
            } else {
                (edges[right], edges[left]) = (top, bottom)
            }
        default: break
        }
    }

    /// Joins parts to lines: those that begin at the edge of data first, then rings.
    private func joined(_ edges: [Int: Int], at level: Double) -> [Line] {
        var rest = edges, lines: [Line] = []
        let ends = Set(edges.values)
        func follow(from start: Int) {
            var points = [point(on: start, at: level)], edge = start
            while let next = rest.removeValue(forKey: edge) {
                let point = point(on: next, at: level)
                if point != points[points.count - 1] { points.append(point) }
                edge = next
            }
            if points.count > 1 { lines.append(Line(elevation: level, points: points)) }
        }
        // In a fixed order, whatever the order of the table.
        let starts = edges.keys.sorted()
        for start in starts where !ends.contains(start) { follow(from: start) }
        for start in starts where rest[start] != nil { follow(from: start) }
        return lines
    }

    /// The position of a line on an edge.
    private func point(on edge: Int, at level: Double) -> SIMD2<Double> {
        let first = edge / 2, second = edge % 2 == 0 ? first + 1 : first + grid.width
        let low = Double(grid.values[first]), high = Double(grid.values[second])
        let share = (level - low) / (high - low)
        let x = Double(first % grid.width), y = Double(first / grid.width)
        return edge % 2 == 0 ? SIMD2(x + share, y) : SIMD2(x, y + share)
    }
}
