/// Arcs of round joins and caps as chords.
struct StrokeArc: Sendable {
    private let radius: Double
    /// The cosine of the longest arc that a chord may stand for.
    let minimumChordCosine: Double

    init(radius: Double) {
        self.radius = radius
        let half = max(1 - PathFlattener.defaultTolerance / radius, 0.5)
        minimumChordCosine = 2 * half * half - 1
    }

    /// Gives the points after `from` on the circle around `p`, by halving angles: only square roots are needed.
    func add(_ p: Point, _ from: Point, _ to: Point, _ depth: Int, _ body: (Point) -> Void) {
        guard depth > 0, from.x * to.x + from.y * to.y < minimumChordCosine,
            let middle = Point(x: from.x + to.x, y: from.y + to.y).normalized
        else { return body(p.moved(along: to, by: radius)) }
        add(p, from, middle, depth - 1, body)
        add(p, middle, to, depth - 1, body)
    }
}
