import PortolanGeo

/// Draws the edges of shapes given in longitude and latitude along great circles of the sphere, the short way.
///
/// Each edge becomes so many that the straight ones between longitudes and latitudes stay within 25 m of the great circle.
/// Longitudes go on beyond ±180 rather than jump, and a ring that goes round a pole is closed over the nearer one.
package struct GreatCircleEdges {
    /// How far an edge may lie beside its great circle, in radians: 25 m.
    private static let tolerance = 4e-6
    /// How long one may be in any case, in radians: half way across the equator there is nothing to see.
    private static let longest = 0.02
    /// How often an edge is halved at the most.
    private static let deepest = 14

    /// How many coordinates may still be added, whatever the shapes are.
    private var budget: Int

    /// Makes one that adds some millions of coordinates at the most; what comes after that keeps its edges.
    package init(budget: Int = 8_000_000) { self.budget = budget }

    /// The shape with its edges drawn so; points stay.
    ///
    /// - Complexity: O(coordinates that come of it).
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
            // Beyond a pole is no place: no great circle leads there.
            guard let last = line.last, last.isFinite, place.isFinite, max(abs(last.y), abs(place.y)) <= 90 else {
                line.append(place)
                continue
            }
            add(from: last, Direction(last), to: place, Direction(place), depth: 0, to: &line)
            line.append(place.nearest(to: line[line.count - 1]))
        }
        return line
    }

    /// Adds what lies between two places.
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

    /// A ring whose ends lie turns apart, since it goes round a pole, closed over that pole along ±180°.
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
        // It begins where it crosses ±180°, so that the way to the pole is the seam that maps do not stroke.
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

    /// A ring of a hole moved by whole turns to beside the outer ring.
    private static func beside(_ outer: [Coordinate]?, _ ring: [Coordinate]) -> [Coordinate] {
        guard let outer, let place = BoundingBox(outer), let own = BoundingBox(ring) else { return ring }
        let turns = ((place.minX + place.maxX - own.minX - own.maxX) / 720).rounded() * 360
        return turns == 0 || !turns.isFinite ? ring : ring.map { Coordinate(x: $0.x + turns, y: $0.y) }
    }
}
