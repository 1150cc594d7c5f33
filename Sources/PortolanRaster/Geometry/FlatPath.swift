/// Subpaths of straight segments in flat storage, the form that filling, dashing and stroking work on.
struct FlatPath: Sendable {
    /// One run of points.
    struct Subpath: Sendable {
        /// Index of the first point.
        var start: Int
        /// Index after the last point.
        var end: Int
        /// Whether a segment leads from the last point to the first.
        var isClosed: Bool

        /// The index of the point to which a segment leads from the point at `index`, if one does.
        func next(after index: Int) -> Int? {
            index + 1 < end ? index + 1 : isClosed ? start : nil
        }
    }

    /// The points of all subpaths.
    var points: [Point] = []
    /// For each point, whether it lies inside a curve, where the outline turns without a corner.
    var isSmooth: [Bool] = []
    /// The runs; each has at least two points or is closed.
    var subpaths: [Subpath] = []

    /// Adds a point to the last run.
    mutating func append(_ point: Point, isSmooth smooth: Bool) {
        points.append(point)
        isSmooth.append(smooth)
    }

    /// Drops the points from `index` on.
    mutating func truncate(to index: Int) {
        points.removeLast(points.count - index)
        isSmooth.removeLast(isSmooth.count - index)
    }

    /// Empties the path and keeps its memory.
    mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        isSmooth.removeAll(keepingCapacity: true)
        subpaths.removeAll(keepingCapacity: true)
    }
}

extension FlatPath {
    /// Takes the runs of a path without curves and with finite points only, whose points then need no copy; gives `false` where
    /// a subpath goes on from the point to which another was closed, which does not lie beside its own.
    mutating func takeSubpaths(straight verbs: Span<Path.Verb>) -> Bool {
        removeAll()
        var start = 0, count = 0, isClosed = true
        for step in verbs.indices {
            switch verbs[step] {
            case .move:
                if count - start > 1, !isClosed { subpaths.append(Subpath(start: start, end: count, isClosed: false)) }
                start = count
                count += 1
                isClosed = false
            case .close:
                if !isClosed { subpaths.append(Subpath(start: start, end: count, isClosed: true)) }
                isClosed = true
            case .line, .quad, .cubic:
                guard !isClosed else { return false }
                count += 1
            }
        }
        if count - start > 1, !isClosed { subpaths.append(Subpath(start: start, end: count, isClosed: false)) }
        return true
    }
}

/// What one look at a path's points tells, before any work is spent on it.
struct PathSurvey: Sendable {
    /// The smallest upright rectangle around all points, those that only steer a curve included; the path lies in it.
    private(set) var hull = Rectangle(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    /// 0 as long as all coordinates are finite numbers.
    private var trace = 0.0
    /// Whether there is no curve.
    let isStraight: Bool

    /// Whether all coordinates are finite numbers.
    var isFinite: Bool { trace == 0 }

    init(_ path: Path) {
        isStraight = path.isStraight
        let points = path.points.span
        for index in points.indices {
            let point = points[index]
            hull.include(point)
            trace += point.x * 0 + point.y * 0
        }
    }

    /// The ys within `reach` of the path, or `nil` where that is not known.
    func rows(reach: Double) -> ClosedRange<Double>? {
        guard hull.minY <= hull.maxY, reach.isFinite else { return nil }
        return (hull.minY - reach)...(hull.maxY + reach)
    }

    /// Whether nothing within `reach` of the path lies in some rows of a picture.
    func misses(_ rows: PixelRows, reach: Double) -> Bool {
        // Subpaths that are not finite are left out, which makes the path no larger.
        hull.maxY + reach < Double(rows.range.lowerBound) || hull.minY - reach > Double(rows.range.upperBound)
            || hull.maxX + reach < 0 || hull.minX - reach > Double(rows.size.width)
    }
}
