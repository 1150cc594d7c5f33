package import PortolanRaster

/// Clips lines to a rectangle by the Liang–Barsky algorithm.
package enum LineClipper {
    /// Returns the parts of a line inside a box, in order.
    ///
    /// Each has at least two points.
    ///
    /// Expand the box by half the stroke width (and more for mitred corners), so that the cut ends are not visible.
    /// Segments that only touch the box at one point are omitted. The line is interrupted at points that are not
    /// finite, or more than 10¹⁵ pixels away.
    ///
    /// - Complexity: O(*n*) in the points.
    package static func clip(_ line: [Point], to box: Rectangle) -> [[Point]] {
        var pieces = PointRuns()
        clip(line, line.indices, to: box, into: &pieces)
        return pieces.arrays
    }

    /// Adds the parts inside a box of a range of points, treated as one line.
    package static func clip(
        _ line: [Point], _ range: Range<Int>, to box: Rectangle, into pieces: inout PointRuns
    ) {
        guard range.count > 1 else { return }
        let points = line.span
        var start = points[range.lowerBound]
        for index in (range.lowerBound + 1)..<range.upperBound {
            let end = points[index]
            defer { start = end }
            guard start.isInRange, end.isInRange, let (entry, exit) = inside(start, end, box) else {
                pieces.endLine()
                continue
            }
            if entry > 0 || pieces.points.count == pieces.openStart {
                pieces.endLine()
                pieces.points.append(entry > 0 ? at(entry, start, end, box) : start)
            }
            pieces.points.append(exit < 1 ? at(exit, start, end, box) : end)
            if exit < 1 { pieces.endLine() }
        }
        pieces.endLine()
    }

    /// Returns the part of a segment that is inside, as fractions of its length, or `nil` if it is outside.
    @inline(__always)
    private static func inside(_ start: Point, _ end: Point, _ box: Rectangle) -> (Double, Double)? {
        let dx = end.x - start.x, dy = end.y - start.y
        var entry = 0.0, exit = 1.0
        guard cut(-dx, start.x - box.minX, &entry, &exit), cut(dx, box.maxX - start.x, &entry, &exit),
            cut(-dy, start.y - box.minY, &entry, &exit), cut(dy, box.maxY - start.y, &entry, &exit)
        else { return nil }
        return entry <= exit ? (entry, exit) : nil
    }

    /// Clips a segment at one side; `direction` is its extent towards that side.
    ///
    /// Returns whether a part may remain.
    @inline(__always)
    private static func cut(_ direction: Double, _ room: Double, _ entry: inout Double, _ exit: inout Double) -> Bool {
        if direction == 0 { return room >= 0 }
        if direction < 0 { entry = max(entry, room / direction) } else { exit = min(exit, room / direction) }
        return true
    }

    /// Returns the position at a fraction of a segment, clamped to the box against rounding errors.
    private static func at(_ fraction: Double, _ start: Point, _ end: Point, _ box: Rectangle) -> Point {
        Point(
            x: min(max(start.x + (end.x - start.x) * fraction, box.minX), box.maxX),
            y: min(max(start.y + (end.y - start.y) * fraction, box.minY), box.maxY))
    }
}

extension Point {
    /// Whether both coordinates are finite and small enough for the arithmetic of clipping.
    var isInRange: Bool { abs(x) <= 1e15 && abs(y) <= 1e15 }
}

/// Runs of points in one array that can be reused without new allocations.
package struct PointRuns: Sendable {
    /// The points of all runs.
    package var points: [Point] = []
    /// The end index of each run.
    ///
    /// Points after the last end belong to the open run.
    package private(set) var ends: [Int] = []

    /// Creates an empty list.
    package init() {}

    /// The number of runs.
    package var count: Int { ends.count }

    /// The start index of the open run.
    package var openStart: Int { ends.last ?? 0 }

    /// Returns the index range of a run.
    package func range(_ run: Int) -> Range<Int> { (run == 0 ? 0 : ends[run - 1])..<ends[run] }

    /// Empties the list and keeps its capacity.
    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Ends the open run.
    ///
    /// A run without points is ignored.
    package mutating func end() {
        if points.count > openStart { ends.append(points.count) }
    }

    /// Ends the open run as a line, or removes it if all its points are equal.
    mutating func endLine() {
        let start = openStart
        var isLine = false
        for index in start..<points.count where points[index] != points[start] {
            isLine = true
            break
        }
        if isLine { ends.append(points.count) } else { points.removeLast(points.count - start) }
    }

    /// Joins the last and the first run if a ring starts between them.
    package mutating func joinEnds(at corner: Point) {
        guard count > 1, points[0] == corner, points[range(count - 1).upperBound - 1] == corner else { return }
        let last = range(count - 1), first = ends[0]
        var joined = Array(points[first..<last.lowerBound]) + points[last]
        joined += points[1..<first]
        points = joined
        ends = ends.dropFirst().dropLast().map { $0 - first } + [joined.count]
    }

    /// The runs as separate arrays.
    package var arrays: [[Point]] { (0..<count).map { Array(points[range($0)]) } }
}
