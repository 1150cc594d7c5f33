package import PortolanGeo
import PortolanRaster

/// Cuts lines and areas in longitude and latitude, or in Mercator as those of vector tiles, at the limits of a
/// projection, and closes areas along the limit.
///
/// Segments are straight in longitude and latitude (RFC 7946, section 3.1.1), so an area is the interior of its rings
/// in that plane by the even-odd rule. At meridians and parallels it is cut in that plane by half-planes. A circle is
/// not a straight line in that plane. The remaining parts of a ring are joined along the circle in the shorter
/// direction. Some sample positions reveal whether inside and outside are exchanged, which is corrected by the circle
/// as an additional ring.
package struct ShapeCutter {
    /// The maximum length of a segment of a cut shape in degrees.
    ///
    /// On many maps, a segment of half a turn has no defined midpoint.
    private static let longestSegment = 4.0
    /// The maximum length of a segment near a circle, in degrees.
    private static let longestSegmentNearCircle = 0.5
    /// The maximum number of parts of a segment: a full turn of the shortest length.
    private static let mostParts = 720.0
    /// The maximum length of a segment of an uncut shape, in degrees.
    private static let longestWhole = 30.0

    private let domain: ProjectionDomain
    /// The transformation from longitude and latitude to the map.
    private let transform: CoordinateTransform
    /// The transformation of the shapes to longitude and latitude, or `nil` if they are.
    private let geographic: CoordinateTransform?
    /// The largest longitude and latitude: those of the seam of a file, along which it cuts areas; or the largest easting
    /// and northing of shapes that stay in a repeating world.
    private var bounds = (x: 180.0, y: 90.0)
    /// The bounding box of the area that a map with a circular limit does not show.
    private let hole: (latitudes: ClosedRange<Double>, longitude: Double, reach: Double)?

    /// Creates the cutter of a transformation, or returns `nil` if nothing is cut: if the source is not longitude and
    /// latitude or a repeating world, or the target CRS has no limits.
    ///
    /// Shapes that stay in the CRS of a repeating world are not cut, but lose their borders along the seam of a file.
    package init?(_ transform: CoordinateTransform) {
        if transform.isIdentity, let world = transform.source.worldWidth {
            self.transform = transform
            domain = .everywhere
            geographic = nil
            hole = nil
            if !transform.source.isLongitudeLatitude { bounds = (world / 2, world / 2) }
            return
        }
        guard !transform.isIdentity, let domain = transform.target.domain, domain != .everywhere else { return nil }
        self.domain = domain
        if transform.source.isLongitudeLatitude {
            self.transform = transform
            geographic = nil
        } else {
            guard transform.source.worldWidth != nil, transform.target.worldWidth == nil,
                let there = try? CoordinateTransform(from: transform.source, to: .crs84),
                let onward = try? CoordinateTransform(from: .crs84, to: transform.target)
            else { return nil }
            self.transform = onward
            geographic = there
        }
        if case .cap(let center, let radius) = domain {
            let size = 180 - radius, latitude = -center.y
            // A hole that contains a pole is on all meridians.
            let reach = abs(latitude) + size >= 90 ? 180 : SphereCircle.halfSpan(latitude: latitude, radius: size)
            hole = (latitude - size...latitude + size, center.x + 180, reach)
        } else {
            hole = nil
        }
    }

    /// The remaining part of a line or area.
    struct Cut {
        /// Lines, or closed rings.
        var parts: [[Coordinate]] = []
        /// The lines of an area's border that are not cuts.
        var border: [[Coordinate]] = []
        /// Whether an area meets the seam of a file at ±180°, beyond which it may continue.
        var meetsSeam = false
        /// Whether an area is unchanged, with all of its border.
        var isWhole = false
    }

    /// Statistics of the coordinates of a shape, to decide whether it needs to be cut.
    struct Survey {
        var minX = Double.infinity
        var minY = Double.infinity
        var maxX = -Double.infinity
        var maxY = -Double.infinity
        /// The maximum length of a segment in longitude or latitude.
        var longest = 0.0

        /// Adds a coordinate, which follows another of the same part or starts one.
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

    /// Returns the survey of a shape in longitude and latitude.
    private func inDegrees(_ shape: Survey) -> Survey? {
        guard let geographic, let world = geographic.source.worldWidth else { return shape }
        guard let low = geographic(Coordinate(x: shape.minX, y: shape.minY)),
            let high = geographic(Coordinate(x: shape.maxX, y: shape.maxY))
        else { return nil }
        return Survey(
            minX: low.x, minY: low.y, maxX: high.x, maxY: high.y, longest: shape.longest * 360 / world)
    }

    /// Returns the parts of a shape in longitude and latitude.
    private func inDegrees(_ parts: [[Coordinate]]) -> [[Coordinate]] {
        guard let geographic else { return parts }
        return parts.map { $0.compactMap { geographic($0) } }
    }

    /// Returns a cut in the coordinates of the shapes.
    private func inSource(_ cut: Cut) -> Cut {
        guard let back = geographic?.inverse else { return cut }
        func moved(_ parts: [[Coordinate]]) -> [[Coordinate]] {
            parts.map { $0.compactMap { back($0) } }.filter { $0.count > 1 }
        }
        return Cut(parts: moved(cut.parts), border: moved(cut.border), meetsSeam: cut.meetsSeam)
    }

    /// Returns whether a shape may have to be cut.
    func mayCut(_ shape: Survey, isArea: Bool) -> Bool {
        guard shape.minX <= shape.maxX else { return false }
        guard let shape = inDegrees(shape) else { return true }
        let (x, y) = (bounds.x - tolerance, bounds.y - tolerance)
        if isArea, shape.minX <= -x || shape.maxX >= x || shape.minY <= -y || shape.maxY >= y { return true }
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

    /// Returns the remaining part of a line.
    func cutLine(_ line: [Coordinate]) -> Cut {
        geographic == nil
            ? cut(line) : inDegrees([line]).first.map { inSource(cut($0)) } ?? Cut()
    }

    /// Returns the remaining part of an area.
    ///
    /// The rings of areas that meet the seam of a file have the orientation of RFC 7946, so that both sides of the seam
    /// can be filled together.
    func cutArea(_ rings: [[Coordinate]]) -> Cut {
        let rings = inDegrees(rings)
        let meetsSeam = rings.contains { ring in zip(ring, ring.dropFirst()).contains(where: isMeridianSeam) }
        var cut = cut(meetsSeam ? Self.oriented(rings) : rings)
        cut.meetsSeam = meetsSeam
        return inSource(cut)
    }

    /// Returns the rings of an area with the outer one counterclockwise, and the others clockwise.
    private static func oriented(_ rings: [[Coordinate]]) -> [[Coordinate]] {
        rings.enumerated().map { number, ring in
            let area = zip(ring, ring.dropFirst()).reduce(0) { sum, edge in
                sum + (edge.1.x - edge.0.x) * (edge.1.y + edge.0.y)
            }
            // The sum is positive for clockwise rings.
            return (area > 0) == (number == 0) ? ring.reversed() : ring
        }
    }

    private func cut(_ line: [Coordinate]) -> Cut {
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

    private func cut(_ rings: [[Coordinate]]) -> Cut {
        var cut = Cut()
        switch domain {
        case .everywhere:
            cut.parts = rings
            cut.border = rings.flatMap { Self.lines(of: $0, leaving: isSeam) }
            // A ring without a seam is a single line.
            cut.isWhole = zip(rings, cut.border).allSatisfy { $0.count == $1.count } && cut.border.count == rings.count
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

    /// A turn of longitudes, with the half-planes that bound the visible area of a projection in it.
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
        // Longitudes in files are within a few turns of Greenwich; those of hostile files may exceed the range of
        // `Int`.
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

    /// Returns the lines of a ring's border that are neither a cut nor the seam of a file: ±180° or a pole.
    private func border(of ring: [Coordinate], _ edges: [HalfPlane]) -> [[Coordinate]] {
        Self.lines(of: ring) { a, b in isSeam(a, b) || edges.contains { $0.isAlong(a, b) } }.map(Self.parted)
    }

    /// The largest distance of coordinates from the seam: a few centimetres, since files are rounded.
    private var tolerance: Double { bounds.x * 1e-9 }

    private func isSeam(_ a: Coordinate, _ b: Coordinate) -> Bool {
        isMeridianSeam(a, b)
            || abs(a.y - b.y) <= tolerance && abs(a.y) >= bounds.y - tolerance && abs(a.y) <= bounds.y + tolerance
    }

    /// Returns whether a segment is along the seam at ±180°.
    private func isMeridianSeam(_ a: Coordinate, _ b: Coordinate) -> Bool {
        abs(a.x - b.x) <= tolerance && abs(abs(a.x.remainder(dividingBy: 2 * bounds.x)) - bounds.x) <= tolerance
    }

    /// Returns the runs of a ring's segments without the excluded ones.
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
        // The last run continues in the first, if the ring starts within a run.
        if lines.count > 1, let first = lines.first, let last = lines.last, first.first == last.last, line.count > 1 {
            lines[0] = last + first.dropFirst()
            lines.removeLast()
        }
        return lines
    }

    /// Returns the line with long segments divided.
    private static func parted(_ line: [Coordinate]) -> [Coordinate] { parted(line) { _, _ in longestSegment } }

    private static func parted(
        _ line: [Coordinate], _ longest: (Coordinate, Coordinate) -> Double
    ) -> [Coordinate] {
        var result: [Coordinate] = []
        // A hostile file may consist of long segments only.
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

    /// The parts of a line inside a circle.
    private struct Runs {
        var lines: [[Coordinate]] = []
        /// Whether the whole line is inside.
        var isWhole = true
    }

    /// Returns the line with segments short enough that none crosses the circle twice unnoticed.
    private func dense(_ line: [Coordinate], about circle: SphereCircle) -> [Coordinate] {
        Self.parted(line) { a, b in
            // The cosine decreases by less than the length of the segment.
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

    /// Returns the position on the circle, slightly inside, between a position inside and one outside.
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
                cut.border += Self.lines(of: ring, leaving: isSeam)
                continue
            }
            // A run across the start of the ring is a single run.
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
                cut.border += Self.lines(of: line, leaving: isSeam)
            }
            closed += Self.beside(closed.last, [closed[0]])
            cut.parts.append(closed)
        }
        if isInverted(rings, cut.parts, circle) { cut.parts.append(circle.ring) }
        return cut
    }

    /// Returns a line moved by full turns so that it starts near a position.
    private static func beside(_ place: Coordinate?, _ line: [Coordinate]) -> [Coordinate] {
        guard let place else { return line }
        let turns = ((place.x - line[0].x) / 360).rounded() * 360
        return turns == 0 ? line : line.map { Coordinate(x: $0.x + turns, y: $0.y) }
    }

    /// Returns whether inside and outside are exchanged, by a majority of some positions near the centre.
    ///
    /// A single position may be close to a segment that the projection bends.
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
    /// Returns the visible part of a geometry.
    ///
    /// Areas must be filled by the even-odd rule.
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
