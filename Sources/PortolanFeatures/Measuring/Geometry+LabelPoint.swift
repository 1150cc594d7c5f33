public import PortolanGeo

extension Geometry {
    /// A representative position inside the geometry, for example for its label, in the CRS of its coordinates.
    ///
    /// It is the point of the largest polygon that is farthest from its border; without polygons the midpoint of the
    /// longest line, and without lines the first point. In a polygon it is accurate to a hundredth of the polygon's
    /// size.
    ///
    /// It is `nil` if the geometry is empty, or a coordinate is not finite.
    ///
    /// - Complexity: O(*n*) for lines and points; some hundred times that for polygons.
    public var labelPoint: Coordinate? {
        if let polygon = largestPolygon { return InteriorPoint(rings: polygon).place }
        if let line = longestLine { return line }
        return firstPlace.flatMap { $0.isFinite ? $0 : nil }
    }

    private var firstPlace: Coordinate? { coordinates.first ?? children.lazy.compactMap(\.firstPlace).first }

    private var allParts: [Geometry] { kind == .collection ? children.flatMap(\.allParts) : [self] }

    private var largestPolygon: [[Coordinate]]? {
        var best: (area: Double, rings: [[Coordinate]])?
        for shape in allParts {
            for polygon in shape.polygons {
                guard let outer = polygon.first else { continue }
                var double = 0.0
                for (one, other) in zip(outer, outer.dropFirst()) {
                    let (x1, y1) = (one.x - outer[outer.startIndex].x, one.y - outer[outer.startIndex].y)
                    let (x2, y2) = (other.x - outer[outer.startIndex].x, other.y - outer[outer.startIndex].y)
                    double += x1 * y2 - x2 * y1
                }
                if abs(double) > best?.area ?? 0 { best = (abs(double), polygon.map(Array.init)) }
            }
        }
        return best?.rings
    }

    private var longestLine: Coordinate? {
        var best: (length: Double, middle: Coordinate)?
        for shape in allParts where shape.kind != .point && shape.kind != .multiPoint {
            for part in shape.parts {
                let steps = zip(part, part.dropFirst()).map { Libm.hypotenuse($1.x - $0.x, $1.y - $0.y) }
                let length = steps.reduce(0, +)
                guard length > best?.length ?? 0 else { continue }
                var rest = length / 2
                for ((one, other), step) in zip(zip(part, part.dropFirst()), steps) {
                    if rest <= step {
                        let share = step > 0 ? rest / step : 0
                        best = (
                            length,
                            Coordinate(x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share)
                        )
                        break
                    }
                    rest -= step
                }
            }
        }
        return best?.middle
    }
}

/// Finds the position inside rings that is farthest from them.
///
/// Squares that may contain a better one are divided into four, the most promising first.
private struct InteriorPoint {
    private struct Square {
        var center: Coordinate, half: Double
        /// The distance from the border; negative outside.
        var distance: Double
        /// The upper bound of the distance within the square.
        var most: Double { distance + half * 1.4142135623730951 }
    }

    /// The maximum number of squares.
    private static let limit = 2000

    private let rings: [[Coordinate]]
    private(set) var place: Coordinate?

    init(rings: [[Coordinate]]) {
        self.rings = rings
        guard let box = BoundingBox(rings.joined()), rings.joined().allSatisfy(\.isFinite) else { return }
        let width = box.maxX - box.minX, height = box.maxY - box.minY
        let side = max(min(width, height), max(width, height) / 64)
        guard side > 0 else { return }
        var waiting: [Square] = []
        for row in 0..<max(1, Int((height / side).rounded(.up))) {
            for column in 0..<max(1, Int((width / side).rounded(.up))) {
                waiting.append(
                    square(box.minX + side * (Double(column) + 0.5), box.minY + side * (Double(row) + 0.5), side / 2))
            }
        }
        var best = waiting[0], count = waiting.count
        for square in waiting where square.distance > best.distance { best = square }
        let precision = min(width, height) / 100
        while count < Self.limit, let place = waiting.indices.max(by: { waiting[$0].most < waiting[$1].most }) {
            let next = waiting.remove(at: place)
            guard best.distance <= 0 || next.most - best.distance > precision else { break }
            let quarter = next.half / 2
            for (dx, dy) in [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)] {
                let part = square(next.center.x + dx * quarter, next.center.y + dy * quarter, quarter)
                if part.distance > best.distance { best = part }
                if part.most > max(best.distance, 0) { waiting.append(part) }
                count += 1
            }
        }
        self.place = best.distance > 0 ? best.center : rings.joined().first
    }

    private func square(_ x: Double, _ y: Double, _ half: Double) -> Square {
        Square(center: Coordinate(x: x, y: y), half: half, distance: distance(x, y))
    }

    private func distance(_ x: Double, _ y: Double) -> Double {
        var isInside = false, least = Double.infinity
        for ring in rings {
            for (one, other) in zip(ring, ring.dropFirst()) {
                if (one.y > y) != (other.y > y), x < (other.x - one.x) * (y - one.y) / (other.y - one.y) + one.x {
                    isInside.toggle()
                }
                let (dx, dy) = (other.x - one.x, other.y - one.y), square = dx * dx + dy * dy
                let share = square > 0 ? min(max(((x - one.x) * dx + (y - one.y) * dy) / square, 0), 1) : 0
                let (ox, oy) = (one.x + dx * share - x, one.y + dy * share - y)
                least = min(least, ox * ox + oy * oy)
            }
        }
        return isInside ? least.squareRoot() : -least.squareRoot()
    }
}
