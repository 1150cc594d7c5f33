public import PortolanRaster

/// Drops points of lines that make no visible difference.
///
/// The tolerance is in pixels: no place of the line given lies farther than it from the line got. Half of it goes to a
/// first pass, which drops points that lie close to the last one kept, and half to the algorithm of Douglas and Peucker,
/// which measures from segments. A tolerance of a quarter of a pixel cannot be seen.
public enum LineSimplifier {
    /// Douglas and Peucker's work grows with the square of the points in the worst case; in pieces it stays bounded.
    private static let pieceLength = 1024

    /// The line without the points that make no difference; its ends are kept.
    ///
    /// Points that are not finite are dropped first. A tolerance of zero or less drops no others.
    /// - Complexity: O(*n* log *n*) as a rule, at worst O(1024 *n*).
    public static func simplify(_ line: [Point], tolerance: Double) -> [Point] {
        simplify(line, tolerance: tolerance, minimumCount: 2)
    }

    /// The closed ring without the points that make no difference, or an empty array when fewer than four are left, which
    /// means that it is nowhere wider than about the tolerance.
    ///
    /// The first point, which the last one repeats, is kept. A ring that is not closed is closed first.
    /// - Complexity: as for lines.
    public static func simplifyRing(_ ring: [Point], tolerance: Double) -> [Point] {
        var ring = ring
        if let first = ring.first, ring.last != first { ring.append(first) }
        let result = simplify(ring, tolerance: tolerance, minimumCount: 4)
        return result.count < 4 ? [] : result
    }

    private static func simplify(_ line: [Point], tolerance: Double, minimumCount: Int) -> [Point] {
        guard tolerance > 0 else { return line.filter { $0.x.isFinite && $0.y.isFinite } }
        let points = dropClose(line, squaredDistance: tolerance * tolerance / 4)
        guard points.count > minimumCount else { return points }
        var isKept = [Bool](repeating: false, count: points.count)
        var start = 0
        while start < points.count - 1 {
            let end = min(start + pieceLength, points.count - 1)
            mark(&isKept, points, start, end, squaredDistance: tolerance * tolerance / 4)
            start = end
        }
        var result: [Point] = []
        result.reserveCapacity(points.count / 2)
        for index in points.indices where isKept[index] { result.append(points[index]) }
        return result
    }

    /// The points that are farther than a distance from the one kept before; the first and last are always kept.
    private static func dropClose(_ line: [Point], squaredDistance: Double) -> [Point] {
        var result: [Point] = []
        result.reserveCapacity(min(line.count, 4096))
        var last: Point?
        var isLastKept = true
        for point in line where point.x.isFinite && point.y.isFinite {
            if let kept = result.last {
                let dx = point.x - kept.x, dy = point.y - kept.y
                isLastKept = dx * dx + dy * dy > squaredDistance
                if isLastKept { result.append(point) }
            } else {
                result.append(point)
            }
            last = point
        }
        if let last, !isLastKept { result.append(last) }
        return result
    }

    /// Marks the points of `points[start...end]` that Douglas and Peucker keep, with a stack in place of recursion.
    private static func mark(
        _ isKept: inout [Bool], _ points: [Point], _ start: Int, _ end: Int, squaredDistance: Double
    ) {
        isKept[start] = true
        isKept[end] = true
        var stack = [(start, end)]
        while let (first, last) = stack.popLast() {
            guard last - first > 1 else { continue }
            var farthest = first
            var greatest = squaredDistance
            for index in (first + 1)..<last {
                let distance = Distance.squared(from: points[index], toSegment: points[first], points[last])
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
