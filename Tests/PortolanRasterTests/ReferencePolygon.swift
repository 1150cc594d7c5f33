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
