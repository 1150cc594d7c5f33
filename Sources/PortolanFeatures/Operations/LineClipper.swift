package import PortolanRaster

/// Cuts lines at the sides of a rectangle, after Liang and Barsky.
package enum LineClipper {
    /// The pieces of a line that lie inside a box, in order; each has at least two points.
    ///
    /// Grow the box by half the width of the stroke (and more for mitred corners), so that the cut ends stay out of
    /// sight. Segments that only touch the box at one point give no piece. At points that are not finite, or
    /// more than 10¹⁵ pixels away, the line is broken.
    /// - Complexity: O(*n*) in the points.
    package static func clip(_ line: [Point], to box: Rectangle) -> [[Point]] {
        var pieces = PointRuns()
        clip(line, line.indices, to: box, into: &pieces)
        return pieces.arrays
    }

    /// Adds the pieces of some points of an array, as one line, that lie inside a box.
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

    /// Where a segment is inside, as fractions of its length, or `nil` when it is outside.
    @inline(__always)
    private static func inside(_ start: Point, _ end: Point, _ box: Rectangle) -> (Double, Double)? {
        let dx = end.x - start.x, dy = end.y - start.y
        var entry = 0.0, exit = 1.0
        guard cut(-dx, start.x - box.minX, &entry, &exit), cut(dx, box.maxX - start.x, &entry, &exit),
            cut(-dy, start.y - box.minY, &entry, &exit), cut(dy, box.maxY - start.y, &entry, &exit)
        else { return nil }
        return entry <= exit ? (entry, exit) : nil
    }

    /// Cuts a segment at one side, towards which it goes by `direction`, and tells whether something may be left.
    @inline(__always)
    private static func cut(_ direction: Double, _ room: Double, _ entry: inout Double, _ exit: inout Double) -> Bool {
        if direction == 0 { return room >= 0 }
        if direction < 0 { entry = max(entry, room / direction) } else { exit = min(exit, room / direction) }
        return true
    }

    /// The place at a fraction of a segment, held inside the box against rounding.
    private static func at(_ fraction: Double, _ start: Point, _ end: Point, _ box: Rectangle) -> Point {
        Point(
            x: min(max(start.x + (end.x - start.x) * fraction, box.minX), box.maxX),
            y: min(max(start.y + (end.y - start.y) * fraction, box.minY), box.maxY))
    }
}

extension Point {
    /// Whether the arithmetic of clipping is safe with this point: both numbers finite and not absurdly large.
    var isInRange: Bool { abs(x) <= 1e15 && abs(y) <= 1e15 }
}

/// Runs of points in one array, to be filled and emptied again and again without new memory.
package struct PointRuns: Sendable {
    /// The points of all runs.
    package var points: [Point] = []
    /// Where each run ends in the points; what comes after the last end belongs to the run that is being made.
    package private(set) var ends: [Int] = []

    /// Makes an empty list.
    package init() {}

    /// How many runs there are.
    package var count: Int { ends.count }

    /// Where the run begins that is being made.
    package var openStart: Int { ends.last ?? 0 }

    /// The points of a run.
    package func range(_ run: Int) -> Range<Int> { (run == 0 ? 0 : ends[run - 1])..<ends[run] }

    /// Empties the list and keeps its memory.
    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Ends the run that is being made; one without points is none.
    package mutating func end() {
        if points.count > openStart { ends.append(points.count) }
    }

    /// Ends the run that is being made as a line, or drops it when all its points are one.
    mutating func endLine() {
        let start = openStart
        var isLine = false
        for index in start..<points.count where points[index] != points[start] {
            isLine = true
            break
        }
        if isLine { ends.append(points.count) } else { points.removeLast(points.count - start) }
    }

    /// Makes one run of the last and the first, where a ring begins between them: its border goes on there.
    package mutating func joinEnds(at corner: Point) {
        guard count > 1, points[0] == corner, points[range(count - 1).upperBound - 1] == corner else { return }
        let last = range(count - 1), first = ends[0]
        var joined = Array(points[first..<last.lowerBound]) + points[last]
        joined += points[1..<first]
        points = joined
        ends = ends.dropFirst().dropLast().map { $0 - first } + [joined.count]
    }

    /// The runs as arrays of their own.
    package var arrays: [[Point]] { (0..<count).map { Array(points[range($0)]) } }
}
