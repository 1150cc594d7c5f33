package import PortolanGeo

extension Geometry {
    /// What an edge means whose ends lie more than half a turn of longitude apart.
    public enum LongEdges: Hashable, Sendable {
        /// The long way: edges are straight in longitude and latitude (RFC 7946 section 3.1.1).
        case straight
        /// The short way over the antimeridian where both ends lie within 10 degrees of it, on either side, else straight.
        ///
        /// So are tracks of receivers and areas in the Pacific written, whatever standards say. What runs from edge to edge of the map
        /// stays: edges of a whole turn, those along a pole, boxes around the world, as RFC 7946 has them wound. A ring on one side
        /// of the equator that leads once round the world so, or in edges of at most 60 degrees, goes round the pole.
        case shortNearAntimeridian
        /// The short way always, as in places that were computed from a map without that seam.
        case short
    }

    /// The shape in longitude and latitude with all of it between -180 and 180 degrees: lines and areas that cross the
    /// antimeridian are cut there (RFC 7946 section 3.1.9), and what lies beyond is moved by whole turns.
    ///
    /// A line or polygon that is cut becomes a multi of its kind; parts keep their order. Altitudes of new places lie between those of
    /// the ends of their edge. A ring around a pole is closed along the antimeridian and that pole. Areas are what
    /// their rings enclose by the even-odd rule. Shapes more than three turns away, in either direction, stay as they are.
    /// What has been cut is not changed by cutting it again: edges that would be taken for short ones have one more place.
    /// - Complexity: O(coordinates) where nothing is cut; for an area O(*n* log *n*) in its edges that cross.
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

/// Cuts what crosses the antimeridian; see ``Geometry/cutAtAntimeridian(_:)``.
package struct AntimeridianCut {
    /// How near to the antimeridian the ends of an edge lie that crosses it.
    private static let zone = 170.0
    /// Beyond so many degrees longitudes and latitudes are no places.
    private static let farthest = 1260.0

    struct Place: Equatable {
        var coordinate: Coordinate
        var altitude: Double?

        var x: Double { coordinate.x }
        var y: Double { coordinate.y }

        func moved(turns: Double) -> Place {
            Place(coordinate: AntimeridianCut.moved(coordinate, by: turns), altitude: altitude)
        }

        /// The place of an edge from here that lies on a meridian.
        func crossing(to end: Place, at x: Double) -> Place {
            if self.x == x { return self }
            if end.x == x { return end }
            // The same place whichever end comes first.
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

    /// By how many turns the world is away in which a longitude lies; the antimeridian lies in that nearer to Greenwich.
    package static func window(of x: Double) -> Double { abs(x) <= farthest ? turns(of: x) : 0 }

    /// The same however far away, as where longitudes go on along a spiral about a pole.
    static func turns(of x: Double) -> Double { ((abs(x) - 180) / 360).rounded(.up) * (x < 0 ? -1 : 1) }

    package static func moved(_ place: Coordinate, by turns: Double) -> Coordinate {
        turns == 0 ? place : Coordinate(x: place.x + turns * 360, y: place.y)
    }

    /// Whether some of a shape may lie beyond 180 degrees; its places may, and its edges.
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

    // MARK: The short way

    /// By how many turns the end of an edge is moved to lie where the edge leads.
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

    /// The places of a line or ring with longitudes that go on beyond 180 degrees where they jump.
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

    /// The places of a closed ring, and whether they go on eastwards once round the world.
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

    /// Whether a ring is no area in longitude and latitude, or would have one edge there that is much longer than the others.
    private static func mayGoRound(_ ring: [Place]) -> Bool {
        var doubledArea = 0.0, longest = 0.0, least = Double.infinity
        for (one, other) in zip(ring, ring.dropFirst()) {
            doubledArea += (one.x - ring[0].x) * (other.y - ring[0].y) - (other.x - ring[0].x) * (one.y - ring[0].y)
            let way = abs(other.x - one.x)
            if way > 180 { least = min(least, way) }
            longest = max(longest, abs(way.remainder(dividingBy: 360)))
        }
        // An edge of a whole turn is the seam of a map.
        return least < 360 && (longest <= 60 || doubledArea == 0)
    }

    /// Whether a ring is a box, against the clock, from one end of the map to the other.
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

    /// The parts of a line, each within one world and moved to ours.
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
            // What runs along the antimeridian stays in the world in which the line is.
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

    /// The places with one more in the middle of some edges, where edges may be short ones.
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

    /// The antimeridians that lie between two longitudes, in the order from the one to the other.
    static func seams(between one: Double, _ other: Double) -> [Double] {
        let low = ((min(one, other) - 180) / 360).rounded(.down) + 1,
            high = ((max(one, other) - 180) / 360).rounded(.up) - 1
        guard low <= high else { return [] }
        let seams = stride(from: low, through: high, by: 1).map { $0 * 360 + 180 }
        return one <= other ? seams : seams.reversed()
    }
}
