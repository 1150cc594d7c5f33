/// Subpaths of straight segments in flat storage, for filling, dashing and stroking.
struct FlatPath: Sendable {
    /// A range of points.
    struct Subpath: Sendable {
        /// The index of the first point.
        var start: Int
        /// The index after the last point.
        var end: Int
        /// Whether a segment connects the last point to the first.
        var isClosed: Bool

        /// Returns the index of the point after `index`, if a segment leads there.
        func next(after index: Int) -> Int? {
            index + 1 < end ? index + 1 : isClosed ? start : nil
        }
    }

    /// The points of all subpaths.
    var points: [Point] = []
    /// For each point, whether it is inside a curve, where the outline has no corner; empty if no point is.
    var isSmooth: [Bool] = []
    /// The subpaths; each has at least two points or is closed.
    var subpaths: [Subpath] = []

    /// Adds a point to the last subpath.
    mutating func append(_ point: Point, isSmooth smooth: Bool) {
        points.append(point)
        isSmooth.append(smooth)
    }

    /// Removes the points from `index` on.
    mutating func truncate(to index: Int) {
        points.removeLast(points.count - index)
        if !isSmooth.isEmpty { isSmooth.removeLast(isSmooth.count - index) }
    }

    /// Removes all subpaths and keeps the memory.
    mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        isSmooth.removeAll(keepingCapacity: true)
        subpaths.removeAll(keepingCapacity: true)
    }
}

extension FlatPath {
    /// Reads the subpaths of a path without curves and with finite points only, whose points need no copy.
    ///
    /// Returns `false` if a subpath continues from the point at which another was closed, because that point is not
    /// adjacent.
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

/// The properties of a path's points, determined before any work.
struct PathSurvey: Sendable {
    /// The bounding rectangle of all points, including control points; it contains the path.
    private(set) var hull = Rectangle(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    /// 0 as long as all coordinates are finite.
    private var trace = 0.0
    /// Whether there are no curves.
    let isStraight: Bool

    /// Whether all coordinates are finite.
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

    /// Returns the vertical range within `reach` of the path, or `nil` if unknown.
    func rows(reach: Double) -> ClosedRange<Double>? {
        guard hull.minY <= hull.maxY, reach.isFinite else { return nil }
        return (hull.minY - reach)...(hull.maxY + reach)
    }

    /// Returns whether no point within `reach` of the path is on the rows of a picture.
    func misses(_ rows: PixelRows, reach: Double) -> Bool {
        // Subpaths that are not finite are ignored, which cannot enlarge the path.
        hull.maxY + reach < Double(rows.range.lowerBound) || hull.minY - reach > Double(rows.range.upperBound)
            || hull.maxX + reach < 0 || hull.minX - reach > Double(rows.size.width)
    }
}
