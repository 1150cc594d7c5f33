/// Follows subpaths and passes the segments of their stroke outline to the rasterizer, to be filled by the non-zero
/// rule.
///
/// The outline is the sum of a rectangle for each segment and a wedge for each corner, all in the same direction, so
/// that no point is left out and no windings cancel. If both neighbours are long enough, the overlap of the rectangles
/// inside a corner is removed, so that it does not thicken the antialiased edge. Only a few thousand vertices of a long
/// subpath are in memory at a time.
struct Stroker: Sendable {
    /// Points closer than this are merged, because a direction between them would be noise.
    private static let minimumLength = 1e-6
    /// The maximum number of vertices in memory.
    private static let windowLength = 4096

    private struct Vertex: Sendable {
        let point: Point
        var isSmooth: Bool
        /// -1 or 1 if nothing near the vertex can reach the painted rows, because it is above or below.
        let side: Int8
        /// The unit vector to the next vertex.
        var direction = Point(x: 1, y: 0)
        /// The distance to the next vertex.
        var length = 0.0

        /// Sets the direction and distance to the next vertex.
        mutating func lead(to next: Point, _ distance: Double) {
            length = distance
            direction = Point(x: (next.x - point.x) / distance, y: (next.y - point.y) / distance)
        }
    }

    /// The points of one side of the outline so far.
    private struct Side: Sendable {
        private static let nowhere = Rasterizer.Vertex(point: Point(x: 0, y: 0), x: 0, y: 0, isInside: false)

        var isBegun = false
        var first = nowhere
        var last = nowhere
    }

    private var halfWidth = 0.0
    private var cap = StrokeStyle.LineCap.butt
    private var join = StrokeStyle.LineJoin.miter
    /// The cosine of the sharpest turn that is mitered.
    private var minimumMiterCosine = 0.0
    private var arc = StrokeArc(radius: 1)
    private var vertices: [Vertex] = []
    private var left = Side()
    private var right = Side()

    /// The vertical range in which a vertex can affect the painted rows.
    private var near = 0.0...0.0

    /// Sets the style of the next strokes, and the painted rows.
    mutating func prepare(_ style: StrokeStyle, rows: Range<Int>) {
        let reach = style.reach + 1
        near = (Double(rows.lowerBound) - reach)...(Double(rows.upperBound) + reach)
        cap = style.cap
        join = style.join
        // Miter length over width is 1 / cos(turn / 2), and cos(turn) = 2·cos²(turn / 2) - 1.
        minimumMiterCosine = 2 / (style.miterLimit * style.miterLimit) - 1
        if halfWidth != style.halfWidth {
            halfWidth = style.halfWidth
            arc = StrokeArc(radius: halfWidth)
        }
    }

    /// Adds the outlines of all subpaths.
    mutating func stroke(_ path: FlatPath, into rasterizer: inout some SegmentSink) {
        stroke(path.points.span, path.isSmooth.span, path.subpaths, into: &rasterizer)
    }

    /// Adds the outlines of subpaths.
    ///
    /// - Parameter isSmooth: for each point whether it is inside a curve, or empty if no point is.
    mutating func stroke(
        _ points: Span<Point>, _ isSmooth: Span<Bool>, _ subpaths: [FlatPath.Subpath],
        into rasterizer: inout some SegmentSink
    ) {
        for subpath in subpaths {
            left.isBegun = false
            right.isBegun = false
            vertices.removeAll(keepingCapacity: true)
            // The first two vertices, after they have left the window.
            var first: (Vertex, Vertex)?
            for index in subpath.start..<subpath.end {
                collect(points[index], isSmooth: !isSmooth.isEmpty && isSmooth[index])
                if vertices.count == Self.windowLength { moveWindow(&first, isClosed: subpath.isClosed, &rasterizer) }
            }
            if subpath.isClosed { dropRepeatedEnd(first?.0) }
            if vertices.count == 1, first == nil {
                strokeDot(&rasterizer)
            } else if subpath.isClosed {
                endRing(first, &rasterizer)
            } else {
                endLine(first?.0, &rasterizer)
            }
        }
    }

    private mutating func collect(_ point: Point, isSmooth: Bool) {
        if let last = vertices.last {
            let length = last.point.distance(to: point)
            guard length > Self.minimumLength else {
                if isSmooth { vertices[vertices.count - 1].isSmooth = true }
                return
            }
            vertices[vertices.count - 1].lead(to: point, length)
        }
        let side: Int8 = point.y < near.lowerBound ? -1 : point.y > near.upperBound ? 1 : 0
        vertices.append(Vertex(point: point, isSmooth: isSmooth, side: side))
    }

    /// Removes vertices at the end of a ring that repeat its first vertex.
    private mutating func dropRepeatedEnd(_ first: Vertex?) {
        let start = (first ?? vertices[0]).point, least = first == nil ? 1 : 2
        while vertices.count > least, !(start.distance(to: vertices[vertices.count - 1].point) > Self.minimumLength) {
            vertices.removeLast()
        }
    }

