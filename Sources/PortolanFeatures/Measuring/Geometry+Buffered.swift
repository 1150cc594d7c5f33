import PortolanGeo
import PortolanRaster

extension Geometry {
    /// The maximum buffer distance in metres.
    public static let largestBuffer = 2_000_000.0

    /// Returns the area within a distance in metres of the geometry on the ground, for display on a map.
    ///
    /// ```swift
    /// let area = Geometry.point(Coordinate(x: -0.88, y: 41.65)).buffered(meters: 500)
    /// ```
    ///
    /// A negative distance shrinks areas.
    ///
    /// Coordinates are longitudes and latitudes. Edges are straight between them unless they jump at the antimeridian
    /// (``LongEdges/shortNearAntimeridian``). Ends and corners are round. Distances are on WGS 84, and borders are
    /// accurate to a hundredth of the distance, as are areas that are much larger. Overlapping geometries are merged.
    ///
    /// The result is cut at the antimeridian and is within -180 and 180 degrees. Around geometries that cover most of
    /// the earth, distances are correct, but areas are not joined over the poles. Parts more than half a turn beyond
    /// the world are first cut to it.
    ///
    /// - Parameter meters: the distance, limited to ``largestBuffer``.
    /// - Returns: a polygon or a multipolygon. It is empty if nothing remains, or if lines cross so often, even after
    ///   simplification, that the area cannot be computed in seconds.
    /// - Complexity: O(*n* log *n*) as a rule, some microseconds per coordinate. Geometries of very many coordinates,
    ///   and lines several times round the world, are first simplified to some thousand to twenty thousand coordinates;
    ///   of points close to each other, one represents the others. The number is lower if they cross some hundred
    ///   thousand times.
    public func buffered(meters: Double) -> Geometry {
        guard meters.isFinite, meters != 0 || kind != .point else { return .empty(.polygon) }
        let distance = min(max(meters, -Self.largestBuffer), Self.largestBuffer)
        var outline = BufferOutline(distance: distance)
        outline.add(self)
        return outline.geometry
    }
}

/// The outline of a buffered geometry.
///
/// Each edge has a parallel edge at the distance; corners are arcs. The inside is where these closed paths wind more
/// often counterclockwise than clockwise (``WindingUnion``). This includes every position near an edge, and the hole of
/// an area until it disappears.
private struct BufferOutline {
    /// A line, or a closed ring with the inside to its left.
    private struct Track {
        var places: [Coordinate]
        var isRing: Bool
    }

    /// The maximum number of vertices.
    ///
    /// Few long edges must not become as many vertices as a very large input.
    private var mostPlaces: Int { min(20_000, 4000 + givenCount * 16) }
    /// The limits of the computation at one tolerance.
    ///
    /// A small geometry must not take more than a fraction of a second.
    private var effort: WindingUnion.Effort {
        WindingUnion.Effort(
            looks: min(20_000_000, 1_000_000 + givenCount * 15_000), cuts: min(500_000, 100_000 + givenCount * 300),
            meetings: min(20_000_000, 2_000_000 + givenCount * 15_000))
    }
    /// The number of coordinates of the lines and areas.
    private var givenCount: Int {
        lines.reduce(0) { $0 + $1.count } + areas.joined().reduce(0) { $0 + $1.count }
    }
    /// Beyond this tolerance in metres, all lines are straight.
    private static let largestTolerance = 4e7
    /// The number of edges of a circle.
    private static let circle = 96.0

    private let distance: Double
    /// The permitted deviation of the border in metres.
    private var tolerance: Double
    private var lines: [[Coordinate]] = []
    private var areas: [[[Coordinate]]] = []

    init(distance: Double) {
        self.distance = distance
        tolerance = max(abs(distance) / 400, 0.001)
    }

