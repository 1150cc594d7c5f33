import PortolanFeatures
import PortolanGeo

/// Measures and tests polygons by the definitions.
enum Planar {
    /// The area of polygons with holes.
    static func area(_ geometry: Geometry) -> Double {
        geometry.polygons.reduce(0) { sum, polygon in
            let rings = polygon.map { abs(doubledArea($0)) / 2 }
            return sum + rings.reduce(2 * (rings.first ?? 0)) { $0 - $1 }
        }
    }

    private static func doubledArea(_ ring: ArraySlice<Coordinate>) -> Double {
        guard let origin = ring.first else { return 0 }
        return zip(ring, ring.dropFirst()).reduce(0) { sum, edge in
            sum + (edge.0.x - origin.x) * (edge.1.y - origin.y) - (edge.1.x - origin.x) * (edge.0.y - origin.y)
        }
    }

    /// Whether edges of rings cross, or touch except at common vertices, or a ring has fewer than three corners.
    static func hasCrossings(_ geometry: Geometry) -> Bool { hasCrossings([geometry]) }

    /// Whether edges of any rings cross, where edges that two rings share are one.
    static func hasCrossings(_ geometries: [Geometry]) -> Bool {
        var edges: [[Coordinate]] = []
        var known: Set<[Coordinate]> = []
        for part in geometries.flatMap({ $0.parts }) {
            guard part.count > 3, part.first == part.last else { return true }
            for (one, other) in zip(part, part.dropFirst()) {
                let edge = (one.x, one.y) < (other.x, other.y) ? [one, other] : [other, one]
                if known.insert(edge).inserted { edges.append(edge) }
            }
        }
        // Edges begin at their lower x, and meet none that begins beyond their end.
        edges.sort { $0[0].x < $1[0].x }
        for (number, edge) in edges.enumerated() {
            for other in edges[(number + 1)...] {
                guard other[0].x <= edge[1].x else { break }
                if meets(edge, other) { return true }
            }
        }
        return false
    }

    private static func meets(_ one: [Coordinate], _ other: [Coordinate]) -> Bool {
        let common = one.filter(other.contains)
        func side(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) -> Double {
            (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        }
        if let start = common.first {
            let ends = (one + other).filter { $0 != start }
            guard ends.count == 2 else { return true }
            let along =
                (ends[0].x - start.x) * (ends[1].x - start.x) + (ends[0].y - start.y) * (ends[1].y - start.y)
            return along > 0 && side(start, ends[0], ends[1]) == 0
        }
        return side(one[0], one[1], other[0]) * side(one[0], one[1], other[1]) < 0
            && side(other[0], other[1], one[0]) * side(other[0], other[1], one[1]) < 0
    }
}
