// The standard library's rounding and remainder call the C mathematics library, which must be linked on Linux.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Splits subpaths into the pieces to stroke: the visible dashes.
struct Dasher: Sendable {
    /// The maximum number of dashes and gaps per stroke; a stroke with more is solid, which limits the work.
    ///
    /// Wide dashes count more because of the points of their round caps.
    private static let maximumDashes = 1_000_000.0
    /// The length of a dash of length 0, so that it has a direction for square caps.
    private static let dotLength = 1.0 / 16384

    /// The area that can affect the canvas, including caps and corners.
    private var visible = Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
    private var dashWeight = 1.0
    private var pattern: DashPattern?
    private var pieces = FlatPath()
    /// Whether points may be inside a curve.
    private var hasCurves = false
    /// The index of the first point of the current piece, or `nil` between pieces.
    private var start: Int?

    /// The pattern from a point of a path on; `nil` is a solid line.
    struct Stretch: Sendable {
        /// The index of the point.
        let start: Int
        let pattern: DashPattern?
    }

    /// Sets the style of the next strokes.
    mutating func prepare(_ style: StrokeStyle, size: ImageSize) {
        let margin = style.reach + 2
        prepare(
            style,
            visible: Rectangle(
                minX: -margin, minY: -margin, maxX: Double(size.width) + margin, maxY: Double(size.height) + margin))
    }

    /// Sets the style of the next strokes, and the area that can affect the canvas.
    mutating func prepare(_ style: StrokeStyle, visible: Rectangle) {
        self.visible = visible
        dashWeight = max(style.halfWidth.squareRoot() / 2, 1)
        pattern = DashPattern(dashes: style.dashes, phase: style.dashPhase)
    }

    /// Returns whether a path is stroked unchanged.
    ///
    /// - Parameter hull: a rectangle around all points.
    mutating func leavesWhole(_ points: Span<Point>, _ subpaths: [FlatPath.Subpath], hull: Rectangle) -> Bool {
        if let pattern, !isCountable(points, subpaths, pattern) { self.pattern = nil }
        return pattern == nil && visible.contains(hull)
    }

    /// Returns whether a path is stroked unchanged.
    mutating func leavesWhole(_ path: FlatPath, hull: Rectangle) -> Bool {
        leavesWhole(path.points.span, path.subpaths, hull: hull)
    }

    /// Returns the pieces of a path.
    mutating func dash(_ path: FlatPath) -> FlatPath { dash(path.points.span, path.isSmooth.span, path.subpaths) }

    /// Returns the pieces of subpaths in their order and direction; an uncut closed subpath stays closed.
    ///
    /// - Parameter isSmooth: for each point whether it is inside a curve, or empty if no point is.
    mutating func dash(_ points: Span<Point>, _ isSmooth: Span<Bool>, _ subpaths: [FlatPath.Subpath]) -> FlatPath {
        pieces.removeAll()
        for subpath in subpaths { dash(points, isSmooth, subpath, []) }
        return pieces
    }

    /// Returns the pieces of a path with a single subpath, whose stretches have patterns of their own.
    mutating func dash(_ path: FlatPath, stretches: [Stretch]) -> FlatPath {
        let whole = pattern
        defer { pattern = whole }
        if let whole, !isCountable(path.points.span, path.subpaths, whole) { pattern = nil }
        pieces.removeAll()
        for subpath in path.subpaths {
            dash(path.points.span, path.isSmooth.span, subpath, pattern == nil ? [] : stretches)
        }
        return pieces
    }

    private func isCountable(
        _ points: Span<Point>, _ subpaths: [FlatPath.Subpath], _ pattern: DashPattern
    ) -> Bool {
        var length = 0.0
        for subpath in subpaths {
            for index in subpath.start..<subpath.end {
                guard let next = subpath.next(after: index) else { continue }
                guard let (a, b) = visible.clip(points[index], points[next]) else { continue }
                length += a.distance(to: b)
            }
        }
        return length / pattern.length * Double(pattern.count) * dashWeight <= Self.maximumDashes
    }

    private mutating func dash(
        _ points: Span<Point>, _ isSmooth: Span<Bool>, _ subpath: FlatPath.Subpath, _ stretches: [Stretch]
    ) {
        hasCurves = !isSmooth.isEmpty
        pattern?.reset()
        var stretches = stretches[...]
        if let first = stretches.first, first.start == subpath.start {
            pattern = first.pattern
            stretches.removeFirst()
        }
        start = nil
        let firstPiece = pieces.subpaths.count
        let beginsInDash = pattern?.isDash ?? true
        // Whether there was no cut since the subpath's first point.
        var isWhole = beginsInDash, beginsAtStart = false
        for index in subpath.start..<subpath.end {
            guard let next = subpath.next(after: index) else { continue }
            if let stretch = stretches.first, stretch.start == index {
                pattern = stretch.pattern
                stretches.removeFirst()
            }
            let p0 = points[index], p1 = points[next]
            guard let (a, b) = visible.clip(p0, p1) else {
                endPiece()
                isWhole = false
                pattern?.advance(by: p0.distance(to: p1))
                continue
            }
            if a != p0 {
                endPiece()
                isWhole = false
                pattern?.advance(by: p0.distance(to: a))
            }
            if start == nil, pattern?.isDash ?? true {
                beginPiece(a)
                if index == subpath.start, a == p0 { beginsAtStart = true }
            }
            if !walk(from: a, to: b, isSmoothEnd: hasCurves && isSmooth[next] && b == p1) { isWhole = false }
            if b != p1 {
                endPiece()
                isWhole = false
                pattern?.advance(by: b.distance(to: p1))
            }
        }
        guard start != nil else { return }
        guard subpath.isClosed, beginsAtStart else { return endPiece() }
        if isWhole {
            // The last point equals the first.
            pieces.truncate(to: pieces.points.count - 1)
            endPiece(isClosed: true)
            if hasCurves, let piece = pieces.subpaths.last { pieces.isSmooth[piece.start] = isSmooth[subpath.start] }
        } else {
            // The last piece continues with the first one, which began at the same point.
            let first = pieces.subpaths[firstPiece]
            for index in (first.start + 1)..<first.end {
                append(pieces.points[index], isSmooth: hasCurves && pieces.isSmooth[index])
            }
            endPiece()
            pieces.subpaths.remove(at: firstPiece)
        }
    }

