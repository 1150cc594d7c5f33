/// Subpaths of straight and curved segments in pixel coordinates, to be filled or stroked.
public struct Path: Hashable, Sendable {
    /// One step of a path.
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

    /// The steps in drawing order.
    public private(set) var elements: [Element]

    /// Makes an empty path.
    public init() { elements = [] }

    /// Whether nothing has been added.
    public var isEmpty: Bool { elements.isEmpty }

    /// Makes room for `count` elements in all.
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// Starts a new subpath at `point`.
    public mutating func move(to point: Point) { elements.append(.move(point)) }

    /// Adds a straight segment to `point`; without a subpath begun, it begins one there.
    public mutating func line(to point: Point) { elements.append(elements.isEmpty ? .move(point) : .line(point)) }

    /// Adds a quadratic Bézier segment; without a subpath begun, it begins one at `control`.
    public mutating func quad(control: Point, to end: Point) {
        if elements.isEmpty { move(to: control) }
        elements.append(.quad(control: control, end: end))
    }

    /// Adds a cubic Bézier segment; without a subpath begun, it begins one at `control1`.
    public mutating func cubic(control1: Point, control2: Point, to end: Point) {
        if elements.isEmpty { move(to: control1) }
        elements.append(.cubic(control1: control1, control2: control2, end: end))
    }

    /// Closes the current subpath; does nothing when there is none.
    public mutating func close() {
        if !elements.isEmpty { elements.append(.close) }
    }

    /// Adds all subpaths of `other`.
    public mutating func append(_ other: Path) { elements.append(contentsOf: other.elements) }

    /// The path with each of its points moved by `transform`.
    public func transformed(by transform: AffineTransform) -> Path {
        var copy = Path()
        copy.elements = elements.map { element in
            switch element {
            case .move(let p): .move(transform(p))
            case .line(let p): .line(transform(p))
            case .quad(let c, let e): .quad(control: transform(c), end: transform(e))
            case .cubic(let c1, let c2, let e):
                .cubic(control1: transform(c1), control2: transform(c2), end: transform(e))
            case .close: .close
            }
        }
        return copy
    }
}

extension Path {
    /// A closed rectangle, clockwise on the screen from its corner at (`x`, `y`).
    public static func rectangle(x: Double, y: Double, width: Double, height: Double) -> Path {
        polyline(
            [
                Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
                Point(x: x, y: y + height),
            ], closed: true)
    }

    /// Straight segments through `points`; closed, it ends with a segment back to the first point.
    public static func polyline(_ points: some Sequence<Point>, closed: Bool = false) -> Path {
        var path = Path()
        path.reserveCapacity(points.underestimatedCount + 1)
        for point in points { path.line(to: point) }
        if closed { path.close() }
        return path
    }

    /// A closed circle, clockwise on the screen from its rightmost point.
    ///
    /// It is made of eight cubics, which stay within 5 millionths of the radius of the true circle.
    public static func circle(center: Point, radius: Double) -> Path {
        var path = Path()
        path.reserveCapacity(10)
        // Unit vectors to the eight arcs' ends; the arm of a 45° arc is 4/3·tan(π/16).
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

    /// A closed rectangle with corners rounded by quarter circles.
    ///
    /// The radius is reduced to half of the shorter side where it is larger.
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
    /// The smallest upright rectangle around the path itself, curves included, or `nil` when the path has no point.
    ///
    /// Points that are not finite are left out.
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
                // A quadratic is the cubic with its arms at two thirds.
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
