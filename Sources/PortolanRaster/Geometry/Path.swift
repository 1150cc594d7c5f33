/// Subpaths of straight and curved segments in pixel coordinates, for filling or stroking.
public struct Path: Hashable, Sendable {
    /// A step of a path.
    public enum Element: Hashable, Sendable {
        /// Starts a new subpath.
        case move(Point)
        /// A straight segment.
        case line(Point)
        /// A quadratic Bézier segment.
        case quad(control: Point, end: Point)
        /// A cubic Bézier segment.
        case cubic(control1: Point, control2: Point, end: Point)
        /// Closes the subpath with a straight segment to its start.
        case close
    }

    /// The kind of an element, which determines its number of points: one for a move or line, two for a quadratic and
    /// three for a cubic curve, none for a close.
    enum Verb: UInt8, Sendable {
        case move, line, quad, cubic, close

        var pointCount: Int {
            switch self {
            case .move, .line: 1
            case .quad: 2
            case .cubic: 3
            case .close: 0
            }
        }
    }

    /// The kinds of the steps, and all of their points, each in drawing order in contiguous memory.
    private(set) var verbs: [Verb] = []
    private(set) var points: [Point] = []
    /// Whether there are no curves.
    private(set) var isStraight = true

    /// Creates an empty path.
    public init() {}

    /// The steps in drawing order.
    ///
    /// - Complexity: O(steps); the list is created on each access.
    public var elements: [Element] {
        var index = 0
        func next() -> Point {
            index += 1
            return points[index - 1]
        }
        return verbs.map { verb in
            switch verb {
            case .move: .move(next())
            case .line: .line(next())
            case .quad: .quad(control: next(), end: next())
            case .cubic: .cubic(control1: next(), control2: next(), end: next())
            case .close: .close
            }
        }
    }

    /// The number of steps.
    package var elementCount: Int { verbs.count }

    /// Whether the path has no elements.
    public var isEmpty: Bool { verbs.isEmpty }

    /// Reserves capacity for `count` elements in total.
    public mutating func reserveCapacity(_ count: Int) {
        verbs.reserveCapacity(count)
        points.reserveCapacity(count)
    }

    /// Removes all elements and keeps the memory.
    package mutating func removeAll() {
        verbs.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
        isStraight = true
    }

    /// Starts a new subpath at `point`.
    public mutating func move(to point: Point) {
        verbs.append(.move)
        points.append(point)
    }

    /// Adds a straight segment to `point`; without a current subpath, it starts one there.
    public mutating func line(to point: Point) {
        verbs.append(verbs.isEmpty ? .move : .line)
        points.append(point)
    }

    /// Adds a quadratic Bézier segment; without a current subpath, it starts one at `control`.
    public mutating func quad(control: Point, to end: Point) {
        if isEmpty { move(to: control) }
        isStraight = false
        verbs.append(.quad)
        points.append(control)
        points.append(end)
    }

    /// Adds a cubic Bézier segment; without a current subpath, it starts one at `control1`.
    public mutating func cubic(control1: Point, control2: Point, to end: Point) {
        if isEmpty { move(to: control1) }
        isStraight = false
        verbs.append(.cubic)
        points.append(control1)
        points.append(control2)
        points.append(end)
    }

    /// Closes the current subpath; does nothing without one.
    public mutating func close() {
        if !isEmpty { verbs.append(.close) }
    }

    /// Appends all subpaths of `other`.
    public mutating func append(_ other: Path) {
        // Many points are shared instead of copied.
        if isEmpty, other.points.count > 1 << 16 { return self = other }
        verbs.append(contentsOf: other.verbs)
        points.append(contentsOf: other.points)
        isStraight = isStraight && other.isStraight
    }

    /// Returns the part of the path with these verbs and points.
    func part(verbs: Range<Int>, points: Range<Int>, isStraight: Bool) -> Path {
        var part = Path()
        part.verbs = Array(self.verbs[verbs])
        part.points = Array(self.points[points])
        part.isStraight = isStraight
        return part
    }

    /// Appends all subpaths of `other` with their points transformed.
    package mutating func append(_ other: Path, transformedBy transform: AffineTransform) {
        verbs.append(contentsOf: other.verbs)
        points.append(contentsOf: other.points.lazy.map(transform.callAsFunction))
        isStraight = isStraight && other.isStraight
    }

    /// Appends consecutive parts of the elements of `other`, each with its points transformed.
    package mutating func append(_ parts: [(elements: Range<Int>, transform: AffineTransform)], of other: Path) {
        var verb = 0, point = 0
        for (elements, transform) in parts {
            if elements.lowerBound < verb { (verb, point) = (0, 0) }
            while verb < elements.lowerBound {
                point += other.verbs[verb].pointCount
                verb += 1
            }
            while verb < elements.upperBound {
                let end = point + other.verbs[verb].pointCount
                verbs.append(other.verbs[verb])
                while point < end {
                    points.append(transform(other.points[point]))
                    point += 1
                }
                verb += 1
            }
        }
        isStraight = isStraight && other.isStraight
    }

