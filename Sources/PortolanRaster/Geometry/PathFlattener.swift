/// Converts a path into straight segments, subpath by subpath.
///
/// A subpath with a non-finite point, or with only a move, is left out.
struct PathFlattener {
    /// The maximum distance of a straight segment from the curve in pixels.
    static let defaultTolerance = 1.0 / 64
    /// The maximum number of segments per curve, which limits the work for curves far larger than any picture.
    private static let maximumPieces = 1024.0

    private let tolerance: Double
    private var start = Point(x: 0, y: 0)
    private var current = Point(x: 0, y: 0)
    private var startIndex = 0
    private var isOpen = false
    private var hasMoved = false
    private var isFinite = true
    private var firstTangent: Point?
    private var lastTangent: Point?

    init(tolerance: Double = Self.defaultTolerance) { self.tolerance = tolerance }

    /// Appends the segments of the path with these verbs and points to `flat`.
    mutating func flatten(_ verbs: Span<Path.Verb>, _ points: Span<Point>, into flat: inout FlatPath) {
        var index = 0
        for step in verbs.indices {
            switch verbs[step] {
            case .move:
                finish(&flat, isClosed: false)
                start = points[index]
                current = points[index]
                hasMoved = true
                index += 1
            case .line:
                begin(&flat)
                lastTangent = nil
                add(points[index], isSmooth: false, &flat)
                index += 1
            case .quad:
                begin(&flat)
                let control = points[index], end = points[index + 1]
                index += 2
                // Exactly the same curve as a cubic; only the number of segments has a separate, tighter bound.
                let curve = CubicCurve(
                    current, current.toward(control, fraction: 2.0 / 3), end.toward(control, fraction: 2.0 / 3), end)
                meet(curve, &flat)
                addCurve(curve, bend: bend(current, control, end) / 3, &flat)
            case .cubic:
                begin(&flat)
                let control1 = points[index], control2 = points[index + 1], end = points[index + 2]
                index += 3
                let curve = CubicCurve(current, control1, control2, end)
                meet(curve, &flat)
                addCurve(
                    curve, bend: max(bend(current, control1, control2), bend(control1, control2, end)), &flat)
            case .close:
                guard isOpen || hasMoved else { continue }
                begin(&flat)
                finish(&flat, isClosed: true)
                current = start
            }
        }
        finish(&flat, isClosed: false)
    }

    private mutating func begin(_ flat: inout FlatPath) {
        guard !isOpen else { return }
        isOpen = true
        hasMoved = false
        isFinite = current.isFinite
        startIndex = flat.points.count
        start = current
        firstTangent = nil
        lastTangent = nil
        flat.append(current, isSmooth: false)
    }

    private mutating func finish(_ flat: inout FlatPath, isClosed: Bool) {
        guard isOpen else { return }
        isOpen = false
        guard isFinite else { return flat.truncate(to: startIndex) }
        if isClosed, current == start, let firstTangent, let lastTangent, Self.isSmooth(lastTangent, firstTangent) {
            flat.isSmooth[startIndex] = true
        }
        flat.subpaths.append(FlatPath.Subpath(start: startIndex, end: flat.points.count, isClosed: isClosed))
    }

    private mutating func add(_ point: Point, isSmooth: Bool, _ flat: inout FlatPath) {
        if !point.isFinite { isFinite = false }
        flat.append(point, isSmooth: isSmooth)
        current = point
    }

    /// Marks the current point as smooth if a curve continues in the direction in which the last one ended.
    private mutating func meet(_ curve: CubicCurve, _ flat: inout FlatPath) {
        let leaving = curve.startTangent
        if flat.points.count == startIndex + 1 { firstTangent = leaving }
        if let lastTangent, let leaving, Self.isSmooth(lastTangent, leaving) {
            flat.isSmooth[flat.isSmooth.count - 1] = true
        }
        lastTangent = curve.endTangent
    }

    private static func isSmooth(_ first: Point, _ second: Point) -> Bool {
        guard let a = first.normalized, let b = second.normalized else { return false }
        return a.x * b.x + a.y * b.y > 0.999_9
    }

