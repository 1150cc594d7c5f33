package import PortolanGeo
import PortolanRaster

/// Cuts lines and areas given in longitude and latitude where a projection ends, and closes areas along its edge.
///
/// A segment is straight in longitude and latitude (RFC 7946, section 3.1.1), so an area is what its rings enclose on that
/// plane by the even-odd rule. Along meridians and parallels it is cut there, by half-planes. A circle is no straight line
/// on that plane: what is left of a ring is joined along it the shorter way, and a few places show whether the inside has
/// become the outside, which the circle as a ring of its own puts right.
package struct ShapeCutter {
    /// How long a segment of a cut shape may be, in degrees: one of half a turn has no middle on many maps.
    private static let longestSegment = 4.0
    /// How long it may be near a circle, in degrees.
    private static let longestSegmentNearCircle = 0.5
    /// How many parts one becomes at the most: a turn of the shortest.
    private static let mostParts = 720.0
    /// How long a segment may be of a shape that is left as it is.
    private static let longestWhole = 30.0

    private let domain: ProjectionDomain
    private let transform: CoordinateTransform
    /// What a map with an edge that is a circle does not show: the box around it.
    private let hole: (latitudes: ClosedRange<Double>, longitude: Double, reach: Double)?

    /// Makes the cutter of a transform, or `nil` where nothing is cut: one that does not begin with longitude and latitude,
    /// or that leads to a system that has no domain.
    package init?(_ transform: CoordinateTransform) {
        guard !transform.isIdentity, transform.source.isLongitudeLatitude, let domain = transform.target.domain,
            domain != .everywhere
        else { return nil }
        self.domain = domain
        self.transform = transform
        if case .cap(let center, let radius) = domain {
            let size = 180 - radius, latitude = -center.y
            // A hole with a pole in it lies on all meridians.
            let reach = abs(latitude) + size >= 90 ? 180 : SphereCircle.halfSpan(latitude: latitude, radius: size)
            hole = (latitude - size...latitude + size, center.x + 180, reach)
        } else {
            hole = nil
        }
    }

    /// What is left of a line or of an area.
    struct Cut {
        /// Lines, or closed rings.
        var parts: [[Coordinate]] = []
        /// Of an area the lines of its border that are no cut.
        var border: [[Coordinate]] = []
    }

    /// What one look at a shape's coordinates tells, before any work is spent on it.
    struct Survey {
        var minX = Double.infinity
        var minY = Double.infinity
        var maxX = -Double.infinity
        var maxY = -Double.infinity
        /// How long the longest segment is in longitude or latitude.
        var longest = 0.0

        /// Adds a coordinate that follows another of the same part, or begins one.
        @inline(__always)
        mutating func add(_ x: Double, _ y: Double, after previous: (x: Double, y: Double)?) {
            guard x.isFinite, y.isFinite else { return }
            minX = min(minX, x)
            minY = min(minY, y)
            maxX = max(maxX, x)
            maxY = max(maxY, y)
            if let previous { longest = max(longest, abs(x - previous.x), abs(y - previous.y)) }
        }
    }

    /// Whether a shape may have to be cut.
    func mayCut(_ shape: Survey, isArea: Bool) -> Bool {
        guard shape.minX <= shape.maxX else { return false }
        if isArea, shape.minX <= -180 || shape.maxX >= 180 || shape.minY <= -90 || shape.maxY >= 90 { return true }
        switch domain {
        case .everywhere: return false
        case .box(let meridian, let halfWidth, let latitudes):
            if shape.minY < latitudes.lowerBound || shape.maxY > latitudes.upperBound { return true }
            guard let meridian else { return false }
            if shape.minX < meridian - halfWidth || shape.maxX > meridian + halfWidth { return true }
        case .cap:
            guard let hole, shape.maxY >= hole.latitudes.lowerBound, shape.minY <= hole.latitudes.upperBound else {
                break
            }
            let away = abs((hole.longitude - (shape.minX + shape.maxX) / 2).remainder(dividingBy: 360))
            if away <= hole.reach + (shape.maxX - shape.minX) / 2 { return true }
        }
        return shape.longest > Self.longestWhole
    }

    /// What is left of a line.
    func cutLine(_ line: [Coordinate]) -> Cut {
        switch domain {
        case .everywhere: return Cut(parts: [line])
        case .box(let meridian, let halfWidth, let latitudes):
            var cut = Cut()
            for window in windows(meridian, halfWidth, latitudes, over: [line]) {
                var pieces = [line.map { Coordinate(x: $0.x + window.shift, y: $0.y) }]
                for edge in window.edges { pieces = pieces.flatMap { edge.pieces(of: $0) } }
                cut.parts += pieces.map(Self.parted)
            }
            return cut
        case .cap(let center, let radius):
            let circle = SphereCircle(center: center, radius: radius)
            return Cut(parts: runs(of: dense(line, about: circle), in: circle).lines)
        }
    }

    /// What is left of an area.
    func cutArea(_ rings: [[Coordinate]]) -> Cut {
        var cut = Cut()
        switch domain {
        case .everywhere: cut.parts = rings
        case .box(let meridian, let halfWidth, let latitudes):
            for window in windows(meridian, halfWidth, latitudes, over: rings) {
                for ring in rings {
                    var inside = ring.map { Coordinate(x: $0.x + window.shift, y: $0.y) }
                    for edge in window.edges { inside = edge.inside(of: inside) }
                    guard inside.count > 2 else { continue }
                    if inside.first != inside.last { inside.append(inside[0]) }
                    cut.parts.append(Self.parted(inside))
                    cut.border += border(of: inside, window.edges)
                }
            }
        case .cap(let center, let radius):
            cut = cutArea(rings, SphereCircle(center: center, radius: radius))
        }
        return cut
    }

    // MARK: Meridians and parallels

    /// A turn of longitudes, with the half-planes that cut out what a projection shows of it.
    private struct Window {
        let shift: Double
        let edges: [HalfPlane]
    }

    private func windows(
        _ meridian: Double?, _ halfWidth: Double, _ latitudes: ClosedRange<Double>, over parts: [[Coordinate]]
    ) -> [Window] {
        let edges = [
            HalfPlane(axis: .latitude, bound: latitudes.lowerBound, isAbove: true),
            HalfPlane(axis: .latitude, bound: latitudes.upperBound, isAbove: false),
        ]
        guard let meridian, let box = BoundingBox(parts.lazy.joined().filter(\.isFinite)) else {
            return [Window(shift: 0, edges: edges)]
        }
        let west = meridian - halfWidth, east = meridian + halfWidth
        // Longitudes of files are within a few turns of Greenwich; those of hostile ones are no whole numbers of turns.
        let first = Int(min(max(((west - box.maxX) / 360).rounded(.up), -3), 4))
        let last = Int(min(max(((east - box.minX) / 360).rounded(.down), -4), 3))
        guard first <= last else { return [] }
        return (first...last).map { turn in
            Window(
                shift: Double(turn) * 360,
                edges: edges + [
                    HalfPlane(axis: .longitude, bound: west, isAbove: true),
                    HalfPlane(axis: .longitude, bound: east, isAbove: false),
                ])
        }
    }

    /// The lines of a ring's border that are neither a cut nor the seam of a file: ±180° or a pole.
    private func border(of ring: [Coordinate], _ edges: [HalfPlane]) -> [[Coordinate]] {
        Self.lines(of: ring) { a, b in Self.isSeam(a, b) || edges.contains { $0.isAlong(a, b) } }.map(Self.parted)
    }

    private static func isSeam(_ a: Coordinate, _ b: Coordinate) -> Bool {
        a.x == b.x && abs(a.x.remainder(dividingBy: 360)) == 180 || a.y == b.y && abs(a.y) == 90
    }

    /// The runs of a ring's segments that are not left out.
    private static func lines(
        of ring: [Coordinate], leaving isLeftOut: (Coordinate, Coordinate) -> Bool
    ) -> [[Coordinate]] {
        var lines: [[Coordinate]] = [], line: [Coordinate] = []
        for (a, b) in zip(ring, ring.dropFirst()) {
            if isLeftOut(a, b) {
                if line.count > 1 { lines.append(line) }
                line = []
            } else {
                if line.isEmpty { line = [a] }
                line.append(b)
            }
        }
        if line.count > 1 { lines.append(line) }
        // The last goes on with the first, which began where the ring does.
        if lines.count > 1, let first = lines.first, let last = lines.last, first.first == last.last, line.count > 1 {
            lines[0] = last + first.dropFirst()
            lines.removeLast()
        }
        return lines
    }

    /// The line with long segments parted.
    private static func parted(_ line: [Coordinate]) -> [Coordinate] { parted(line) { _, _ in longestSegment } }

    private static func parted(
        _ line: [Coordinate], _ longest: (Coordinate, Coordinate) -> Double
    ) -> [Coordinate] {
        var result: [Coordinate] = []
        // A hostile file may have nothing but long segments.
        let limit = line.count * 8 + 200_000
        for (index, place) in line.enumerated() {
            if index > 0, result.count < limit {
                let from = line[index - 1], length = max(abs(place.x - from.x), abs(place.y - from.y))
                let count = length.isFinite ? Int(min(length / longest(from, place), mostParts).rounded(.up)) : 1
                for step in 1..<max(count, 1) {
                    let share = Double(step) / Double(count)
                    result.append(
                        Coordinate(x: from.x + (place.x - from.x) * share, y: from.y + (place.y - from.y) * share))
                }
            }
            result.append(place)
        }
        return result
    }

    // MARK: Circles

    /// What of a line lies in a circle.
    private struct Runs {
        var lines: [[Coordinate]] = []
        /// Whether all of it does.
        var isWhole = true
    }

    /// The line with segments so short that none crosses the circle twice unseen.
    private func dense(_ line: [Coordinate], about circle: SphereCircle) -> [Coordinate] {
        Self.parted(line) { a, b in
            // The cosine falls by less than the length of the way.
            let nearest = min(circle.depth(of: a), circle.depth(of: b)), length = max(abs(a.x - b.x), abs(a.y - b.y))
            return nearest > length * 0.0248 ? Self.longestSegment : Self.longestSegmentNearCircle
        }
    }

    private func runs(of line: [Coordinate], in circle: SphereCircle) -> Runs {
        var runs = Runs(), run: [Coordinate] = []
        var previous: (place: Coordinate, isInside: Bool)?
        for place in line {
            let isInside = place.isFinite && circle.contains(place)
            if let previous, previous.isInside != isInside {
                run.append(
                    isInside
                        ? crossing(from: place, to: previous.place, circle)
                        : crossing(from: previous.place, to: place, circle))
                if previous.isInside {
                    if run.count > 1 { runs.lines.append(run) }
                    run = []
                }
            }
            if isInside { run.append(place) } else { runs.isWhole = false }
            previous = (place, isInside)
        }
        if run.count > 1 { runs.lines.append(run) }
        return runs
    }

    /// The place between one inside and one outside that lies on the circle, a hair inside.
    private func crossing(from inside: Coordinate, to outside: Coordinate, _ circle: SphereCircle) -> Coordinate {
        guard outside.isFinite else { return inside }
        var inside = inside, outside = outside
        for _ in 0..<48 {
            let middle = Coordinate(x: (inside.x + outside.x) / 2, y: (inside.y + outside.y) / 2)
            if circle.contains(middle) { inside = middle } else { outside = middle }
        }
        return inside
    }

    private func cutArea(_ rings: [[Coordinate]], _ circle: SphereCircle) -> Cut {
        var cut = Cut()
        for ring in rings where ring.count > 2 {
            let ring = dense(ring, about: circle)
            var runs = runs(of: ring, in: circle)
            if runs.isWhole {
                cut.parts.append(ring)
                cut.border += Self.lines(of: ring, leaving: Self.isSeam)
                continue
            }
            // What leads over the ring's beginning is one run.
            if runs.lines.count > 1, let first = ring.first, let last = runs.lines.last, runs.lines[0].first == first,
                last.last == first
            {
                runs.lines[0] = last + runs.lines[0].dropFirst()
                runs.lines.removeLast()
            }
            guard !runs.lines.isEmpty else { continue }
            var closed: [Coordinate] = []
            for (index, line) in runs.lines.enumerated() {
                let next = runs.lines[(index + 1) % runs.lines.count]
                closed += Self.beside(closed.last, line)
                closed += circle.arc(from: closed[closed.count - 1], to: next[0])
                cut.border += Self.lines(of: line, leaving: Self.isSeam)
            }
            closed += Self.beside(closed.last, [closed[0]])
            cut.parts.append(closed)
        }
        if isInverted(rings, cut.parts, circle) { cut.parts.append(circle.ring) }
        return cut
    }

    /// A line moved by whole turns to where it begins beside a place.
    private static func beside(_ place: Coordinate?, _ line: [Coordinate]) -> [Coordinate] {
        guard let place else { return line }
        let turns = ((place.x - line[0].x) / 360).rounded() * 360
        return turns == 0 ? line : line.map { Coordinate(x: $0.x + turns, y: $0.y) }
    }

    /// Whether inside and outside have changed places, as most of some places about the centre say.
    ///
    /// A single one may lie beside a segment that the map bends.
    private func isInverted(_ rings: [[Coordinate]], _ parts: [[Coordinate]], _ circle: SphereCircle) -> Bool {
        func point(_ place: Coordinate) -> Point { Point(x: place.x, y: place.y) }
        let given = rings.map { $0.map(point) }, left = parts.map { $0.compactMap { transform($0).map(point) } }
        let around = SphereCircle(center: circle.center, radius: circle.radius * 0.31)
        var votes = 0
        for number in 0..<5 {
            let place = around.place(bearing: 37.1317 + Double(number) * 72)
            guard let pixel = transform(place) else { continue }
            let isInside = (-2...2).contains { turn in
                PolygonTest.contains(Point(x: place.x + Double(turn) * 360, y: place.y), rings: given)
            }
            votes += isInside == PolygonTest.contains(point(pixel), rings: left) ? -1 : 1
        }
        return votes > 0
    }
}

extension ShapeCutter {
    /// What of a geometry is drawn; areas are to be read by the even-odd rule.
    ///
    /// - Complexity: O(coordinates).
    package func cut(_ geometry: Geometry) -> Geometry {
        switch geometry.kind {
        case .point, .multiPoint: return geometry
        case .lineString, .multiLineString:
            guard mayCut(Survey(geometry), isArea: false) else { return geometry }
            return .multiLineString(geometry.parts.flatMap { cutLine(Array($0)).parts })
        case .polygon, .multiPolygon:
            guard mayCut(Survey(geometry), isArea: true) else { return geometry }
            return .multiPolygon(geometry.polygons.map { cutArea($0.map(Array.init)).parts })
        case .collection: return .collection(geometry.children.map(cut))
        }
    }
}

extension ShapeCutter.Survey {
    fileprivate init(_ geometry: Geometry) {
        for part in geometry.parts {
            var previous: (x: Double, y: Double)?
            for place in part {
                add(place.x, place.y, after: previous)
                previous = (place.x, place.y)
            }
        }
    }
}