    /// Appends a subpath of straight segments through points, closed or open.
    ///
    /// - Complexity: O(points); they are copied as a block.
    package mutating func append(polyline: some Collection<Point>, closed: Bool) {
        guard !polyline.isEmpty else { return }
        verbs.append(.move)
        verbs.append(contentsOf: repeatElement(.line, count: polyline.count - 1))
        if closed { verbs.append(.close) }
        points.append(contentsOf: polyline)
    }

    /// Returns the path with its points transformed.
    public func transformed(by transform: AffineTransform) -> Path {
        var copy = self
        for index in copy.points.indices { copy.points[index] = transform(points[index]) }
        return copy
    }
}

extension Path {
    /// Creates a closed rectangle.
    package init(_ rectangle: Rectangle) {
        self = .rectangle(x: rectangle.minX, y: rectangle.minY, width: rectangle.width, height: rectangle.height)
    }

    /// Returns a closed rectangle, clockwise on the screen from its corner at (`x`, `y`).
    public static func rectangle(x: Double, y: Double, width: Double, height: Double) -> Path {
        polyline(
            [
                Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
                Point(x: x, y: y + height),
            ], closed: true)
    }

    /// Returns straight segments through `points`, closed or open.
    public static func polyline(_ points: some Sequence<Point>, closed: Bool = false) -> Path {
        var path = Path()
        path.append(polyline: Array(points), closed: closed)
        return path
    }

    /// Returns a closed circle, clockwise on the screen from its rightmost point.
    ///
    /// It consists of eight cubics, which deviate from the true circle by at most 5 millionths of the radius.
    public static func circle(center: Point, radius: Double) -> Path {
        var path = Path()
        path.reserveCapacity(10)
        // Unit vectors to the ends of the eight arcs; the arm of a 45° arc is 4/3·tan(π/16).
        let h = 0.5.squareRoot(), arm = 0.26521648983954400923 * radius
        let directions = [(1, 0), (h, h), (0, 1), (-h, h), (-1, 0), (-h, -h), (0, -1), (h, -h), (1, 0)]
        func place(_ direction: (Double, Double)) -> Point {
            Point(x: center.x + direction.0 * radius, y: center.y + direction.1 * radius)
        }
        path.move(to: place(directions[0]))
        for (from, to) in zip(directions, directions.dropFirst()) {
            let start = place(from), end = place(to)
            path.cubic(
                control1: Point(x: start.x - from.1 * arm, y: start.y + from.0 * arm),
                control2: Point(x: end.x + to.1 * arm, y: end.y - to.0 * arm), to: end)
        }
        path.close()
        return path
    }

    /// Returns a closed rectangle with corners rounded by quarter circles.
    ///
    /// A radius larger than half of the shorter side is reduced to that.
    public static func roundedRectangle(
        x: Double, y: Double, width: Double, height: Double, radius: Double
    ) -> Path {
        let r = min(radius, width / 2, height / 2)
        guard r > 0 else { return rectangle(x: x, y: y, width: width, height: height) }
        // The arm of a 90° arc is 4/3·tan(π/8).
        let k = r * (1 - 0.55228474983079339840), right = x + width, bottom = y + height
        var path = Path()
        path.reserveCapacity(10)
        path.move(to: Point(x: x + r, y: y))
        path.line(to: Point(x: right - r, y: y))
        path.cubic(
            control1: Point(x: right - k, y: y), control2: Point(x: right, y: y + k), to: Point(x: right, y: y + r))
        path.line(to: Point(x: right, y: bottom - r))
        path.cubic(
            control1: Point(x: right, y: bottom - k), control2: Point(x: right - k, y: bottom),
            to: Point(x: right - r, y: bottom))
        path.line(to: Point(x: x + r, y: bottom))
        path.cubic(
            control1: Point(x: x + k, y: bottom), control2: Point(x: x, y: bottom - k), to: Point(x: x, y: bottom - r))
        path.line(to: Point(x: x, y: y + r))
        path.cubic(control1: Point(x: x, y: y + k), control2: Point(x: x + k, y: y), to: Point(x: x + r, y: y))
        path.close()
        return path
    }
}

extension Path {
    /// The exact bounding rectangle of the path, including curves, or `nil` if the path has no points.
    ///
    /// Points that are not finite are ignored.
    public var boundingRectangle: Rectangle? {
        var rectangle: Rectangle?
        func include(_ point: Point) {
            guard point.isFinite else { return }
            if rectangle == nil {
                rectangle = Rectangle(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
            } else {
                rectangle?.include(point)
            }
        }
        var current = Point(x: 0, y: 0)
        for element in elements {
            switch element {
            case .move(let end), .line(let end):
                include(end)
                current = end
            case .quad(let control, let end):
                include(end)
                // A quadratic equals the cubic with its arms at two thirds.
                let curve = CubicCurve(
                    current, current.toward(control, fraction: 2.0 / 3), end.toward(control, fraction: 2.0 / 3), end)
                curve.turningPoints(include)
                current = end
            case .cubic(let control1, let control2, let end):
                include(end)
                CubicCurve(current, control1, control2, end).turningPoints(include)
                current = end
            case .close: break
            }
        }
        return rectangle
    }
}