    mutating func add(_ geometry: Geometry) {
        for child in geometry.children { add(child) }
        let cut = AntimeridianCut(longEdges: .shortNearAntimeridian)
        func places(_ part: ArraySlice<Coordinate>) -> [AntimeridianCut.Place] {
            part.lazy.filter { abs($0.x) <= 1260 && abs($0.y) <= 90 }.map { AntimeridianCut.Place(coordinate: $0) }
        }
        switch geometry.kind {
        case .collection: break
        case .point, .multiPoint:
            guard distance > 0 else { return }
            lines += places(geometry.coordinates[...]).map {
                [AntimeridianCut.moved($0.coordinate, by: -AntimeridianCut.window(of: $0.x))]
            }
        case .lineString, .multiLineString:
            guard distance > 0 else { return }
            for part in geometry.parts {
                let line = Self.nearWorld([cut.continuous(places(part))])[0]
                if Self.isWithinTurn(line) {
                    lines.append(line.map(\.coordinate))
                } else {
                    lines += cut.pieces(of: places(part)).map { $0.map(\.coordinate) }
                }
            }
        case .polygon, .multiPolygon:
            for polygon in geometry.polygons {
                let rings = polygon.map { places($0) }, continued = Self.nearWorld(rings.map { cut.ring($0).places })
                if continued.allSatisfy(Self.isWithinTurn) {
                    areas.append(continued.map { $0.map(\.coordinate) })
                } else {
                    for piece in cut.pieces(of: rings) {
                        areas.append(piece.map { ($0 + $0.prefix(1)).map(\.coordinate) })
                    }
                    // Cutting removes areas that are too narrow. Their borders are buffered instead.
                    if distance > 0, let outer = rings.first {
                        lines += cut.pieces(of: outer).map { $0.map(\.coordinate) }
                    }
                }
            }
        }
    }

    /// Returns parts moved by full turns, so that the centre of the first is in the main world.
    private static func nearWorld(_ parts: [[AntimeridianCut.Place]]) -> [[AntimeridianCut.Place]] {
        guard let first = parts.first, !first.isEmpty else { return parts }
        let turns = -AntimeridianCut.window(of: AntimeridianCut.middle(AntimeridianCut.span(first)))
        return turns == 0 ? parts : parts.map { part in part.map { $0.moved(turns: turns) } }
    }

    /// Returns whether a line or ring is within half a turn of the world.
    ///
    /// Others would overlap themselves, and are cut.
    private static func isWithinTurn(_ line: [AntimeridianCut.Place]) -> Bool { line.allSatisfy { abs($0.x) <= 360 } }

    /// The buffered area.
    var geometry: Geometry {
        let mostPlaces = mostPlaces
        var outline = self, most = mostPlaces
        while true {
            while outline.placeCount > most, outline.tolerance < Self.largestTolerance { outline.tolerance *= 2 }
            // A larger tolerance would change the shape of the result.
            guard most == mostPlaces || outline.tolerance <= abs(distance) / 4 else { return .empty(.polygon) }
            if let whole = outline.whole { return whole }
            // A further attempt uses a much larger tolerance to have few vertices.
            outline.tolerance *= 16
            most /= 4
        }
    }

    /// The area at this tolerance, or `nil` if edges cross too often.
    private var whole: Geometry? {
        var effort = effort
        guard let tracks = tracks(within: &effort) else { return nil }
        let paths = tracks.map { $0.flatMap { self.paths($0) } }
        let plane = BufferPlane(paths.flatMap(\.self))
        let groups = paths.map { $0.map { $0.map(plane.grid) } }
        guard
            let rings = WindingUnion.rings(groups.flatMap(\.self), .positive, within: &effort)
                ?? Self.joined(groups, givenCount: givenCount)
        else { return nil }
        // Long edges have many vertices.
        let simple = rings.map { ring -> [Point] in
            let points = ring.map { Point(x: Double($0.x), y: Double($0.y)) }
            return LineSimplifier.simplifyRing(points, tolerance: tolerance / 10 * plane.scale)
        }
        return plane.geometry(
            RingTree(simple.filter { !$0.isEmpty }, narrowest: min(tolerance, abs(distance)) * plane.scale).polygons)
    }

