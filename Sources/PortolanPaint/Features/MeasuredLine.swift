import PortolanFeatures
import PortolanRaster

/// A line with the distances of its points from the beginning.
struct MeasuredLine {
    let points: [Point]
    /// The distance of each point along the line.
    private let distances: [Double]

    init(_ points: [Point]) {
        self.points = points
        var distances: [Double] = []
        var length = 0.0
        for (index, point) in points.enumerated() {
            if index > 0 { length += Self.distance(points[index - 1], point) }
            distances.append(length)
        }
        self.distances = distances
    }

    var length: Double { distances.last ?? 0 }

    /// Returns the distances of some points along the line, ascending.
    func distances(of some: Set<Point>) -> [Double] {
        guard !some.isEmpty else { return [] }
        return points.indices.filter { some.contains(points[$0]) }.map { distances[$0] }
    }

    /// Returns the point at a distance along the line, clamped to its ends.
    func point(at distance: Double) -> Point {
        guard let first = points.first, let last = points.last else { return Point(x: 0, y: 0) }
        guard distance > 0 else { return first }
        guard distance < length else { return last }
        let next = index(after: distance)
        let start = points[next - 1], end = points[next]
        let span = distances[next] - distances[next - 1]
        let fraction = span > 0 ? (distance - distances[next - 1]) / span : 0
        return Point(x: start.x + (end.x - start.x) * fraction, y: start.y + (end.y - start.y) * fraction)
    }

    /// Returns the line from one distance to another.
    func part(from low: Double, to high: Double) -> [Point] {
        let start = point(at: low), end = point(at: high)
        return [start] + points(between: low, and: high).filter { $0 != start && $0 != end } + [end]
    }

    /// Returns the distance ranges of the line within a box.
    func segments(in box: Rectangle) -> [(low: Double, high: Double)] {
        var stretches: [(low: Double, high: Double)] = []
        for index in points.indices.dropFirst() {
            let start = points[index - 1], end = points[index]
            guard max(start.x, end.x) >= box.minX, min(start.x, end.x) <= box.maxX, max(start.y, end.y) >= box.minY,
                min(start.y, end.y) <= box.maxY
            else { continue }
            let from = distances[index - 1]
            if box.contains(start), box.contains(end) {
                if start != end { stretches.append((from, from + Self.distance(start, end))) }
                continue
            }
            for piece in LineClipper.clip([start, end], to: box) {
                guard let first = piece.first, let last = piece.last else { continue }
                stretches.append((from + Self.distance(start, first), from + Self.distance(start, last)))
            }
        }
        return stretches
    }

    /// Returns the vertices between two distances.
    func points(between low: Double, and high: Double) -> ArraySlice<Point> {
        guard low < high, !points.isEmpty else { return [] }
        let first = index(after: low), last = index(after: high)
        return points[first..<max(first, last)]
    }

    /// The first point beyond `distance`, or the last point of the line.
    private func index(after distance: Double) -> Int {
        var low = 0, high = distances.count - 1
        while low < high {
            let middle = (low + high) / 2
            if distances[middle] > distance { high = middle } else { low = middle + 1 }
        }
        return max(low, min(1, distances.count - 1))
    }

    static func distance(_ a: Point, _ b: Point) -> Double {
        let dx = b.x - a.x, dy = b.y - a.y
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Returns the unit vector from one point to another, or `nil` if they coincide.
    static func direction(from a: Point, to b: Point) -> Point? {
        let length = distance(a, b)
        guard length > 1e-9, length.isFinite else { return nil }
        return Point(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
    }
}
