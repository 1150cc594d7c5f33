import PortolanRaster

/// Areas of polygons by clipping, worked out apart from the rasterizer.
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

    /// The area that a polygon shares with the pixel in column `x` and row `y` (Sutherland and Hodgman's clipping).
    static func area(_ points: [Point], inPixelX x: Int, y: Int) -> Double {
        let left = Double(x), top = Double(y)
        var clipped = clip(points) { $0.x - left }
        clipped = clip(clipped) { left + 1 - $0.x }
        clipped = clip(clipped) { $0.y - top }
        clipped = clip(clipped) { top + 1 - $0.y }
        // Relative to the pixel, so that the products lose no digits.
        return area(clipped.map { Point(x: $0.x - left, y: $0.y - top) })
    }

    private static func clip(_ points: [Point], _ inside: (Point) -> Double) -> [Point] {
        var result: [Point] = []
        for (index, a) in points.enumerated() {
            let b = points[(index + 1) % points.count]
            let da = inside(a), db = inside(b)
            if da >= 0 { result.append(a) }
            if (da >= 0) != (db >= 0) {
                let t = da / (da - db)
                result.append(Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t))
            }
        }
        return result
    }
}
