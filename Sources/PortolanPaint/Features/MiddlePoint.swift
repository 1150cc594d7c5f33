import PortolanFeatures
import PortolanRaster

/// The representative point of a line or an area where a single mark is drawn (OGC 05-077r4, clause 11.3).
///
/// It is computed from the whole shape, so that a mark keeps its ground position while the map is panned.
enum MiddlePoint {
    /// Returns the middle of the longest line, or `nil` if no line has a length.
    static func ofLines(_ lines: [[Point]]) -> Point? {
        let measured = lines.map { MeasuredLine($0) }.filter { $0.length.isFinite && $0.length > 0 }
        guard let longest = measured.max(by: { $0.length < $1.length }) else { return nil }
        return longest.point(at: longest.length / 2)
    }

    /// Returns the centroid of the largest polygon, or a point well inside it if its centroid is outside; `nil` if no
    /// polygon has an area.
    static func ofPolygons(_ polygons: [[[Point]]]) -> Point? {
        let measured = polygons.compactMap { rings in centroid(of: rings).map { (rings: rings, $0.area, $0.point) } }
        guard let (rings, _, point) = measured.max(by: { $0.1 < $1.1 }) else { return nil }
        return isInside(point, rings) ? point : inside(rings)
    }

    /// Returns whether a point is inside an area of rings.
    static func isInside(_ point: Point, _ rings: [[Point]]) -> Bool {
        spans(of: rings, at: point.y).contains { $0.low <= point.x && point.x <= $0.high }
    }

    /// The centroid of an area without its holes, and its size, or `nil` if it has no area.
    private static func centroid(of rings: [[Point]]) -> (area: Double, point: Point)? {
        guard let origin = rings.first?.first else { return nil }
        var area = 0.0, x = 0.0, y = 0.0
        for (number, ring) in rings.enumerated() {
            var own = 0.0, ownX = 0.0, ownY = 0.0
            guard var last = ring.last else { continue }
            for point in ring {
                let (ax, ay) = (last.x - origin.x, last.y - origin.y)
                let (bx, by) = (point.x - origin.x, point.y - origin.y), cross = ax * by - bx * ay
                own += cross
                ownX += (ax + bx) * cross
                ownY += (ay + by) * cross
                last = point
            }
            // The winding of rings in files is unreliable.
            let sign = (own < 0 ? -1.0 : 1.0) * (number == 0 ? 1 : -1)
            area += sign * own
            x += sign * ownX
            y += sign * ownY
        }
        guard area > 0, area.isFinite else { return nil }
        return (area / 2, Point(x: origin.x + x / (3 * area), y: origin.y + y / (3 * area)))
    }

    /// The number of rows of an area that are tried.
    private static let rowCount = 15

    /// Returns the middles of the longest spans of some rows of an area, from the top down.
    static func points(inside rings: [[Point]], rowCount: Int = 5) -> [Point] {
        guard let box = Path.polyline(rings.flatMap { $0 }).boundingRectangle else { return [] }
        return (0..<rowCount).compactMap { number in
            let y = box.minY + box.height * (Double(number) + 0.5) / Double(rowCount)
            return spans(of: rings, at: y).max { $0.high - $0.low < $1.high - $1.low }
                .map { Point(x: ($0.low + $0.high) / 2, y: y) }
        }
    }

    /// Returns a point well inside an area of rings: in the middle of a long row, near the middle of its box.
    static func inside(_ rings: [[Point]]) -> Point? {
        guard let box = Path.polyline(rings.flatMap { $0 }).boundingRectangle else { return nil }
        var best: (merit: Double, point: Point)?
        for number in 0..<rowCount {
            let y = box.minY + box.height * (Double(number) + 0.5) / Double(rowCount)
            for span in spans(of: rings, at: y) {
                let merit = span.high - span.low - abs(y - box.center.y)
                if best.map({ merit > $0.merit }) ?? true {
                    best = (merit, Point(x: (span.low + span.high) / 2, y: y))
                }
            }
        }
        return best?.point
    }

    /// Returns the spans of a row that are inside, from left to right.
    static func spans(of rings: [[Point]], at y: Double) -> [(low: Double, high: Double)] {
        var crossings: [Double] = []
        for ring in rings {
            guard var last = ring.last else { continue }
            for point in ring {
                if (point.y > y) != (last.y > y) {
                    crossings.append(last.x + (y - last.y) / (point.y - last.y) * (point.x - last.x))
                }
                last = point
            }
        }
        crossings.sort()
        var spans: [(low: Double, high: Double)] = []
        for place in stride(from: 0, to: crossings.count - 1, by: 2) {
            // The halves of an area that tiles have cut are adjacent.
            if let last = spans.last, crossings[place] <= last.high {
                spans[spans.count - 1].high = max(crossings[place + 1], last.high)
            } else {
                spans.append((crossings[place], crossings[place + 1]))
            }
        }
        return spans
    }
}