    /// Sets the direction and distance from the last vertex of a ring.
    private mutating func lead(to next: Point) {
        let last = vertices.count - 1, length = vertices[last].point.distance(to: next)
        if length > 0 { vertices[last].lead(to: next, length) }
    }

    /// Adds the corners of all vertices with known neighbours, and keeps the last two.
    private mutating func moveWindow(
        _ first: inout (Vertex, Vertex)?, isClosed: Bool, _ rasterizer: inout some SegmentSink
    ) {
        let last = vertices.count - 1
        if first == nil {
            first = (vertices[0], vertices[1])
            if !isClosed { addBoth(vertices[0].point, normal: Self.normal(vertices[0].direction), &rasterizer) }
        }
        for index in 1..<last { addJoin(from: index - 1, at: index, to: index + 1, &rasterizer) }
        vertices.removeFirst(last - 1)
    }

    private mutating func endLine(_ start: Vertex?, _ rasterizer: inout some SegmentSink) {
        let first = start ?? vertices[0], last = vertices[vertices.count - 1].point
        let lastDirection = vertices[vertices.count - 2].direction
        if start == nil { addBoth(first.point, normal: Self.normal(first.direction), &rasterizer) }
        for index in 1..<(vertices.count - 1) { addJoin(from: index - 1, at: index, to: index + 1, &rasterizer) }
        addBoth(last, normal: Self.normal(lastDirection), &rasterizer)
        addCaps(first.point, first.direction, last, lastDirection, &rasterizer)
    }

    private mutating func strokeDot(_ rasterizer: inout some SegmentSink) {
        guard cap != .butt else { return }
        let vertex = vertices[0]
        addBoth(vertex.point, normal: Self.normal(vertex.direction), &rasterizer)
        addCaps(vertex.point, vertex.direction, vertex.point, vertex.direction, &rasterizer)
    }

    /// Completes a ring with the corners that wait for their neighbours, the first vertex last.
    private mutating func endRing(_ first: (Vertex, Vertex)?, _ rasterizer: inout some SegmentSink) {
        let start = first ?? (vertices[0], vertices[1])
        lead(to: start.0.point)
        vertices.append(start.0)
        vertices.append(start.1)
        for index in 1..<(vertices.count - 1) { addJoin(from: index - 1, at: index, to: index + 1, &rasterizer) }
        guard left.isBegun, right.isBegun else { return }
        rasterizer.addSegment(from: left.last, to: left.first)
        rasterizer.addSegment(from: right.first, to: right.last)
    }

    /// Adds the corner at a vertex to both sides.
    private mutating func addJoin(
        from previous: Int, at index: Int, to next: Int, _ rasterizer: inout some SegmentSink
    ) {
        let before = vertices[previous], vertex = vertices[index]
        // Both segments and their neighbours are beyond the rows, and so is everything between them.
        if vertex.side != 0, vertex.side == before.side, vertex.side == vertices[next].side { return }
        let p = vertex.point, d0 = before.direction, d1 = vertex.direction
        let n0 = Self.normal(d0), n1 = Self.normal(d1)
        let sine = d0.x * d1.y - d0.y * d1.x, cosine = Self.dot(d0, d1)
        // At a reversal the sides meet nowhere, and rounding may even make the sum negative.
        let isReversal = 1 + cosine <= 1e-12
        // The intersection of the offset sides, in half widths along n0 + n1.
        let scale = 1 / (1 + cosine)
        let meeting = Point(x: (n0.x + n1.x) * scale, y: (n0.y + n1.y) * scale)
        let meetsInside = !isReversal && halfWidth * abs(sine) * scale <= min(before.length, vertex.length) / 2
        let isMitered = !isReversal && join == .miter && !vertex.isSmooth && cosine >= minimumMiterCosine
        // The areas of a miter and of a chord differ by an eighth of the cube of a small turn.
        let isStraight = cosine > 0.9 && halfWidth * halfWidth * 2 * (1 - cosine) * abs(sine) < 0x1p-16
        if meetsInside, isMitered || isStraight {
            add(p.moved(along: meeting, by: halfWidth), isLeft: true, &rasterizer)
            return add(p.moved(along: meeting, by: -halfWidth), isLeft: false, &rasterizer)
        }
        let isLeftInner = sine > 0
        let outer = isLeftInner ? -halfWidth : halfWidth
        if meetsInside {
            add(p.moved(along: meeting, by: -outer), isLeft: isLeftInner, &rasterizer)
        } else {
            add(p.moved(along: n0, by: -outer), isLeft: isLeftInner, &rasterizer)
            add(p, isLeft: isLeftInner, &rasterizer)
            add(p.moved(along: n1, by: -outer), isLeft: isLeftInner, &rasterizer)
        }
        if isMitered {
            return add(p.moved(along: meeting, by: outer), isLeft: !isLeftInner, &rasterizer)
        }
        add(p.moved(along: n0, by: outer), isLeft: !isLeftInner, &rasterizer)
        if join == .round || vertex.isSmooth, cosine < arc.minimumChordCosine {
            let sign = isLeftInner ? -1.0 : 1.0
            let from = Point(x: n0.x * sign, y: n0.y * sign), to = Point(x: n1.x * sign, y: n1.y * sign)
            // A reversal goes around the front.
            let middle = cosine < -0.999_999 ? d0 : Point(x: from.x + to.x, y: from.y + to.y).normalized ?? from
            let arc = arc
            arc.add(p, from, middle, StrokeArc.maximumDepth) { add($0, isLeft: !isLeftInner, &rasterizer) }
            arc.add(p, middle, to, StrokeArc.maximumDepth) { add($0, isLeft: !isLeftInner, &rasterizer) }
            return
        }
        add(p.moved(along: n1, by: outer), isLeft: !isLeftInner, &rasterizer)
    }

