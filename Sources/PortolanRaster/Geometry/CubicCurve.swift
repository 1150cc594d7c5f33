/// One cubic Bézier segment.
struct CubicCurve {
    let start: Point
    let control1: Point
    let control2: Point
    let end: Point

    init(_ start: Point, _ control1: Point, _ control2: Point, _ end: Point) {
        self.start = start
        self.control1 = control1
        self.control2 = control2
        self.end = end
    }

    /// The point at parameter `t`, 0 through 1.
    func point(at t: Double) -> Point {
        let s = 1 - t
        let w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t
        return Point(
            x: w0 * start.x + w1 * control1.x + w2 * control2.x + w3 * end.x,
            y: w0 * start.y + w1 * control1.y + w2 * control2.y + w3 * end.y)
    }

    /// The direction in which the curve leaves its start, of any length, or `nil` when all its points are one.
    var startTangent: Point? {
        Self.vector(start, control1) ?? Self.vector(start, control2) ?? Self.vector(start, end)
    }

    /// The direction in which the curve arrives at its end, of any length, or `nil` when all its points are one.
    var endTangent: Point? {
        Self.vector(control2, end) ?? Self.vector(control1, end) ?? Self.vector(start, end)
    }

    private static func vector(_ from: Point, _ to: Point) -> Point? {
        from == to ? nil : Point(x: to.x - from.x, y: to.y - from.y)
    }

    /// Calls `body` with the inner points where the curve runs level or upright.
    func turningPoints(_ body: (Point) -> Void) {
        turns(start.x, control1.x, control2.x, end.x) { body(point(at: $0)) }
        turns(start.y, control1.y, control2.y, end.y) { body(point(at: $0)) }
    }

    /// The zeros in 0...1 of one coordinate's derivative, `a·t² + b·t + c` but for a factor of 3.
    private func turns(_ p0: Double, _ p1: Double, _ p2: Double, _ p3: Double, _ body: (Double) -> Void) {
        let a = p3 - 3 * p2 + 3 * p1 - p0, b = 2 * (p2 - 2 * p1 + p0), c = p1 - p0
        func offer(_ t: Double) { if t > 0, t < 1 { body(t) } }
        let discriminant = b * b - 4 * a * c
        guard discriminant >= 0 else { return }
        // Citardauq form: no digits are lost when `a` is small.
        let q = -(b + (b < 0 ? -discriminant.squareRoot() : discriminant.squareRoot())) / 2
        offer(q / a)
        offer(c / q)
    }
}
