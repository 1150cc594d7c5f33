import PortolanRaster

/// The outline of a letter in its signed distance field, traced by marching squares with linear interpolation.
///
/// Outside the field there is no letter, so that all contours are closed. Contours have the letter on one side, so that
/// holes run in the opposite direction, as in fonts.
struct DistanceContours {
    /// The value at the edge of the letter.
    ///
    /// Generators store 255 − (32 · distance + 64), rounded up, so that values from 192 lie inside.
    private static let edge = 191.5
    /// The largest distance of a contour from its simplification, in pixels; values are distances in steps of 1/32.
    private static let tolerance = 1.0 / 32
    /// The most points that a straight line replaces.
    private static let runLimit = 32

    /// The values, row by row.
    let values: ArraySlice<UInt8>
    let width: Int
    let height: Int

    /// Returns the contours.
    ///
    /// - Parameter offset: the position of the first value.
    /// - Complexity: O(values).
    func path(movedBy offset: Point) -> Path {
        var next = links(), path = Path()
        for first in next.indices where next[first] >= 0 {
            var ring: [Point] = [], edge = first
            while next[edge] >= 0 {
                ring.append(crossing(edge))
                let following = Int(next[edge])
                next[edge] = -1
                edge = following
            }
            let corners = Self.simplified(ring)
            guard corners.count > 2 else { continue }
            for (number, corner) in corners.enumerated() {
                let point = Point(x: corner.x + offset.x, y: corner.y + offset.y)
                if number == 0 { path.move(to: point) } else { path.line(to: point) }
            }
            path.close()
        }
        return path
    }

    /// The value at a position, 0 outside the field.
    private func value(_ x: Int, _ y: Int) -> Double {
        guard x >= 0, y >= 0, x < width, y < height else { return 0 }
        return Double(values[values.startIndex + y * width + x])
    }

    // The edges between neighbouring values, including a margin of one around the field, have numbers: for each value
    // that to the right, then that below.
    private var columnCount: Int { width + 2 }

    private func edge(_ x: Int, _ y: Int, isDown: Bool) -> Int {
        2 * ((y + 1) * columnCount + x + 1) + (isDown ? 1 : 0)
    }

    /// The point where the contour crosses an edge.
    private func crossing(_ edge: Int) -> Point {
        let isDown = edge % 2 == 1, place = edge / 2
        let x = place % columnCount - 1, y = place / columnCount - 1
        let from = value(x, y), to = isDown ? value(x, y + 1) : value(x + 1, y)
        let share = (Self.edge - from) / (to - from)
        return Point(x: Double(x) + (isDown ? 0 : share), y: Double(y) + (isDown ? share : 0))
    }

    /// The edge that follows each crossed edge on its contour, and -1 for the others.
    private func links() -> [Int32] {
        var next = [Int32](repeating: -1, count: 2 * columnCount * (height + 2))
        for y in -1..<height {
            for x in -1..<width {
                let a = value(x, y), b = value(x + 1, y), c = value(x + 1, y + 1), d = value(x, y + 1)
                // Few squares are crossed.
                guard min(a, b, c, d) <= Self.edge, max(a, b, c, d) > Self.edge else { continue }
                // The corners of the square clockwise, and the edges after each of them.
                let inside = [a, b, c, d].map { $0 > Self.edge }
                let edges = [
                    edge(x, y, isDown: false), edge(x + 1, y, isDown: true), edge(x, y + 1, isDown: false),
                    edge(x, y, isDown: true),
                ]
                // If opposite corners are inside, the middle decides whether they are connected.
                let isSaddle = inside[0] == inside[2] && inside[1] == inside[3]
                let isJoined = (a + b + c + d) / 4 > Self.edge
                for corner in 0..<4 where inside[corner] && !inside[(corner + 1) % 4] {
                    var end = (corner + (isSaddle && !isJoined ? 3 : 1)) % 4
                    if !isSaddle { while inside[end] || !inside[(end + 1) % 4] { end = (end + 1) % 4 } }
                    next[edges[corner]] = Int32(edges[end])
                }
            }
        }
        return next
    }

    /// Returns a ring without the points that are close to a line between others.
    private static func simplified(_ ring: [Point]) -> [Point] {
        var kept: [Point] = [], start = 0
        while start < ring.count {
            kept.append(ring[start])
            var end = start + 1
            while end < ring.count, end - start < runLimit,
                (start + 1...end).allSatisfy({ isClose(ring[$0], to: ring[start], ring[(end + 1) % ring.count]) })
            {
                end += 1
            }
            start = end
        }
        return kept
    }

    /// Returns whether a point is within the tolerance of a line.
    private static func isClose(_ point: Point, to start: Point, _ end: Point) -> Bool {
        let x = end.x - start.x, y = end.y - start.y, length = (x * x + y * y).squareRoot()
        guard length > 0 else { return false }
        let along = ((point.x - start.x) * x + (point.y - start.y) * y) / length
        guard along >= 0, along <= length else { return false }
        return abs((point.x - start.x) * y - (point.y - start.y) * x) / length <= tolerance
    }
}