    /// Returns the union of the outlines of many geometries that cross too often to be joined at once.
    ///
    /// Neighbours are joined first, which leaves few edges that cross others.
    private static func joined(_ groups: [[[GridPoint]]], givenCount: Int) -> [[GridPoint]]? {
        let row = 64, first = groups.filter { $0.first?.first != nil }.sorted { $0[0][0].x < $1[0][0].x }
        guard first.count > row else { return nil }
        // Strips from west to east, each sorted from south to north.
        let side = max(Int(Double(first.count * row).squareRoot()), row)
        var parts = stride(from: 0, to: first.count, by: side).flatMap { start in
            let strip = first[start..<min(start + side, first.count)].sorted { $0[0][0].y < $1[0][0].y }
            return stride(from: 0, to: strip.count, by: row).map {
                strip[$0..<min($0 + row, strip.count)].flatMap(\.self)
            }
        }
        var effort = WindingUnion.Effort(
            looks: min(60_000_000, givenCount * 45_000), cuts: min(3_000_000, givenCount * 2000),
            meetings: min(200_000_000, givenCount * 150_000))
        while true {
            for index in parts.indices {
                guard let rings = WindingUnion.rings(parts[index], .positive, within: &effort) else { return nil }
                parts[index] = rings
            }
            guard parts.count > 1 else { return parts[0] }
            parts = stride(from: 0, to: parts.count, by: 2).map {
                $0 + 1 < parts.count ? parts[$0] + parts[$0 + 1] : parts[$0]
            }
        }
    }

    // MARK: Vertices

    /// The number of vertices, without those at crossings of rings.
    private var placeCount: Int {
        sampledLines.reduce(0) { $0 + $1.count }
            + areas.joined().reduce(0) { $0 + ($1.isEmpty ? 0 : sampled($1).count) }
    }

    /// The lines without redundant vertices.
    ///
    /// With an increased tolerance, one point represents all others within it.
    private var sampledLines: [[Coordinate]] {
        let sampled = lines.filter { !$0.isEmpty }.map(sampled)
        guard tolerance > max(abs(distance) / 400, 0.001) else { return sampled }
        let degree = 111_320 / tolerance
        func cell(_ place: Coordinate) -> GridPoint {
            let row = (place.y * degree).rounded()
            let narrowing = max(Libm.cosine(row / degree * .pi / 180), 1e-3)
            return GridPoint(x: Int((place.x * narrowing * degree).rounded()), y: Int(row))
        }
        var known: Set<GridPoint> = []
        return sampled.filter { line in
            let first = cell(line[0])
            return line.contains { cell($0) != first } || known.insert(first).inserted
        }
    }

    /// Returns the lines and rings of each geometry, without redundant vertices, and with edges short enough to be
    /// straight on any map.
    private func tracks(within effort: inout WindingUnion.Effort) -> [[Track]]? {
        var tracks = sampledLines.map { [Track(places: $0, isRing: false)] }
        for area in areas {
            let rings = area.filter { $0.count > 2 }.map(sampled), plane = BufferPlane(rings)
            // Rings may cross each other and themselves, and run along the seam of a map.
            guard let whole = WindingUnion.rings(rings.map { $0.map(plane.grid) }, .evenOdd, within: &effort)
            else { return nil }
            tracks.append(
                whole.map { ring in
                    Track(
                        places: (ring + ring.prefix(1)).map { plane.place(Point(x: Double($0.x), y: Double($0.y))) },
                        isRing: true)
                })
            // An area that is too narrow is buffered as a line.
            if whole.isEmpty, distance > 0, let line = area.first, !line.isEmpty {
                tracks.append([Track(places: sampled(line), isRing: false)])
            }
        }
        return tracks
    }

    private func sampled(_ given: [Coordinate]) -> [Coordinate] {
        let middle = given.reduce(0) { $0 + $1.y } / Double(given.count)
        let degree = 111_320.0, narrowing = max(Libm.cosine(middle * .pi / 180), 1e-3)
        let points = given.map { Point(x: $0.x * narrowing * degree, y: $0.y * degree) }
        let line = LineSimplifier.simplify(points, tolerance: tolerance).map {
            Coordinate(x: $0.x / degree / narrowing, y: $0.y / degree)
        }
        var places = [line[0]]
        for (one, other) in zip(line, line.dropFirst()) where one != other {
            // Near a pole, longitudes are close together, even if only a part of the line is near it.
            let level = one.y * other.y < 0 ? 0 : min(abs(one.y), abs(other.y))
            let widest = max(Libm.cosine(level * .pi / 180), 1e-3)
            let way = Libm.hypotenuse((other.x - one.x) * widest, other.y - one.y) * degree
            // The deviation of a parallel from the geodesic grows with the square of its length.
            let bend = 1 + abs(Libm.tangent(min(max(abs(one.y), abs(other.y)), 88) * .pi / 180))
            let longest = (8 * 6_371_000 * tolerance / bend).squareRoot()
            let count = min((way / longest).rounded(.up), 2000)
            for step in stride(from: 1.0, to: count, by: 1) {
                places.append(
                    Coordinate(
                        x: one.x + (other.x - one.x) * step / count, y: one.y + (other.y - one.y) * step / count))
            }
            places.append(other)
        }
        return places
    }

