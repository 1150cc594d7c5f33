package import PortolanGeo

extension Geometry {
    /// The interpretation of an edge whose ends differ by more than half a turn of longitude.
    public enum LongEdges: Hashable, Sendable {
        /// The long direction: edges are straight in longitude and latitude (RFC 7946, section 3.1.1).
        case straight
        /// The short direction across the antimeridian if both ends are within 10 degrees of it, on either side;
        /// otherwise straight.
        ///
        /// This matches GPS tracks and areas in the Pacific as they are commonly written. Edges that span the whole map
        /// are unchanged: edges of a full turn, those along a pole, and boxes around the world in the winding order of
        /// RFC
        /// 7946. A ring on
        /// one side of the equator that goes once round the world in this way, or in edges of at most 60 degrees, goes
        /// round the pole.
        case shortNearAntimeridian
        /// Always the short direction, as for coordinates that were computed without a seam.
        case short
    }

    /// Returns the geometry in longitude and latitude within -180 and 180 degrees.
    ///
    /// Lines and areas across the antimeridian are cut there (RFC 7946, section 3.1.9), and parts beyond it are moved
    /// by full turns.
    ///
    /// A cut line or polygon becomes a multi-geometry whose parts keep their order. Altitudes at cuts are interpolated.
    /// A ring around a pole is closed along the antimeridian and that pole. The area of a polygon is that of its rings
    /// by the even-odd rule. Geometries more than three turns away are unchanged. Cutting a result again does not
    /// change it: edges that could be taken for short ones get an additional vertex.
    ///
    /// - Complexity: O(coordinates) without cuts; for an area O(*n* log *n*) in its crossing edges.
    public func cutAtAntimeridian(_ longEdges: LongEdges = .shortNearAntimeridian) -> Geometry {
        if kind == .collection { return .collection(children.map { $0.cutAtAntimeridian(longEdges) }) }
        let cut = AntimeridianCut(longEdges: longEdges)
        guard cut.isNeeded(self) else { return self }
        switch kind {
        case .point, .multiPoint:
            return mapCoordinates { AntimeridianCut.moved($0, by: -AntimeridianCut.window(of: $0.x)) }
        case .lineString, .multiLineString:
            let pieces = parts.flatMap { cut.pieces(of: places(of: $0)) }
            var builder = GeometryBuilder()
            for piece in pieces {
                for place in piece { builder.add(place.coordinate, altitude: place.altitude) }
                builder.endLine()
            }
            return builder.geometry(pieces.count > 1 ? .multiLineString : kind)
        default:
            let pieces = polygons.flatMap { polygon in cut.pieces(of: polygon.map { places(of: $0) }) }
            var builder = GeometryBuilder()
            for piece in pieces {
                for ring in piece {
                    for place in ring { builder.add(place.coordinate, altitude: place.altitude) }
                    builder.endRing()
                }
                builder.endPolygon()
            }
            return builder.geometry(pieces.count > 1 ? .multiPolygon : kind)
        }
    }

    private func places(of part: ArraySlice<Coordinate>) -> [AntimeridianCut.Place] {
        part.indices.lazy.filter { coordinates[$0].isFinite }.map { index in
            AntimeridianCut.Place(coordinate: coordinates[index], altitude: altitudes.isEmpty ? nil : altitudes[index])
        }
    }
}