    private func addCaps(
        _ start: Point, _ startDirection: Point, _ end: Point, _ endDirection: Point,
        _ rasterizer: inout some SegmentSink
    ) {
        guard left.isBegun, right.isBegun else { return }
        addCap(end, endDirection, from: left.last, to: right.last, &rasterizer)
        addCap(
            start, Point(x: -startDirection.x, y: -startDirection.y), from: right.first, to: left.first, &rasterizer)
    }

    /// Adds the segments from one side to the other around the end at `p`, beyond which `direction` points.
    private func addCap(
        _ p: Point, _ direction: Point, from: Rasterizer.Vertex, to: Rasterizer.Vertex,
        _ rasterizer: inout some SegmentSink
    ) {
        let normal = Self.normal(direction)
        var current = from
        switch cap {
        case .butt: break
        case .square:
            for corner in [from.point, to.point] {
                let next = rasterizer.vertex(corner.moved(along: direction, by: halfWidth))
                rasterizer.addSegment(from: current, to: next)
                current = next
            }
        case .round:
            for offset in arc.halfCircle {
                let next = rasterizer.vertex(
                    p.moved(along: normal, by: offset.x).moved(along: direction, by: offset.y))
                rasterizer.addSegment(from: current, to: next)
                current = next
            }
        }
        rasterizer.addSegment(from: current, to: to)
    }

    private mutating func addBoth(_ p: Point, normal: Point, _ rasterizer: inout some SegmentSink) {
        add(p.moved(along: normal, by: halfWidth), isLeft: true, &rasterizer)
        add(p.moved(along: normal, by: -halfWidth), isLeft: false, &rasterizer)
    }

    /// Continues one side to `point`; the right side is traversed backwards, so that both enclose the line.
    private mutating func add(_ point: Point, isLeft: Bool, _ rasterizer: inout some SegmentSink) {
        let point = rasterizer.vertex(point)
        if isLeft {
            if left.isBegun { rasterizer.addSegment(from: left.last, to: point) } else { left.first = point }
            left.last = point
            left.isBegun = true
        } else {
            if right.isBegun { rasterizer.addSegment(from: point, to: right.last) } else { right.first = point }
            right.last = point
            right.isBegun = true
        }
    }

    private static func normal(_ direction: Point) -> Point { Point(x: -direction.y, y: direction.x) }

    private static func dot(_ a: Point, _ b: Point) -> Double { a.x * b.x + a.y * b.y }
}

/// Arcs of round joins and caps, approximated by chords.
struct StrokeArc: Sendable {
    private let radius: Double
    /// The cosine of the longest arc that one chord may replace.
    let minimumChordCosine: Double
    /// The points between the ends of a half circle relative to its centre, x towards its beginning and y towards its
    /// middle.
    private(set) var halfCircle: [Point] = []

    /// Limits the points of a quarter circle to 2¹⁰.
    static let maximumDepth = 10

    init(radius: Double) {
        self.radius = radius
        let half = max(1 - PathFlattener.defaultTolerance / radius, 0.5)
        minimumChordCosine = 2 * half * half - 1
        let center = Point(x: 0, y: 0), middle = Point(x: 0, y: 1)
        var points: [Point] = []
        add(center, Point(x: 1, y: 0), middle, Self.maximumDepth) { points.append($0) }
        add(center, middle, Point(x: -1, y: 0), Self.maximumDepth) { points.append($0) }
        halfCircle = points.dropLast()
    }

    /// Calls `body` with the points after `from` on the circle around `p`, by bisecting angles, which needs only square
    /// roots.
    func add(_ p: Point, _ from: Point, _ to: Point, _ depth: Int, _ body: (Point) -> Void) {
        guard depth > 0, from.x * to.x + from.y * to.y < minimumChordCosine,
            let middle = Point(x: from.x + to.x, y: from.y + to.y).normalized
        else { return body(p.moved(along: to, by: radius)) }
        add(p, from, middle, depth - 1, body)
        add(p, middle, to, depth - 1, body)
    }
}