    /// Returns the closed paths parallel to a track, and that of the track itself if it is a ring.
    private func paths(_ track: Track) -> [[Coordinate]] {
        let places = track.places
        guard places.count > 1 else { return distance > 0 ? [arc(around: places[0], from: 0, turn: -360)] : [] }
        guard distance > 0 || track.isRing else { return [] }
        // A line is traversed forwards and backwards.
        let way = track.isRing ? places : places + places.dropLast().reversed()
        let edges = zip(way, way.dropFirst()).map { Geodesic.line(from: $0, to: $1) }
        var path: [Coordinate] = []
        for index in edges.indices {
            let edge = edges[index], next = edges[(index + 1) % edges.count], place = way[index + 1]
            path.append(beside(way[index], edge.bearing))
            path.append(beside(place, edge.finalBearing))
            var turn = (next.bearing - edge.finalBearing).remainder(dividingBy: 360)
            // A reversal is an arc around the end.
            if abs(turn) > 179.9 { turn = distance > 0 ? -abs(turn) : abs(turn) }
            if (turn < 0) == (distance > 0) {
                path += arc(around: place, from: edge.finalBearing + 90, turn: turn)
            } else {
                // On the inside of a corner, the parallels cross. Short ones connect through the corner, so that each
                // encloses the surroundings of its edge.
                let reach = abs(distance) * abs(Libm.sine(turn * .pi / 180))
                if abs(turn) > 90 || min(edge.meters, next.meters) < reach { path.append(place) }
            }
        }
        return [path]
    }

    private func beside(_ place: Coordinate, _ bearing: Double) -> Coordinate {
        Geodesic.place(from: place, bearing: bearing + 90, meters: distance)
    }

    private func arc(around place: Coordinate, from bearing: Double, turn: Double) -> [Coordinate] {
        let count = (abs(turn) / 360 * Self.circle).rounded(.up)
        return stride(from: 1.0, to: count, by: 1).map { step in
            Geodesic.place(from: place, bearing: bearing + turn * step / count, meters: distance)
        } + (abs(turn) == 360 ? [Geodesic.place(from: place, bearing: bearing, meters: distance)] : [])
    }
}

/// The plane in which outlines are joined, on an integer grid: a projection around the centre of a geometry, or degrees
/// if the geometry covers most of the earth.
private struct BufferPlane {
    /// The centre of a stereographic projection of a sphere with radius 1, or `nil` for degrees.
    private let center: (east: SIMD3<Double>, north: SIMD3<Double>, up: SIMD3<Double>)?
    private var perUnit = 1.0
    /// The length of a metre in the plane, near the centre.
    private let unit: Double
    /// The number of grid units per metre.
    var scale: Double { perUnit * unit }

    init(_ paths: [[Coordinate]]) {
        let sum = paths.joined().reduce(SIMD3<Double>()) { $0 + Self.direction($1) }
        let length = (sum * sum).sum().squareRoot()
        let up = length > 0 ? sum / length : SIMD3(1, 0, 0), level = Libm.hypotenuse(up.x, up.y)
        let east = level > 1e-12 ? SIMD3(-up.y / level, up.x / level, 0) : SIMD3(0, 1, 0)
        let north = SIMD3(
            up.y * east.z - up.z * east.y, up.z * east.x - up.x * east.z, up.x * east.y - up.y * east.x)
        // Beyond 140 degrees the distortion is too large.
        let isNear = length > 0 && paths.joined().allSatisfy { (Self.direction($0) * up).sum() > -0.76 }
        center = isNear ? (east, north, up) : nil
        unit = isNear ? 1 / 6_371_000 : 1 / 111_320
        let reach = paths.joined().reduce(0) { reach, place in
            let point = self.point(place)
            return max(reach, abs(point.x), abs(point.y))
        }
        perUnit = reach > 0 ? Double(GridPoint.most - 1) / reach : 1
    }

