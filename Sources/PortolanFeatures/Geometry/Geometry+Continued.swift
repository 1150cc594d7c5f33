import PortolanGeo

extension Geometry {
    /// Whether an edge spans half a turn of longitude or more, so that its direction is ambiguous.
    package var hasAmbiguousEdges: Bool {
        if kind == .point || kind == .multiPoint { return false }
        return children.contains(where: \.hasAmbiguousEdges)
            || parts.contains { part in zip(part, part.dropFirst()).contains { abs($1.x - $0.x) >= 180 } }
    }

    /// Returns the geometry with longitudes that continue beyond 180 degrees where an edge spans more than half a turn.
    ///
    /// For formats whose longitudes end at 180 degrees (GPX, KML, GeoRSS, polylines). In them, such an edge can only be
    /// the short one across the antimeridian. Edges of a full turn in areas, and in lines of two positions, are
    /// unchanged because they are the seam of a map; so are rings around a pole. Consecutive parts of a line on both
    /// sides of the antimeridian stay together.
    ///
    /// - Complexity: linear in the coordinates.
    package func continuedOverAntimeridian() -> Geometry {
        switch kind {
        case .point, .multiPoint: return self
        case .collection: return .collection(children.map { $0.continuedOverAntimeridian() })
        case .lineString, .multiLineString, .polygon, .multiPolygon: break
        }
        guard mayCrossAntimeridian else { return self }
        var turns = [Double](repeating: 0, count: coordinates.count)
        if kind == .lineString || kind == .multiLineString {
            turnLines(&turns)
        } else {
            for rings in polygons { turnRings(rings, &turns) }
        }
        // A line that goes round the earth several times is unchanged.
        guard turns.contains(where: { $0 != 0 }), turns.allSatisfy({ abs($0) <= 3 }) else { return self }
        let moved = zip(coordinates, turns).map { AntimeridianCut.moved($0, by: $1) }
        var index = -1
        return mapCoordinates { _ in
            index += 1
            return moved[index]
        }
    }

    /// Whether there are positions on both sides of the antimeridian that edges or parts may connect.
    private var mayCrossAntimeridian: Bool {
        var least = Double.infinity, most = -Double.infinity
        for place in coordinates where place.x.isFinite {
            least = min(least, place.x)
            most = max(most, place.x)
        }
        return most - least > 180 && most - least <= 720
    }

    private func turnLines(_ turns: inout [Double]) {
        var last: Int?
        for part in parts {
            let isSeam = part.count == 2
            var turn = 0.0
            // Separate parts are not moved.
            if let last, let first = part.first, abs(coordinates[last].x) > 170, abs(first.x) > 170 {
                turn = turns[last] + Self.turns(from: coordinates[last].x, to: first.x)
            }
            for index in part.indices {
                if index > part.startIndex {
                    let step = Self.turns(from: coordinates[index - 1].x, to: coordinates[index].x)
                    turn += isSeam && abs(coordinates[index].x - coordinates[index - 1].x) >= 360 ? 0 : step
                }
                turns[index] = turn
            }
            last = part.indices.last ?? last
        }
    }

    private func turnRings(_ rings: Geometry.Parts, _ turns: inout [Double]) {
        var outer: ClosedRange<Double>?
        for ring in rings {
            var turn = 0.0, own = [Double](), least = Double.infinity, most = -Double.infinity
            var isSeam = false
            for index in ring.indices {
                if index > ring.startIndex {
                    let way = coordinates[index].x - coordinates[index - 1].x
                    if abs(way) >= 360 { isSeam = true }
                    turn += Self.turns(from: coordinates[index - 1].x, to: coordinates[index].x)
                }
                own.append(turn)
                let x = coordinates[index].x + turn * 360
                least = min(least, x)
                most = max(most, x)
            }
            guard !isSeam, let first = ring.first, let last = ring.last, let end = own.last,
                end + Self.turns(from: last.x, to: first.x) == 0
            else {
                // Around a pole, or from end to end of the map.
                if outer == nil { return }
                continue
            }
            guard let area = outer else {
                outer = least...most
                for (index, turn) in zip(ring.indices, own) { turns[index] = turn }
                continue
            }
            // A hole is inside its area.
            func isInside(_ shift: Double) -> Bool {
                let west = least + shift * 360, east = most + shift * 360
                return west >= area.lowerBound && east <= area.upperBound
            }
            let shift = [0.0, 1, -1].first(where: isInside) ?? 0
            for (index, turn) in zip(ring.indices, own) { turns[index] = turn + shift }
        }
    }

    /// Returns the number of turns by which the end of an edge must be moved for the short direction.
    private static func turns(from one: Double, to other: Double) -> Double {
        let way = other - one
        return abs(way) > 180 && abs(way) <= 720 ? -(way / 360).rounded() : 0
    }
}
