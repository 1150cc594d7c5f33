import PortolanGeo

/// Replaces the edges of geometries in longitude and latitude by great circle arcs, in the shorter direction.
///
/// Each edge is divided so that the straight edges in longitude and latitude stay within 25 m of the great circle.
/// Longitudes continue beyond ±180 without jumps, and a ring that goes round a pole is closed over the nearer one.
package struct GreatCircleEdges {
    /// The maximum distance of an edge from its great circle, in radians: 25 m.
    private static let tolerance = 4e-6
    /// The maximum length of an edge in radians.
    ///
    /// Its midpoint alone does not reveal a curve across the equator.
    private static let longest = 0.02
    /// The maximum number of halvings of an edge.
    private static let deepest = 14

    /// The number of coordinates that may still be added.
    private var budget: Int

    /// Creates a value that adds at most `budget` coordinates.
    ///
    /// Edges beyond this are unchanged.
    package init(budget: Int = 8_000_000) { self.budget = budget }

    /// Returns the geometry with great circle edges; points are unchanged.
    ///
    /// - Complexity: O(coordinates of the result).
    package mutating func drawn(_ geometry: Geometry) -> Geometry {
        switch geometry.kind {
        case .point, .multiPoint: return geometry
        case .lineString: return .lineString(line(Array(geometry.coordinates)))
        case .multiLineString:
            var lines: [[Coordinate]] = []
            for part in geometry.parts { lines.append(line(Array(part))) }
            return .multiLineString(lines)
        case .polygon, .multiPolygon:
            var polygons: [[[Coordinate]]] = []
            for polygon in geometry.polygons {
                var rings: [[Coordinate]] = []
                for part in polygon { rings.append(Self.beside(rings.first, Self.closed(line(Array(part))))) }
                polygons.append(rings)
            }
            return geometry.kind == .polygon ? .polygon(polygons.first ?? []) : .multiPolygon(polygons)
        case .collection:
            var children: [Geometry] = []
            for child in geometry.children { children.append(drawn(child)) }
            return .collection(children)
        }
    }

    // MARK: Edges

    private mutating func line(_ given: [Coordinate]) -> [Coordinate] {
        var line: [Coordinate] = []
        line.reserveCapacity(given.count)
        for place in given {
            // Coordinates beyond a pole are invalid, and no great circle leads there.
            guard let last = line.last, last.isFinite, place.isFinite, max(abs(last.y), abs(place.y)) <= 90 else {
                line.append(place)
                continue
            }
            add(from: last, Direction(last), to: place, Direction(place), depth: 0, to: &line)
            line.append(place.nearest(to: line[line.count - 1]))
        }
        return line
    }

    /// Adds the vertices between two positions.
    private mutating func add(
        from a: Coordinate, _ directionA: Direction, to b: Coordinate, _ directionB: Direction, depth: Int,
        to line: inout [Coordinate]
    ) {
        guard depth < Self.deepest, budget > 0, let middle = directionA.middle(to: directionB) else { return }
        let end = b.nearest(to: a)
        let straight = Direction(Coordinate(x: (a.x + end.x) / 2, y: (a.y + end.y) / 2))
        guard directionA.chord(to: directionB) > Self.longest || straight.chord(to: middle) > Self.tolerance
        else { return }
        let place = middle.place.nearest(to: a)
        add(from: a, directionA, to: place, middle, depth: depth + 1, to: &line)
        line.append(place.nearest(to: line[line.count - 1]))
        budget -= 1
        add(from: line[line.count - 1], middle, to: b, directionB, depth: depth + 1, to: &line)
    }

    // MARK: Rings

    /// Returns a ring whose ends differ by full turns, since it goes round a pole, closed over that pole along ±180°.
    private static func closed(_ ring: [Coordinate]) -> [Coordinate] {
        guard let first = ring.first, let last = ring.last else { return ring }
        let turns = ((last.x - first.x) / 360).rounded() * 360
        guard turns != 0, turns.isFinite else { return ring }
        let sum = ring.reduce(0) { $0 + $1.y }
        let pole = sum < 0 ? -90.0 : 90
        func turn(_ place: Coordinate) -> Double { ((place.x - 180) / 360).rounded(.down) }
        guard let index = ring.indices.dropFirst().first(where: { turn(ring[$0]) != turn(ring[$0 - 1]) }) else {
            return ring + [Coordinate(x: last.x, y: pole), Coordinate(x: first.x, y: pole), first]
        }
        // It starts where it crosses ±180°, so that the connection to the pole is the seam, which maps do not stroke.
        let a = ring[index - 1], b = ring[index]
        let seam = max(turn(a), turn(b)) * 360 + 180
        let share = b.x == a.x ? 0 : (seam - a.x) / (b.x - a.x)
        let start = Coordinate(x: seam, y: a.y + (b.y - a.y) * share)
        let round = ring[1..<index].map { Coordinate(x: $0.x + turns, y: $0.y) }
        return [start] + ring[index...] + round
            + [
                Coordinate(x: seam + turns, y: start.y), Coordinate(x: seam + turns, y: pole),
                Coordinate(x: seam, y: pole), start,
            ]
    }

    /// Returns the ring of a hole moved by full turns next to the outer ring.
    private static func beside(_ outer: [Coordinate]?, _ ring: [Coordinate]) -> [Coordinate] {
        guard let outer, let place = BoundingBox(outer), let own = BoundingBox(ring) else { return ring }
        let turns = ((place.minX + place.maxX - own.minX - own.maxX) / 720).rounded() * 360
        return turns == 0 || !turns.isFinite ? ring : ring.map { Coordinate(x: $0.x + turns, y: $0.y) }
    }
}
