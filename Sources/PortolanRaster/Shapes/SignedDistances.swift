/// The signed distances of pixels from the outline of a shape, in the encoding of MapLibre's glyph ranges and sprites.
///
/// A distance of 0 has the value 191, each pixel further outside 32 less, each pixel further inside 32 more. Distances
/// are exact: they are measured from the pixel's centre to the outline, not to pixels of a bitmap. Where contours
/// overlap, the outline is that of their union.
package struct SignedDistances: Hashable, Sendable {
    /// The margin around the bounding box of the shape, in pixels.
    package static let margin = 3
    /// The distance in pixels over which the values go from 0 to 255.
    package static let radius = 8.0
    /// The share of the values inside the shape.
    package static let cutoff = 0.25
    /// The largest side of a field with its margin, in pixels.
    package static let maximumSide = 512

    /// The size in pixels, with the margin.
    package let width: Int, height: Int
    /// The values, row by row from the top.
    package let values: [UInt8]

    init(width: Int, height: Int, values: [UInt8]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// Measures the distances from a path that is filled by the nonzero rule.
    ///
    /// - Parameters:
    ///   - path: the shape in pixels, y down.
    ///   - left: the left edge of the field with its margin.
    ///   - top: the upper edge of the field with its margin.
    /// - Returns: `nil` if the size is not positive, or exceeds ``maximumSide``.
    /// - Complexity: O(segments × pixels within the radius).
    package init?(_ path: Path, left: Int, top: Int, width: Int, height: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else { return nil }
        self.width = width
        self.height = height
        let edges = EdgeList(path, left: Double(left), top: Double(top))
        var squares = [Double](repeating: Self.radius * Self.radius, count: width * height)
        for edge in edges.outer { Self.measure(edge, width: width, height: height, into: &squares) }
        var values = [UInt8](repeating: 0, count: width * height)
        for row in 0..<height {
            let crossings = edges.crossings(at: Double(row) + 0.5)
            var next = 0, winding = 0
            for column in 0..<width {
                let x = Double(column) + 0.5
                while next < crossings.count, crossings[next].x <= x {
                    winding += crossings[next].turn
                    next += 1
                }
                let index = row * width + column
                values[index] = Self.value(squares[index].squareRoot() * (winding == 0 ? 1 : -1))
            }
        }
        self.values = values
    }

    /// Returns the value of a distance, which is negative inside.
    package static func value(_ distance: Double) -> UInt8 {
        let outside = distance * (256 / radius) + cutoff * 256
        return 255 - UInt8(min(max(outside, 0), 255))
    }

    /// Lowers the squared distances of the pixels near an edge.
    private static func measure(_ edge: EdgeList.Edge, width: Int, height: Int, into squares: inout [Double]) {
        let (start, end) = (edge.start, edge.end)
        func range(_ first: Double, _ second: Double, _ count: Int) -> Range<Int> {
            let low = max(min(first, second) - radius - 0.5, 0), high = min(max(first, second) + radius, Double(count))
            return low < high ? Int(low)..<Int(high.rounded(.up)) : 0..<0
        }
        let dx = end.x - start.x, dy = end.y - start.y, square = dx * dx + dy * dy
        let columns = range(start.x, end.x, width)
        for row in range(start.y, end.y, height) {
            let y = Double(row) + 0.5 - start.y
            for column in columns {
                let x = Double(column) + 0.5 - start.x
                let share = square > 0 ? min(max((x * dx + y * dy) / square, 0), 1) : 0
                let offsetX = x - share * dx, offsetY = y - share * dy, index = row * width + column
                squares[index] = min(squares[index], offsetX * offsetX + offsetY * offsetY)
            }
        }
    }
}

/// The straight edges of a shape, and those of them that separate inside from outside.
private struct EdgeList {
    struct Edge {
        var start: Point
        var end: Point
    }

    /// The most edges for which overlaps are removed.
    private static let overlapLimit = 2000
    /// The largest distance of an edge from a curve, in pixels: an eighth of a step of the values.
    private static let tolerance = 1.0 / 256

    private let all: [Edge]
    /// The edges between inside and outside.
    let outer: [Edge]

    /// - Parameters:
    ///   - left: the x coordinate of the new origin.
    ///   - top: the y coordinate of the new origin.
    init(_ path: Path, left: Double, top: Double) {
        var edges: [Edge] = [], first = Point(x: 0, y: 0), last = first
        func add(_ end: Point) {
            if last != end { edges.append(Edge(start: last, end: end)) }
            last = end
        }
        for element in path.transformed(by: .translation(x: -left, y: -top)).flattened(tolerance: Self.tolerance)
            .elements
        {
            switch element {
            case .move(let point):
                add(first)
                (first, last) = (point, point)
            case .line(let point): add(point)
            // A flat path has no curves.
            case .quad(_, let point), .cubic(_, _, let point): add(point)
            case .close: add(first)
            }
        }
        add(first)
        all = edges
        outer = edges.count <= Self.overlapLimit ? Self.outer(of: edges) : edges
    }

    /// Returns the places where a row crosses edges, from left to right, each with its change of the winding number.
    func crossings(at y: Double) -> [(x: Double, turn: Int)] { Self.crossings(of: all, at: y).sorted { $0.x < $1.x } }

    private static func crossings(of edges: [Edge], at y: Double) -> [(x: Double, turn: Int)] {
        edges.compactMap { edge in
            guard (edge.start.y <= y) != (edge.end.y <= y) else { return nil }
            let share = (y - edge.start.y) / (edge.end.y - edge.start.y)
            return (edge.start.x + share * (edge.end.x - edge.start.x), edge.start.y <= y ? 1 : -1)
        }
    }

    private static func isInside(_ point: Point, _ edges: [Edge]) -> Bool {
        crossings(of: edges, at: point.y).reduce(0) { $0 + ($1.x <= point.x ? $1.turn : 0) } != 0
    }

    /// Splits edges where they cross, and leaves out those with the same side on both sides.
    private static func outer(of edges: [Edge]) -> [Edge] {
        pieces(of: edges).filter { edge in
            let dx = edge.end.x - edge.start.x, dy = edge.end.y - edge.start.y
            let length = (dx * dx + dy * dy).squareRoot()
            guard length > 1.0 / 64 else { return true }
            let middle = Point(x: (edge.start.x + edge.end.x) / 2, y: (edge.start.y + edge.end.y) / 2)
            let aside = 1.0 / 512 / length
            let sides = [aside, -aside].map { isInside(Point(x: middle.x - dy * $0, y: middle.y + dx * $0), edges) }
            return sides[0] != sides[1]
        }
    }

    private static func pieces(of edges: [Edge]) -> [Edge] {
        var cuts = [[Double]](repeating: [], count: edges.count)
        for first in edges.indices {
            let a = edges[first], ax = a.end.x - a.start.x, ay = a.end.y - a.start.y
            for second in edges.index(after: first)..<edges.count {
                let b = edges[second]
                // Most pairs are far from each other.
                guard max(a.start.x, a.end.x) >= min(b.start.x, b.end.x),
                    max(b.start.x, b.end.x) >= min(a.start.x, a.end.x),
                    max(a.start.y, a.end.y) >= min(b.start.y, b.end.y),
                    max(b.start.y, b.end.y) >= min(a.start.y, a.end.y)
                else { continue }
                let bx = b.end.x - b.start.x, by = b.end.y - b.start.y, cross = ax * by - ay * bx
                guard cross != 0 else { continue }
                let x = b.start.x - a.start.x, y = b.start.y - a.start.y
                let shares = ((x * by - y * bx) / cross, (x * ay - y * ax) / cross)
                let open = 1e-9..<(1 - 1e-9)
                guard open.contains(shares.0) || open.contains(shares.1), (0...1).contains(shares.0),
                    (0...1).contains(shares.1)
                else { continue }
                cuts[first].append(shares.0)
                cuts[second].append(shares.1)
            }
        }
        var pieces: [Edge] = []
        for (edge, cuts) in zip(edges, cuts) {
            var start = edge.start
            for share in cuts.sorted() {
                let end = Point(
                    x: edge.start.x + share * (edge.end.x - edge.start.x),
                    y: edge.start.y + share * (edge.end.y - edge.start.y))
                if end != start { pieces.append(Edge(start: start, end: end)) }
                start = end
            }
            if start != edge.end { pieces.append(Edge(start: start, end: edge.end)) }
        }
        return pieces
    }
}
