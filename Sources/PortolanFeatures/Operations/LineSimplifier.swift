package import PortolanRaster

/// Drops points of lines that make no visible difference.
///
/// The tolerance is in pixels: no place of the line given lies farther than it from the line got. Half of it goes to a
/// first pass, which drops points that lie close to the last one kept, and half to the algorithm of Douglas and Peucker,
/// which measures from segments. A tolerance of a quarter of a pixel cannot be seen.
package enum LineSimplifier {
    /// The line without the points that make no difference; its ends are kept.
    ///
    /// Points that are not finite are dropped first. A tolerance of zero or less drops no others.
    /// - Complexity: O(*n* log *n*) as a rule, at worst O(1024 *n*).
    package static func simplify(_ line: [Point], tolerance: Double) -> [Point] {
        var result = SimplifiedLine()
        result.simplify(line, line.indices, tolerance: tolerance)
        return result.points
    }

    /// The closed ring without the points that make no difference, or an empty array when fewer than four are left, which
    /// means that it is nowhere wider than about the tolerance.
    ///
    /// The first point, which the last one repeats, is kept. A ring that is not closed is closed first.
    /// - Complexity: as for lines.
    package static func simplifyRing(_ ring: [Point], tolerance: Double) -> [Point] {
        var ring = ring
        if let first = ring.first, ring.last != first { ring.append(first) }
        var result = SimplifiedLine()
        result.simplifyRing(ring, ring.indices, tolerance: tolerance)
        return result.points
    }
}

/// A line or ring without the points that make no difference, and the working memory that one leaves for the next.
package struct SimplifiedLine: Sendable {
    /// Douglas and Peucker's work grows with the square of the points in the worst case; in pieces it stays bounded.
    fileprivate static let pieceLength = 1024

    /// What is left of the last line.
    package private(set) var points: [Point] = []
    private var isKept: [Bool] = []
    private var stack: [(first: Int, last: Int)] = []

    /// Makes an empty line.
    package init() {}

    /// Simplifies some points of an array as one line; see ``LineSimplifier``.
    package mutating func simplify(_ line: [Point], _ range: Range<Int>, tolerance: Double) {
        simplify(line, range, tolerance: tolerance, minimumCount: 2)
    }

    /// Simplifies some points of an array as one closed ring, of which nothing is left when it is too narrow.
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

    /// Takes the points that are farther than a distance from the one kept before; the first and last are always kept.
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

    /// Marks the points from `start` to `end` that Douglas and Peucker keep, with a stack in place of recursion.
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
                // Most are clearly nearer than the farthest so far: a division less for each. Beside the segment the distance is
                // that from the whole line; what rounding may add to it is far less than the millionth left.
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

/// A line that is simplified while its points come, in memory for one piece of it; what is left is the same as of the whole.
package struct StreamedLine: Sendable {
    private let squaredDistance: Double
    /// The last point that came, or `nil` before the first.
    package private(set) var last: Point?
    /// The points of the piece that are not close to the one before.
    private var piece: [Point] = []
    private var isLastKept = true
    private var isBegun = false
    private var isKept: [Bool] = []
    private var stack: [(first: Int, last: Int)] = []

    /// Makes a line without points.
    ///
    /// - Parameter tolerance: in pixels, greater than 0; see ``LineSimplifier``.
    package init(tolerance: Double) { squaredDistance = tolerance * tolerance / 4 }

    /// Takes the next point, which is finite, and adds to a path what is known to be left.
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

    /// Ends the line; the next point begins another.
    package mutating func end(to path: inout Path) {
        if let last, !isLastKept { piece.append(last) }
        if piece.count > 1 { endPiece(&path) }
        piece.removeAll(keepingCapacity: true)
        last = nil
        isBegun = false
    }

    /// Adds what is left of the piece, of which the last point begins the next.
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
