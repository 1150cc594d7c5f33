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
