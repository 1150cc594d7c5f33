package import PortolanRaster

/// Removes points of lines that make no visible difference.
///
/// The tolerance is in pixels: no position of the original line is farther than that from the result. Half of it is
/// used by a first pass, which removes points close to the previous one, and half by the Douglas–Peucker algorithm,
/// which measures distances from segments. A tolerance of a quarter of a pixel is not visible.
package enum LineSimplifier {
    /// Returns the line without redundant points; its ends are kept.
    ///
    /// Points that are not finite are removed first. A tolerance that is not positive removes no others.
    ///
    /// - Complexity: O(*n* log *n*) as a rule, at worst O(1024 *n*).
    package static func simplify(_ line: [Point], tolerance: Double) -> [Point] {
        var result = SimplifiedLine()
        result.simplify(line, line.indices, tolerance: tolerance)
        return result.points
    }

    /// Returns the closed ring without redundant points.
    ///
    /// The result is empty if fewer than four remain, which means that the ring is nowhere wider than about the
    /// tolerance.
    ///
    /// The first point, which the last one repeats, is kept. An open ring is closed first.
    ///
    /// - Complexity: as for lines.
    package static func simplifyRing(_ ring: [Point], tolerance: Double) -> [Point] {
        var ring = ring
        if let first = ring.first, ring.last != first { ring.append(first) }
        var result = SimplifiedLine()
        result.simplifyRing(ring, ring.indices, tolerance: tolerance)
        return result.points
    }
}

/// A line or ring without redundant points, with buffers that can be reused for the next.
package struct SimplifiedLine: Sendable {
    /// In the worst case, Douglas–Peucker is quadratic in the number of points.
    ///
    /// Pieces bound its cost.
    fileprivate static let pieceLength = 1024

    /// The points of the last result.
    package private(set) var points: [Point] = []
    private var isKept: [Bool] = []
    private var stack: [(first: Int, last: Int)] = []

    /// Creates an empty line.
    package init() {}

    /// Simplifies a range of points as one line; see ``LineSimplifier``.
    package mutating func simplify(_ line: [Point], _ range: Range<Int>, tolerance: Double) {
        simplify(line, range, tolerance: tolerance, minimumCount: 2)
    }

    /// Simplifies a range of points as one closed ring.
    ///
    /// The result is empty if the ring is too narrow.
    package mutating func simplifyRing(_ ring: [Point], _ range: Range<Int>, tolerance: Double) {
        simplify(ring, range, tolerance: tolerance, minimumCount: 4)
        if points.count < 4 { points.removeAll(keepingCapacity: true) }
    }

    private mutating func simplify(_ line: [Point], _ range: Range<Int>, tolerance: Double, minimumCount: Int) {
        points.removeAll(keepingCapacity: true)
        guard tolerance > 0 else {
            for index in range where line[index].x.isFinite && line[index].y.isFinite { points.append(line[index]) }
            return
        }
        let squared = tolerance * tolerance / 4
        dropClose(line, range, squaredDistance: squared)
        guard points.count > minimumCount else { return }
        isKept.removeAll(keepingCapacity: true)
        isKept.append(contentsOf: repeatElement(false, count: points.count))
        var start = 0
        while start < points.count - 1 {
            let end = min(start + Self.pieceLength, points.count - 1)
            Self.mark(&isKept, &stack, points, start, end, squaredDistance: squared)
            start = end
        }
        var count = 0
        for index in points.indices where isKept[index] {
            points[count] = points[index]
            count += 1
        }
        points.removeLast(points.count - count)
    }

    /// Keeps the points beyond a distance from the previously kept one, and always the first and last.
    private mutating func dropClose(_ line: [Point], _ range: Range<Int>, squaredDistance: Double) {
        let all = line.span
        var kept = Point(x: 0, y: 0), last = kept
        var isLastKept = true
        for index in range {
            let point = all[index]
            guard point.x.isFinite, point.y.isFinite else { continue }
            let dx = point.x - kept.x, dy = point.y - kept.y
            isLastKept = points.isEmpty || dx * dx + dy * dy > squaredDistance
            if isLastKept {
                points.append(point)
                kept = point
            }
            last = point
        }
        if !isLastKept { points.append(last) }
    }

    /// Marks the points from `start` to `end` that Douglas–Peucker keeps, with a stack instead of recursion.
    fileprivate static func mark(
        _ isKept: inout [Bool], _ stack: inout [(first: Int, last: Int)], _ line: [Point], _ start: Int, _ end: Int,
        squaredDistance: Double
    ) {
        isKept[start] = true
        isKept[end] = true
        let points = line.span
        stack.removeAll(keepingCapacity: true)
        stack.append((start, end))
        while let (first, last) = stack.popLast() {
            guard last - first > 1 else { continue }
            var farthest = first
            var greatest = squaredDistance
            let from = points[first], to = points[last]
            let dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy
            for index in (first + 1)..<last {
                // Most points are clearly nearer than the farthest so far, which saves a division for each. Beside the
                // segment, the distance is that from the whole line. Rounding errors are far below the margin of a
                // millionth.
                let px = points[index].x - from.x, py = points[index].y - from.y
                let along = px * dx + py * dy, across = px * dy - py * dx
                if along > 0, along < length, across * across < greatest * length * 0.999_999 { continue }
                let distance = Distance.squared(from: points[index], toSegment: from, to)
                if distance > greatest {
                    greatest = distance
                    farthest = index
                }
            }
            guard farthest > first else { continue }
            isKept[farthest] = true
            stack.append((first, farthest))
            stack.append((farthest, last))
        }
    }
}