    /// Follows one segment and returns whether it is one dash from end to end.
    private mutating func walk(from a: Point, to b: Point, isSmoothEnd: Bool) -> Bool {
        guard var pattern = pattern.take() else {
            append(b, isSmooth: isSmoothEnd)
            return true
        }
        let length = a.distance(to: b)
        var position = 0.0, isWhole = pattern.isDash
        while pattern.remaining < length - position {
            let wasEmpty = pattern.remaining == 0
            position += pattern.remaining
            let place = a.toward(b, fraction: position / length)
            if pattern.isDash, let start {
                if wasEmpty, pieces.points.count == start + 1 {
                    append(a.toward(b, fraction: (position + Self.dotLength) / length), isSmooth: false)
                } else {
                    append(place, isSmooth: false)
                }
                endPiece()
            } else {
                beginPiece(place)
            }
            isWhole = false
            pattern.next()
        }
        pattern.use(length - position)
        self.pattern = pattern
        if start != nil { append(b, isSmooth: isSmoothEnd) }
        return isWhole
    }

    private mutating func beginPiece(_ point: Point) {
        start = pieces.points.count
        append(point, isSmooth: false)
    }

    private mutating func append(_ point: Point, isSmooth: Bool) {
        pieces.points.append(point)
        if hasCurves { pieces.isSmooth.append(isSmooth) }
    }

    private mutating func endPiece(isClosed: Bool = false) {
        guard let start else { return }
        self.start = nil
        pieces.subpaths.append(FlatPath.Subpath(start: start, end: pieces.points.count, isClosed: isClosed))
    }
}

/// A position in a valid, repeating list of dashes and gaps.
struct DashPattern: Sendable {
    /// Shorter lists are indistinguishable from a solid line.
    private static let minimumLength = 0.1

    private let lengths: [Double]
    /// The sum of the lengths.
    let length: Double
    /// The index of the current dash (even) or gap (odd).
    private(set) var index = 0
    /// The remaining length of the current dash or gap.
    private(set) var remaining = 0.0
    private var phase: Double

    /// Creates a pattern, or returns `nil` for a solid line.
    init?(dashes: [Double], phase: Double) {
        guard !dashes.isEmpty, dashes.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
        lengths = dashes.count.isMultiple(of: 2) ? dashes : dashes + dashes
        length = lengths.reduce(0, +)
        guard length.isFinite, length >= Self.minimumLength else { return nil }
        self.phase = phase
        reset()
    }

    /// The length of the first dash.
    var firstLength: Double { lengths[0] }

    /// Returns the pattern with all lengths multiplied, or `nil` for a solid line.
    func scaled(by factor: Double) -> DashPattern? { DashPattern(dashes: lengths.map { $0 * factor }, phase: 0) }

    /// Returns the pattern from another phase.
    func started(at phase: Double) -> DashPattern {
        var pattern = self
        pattern.phase = phase
        pattern.reset()
        return pattern
    }

    /// The number of dashes and gaps in the list.
    var count: Int { lengths.count }

    /// Whether the current part is painted.
    var isDash: Bool { index.isMultiple(of: 2) }

    /// Moves to the start of a subpath.
    mutating func reset() {
        index = 0
        remaining = lengths[0]
        guard phase.isFinite else { return }
        let offset = phase.truncatingRemainder(dividingBy: length)
        // An advance of 0 would skip a dash of length 0.
        if offset != 0 { advance(by: offset < 0 ? offset + length : offset) }
    }

    /// Moves to the beginning of the next dash or gap.
    mutating func next() {
        index += 1
        if index == lengths.count { index = 0 }
        remaining = lengths[index]
    }

    /// Moves by `distance` within the current dash or gap; it must not exceed the remaining length.
    mutating func use(_ distance: Double) { remaining = max(remaining - distance, 0) }

    /// Moves by `distance`.
    mutating func advance(by distance: Double) {
        guard distance >= remaining else { return remaining -= distance }
        var rest = (distance - remaining).truncatingRemainder(dividingBy: length)
        guard rest.isFinite else { return }
        next()
        // At most one pass through the list; because of rounding, nothing may remain for the last entry.
        for _ in lengths where rest >= remaining {
            rest -= remaining
            next()
        }
        remaining = max(remaining - rest, 0)
    }
}