    /// Returns twice the distance of the middle point from the midpoint of the other two.
    private func bend(_ a: Point, _ b: Point, _ c: Point) -> Double {
        let x = a.x - 2 * b.x + c.x, y = a.y - 2 * b.y + c.y
        return Point(x: 0, y: 0).distance(to: Point(x: x, y: y))
    }

    /// Adds a curve.
    ///
    /// A chord over 1/n of the parameter is within |B''|/(8·n²) of the curve, and |B''| is at most 6 times the bend.
    private mutating func addCurve(_ curve: CubicCurve, bend: Double, _ flat: inout FlatPath) {
        let wanted = (0.75 * bend / tolerance).squareRoot() + 1
        let count = wanted < Self.maximumPieces ? wanted : Self.maximumPieces
        let pieces = Int(count.isNaN ? 1 : count)
        for piece in 1..<max(pieces, 1) {
            add(curve.point(at: Double(piece) / Double(pieces)), isSmooth: true, &flat)
        }
        add(curve.end, isSmooth: false, &flat)
    }
}

extension Path {
    /// Returns the path with each curve replaced by straight segments at most `tolerance` pixels away from it.
    ///
    /// A subpath with a non-finite point is left out, and a curve becomes at most 1024 segments. The tolerance must be
    /// greater than 0.
    public func flattened(tolerance: Double) -> Path {
        precondition(tolerance > 0, "the tolerance is a positive distance")
        var flat = FlatPath(), flattener = PathFlattener(tolerance: tolerance), path = Path()
        flattener.flatten(verbs.span, points.span, into: &flat)
        path.reserveCapacity(flat.points.count + flat.subpaths.count)
        for subpath in flat.subpaths {
            path.move(to: flat.points[subpath.start])
            for point in flat.points[(subpath.start + 1)..<subpath.end] { path.line(to: point) }
            if subpath.isClosed { path.close() }
        }
        return path
    }
}

/// A cubic Bézier segment.
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

    /// Returns the point at parameter `t`, 0 through 1.
    func point(at t: Double) -> Point {
        let s = 1 - t
        let w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t
        return Point(
            x: w0 * start.x + w1 * control1.x + w2 * control2.x + w3 * end.x,
            y: w0 * start.y + w1 * control1.y + w2 * control2.y + w3 * end.y)
    }

    /// The tangent at the start, of any length, or `nil` if all points are equal.
    var startTangent: Point? {
        Self.vector(start, control1) ?? Self.vector(start, control2) ?? Self.vector(start, end)
    }

    /// The tangent at the end, of any length, or `nil` if all points are equal.
    var endTangent: Point? {
        Self.vector(control2, end) ?? Self.vector(control1, end) ?? Self.vector(start, end)
    }

    private static func vector(_ from: Point, _ to: Point) -> Point? {
        from == to ? nil : Point(x: to.x - from.x, y: to.y - from.y)
    }

    /// Calls `body` with the inner points where the tangent is horizontal or vertical.
    func turningPoints(_ body: (Point) -> Void) {
        turns(start.x, control1.x, control2.x, end.x) { body(point(at: $0)) }
        turns(start.y, control1.y, control2.y, end.y) { body(point(at: $0)) }
    }

    /// Calls `body` with the zeros in 0...1 of one coordinate's derivative, `a·t² + b·t + c` except for a factor of 3.
    private func turns(_ p0: Double, _ p1: Double, _ p2: Double, _ p3: Double, _ body: (Double) -> Void) {
        let a = p3 - 3 * p2 + 3 * p1 - p0, b = 2 * (p2 - 2 * p1 + p0), c = p1 - p0
        func offer(_ t: Double) { if t > 0, t < 1 { body(t) } }
        let discriminant = b * b - 4 * a * c
        guard discriminant >= 0 else { return }
        // The Citardauq form loses no digits when `a` is small.
        let q = -(b + (b < 0 ? -discriminant.squareRoot() : discriminant.squareRoot())) / 2
        offer(q / a)
        offer(c / q)
    }
}
