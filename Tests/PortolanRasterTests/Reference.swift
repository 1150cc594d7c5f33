import PortolanRaster

/// Areas of polygons whose sides do not cross, by clipping, worked out apart from the rasterizer.
enum ReferencePolygon {
    /// The area inside, positive whichever way the polygon goes around.
    static func area(_ points: [Point]) -> Double {
        var sum = 0.0
        for (index, a) in points.enumerated() {
            let b = points[(index + 1) % points.count]
            sum += a.x * b.y - b.x * a.y
        }
        return abs(sum) / 2
    }

    /// The areas that a polygon shares with each pixel of a picture, row by row (Sutherland and Hodgman's clipping).
    static func areas(_ points: [Point], width: Int, height: Int) -> [Double] {
        (0..<height).flatMap { y -> [Double] in
            let row = clip(clip(points) { $0.y - Double(y) }) { Double(y + 1) - $0.y }
            return (0..<width).map { x -> Double in
                guard !row.isEmpty else { return 0 }
                let pixel = clip(clip(row) { $0.x - Double(x) }) { Double(x + 1) - $0.x }
                // Relative to the pixel, so that the products lose no digits.
                return area(pixel.map { Point(x: $0.x - Double(x), y: $0.y - Double(y)) })
            }
        }
    }

    private static func clip(_ points: [Point], _ inside: (Point) -> Double) -> [Point] {
        guard var a = points.last else { return [] }
        var result: [Point] = [], da = inside(a)
        for b in points {
            let db = inside(b)
            if (da >= 0) != (db >= 0) {
                let t = da / (da - db)
                result.append(Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t))
            }
            if db >= 0 { result.append(b) }
            (a, da) = (b, db)
        }
        return result
    }
}

/// Areas of polygons whose sides may cross, by either fill rule, worked out apart from the rasterizer.
///
/// The plane is cut at the height of each corner, each crossing and each pixel row. In such a strip no two sides cross,
/// so that what is inside is a row of trapezoids, and the area of each in each pixel column has a closed form.
enum ReferenceTrapezoids {
    private struct Side {
        let upper: Point
        let lower: Point
        let winding: Int

        func x(at y: Double) -> Double {
            let t = (y - upper.y) / (lower.y - upper.y)
            return upper.x * (1 - t) + lower.x * t
        }
    }

    /// The coverage of one pixel by a polygon.
    struct Pixel {
        /// The area inside by the rule.
        var area = 0.0
        /// The least and greatest winding number of the polygon in the pixel.
        var turns: ClosedRange<Int>?

        /// Whether no two sides cross here, nor enclose a place between them from both sides: the signed areas of
        /// the sides then tell the area by either rule.
        var isPlain: Bool { turns.map { $0.count <= 2 } ?? true }

        mutating func include(_ turns: Int) {
            self.turns = self.turns.map { min($0.lowerBound, turns)...max($0.upperBound, turns) } ?? turns...turns
        }
    }

    /// The coverage of each pixel of a picture by a polygon, row by row.
    static func pixels(_ points: [Point], rule: Path.FillRule, width: Int, height: Int) -> [Pixel] {
        let sides = points.indices.compactMap { index -> Side? in
            let a = points[index], b = points[(index + 1) % points.count]
            if a.y == b.y { return nil }
            return a.y < b.y ? Side(upper: a, lower: b, winding: 1) : Side(upper: b, lower: a, winding: -1)
        }
        let levels = (levels(sides) + (0...height).map(Double.init)).filter { $0 >= 0 && $0 <= Double(height) }.sorted()
        var pixels = [Pixel](repeating: Pixel(), count: width * height)
        for (top, bottom) in zip(levels, levels.dropFirst()) where bottom > top {
            let middle = (top + bottom) / 2, row = Int(middle) * width
            let crossed = sides.filter { $0.upper.y < middle && $0.lower.y > middle }
                .map { (side: $0, x: $0.x(at: middle)) }.sorted { $0.x < $1.x }.map(\.side)
            for column in 0..<width {
                // The part between the leftmost and the rightmost side within this column.
                var turns = 0, left = 0.0
                for (index, side) in crossed.enumerated() {
                    let area = within(column, side, top, bottom)
                    if area > left { pixels[row + column].include(turns) }
                    turns += side.winding
                    left = area
                    guard rule == .nonZero ? turns != 0 : !turns.isMultiple(of: 2), index + 1 < crossed.count else {
                        continue
                    }
                    pixels[row + column].area += within(column, crossed[index + 1], top, bottom) - area
                }
                if bottom - top > left { pixels[row + column].include(0) }
            }
        }
        return pixels
    }

    /// The heights of all corners and crossings.
    private static func levels(_ sides: [Side]) -> [Double] {
        var levels = sides.flatMap { [$0.upper.y, $0.lower.y] }
        for (index, a) in sides.enumerated() {
            for b in sides[(index + 1)...] {
                let top = max(a.upper.y, b.upper.y), bottom = min(a.lower.y, b.lower.y)
                guard top < bottom else { continue }
                let above = a.x(at: top) - b.x(at: top), below = a.x(at: bottom) - b.x(at: bottom)
                if (above < 0) != (below < 0) { levels.append(top + (bottom - top) * above / (above - below)) }
            }
        }
        return levels
    }

    /// The area of a strip in one pixel column to the left of a side.
    private static func within(_ column: Int, _ side: Side, _ top: Double, _ bottom: Double) -> Double {
        let a = side.x(at: top), b = side.x(at: bottom), x = Double(column)
        return (beyond(x, a, b) - beyond(x + 1, a, b)) * (bottom - top)
    }

    /// The mean of max(0, z - x) for z from `a` to `b`.
    private static func beyond(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let low = min(a, b) - x, high = max(a, b) - x
        if high <= 0 { return 0 }
        return low >= 0 ? (low + high) / 2 : high * high / (2 * (high - low))
    }
}
