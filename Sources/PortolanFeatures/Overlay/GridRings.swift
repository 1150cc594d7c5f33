import PortolanGeo

/// Arranges rings on a grid that do not cross, each with the area to its left, as polygons.
enum GridRings {
    /// Returns each outer ring with its holes.
    ///
    /// A hole belongs to the smallest ring around it.
    ///
    /// - Complexity: O(*n* log *n*) as a rule.
    static func polygons(_ rings: [[GridPoint]]) -> [[[GridPoint]]] {
        var outer: [(ring: [GridPoint], area: Double)] = [], holes: [[GridPoint]] = []
        for ring in rings {
            if isCounterclockwise(ring) { outer.append((ring, area(ring))) } else { holes.append(ring) }
        }
        var polygons = outer.map { [$0.ring] }
        guard !holes.isEmpty else { return polygons }
        let index = SpatialIndex(outer.map { box($0.ring) })
        for hole in holes {
            guard hole.count > 1, let box = box(hole) else { continue }
            // The middle of an edge is on no other ring. Coordinates are doubled.
            let middle = GridPoint(x: hole[0].x + hole[1].x, y: hole[0].y + hole[1].y)
            let around = index.items(touching: box).filter { contains(middle, outer[$0].ring) }
            if let home = around.min(by: { outer[$0].area < outer[$1].area }) { polygons[home].append(hole) }
        }
        return polygons
    }

    private static func box(_ ring: [GridPoint]) -> BoundingBox? {
        BoundingBox(ring.lazy.map { Coordinate(x: Double($0.x), y: Double($0.y)) })
    }

    private static func area(_ ring: [GridPoint]) -> Double {
        ring.map { Coordinate(x: Double($0.x), y: Double($0.y)) }.doubledRingArea
    }

    /// The direction of a ring, by the turn at its lowest vertex, which is exact.
    private static func isCounterclockwise(_ ring: [GridPoint]) -> Bool {
        guard let lowest = ring.indices.min(by: { ring[$0] < ring[$1] }) else { return false }
        let before = ring[lowest == 0 ? ring.count - 1 : lowest - 1]
        return before.turn(ring[lowest], ring[lowest == ring.count - 1 ? 0 : lowest + 1]) > 0
    }

    /// Returns whether a ring contains a position with doubled coordinates that is not on it.
    private static func contains(_ doubled: GridPoint, _ ring: [GridPoint]) -> Bool {
        var isInside = false
        guard var from = ring.last else { return false }
        for to in ring {
            let (low, high) = from.y < to.y ? (from, to) : (to, from)
            if low.y * 2 <= doubled.y, doubled.y < high.y * 2 {
                let start = GridPoint(x: low.x * 2, y: low.y * 2)
                if start.turn(GridPoint(x: high.x * 2, y: high.y * 2), doubled) > 0 { isInside.toggle() }
            }
            from = to
        }
        return isInside
    }
}