    private static func direction(_ place: Coordinate) -> SIMD3<Double> {
        let latitude = place.y * .pi / 180, longitude = place.x * .pi / 180, level = Libm.cosine(latitude)
        return SIMD3(level * Libm.cosine(longitude), level * Libm.sine(longitude), Libm.sine(latitude))
    }

    private func point(_ place: Coordinate) -> Point {
        guard let center else { return Point(x: place.x, y: place.y) }
        let direction = Self.direction(place), factor = 2 / (1 + max((direction * center.up).sum(), -0.99))
        return Point(
            x: (direction * center.east).sum() * factor, y: (direction * center.north).sum() * factor)
    }

    func grid(_ place: Coordinate) -> GridPoint {
        let point = self.point(place)
        return GridPoint(x: Int((point.x * perUnit).rounded()), y: Int((point.y * perUnit).rounded()))
    }

    func place(_ point: Point) -> Coordinate {
        let x = point.x / perUnit, y = point.y / perUnit
        // Due to rounding, a grid position may be beyond a pole, where no geodesic starts.
        guard let center else { return Coordinate(x: x, y: min(max(y, -90), 90)) }
        let square = x * x + y * y, factor = 4 / (4 + square), height = (4 - square) / (4 + square)
        let direction = center.up * height + (center.east * x + center.north * y) * factor
        return Coordinate(
            x: Libm.arcTangent(y: direction.y, x: direction.x) * 180 / .pi,
            y: Libm.arcTangent(y: direction.z, x: Libm.hypotenuse(direction.x, direction.y)) * 180 / .pi)
    }

    /// Returns the polygons on the earth.
    func geometry(_ polygons: [[[Point]]]) -> Geometry {
        let shape = Geometry.multiPolygon(polygons.map { $0.map { $0.map(place) } })
        let cut = shape.cutAtAntimeridian(center == nil ? .straight : .short)
        return cut.polygons.count == 1
            ? .polygon(cut.polygons[0].map(Array.init)) : cut.isEmpty ? .empty(.polygon) : cut
    }
}

/// Arranges rings that do not cross, each with the area to its left, as polygons with holes.
private struct RingTree {
    private(set) var polygons: [[[Point]]] = []

    /// Creates a tree of rings.
    ///
    /// Rings smaller than a square of the given width are rounding artefacts and are omitted.
    init(_ rings: [[Point]], narrowest: Double) {
        var outer: [(ring: [Point], low: Point, high: Point, area: Double)] = [], holes: [[Point]] = []
        for ring in rings {
            var doubledArea = 0.0, low = ring[0], high = ring[0]
            for (one, other) in zip(ring, ring.dropFirst()) {
                doubledArea += (one.x - ring[0].x) * (other.y - ring[0].y) - (other.x - ring[0].x) * (one.y - ring[0].y)
                low = Point(x: min(low.x, other.x), y: min(low.y, other.y))
                high = Point(x: max(high.x, other.x), y: max(high.y, other.y))
            }
            if doubledArea > narrowest * narrowest { outer.append((ring, low, high, doubledArea)) }
            if doubledArea < -narrowest * narrowest { holes.append(ring) }
        }
        // A hole belongs to the smallest ring around it.
        outer.sort { $0.area < $1.area }
        polygons = outer.map { [$0.ring] }
        for hole in holes {
            let place = hole[0]
            let home = outer.firstIndex {
                place.x >= $0.low.x && place.x <= $0.high.x && place.y >= $0.low.y && place.y <= $0.high.y
                    && PolygonTest.contains(place, rings: [$0.ring])
            }
            if let home { polygons[home].append(hole) }
        }
        polygons.reverse()
    }
}