/// Cuts geometries at the antimeridian; see ``Geometry/cutAtAntimeridian(_:)``.
package struct AntimeridianCut {
    /// The minimum absolute longitude of the ends of a crossing edge.
    private static let zone = 170.0
    /// The maximum absolute value of a valid longitude or latitude.
    private static let farthest = 1260.0

    struct Place: Equatable {
        var coordinate: Coordinate
        var altitude: Double?

        var x: Double { coordinate.x }
        var y: Double { coordinate.y }

        func moved(turns: Double) -> Place {
            Place(coordinate: AntimeridianCut.moved(coordinate, by: turns), altitude: altitude)
        }

        /// Returns the position on an edge from here that is on a meridian.
        func crossing(to end: Place, at x: Double) -> Place {
            if self.x == x { return self }
            if end.x == x { return end }
            // The result must not depend on the direction of the edge.
            let (one, other) = self.x < end.x ? (self, end) : (end, self)
            let share = (x - one.x) / (other.x - one.x)
            var altitude: Double?
            if let low = one.altitude, let high = other.altitude {
                let way = high - low
                altitude = way.isFinite ? low + way * share : low * (1 - share) + high * share
            }
            return Place(coordinate: Coordinate(x: x, y: one.y + (other.y - one.y) * share), altitude: altitude)
        }
    }

    let longEdges: Geometry.LongEdges

    // MARK: Windows

    /// Returns the number of turns between a longitude and the main world.
    ///
    /// The antimeridian belongs to the world nearer to Greenwich.
    package static func window(of x: Double) -> Double { abs(x) <= farthest ? turns(of: x) : 0 }

    /// Returns the same as `window(of:)` for any longitude, such as along a spiral around a pole.
    static func turns(of x: Double) -> Double { ((abs(x) - 180) / 360).rounded(.up) * (x < 0 ? -1 : 1) }

    package static func moved(_ place: Coordinate, by turns: Double) -> Coordinate {
        turns == 0 ? place : Coordinate(x: place.x + turns * 360, y: place.y)
    }

    /// Returns whether a part of a geometry may be beyond 180 degrees, including its edges.
    func isNeeded(_ geometry: Geometry) -> Bool {
        var isBeyond = false
        for place in geometry.coordinates {
            if abs(place.x) > Self.farthest || place.y.isFinite && abs(place.y) > Self.farthest { return false }
            if abs(place.x) > 180 { isBeyond = true }
        }
        if isBeyond || longEdges == .straight || geometry.kind == .point || geometry.kind == .multiPoint {
            return isBeyond
        }
        for part in geometry.parts {
            for (one, other) in zip(part, part.dropFirst()) where abs(other.x - one.x) > 180 { return true }
        }
        return false
    }

    // MARK: The shorter direction

    /// Returns the number of turns by which the end of an edge must be moved for the chosen direction.
    private func turns(from one: Coordinate, to other: Coordinate) -> Double {
        let way = other.x - one.x
        guard abs(way) > 180 else { return 0 }
        switch longEdges {
        case .straight: return 0
        case .short: return -(way / 360).rounded()
        case .shortNearAntimeridian:
            guard abs(way) < 360, min(abs(one.x), abs(other.x)) >= Self.zone, max(abs(one.x), abs(other.x)) <= 180,
                !(abs(one.y) >= 90 && abs(other.y) >= 90)
            else { return 0 }
            return way > 0 ? -1 : 1
        }
    }

    /// Returns the positions of a line or ring with longitudes that continue beyond 180 degrees.
    func continuous(_ part: [Place]) -> [Place] {
        guard longEdges != .straight else { return part }
        var shift = 0.0, result: [Place] = []
        result.reserveCapacity(part.count)
        for (index, place) in part.enumerated() {
            if index > 0 { shift += turns(from: part[index - 1].coordinate, to: place.coordinate) }
            result.append(place.moved(turns: shift))
        }
        return result
    }

    /// Returns the positions of a closed ring, and whether they go once round the world eastwards.
    func ring(_ part: [Place]) -> (places: [Place], goesRound: Bool) {
        guard let first = part.first else { return (part, false) }
        let closed = part.last?.coordinate == first.coordinate ? part : part + [first]
        var continued = continuous(closed)
        if longEdges == .shortNearAntimeridian {
            if Self.isBoxAroundTheWorld(closed) { return (closed, false) }
            let isOnOneSide = closed.allSatisfy { $0.y > 0 } || closed.allSatisfy { $0.y < 0 }
            if isOnOneSide, Self.mayGoRound(closed) {
                continued = AntimeridianCut(longEdges: .short).continuous(closed)
            }
            if continued[continued.count - 1].x != first.x, !isOnOneSide { return (closed, false) }
        }
        let turns = ((continued[continued.count - 1].x - first.x) / 360).rounded()
        guard abs(turns) == 1 else { return (turns == 0 ? continued : closed, false) }
        if turns < 0 { continued.reverse() }
        return (continued, true)
    }

    /// Returns whether a ring has no area in longitude and latitude, or would have one edge much longer than the
    /// others.
    private static func mayGoRound(_ ring: [Place]) -> Bool {
        var doubledArea = 0.0, longest = 0.0, least = Double.infinity
        for (one, other) in zip(ring, ring.dropFirst()) {
            doubledArea += (one.x - ring[0].x) * (other.y - ring[0].y) - (other.x - ring[0].x) * (one.y - ring[0].y)
            let way = abs(other.x - one.x)
            if way > 180 { least = min(least, way) }
            longest = max(longest, abs(way.remainder(dividingBy: 360)))
        }
        // An edge of a full turn is the seam of a map.
        return least < 360 && (longest <= 60 || doubledArea == 0)
    }

    /// Returns whether a ring is a counterclockwise box from one end of the map to the other.
    private static func isBoxAroundTheWorld(_ ring: [Place]) -> Bool {
        guard ring.count == 5 else { return false }
        var doubledArea = 0.0, widest = 0.0
        for (one, other) in zip(ring, ring.dropFirst()) {
            guard one.x == other.x || one.y == other.y else { return false }
            doubledArea += one.x * other.y - other.x * one.y
            widest = max(widest, abs(one.x - other.x))
        }
        return doubledArea > 0 && widest > 350
    }

    // MARK: Lines

    /// Returns the parts of a line, each within one world and moved to the main one.
    func pieces(of line: [Place]) -> [[Place]] {
        let line = continuous(line)
        guard let first = line.first else { return [] }
        guard line.count > 1 else { return [[first.moved(turns: -Self.turns(of: first.x))]] }
        var edges: [(from: Place, to: Place, window: Double?)] = []
        for (one, other) in zip(line, line.dropFirst()) {
            var from = one
            for x in Self.seams(between: one.x, other.x) {
                let place = one.crossing(to: other, at: x)
                edges.append((from, place, Self.turns(of: (from.x + x) / 2)))
                from = place
            }
            // An edge along the antimeridian stays in the world of the line.
            let isAlong = from.x == other.x && abs(from.x.remainder(dividingBy: 360)) == 180
            edges.append((from, other, isAlong ? nil : Self.turns(of: (from.x + other.x) / 2)))
        }
        var window = edges.lazy.compactMap(\.window).first ?? Self.turns(of: first.x)
        var pieces = [[first.moved(turns: -window)]]
        for edge in edges {
            if let next = edge.window, next != window {
                window = next
                pieces.append([edge.from.moved(turns: -window)])
            }
            pieces[pieces.count - 1].append(edge.to.moved(turns: -window))
        }
        return pieces.filter { $0.count > 1 }.map { plain($0) { turns(from: $0, to: $1) != 0 } }
    }

    /// Returns the positions with an additional vertex in the middle of edges that could be taken for short ones.
    func plain(_ places: [Place], _ isMistakable: (Coordinate, Coordinate) -> Bool) -> [Place] {
        guard longEdges == .shortNearAntimeridian, let first = places.first else { return places }
        var result = [first]
        for (one, other) in zip(places, places.dropFirst()) {
            if isMistakable(one.coordinate, other.coordinate) {
                result.append(one.crossing(to: other, at: (one.x + other.x) / 2))
            }
            result.append(other)
        }
        return result
    }

    /// Returns the antimeridians between two longitudes, in the order from the first to the second.
    static func seams(between one: Double, _ other: Double) -> [Double] {
        let low = ((min(one, other) - 180) / 360).rounded(.down) + 1,
            high = ((max(one, other) - 180) / 360).rounded(.up) - 1
        guard low <= high else { return [] }
        let seams = stride(from: low, through: high, by: 1).map { $0 * 360 + 180 }
        return one <= other ? seams : seams.reversed()
    }
}
