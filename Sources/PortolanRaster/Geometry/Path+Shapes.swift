extension Path {
    /// A closed rectangle, clockwise on the screen from its corner at (`x`, `y`).
    public static func rectangle(x: Double, y: Double, width: Double, height: Double) -> Path {
        polyline(
            [
                Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
                Point(x: x, y: y + height),
            ], closed: true)
    }

    /// A closed rectangle.
    package init(_ rectangle: Rectangle) {
        self = .rectangle(x: rectangle.minX, y: rectangle.minY, width: rectangle.width, height: rectangle.height)
    }

    /// Straight segments through `points`; closed, it ends with a segment back to the first point.
    public static func polyline(_ points: some Sequence<Point>, closed: Bool = false) -> Path {
        var path = Path()
        path.reserveCapacity(points.underestimatedCount + 1)
        for point in points { path.line(to: point) }
        if closed { path.close() }
        return path
    }

    /// A closed circle, clockwise on the screen from its rightmost point.
    ///
    /// It is made of eight cubics, which stay within 5 millionths of the radius of the true circle.
    public static func circle(center: Point, radius: Double) -> Path {
        var path = Path()
        path.reserveCapacity(10)
        // Unit vectors to the eight arcs' ends; the arm of a 45° arc is 4/3·tan(π/16).
        let h = 0.5.squareRoot(), arm = 0.26521648983954400923 * radius
        let directions = [(1, 0), (h, h), (0, 1), (-h, h), (-1, 0), (-h, -h), (0, -1), (h, -h), (1, 0)]
        func place(_ direction: (Double, Double)) -> Point {
            Point(x: center.x + direction.0 * radius, y: center.y + direction.1 * radius)
        }
        path.move(to: place(directions[0]))
        for (from, to) in zip(directions, directions.dropFirst()) {
            let start = place(from), end = place(to)
            path.cubic(
                control1: Point(x: start.x - from.1 * arm, y: start.y + from.0 * arm),
                control2: Point(x: end.x + to.1 * arm, y: end.y - to.0 * arm), to: end)
        }
        path.close()
        return path
    }

    /// A closed rectangle with corners rounded by quarter circles.
    ///
    /// The radius is reduced to half of the shorter side where it is larger.
    public static func roundedRectangle(
        x: Double, y: Double, width: Double, height: Double, radius: Double
    ) -> Path {
        let r = min(radius, width / 2, height / 2)
        guard r > 0 else { return rectangle(x: x, y: y, width: width, height: height) }
        // The arm of a 90° arc is 4/3·tan(π/8).
        let k = r * (1 - 0.55228474983079339840), right = x + width, bottom = y + height
        var path = Path()
        path.reserveCapacity(10)
        path.move(to: Point(x: x + r, y: y))
        path.line(to: Point(x: right - r, y: y))
        path.cubic(
            control1: Point(x: right - k, y: y), control2: Point(x: right, y: y + k), to: Point(x: right, y: y + r))
        path.line(to: Point(x: right, y: bottom - r))
        path.cubic(
            control1: Point(x: right, y: bottom - k), control2: Point(x: right - k, y: bottom),
            to: Point(x: right - r, y: bottom))
        path.line(to: Point(x: x + r, y: bottom))
        path.cubic(
            control1: Point(x: x + k, y: bottom), control2: Point(x: x, y: bottom - k), to: Point(x: x, y: bottom - r))
        path.line(to: Point(x: x, y: y + r))
        path.cubic(control1: Point(x: x, y: y + k), control2: Point(x: x + k, y: y), to: Point(x: x + r, y: y))
        path.close()
        return path
    }
}
