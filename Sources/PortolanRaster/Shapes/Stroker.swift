/// Follows subpaths and passes the segments of their stroke outline to the rasterizer, to be filled by the non-zero
/// rule.
///
/// The outline is the sum of a rectangle for each segment and a wedge for each corner, all in the same direction, so
/// that no point is left out and no windings cancel. If both neighbours are long enough, the overlap of the rectangles
/// inside a corner is removed, so that it does not thicken the antialiased edge. A corner is added as soon as the next
/// vertex is known.
struct Stroker: Sendable {
    /// Points closer than this are merged, because a direction between them would be noise.
    private static let minimumLength = 1e-6

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
        private static let nowhere = Rasterizer.Vertex(point: Point(x: 0, y: 0), x: -1, y: 0)

        var isBegun = false
        var first = nowhere
        var last = nowhere

        /// Continues to `point`; the right side is traversed backwards, so that both enclose the line.
        @inline(__always)
        mutating func proceed(to point: Rasterizer.Vertex, isLeft: Bool, _ rasterizer: inout some SegmentSink) {
            if !isBegun {
                first = point
                isBegun = true
            } else if isLeft {
                rasterizer.addSegment(from: last, to: point)
            } else {
                rasterizer.addSegment(from: point, to: last)
            }
            last = point
        }
    }

    private var halfWidth = 0.0
    private var cap = StrokeStyle.LineCap.butt
    private var join = StrokeStyle.LineJoin.miter
    /// The cosine of the sharpest turn that is mitered.
    private var minimumMiterCosine = 0.0
    private var arc = StrokeArc(radius: 1)
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
            if subpath.isClosed {
                strokeRing(points, isSmooth, subpath, &rasterizer)
            } else {
                strokeLine(points, isSmooth, subpath, &rasterizer)
            }
        }
    }

    private mutating func strokeLine(
        _ points: Span<Point>, _ isSmooth: Span<Bool>, _ subpath: FlatPath.Subpath,
        _ rasterizer: inout some SegmentSink
    ) {
        let walk = walk(points, isSmooth, subpath.start..<subpath.end, isClosed: false, &rasterizer)
        guard walk.count > 1 else { return strokeDot(walk.last, &rasterizer) }
        let last = walk.last.point, lastDirection = walk.before.direction
        addBoth(last, normal: Self.normal(lastDirection), &rasterizer)
        addCaps(walk.first.point, walk.first.direction, last, lastDirection, &rasterizer)
    }

    private mutating func strokeRing(
        _ points: Span<Point>, _ isSmooth: Span<Bool>, _ subpath: FlatPath.Subpath,
        _ rasterizer: inout some SegmentSink
    ) {
        // Points at the end that repeat the first one are omitted.
        var end = subpath.end
        while end > subpath.start + 1,
            !(points[subpath.start].distance(to: points[end - 1]) > Self.minimumLength)
        {
            end -= 1
        }
        var walk = walk(points, isSmooth, subpath.start..<end, isClosed: true, &rasterizer)
        guard walk.count > 1 else { return strokeDot(walk.last, &rasterizer) }
        let first = walk.first, length = walk.last.point.distance(to: first.point)
        if length > 0 { walk.last.lead(to: first.point, length) }
        addJoin(from: walk.before, at: walk.last, to: first.side, &rasterizer)
        addJoin(from: walk.last, at: first, to: walk.secondSide, &rasterizer)
        guard left.isBegun, right.isBegun else { return }
        rasterizer.addSegment(from: left.last, to: left.first)
        rasterizer.addSegment(from: right.first, to: right.last)
    }

    private mutating func strokeDot(_ vertex: Vertex, _ rasterizer: inout some SegmentSink) {
        guard cap != .butt else { return }
        addBoth(vertex.point, normal: Self.normal(vertex.direction), &rasterizer)
        addCaps(vertex.point, vertex.direction, vertex.point, vertex.direction, &rasterizer)
    }

    /// The vertices that matter at the end of a subpath.
    private struct Walk {
        /// The number of different vertices.
        var count = 1
        var first: Vertex
        /// The side of the second vertex.
        var secondSide: Int8 = 0
        var before: Vertex
        var last: Vertex
    }

    /// Adds the corners of all vertices with known neighbours, and the start of a line.
    private mutating func walk(
        _ points: Span<Point>, _ isSmooth: Span<Bool>, _ range: Range<Int>, isClosed: Bool,
        _ rasterizer: inout some SegmentSink
    ) -> Walk {
        let hasSmooth = !isSmooth.isEmpty
        let first = vertex(points[range.lowerBound], isSmooth: hasSmooth && isSmooth[range.lowerBound])
        var walk = Walk(first: first, before: first, last: first)
        for index in range.dropFirst() {
            let point = points[index], isSmooth = hasSmooth && isSmooth[index]
            let length = walk.last.point.distance(to: point)
            guard length > Self.minimumLength else {
                if isSmooth { walk.last.isSmooth = true }
                continue
            }
            walk.last.lead(to: point, length)
            let next = vertex(point, isSmooth: isSmooth)
            if walk.count > 1 {
                addJoin(from: walk.before, at: walk.last, to: next.side, &rasterizer)
            } else {
                walk.first = walk.last
                walk.secondSide = next.side
                if !isClosed { addBoth(walk.last.point, normal: Self.normal(walk.last.direction), &rasterizer) }
            }
            walk.count += 1
            walk.before = walk.last
            walk.last = next
        }
        return walk
    }

    private func vertex(_ point: Point, isSmooth: Bool) -> Vertex {
        let side: Int8 = point.y < near.lowerBound ? -1 : point.y > near.upperBound ? 1 : 0
        return Vertex(point: point, isSmooth: isSmooth, side: side)
    }

    /// Adds the corner at a vertex to both sides.
    @inline(__always)
    private mutating func addJoin(
        from before: Vertex, at vertex: Vertex, to nextSide: Int8, _ rasterizer: inout some SegmentSink
    ) {
        // Both segments and their neighbours are beyond the rows, and so is everything between them.
        if vertex.side != 0, vertex.side == before.side, vertex.side == nextSide { return }
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
            return addBoth(p, normal: meeting, &rasterizer)
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

    /// Continues both sides to the points that a multiple of `normal` leads to.
    private mutating func addBoth(_ p: Point, normal: Point, _ rasterizer: inout some SegmentSink) {
        left.proceed(to: rasterizer.vertex(p.moved(along: normal, by: halfWidth)), isLeft: true, &rasterizer)
        right.proceed(to: rasterizer.vertex(p.moved(along: normal, by: -halfWidth)), isLeft: false, &rasterizer)
    }

    /// Continues one side to `point`.
    private mutating func add(_ point: Point, isLeft: Bool, _ rasterizer: inout some SegmentSink) {
        let point = rasterizer.vertex(point)
        if isLeft {
            left.proceed(to: point, isLeft: true, &rasterizer)
        } else {
            right.proceed(to: point, isLeft: false, &rasterizer)
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