/// A line that is simplified while its points arrive, with memory for one piece.
///
/// The result equals that for the whole line.
package struct StreamedLine: Sendable {
    private let squaredDistance: Double
    /// The last point, or `nil` before the first.
    package private(set) var last: Point?
    /// The points of the piece that are not close to the previous one.
    private var piece: [Point] = []
    private var isLastKept = true
    private var isBegun = false
    private var isKept: [Bool] = []
    private var stack: [(first: Int, last: Int)] = []

    /// Creates a line without points.
    ///
    /// - Parameter tolerance: in pixels, not negative; see ``LineSimplifier``.
    package init(tolerance: Double) { squaredDistance = tolerance * tolerance / 4 }

    /// Adds the next point, which must be finite, and appends the completed part of the result to a path.
    package mutating func add(_ point: Point, to path: inout Path) {
        last = point
        if let kept = piece.last {
            let dx = point.x - kept.x, dy = point.y - kept.y
            isLastKept = dx * dx + dy * dy > squaredDistance
        } else {
            isLastKept = true
        }
        guard isLastKept else { return }
        piece.append(point)
        if piece.count > SimplifiedLine.pieceLength { endPiece(&path) }
    }

    /// Ends the line.
    ///
    /// The next point starts another one.
    package mutating func end(to path: inout Path) {
        if let last, !isLastKept { piece.append(last) }
        if piece.count > 1 { endPiece(&path) }
        piece.removeAll(keepingCapacity: true)
        last = nil
        isBegun = false
    }

    /// Appends the result of the piece.
    ///
    /// Its last point starts the next piece.
    private mutating func endPiece(_ path: inout Path) {
        isKept.removeAll(keepingCapacity: true)
        isKept.append(contentsOf: repeatElement(false, count: piece.count))
        SimplifiedLine.mark(&isKept, &stack, piece, 0, piece.count - 1, squaredDistance: squaredDistance)
        if !isBegun { path.move(to: piece[0]) }
        isBegun = true
        for index in piece.indices.dropFirst() where isKept[index] { path.line(to: piece[index]) }
        piece.removeFirst(piece.count - 1)
    }
}
