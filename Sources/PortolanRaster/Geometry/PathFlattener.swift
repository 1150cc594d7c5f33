/// Turns a path into straight segments, subpath by subpath.
///
/// A subpath with a point that is not finite is left out as a whole, and so is one that only moves.
struct PathFlattener {
    /// The farthest that a straight segment may be from the curve at the size the pictures have, in pixels.
    static let defaultTolerance = 1.0 / 64
    /// The most pieces of one curve, which bounds the work for curves far larger than any picture.
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

    /// Adds the segments of `path` to `flat`.
    mutating func flatten(_ path: Path, into flat: inout FlatPath) {
        for element in path.elements {
            switch element {
            case .move(let point):
                finish(&flat, isClosed: false)
                start = point
                current = point
                hasMoved = true
            case .line(let end):
                begin(&flat)
                lastTangent = nil
                add(end, isSmooth: false, &flat)
            case .quad(let control, let end):
                begin(&flat)
                // Exactly the same curve as a cubic; only the count of pieces has its own, sharper bound.
                let curve = CubicCurve(
                    current, current.toward(control, fraction: 2.0 / 3), end.toward(control, fraction: 2.0 / 3), end)
                meet(curve, &flat)
                addCurve(curve, bend: bend(current, control, end) / 3, &flat)
            case .cubic(let control1, let control2, let end):
                begin(&flat)
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

    /// Marks the current point as no corner when a curve goes on there in the direction in which the last one ended.
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

    /// How far the middle point is from the middle of the outer two, doubled.
    private func bend(_ a: Point, _ b: Point, _ c: Point) -> Double {
        let x = a.x - 2 * b.x + c.x, y = a.y - 2 * b.y + c.y
        return Point(x: 0, y: 0).distance(to: Point(x: x, y: y))
    }

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
    /// The path with each curve replaced by straight segments that are at most `tolerance` pixels away from it.
    ///
    /// A subpath with a point that is not finite is left out, and a curve becomes at most 1024 segments.
    /// The tolerance is greater than 0.
    public func flattened(tolerance: Double) -> Path {
        precondition(tolerance > 0, "the tolerance is a positive distance")
        var flat = FlatPath(), flattener = PathFlattener(tolerance: tolerance), path = Path()
        flattener.flatten(self, into: &flat)
        path.reserveCapacity(flat.points.count + flat.subpaths.count)
        for subpath in flat.subpaths {
            path.move(to: flat.points[subpath.start])
            for point in flat.points[(subpath.start + 1)..<subpath.end] { path.line(to: point) }
            if subpath.isClosed { path.close() }
        }
        return path
    }
}
