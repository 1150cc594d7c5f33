extension VectorTileLayer {
    /// The largest product of the rings and vertices of a feature whose rings are compared with one another.
    private static let comparisonLimit = 200_000

    /// The polygons of a feature: the ranges of their rings, the outer ring first.
    ///
    /// MapLibre Tiles state the polygons. In version 2 of Mapbox Vector Tile a ring is an outer one if it is wound like the first.
    /// In version 1 the winding is unreliable, so a ring is a hole if the outer ring before it contains it.
    package func polygons(of feature: Int) -> [Range<Int>] {
        let rings = geometry.parts(of: feature)
        guard geometry.types[feature] == .polygons, !rings.isEmpty else { return [] }
        var starts: [Int] = []
        if !geometry.isOuterRing.isEmpty {
            starts = rings.filter { geometry.isOuterRing[$0] }
        } else if version == 1, rings.count * vertexCount(of: rings) <= Self.comparisonLimit {
            for ring in rings {
                guard let outer = starts.last, contains(outer, ring) else {
                    starts.append(ring)
                    continue
                }
            }
        } else {
            let isClockwise = rings.lazy.map { geometry.doubleArea(of: $0) }.first { $0 != 0 }.map { $0 > 0 }
            for ring in rings {
                let area = geometry.doubleArea(of: ring)
                if area != 0, (area > 0) == isClockwise { starts.append(ring) }
            }
        }
        guard !starts.isEmpty else { return [rings] }
        return zip(starts, starts.dropFirst() + [rings.upperBound]).map { $0..<$1 }
    }

    private func vertexCount(of parts: Range<Int>) -> Int {
        geometry.vertices(of: parts.upperBound - 1).upperBound - geometry.vertices(of: parts.lowerBound).lowerBound
    }

    /// Whether a ring contains the first vertex of another that is not a vertex of both.
    private func contains(_ outer: Int, _ inner: Int) -> Bool {
        let range = geometry.vertices(of: outer)
        guard range.count > 2 else { return false }
        let corners = Set(range.map { Vertex(geometry.vertex($0)) })
        let test = geometry.vertices(of: inner).lazy.map { Vertex(geometry.vertex($0)) }.first { !corners.contains($0) }
        guard let test else { return true }
        var isInside = false
        var last = geometry.vertex(range.upperBound - 1)
        for index in range {
            let next = geometry.vertex(index)
            if (next.y > test.y) != (last.y > test.y) {
                let crossing =
                    Double(last.x) + (Double(test.y) - Double(last.y)) / (Double(next.y) - Double(last.y))
                    * (Double(next.x) - Double(last.x))
                if Double(test.x) < crossing { isInside.toggle() }
            }
            last = next
        }
        return isInside
    }

    private struct Vertex: Hashable {
        let x: Int32, y: Int32
        init(_ vertex: (x: Int32, y: Int32)) { (x, y) = vertex }
    }
}
